"""Text to tokens and names: the only tokeniser. What it returns is stored, so it is deterministic:
the same text gives the same tokens on every machine and in every run (characters that a newer
Unicode adds are unknown to an older Python, and count as punctuation there)."""

from ascertain.text.names import name_key, name_spans
from ascertain.text.normalise import fold_marks, match_form
from ascertain.text.tokens import index_terms, tokenise

__all__ = ["fold_marks", "index_terms", "match_form", "name_key", "name_spans", "tokenise"]
