"""Any server that speaks OpenAI's embeddings endpoint."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ascertain.errors import EncoderError

_BATCH = 64


@dataclass(frozen=True)
class RemoteEncoder:
    """POST {base_url}/embeddings with `model` and `input`, as OpenAI documents it.

    base_url: such as http://localhost:11434/v1. model: as the server calls it. dimension: what it
    returns; another length is an error. key: sent as a bearer token, never shown.
    timeout_s: for one batch of 64 texts.
    """

    base_url: str
    model: str
    dimension: int
    key: str = field(default="", repr=False)
    timeout_s: float = 60.0

    @property
    def name(self) -> str:
        """The model and not the server: the same model elsewhere fits the same store."""
        return f"remote:{self.model}"

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """See encoders/base.py."""
        out = np.zeros((len(texts), self.dimension), dtype=np.float32)
        told = [at for at, text in enumerate(texts) if text.strip()]
        for start in range(0, len(told), _BATCH):
            places = told[start : start + _BATCH]
            out[places] = self._ask([texts[at] for at in places])
        return out

    def _ask(self, texts: list[str]) -> npt.NDArray[np.float32]:
        request = urllib.request.Request(
            self.base_url.rstrip("/") + "/embeddings",
            data=json.dumps({"model": self.model, "input": texts, "encoding_format": "float"}).encode(),
            headers={
                "Content-Type": "application/json",
                **({"Authorization": f"Bearer {self.key}"} if self.key else {}),
            },
        )
        try:
            with urllib.request.urlopen(request, timeout=self.timeout_s) as response:
                data = sorted(json.load(response)["data"], key=lambda one: one["index"])
            rows = np.array([one["embedding"] for one in data], dtype=np.float32)
        except (OSError, ValueError, KeyError, TypeError, urllib.error.URLError) as error:
            raise EncoderError(
                f"the encoder's server gave no vectors: {error}",
                where=self.base_url,
                hint="Is it running, and is the model's name right?",
            ) from error
        if rows.shape != (len(texts), self.dimension):
            raise EncoderError(
                f"the server gave vectors of shape {rows.shape}, not {(len(texts), self.dimension)}",
                where=self.base_url,
            )
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(rows / np.where(lengths > 0, lengths, 1), dtype=np.float32)
