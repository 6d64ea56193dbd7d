"""Every error that ascertain raises on purpose.

AscertainError
├── InvalidInput (ValueError)        a value that cannot be taken: a time, an id, a kind, an edge
│   ├── InvalidTime                  not an instant, or an interval that ends before it starts
│   ├── InvalidQuestion              empty, or nothing that can be asked
│   └── EdgeToNothing                an edge whose end is not in the store
├── NotFound (LookupError)           no such node, document, piece, store, policy, format or encoder
├── ImportRefused (ValueError)       a path of which nothing could be taken
├── StoreError (OSError)             the store can't be opened, read or written
│   ├── StoreReadOnly                the folder or file refuses writes
│   ├── StoreDamaged                 the file is not a store, or its content is broken
│   ├── StoreBusy                    another process held the write lock for too long
│   └── StoreTooNew                  written by a later version of ascertain
├── EncoderError (RuntimeError)      the encoder failed
│   ├── EncoderMismatch              the store was written with another encoder
│   └── EncoderMissing               its package is not installed
├── ModelError (RuntimeError)        a language model's server gave no answer
├── ExamInvalid (ValueError)         an exam that can't be run as it stands
└── MissingExtra (ImportError)       an optional package is not installed
"""

from __future__ import annotations


class AscertainError(Exception):
    """Anything this library refuses. `where` and `hint` may be empty.

    problem: what is wrong, one clause.
    where:   the file and line, the id or the setting it is about.
    hint:    what to do next, one sentence.
    """

    def __init__(self, problem: str, *, where: str = "", hint: str = "") -> None:
        self.problem, self.where, self.hint = problem, where, hint
        super().__init__(" ".join(part for part in (where and f"{where}:", problem, hint) if part))


class InvalidInput(AscertainError, ValueError):
    """A value that can't be taken."""


class InvalidTime(InvalidInput):
    """Not an instant, or an interval that ends before it starts."""


class InvalidQuestion(InvalidInput):
    """Nothing that can be asked."""


class EdgeToNothing(InvalidInput):
    """An edge whose end is not in the store."""


class NotFound(AscertainError, LookupError):
    """No such thing under that name."""


class ImportRefused(AscertainError, ValueError):
    """A path of which nothing could be taken."""


class StoreError(AscertainError, OSError):
    """The store can't be opened, read or written."""


class StoreReadOnly(StoreError):
    """The folder or the file refuses writes."""


class StoreDamaged(StoreError):
    """The file is not a store, or its content is broken."""


class StoreBusy(StoreError):
    """Another process held the write lock for too long."""


class StoreTooNew(StoreError):
    """Written by a later version of ascertain."""


class EncoderError(AscertainError, RuntimeError):
    """The encoder failed."""


class EncoderMismatch(EncoderError, ValueError):
    """The store was written with another encoder."""


class EncoderMissing(EncoderError):
    """The encoder's package is not installed."""


class ModelError(AscertainError, RuntimeError):
    """The server of a language model gave no answer that can be read."""


class ExamInvalid(AscertainError, ValueError):
    """An exam that can't be run as it stands."""


class MissingExtra(AscertainError, ImportError):
    """An optional package is not installed; the hint names the extra."""
