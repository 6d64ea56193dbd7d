"""ascertain: a memory graph that confirms which memory a question means, and says so when it cannot."""

from ascertain.encoders.base import Encoder
from ascertain.encoders.bundled import BundledEncoder
from ascertain.errors import (
    AscertainError,
    EncoderError,
    EncoderMismatch,
    ImportRefused,
    InvalidInput,
    InvalidQuestion,
    InvalidTime,
    NotFound,
    StoreError,
)
from ascertain.memory import Memory
from ascertain.model.documents import Document, Piece
from ascertain.model.nodes import Concept, Decision, Episode, Node, Record
from ascertain.model.resolution import Offer, Resolution, Why
from ascertain.write.report import ImportReport

__version__ = "0.1.0"

__all__ = [
    "AscertainError",
    "BundledEncoder",
    "Concept",
    "Decision",
    "Document",
    "Encoder",
    "EncoderError",
    "EncoderMismatch",
    "Episode",
    "ImportRefused",
    "ImportReport",
    "InvalidInput",
    "InvalidQuestion",
    "InvalidTime",
    "Memory",
    "Node",
    "NotFound",
    "Offer",
    "Piece",
    "Record",
    "Resolution",
    "StoreError",
    "Why",
    "__version__",
]
