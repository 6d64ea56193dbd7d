"""A question as the arms see it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ascertain.model.times import TimeView
from ascertain.model.tokens import Token

Vector = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Question:
    """text as asked; its tokens in order, stop words included; its vector (a row of length 1,
    or of zeros where the encoder found nothing to read); and the moment it is asked from."""

    text: str
    tokens: tuple[Token, ...]
    vector: Vector = field(compare=False, repr=False)
    view: TimeView

    @cached_property
    def terms(self) -> tuple[str, ...]:
        """The distinct terms that say something, in order of first appearance. Where every
        token is a stop word, they all count: «The Who» must stay findable."""
        told = [token.text for token in self.tokens if not token.stop]
        return tuple(dict.fromkeys(told or [token.text for token in self.tokens]))
