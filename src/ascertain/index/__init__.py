"""Derived indexes over a Source: caches that catch up, or are built anew, by themselves.

indexes.py    what the layers above hold: one object over the three families
family.py     one family: a base on disk, small segments in memory, what has died in each
segment.py    the arrays of one segment, and building them from entries
postings.py   which entries hold a term; bm25.py: the best of them for a question
bits.py       one bit per dimension; nearest.py: the nearest entries to a question
cache.py      a segment in files
hits.py       what a search returns, and its order
"""
