"""What an encoder is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt


class Encoder(Protocol):
    """Turns texts into vectors. `name` and `dimension` are kept in the store and must match
    when it is opened."""

    @property
    def name(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """float32, shape (len(texts), dimension), rows of length 1; the same text gives the same
        row whatever else is in the batch; a text with nothing to read gives a row of zeros.

        Raises EncoderError when it can't.
        """
