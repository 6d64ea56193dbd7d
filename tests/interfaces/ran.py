"""What a run of the command line gave, and a title that attacks terminals."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

EVIL = "Evil \x1b[31mred\x1b[0m [bold]plain[/bold] :smile: \u202eturned"


@dataclass(frozen=True)
class Ran:
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Cli = Callable[..., Ran]
