"""Files of JSON: the interchange format, memory files, exports of conversations."""
