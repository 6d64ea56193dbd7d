"""Name → encoder."""

from __future__ import annotations

from pathlib import Path

from ascertain.encoders.base import Encoder
from ascertain.encoders.bundled import BundledEncoder
from ascertain.encoders.local import BgeM3Encoder
from ascertain.encoders.remote import RemoteEncoder
from ascertain.errors import InvalidInput, NotFound

NAMES = ("bundled", "bge-m3:FOLDER", "remote:MODEL:DIMENSION@URL")


def encoder_named(name: str, *, key: str = "") -> Encoder:
    """The encoder that a setting names: `bundled`, `bge-m3:FOLDER` (the folder of its ONNX files)
    or `remote:MODEL:DIMENSION@URL` (an OpenAI-compatible server; key: its bearer token).

    Raises NotFound for another name, InvalidInput for a malformed one, EncoderMissing with the
    extra to install, EncoderError where it can't be loaded.
    """
    if name in ("bundled", BundledEncoder.name):
        return BundledEncoder()
    if name.startswith("bge-m3:"):
        return BgeM3Encoder(Path(name.removeprefix("bge-m3:")))
    if name.startswith("remote:"):
        model, _, url = name.removeprefix("remote:").partition("@")
        model, _, dimension = model.rpartition(":")
        if not (model and url and dimension.isdigit()):
            raise InvalidInput(f"malformed encoder {name!r}", hint="Write remote:MODEL:DIMENSION@URL")
        return RemoteEncoder(base_url=url, model=model, dimension=int(dimension), key=key)
    raise NotFound(f"no encoder named {name!r}", hint=f"Known: {', '.join(NAMES)}")
