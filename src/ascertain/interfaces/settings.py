"""What can be set from outside. The only reader of the environment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ascertain.encoders.base import Encoder


@dataclass(frozen=True)
class Settings:
    """store: the file that holds the memory (ASCERTAIN_STORE).
    encoder_name: `bundled`, `bge-m3:FOLDER` or `remote:MODEL:DIMENSION@URL` (ASCERTAIN_ENCODER).
    weights: a file of weights for the calibrated policy (ASCERTAIN_WEIGHTS); None for the package's own.
    mcp_token: the secret that clients of the MCP server must send over HTTP (ASCERTAIN_MCP_TOKEN), never shown.
    encoder_key: the bearer token of a remote encoder's server (ASCERTAIN_ENCODER_KEY), never shown.
    """

    store: Path = Path("ascertain.db")
    encoder_name: str = "bundled"
    encoder_key: str = field(default="", repr=False)
    weights: Path | None = None
    mcp_token: str = field(default="", repr=False)

    @classmethod
    def from_environment(cls, environ: Mapping[str, str]) -> Settings:
        """From the variables named above; one that is unset or blank leaves the default.

        >>> Settings.from_environment({"ASCERTAIN_STORE": "notes.db"}).store.name
        'notes.db'
        """
        told = {name: value for name, value in environ.items() if value.strip()}
        return cls(
            store=Path(told.get("ASCERTAIN_STORE", cls.store)),
            encoder_name=told.get("ASCERTAIN_ENCODER", cls.encoder_name).strip(),
            encoder_key=told.get("ASCERTAIN_ENCODER_KEY", cls.encoder_key).strip(),
            mcp_token=told.get("ASCERTAIN_MCP_TOKEN", cls.mcp_token).strip(),
            weights=Path(told["ASCERTAIN_WEIGHTS"].strip()) if "ASCERTAIN_WEIGHTS" in told else None,
        )

    def encoder(self) -> Encoder:
        """The encoder that is set. Raises what `encoder_named` raises: NotFound, InvalidInput,
        EncoderMissing, EncoderError."""
        from ascertain.encoders.catalogue import encoder_named

        return encoder_named(self.encoder_name, key=self.encoder_key)
