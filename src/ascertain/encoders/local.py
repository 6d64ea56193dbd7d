"""A 1024-dimension multilingual model (BGE-M3) on this machine, for who has its files."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ascertain.errors import EncoderError, EncoderMissing

_BATCH = 16
_MOST_TOKENS = 512


class BgeM3Encoder:
    """BGE-M3 (Chen et al., 2024), dense vectors: the [CLS] row of the last layer, length 1.

    folder: holds `model.onnx` (with its data file) and `tokenizer.json`, as the model's authors
    publish them for ONNX. Needs the extra `bge-m3` (onnxruntime and tokenizers). Nothing is
    downloaded. Safe to share between threads.

    Raises EncoderMissing without the packages and EncoderError without the files.
    """

    name = "bge-m3"
    dimension = 1024

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.Lock()
        try:
            import onnxruntime
            from tokenizers import Tokenizer
        except ImportError as error:
            raise EncoderMissing(
                "BGE-M3 needs onnxruntime and tokenizers", hint="Run: pip install 'ascertain[bge-m3]'"
            ) from error
        for file in ("model.onnx", "tokenizer.json"):
            if not (folder / file).is_file():
                raise EncoderError(
                    "is not there",
                    where=str(folder / file),
                    hint="Name the folder that holds the model's ONNX files.",
                )
        try:
            self._tokenizer: Any = Tokenizer.from_file(str(folder / "tokenizer.json"))
            self._tokenizer.enable_truncation(_MOST_TOKENS)
            self._tokenizer.enable_padding()
            self._session: Any = onnxruntime.InferenceSession(
                str(folder / "model.onnx"), providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # these libraries raise bare Exception and their own kinds
            raise EncoderError(f"the model can't be loaded: {error}", where=str(folder)) from error
        self._inputs = {one.name for one in self._session.get_inputs()}

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """See encoders/base.py."""
        out = np.zeros((len(texts), self.dimension), dtype=np.float32)
        told = sorted((at for at, text in enumerate(texts) if text.strip()), key=lambda at: len(texts[at]))
        for start in range(0, len(told), _BATCH):
            places = told[start : start + _BATCH]
            with self._lock:
                encoded = self._tokenizer.encode_batch([texts[at] for at in places])
                feed = {
                    "input_ids": np.array([one.ids for one in encoded], dtype=np.int64),
                    "attention_mask": np.array([one.attention_mask for one in encoded], dtype=np.int64),
                }
                result = self._session.run(None, {k: v for k, v in feed.items() if k in self._inputs})[0]
            rows = result[:, 0] if result.ndim == 3 else result
            if rows.shape[1] != self.dimension:
                raise EncoderError(f"the model gives {rows.shape[1]} dimensions, not 1024", where=str(self.folder))
            out[places] = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
        return out
