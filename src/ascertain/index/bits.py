"""One bit per dimension: the sign. Counting, for every entry at once, on how many of the question's
strongest dimensions it has the question's sign.

A question's own strongest dimensions say far more than any fixed choice: among 415,000 titles and
sentences of public exams (most of them spliced from the halves of two), of the true 20 nearest 99.6 in
100 stand among the first 3,200 by the strongest 127 of 512 dimensions, 94.3 by a fixed 256 of them. So
the bits of one dimension lie together, 64 entries to a word, and only the chosen dimensions are read;
they are added up without leaving that form, each word operation serving 64 entries.

Sources: carry-save addition of bit vectors as in Muła, Kurz and Lemire, "Faster population counts
using AVX2 instructions", 2018; the cut by bit planes as in O'Neil and Quass, "Improved query
performance with variant indexes", SIGMOD 1997. A random rotation before taking signs was tried and
changed nothing on the bundled encoder.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint64]

WIDTH = 16_384
"""Words of a column added up at a time: two dozen such buffers stay in a cache of a few megabytes."""


def rows_of(vectors: npt.NDArray[np.float16]) -> Words:
    """(n, words): the signs of (n, dimension) little-endian float16 vectors, bit j of a row set where
    component j is positive; zeros pad it to whole words."""
    count, dimension = vectors.shape
    # As a 16-bit integer a float16 has its own sign, and comparing integers is several times faster.
    positive = np.packbits(vectors.view("<i2") > 0, axis=1, bitorder="little")
    rows = np.zeros((count, -(-dimension // 64) * 8), dtype=np.uint8)
    rows[:, : positive.shape[1]] = positive
    return rows.view(np.uint64)


def columns_of(rows: Words) -> Words:
    """(64 * words, ceil(n / 64)): the same bits, those of one dimension together."""
    count, words = rows.shape
    columns = np.zeros((words * 64, -(-count // 64) * 8), dtype=np.uint8)
    for low in range(0, count, 8192):
        part = rows[low : low + 8192].view(np.uint8)
        turned = np.ascontiguousarray(np.unpackbits(part, axis=1, bitorder="little").T)
        packed = np.packbits(turned, axis=1, bitorder="little")
        columns[:, low // 8 : low // 8 + packed.shape[1]] = packed
    return columns.view(np.uint64)


def bitmap(flags: npt.NDArray[np.bool_]) -> Words:
    """(ceil(n / 64),): n flags, padded with False."""
    packed = np.packbits(flags, bitorder="little")
    out = np.zeros(-(-len(flags) // 64) * 8, dtype=np.uint8)
    out[: len(packed)] = packed
    return out.view(np.uint64)


def places_of(flags: Words) -> npt.NDArray[np.intp]:
    """Where the bits of a bitmap are set, ascending."""
    words = np.flatnonzero(flags)
    places = np.flatnonzero(np.unpackbits(flags[words].view(np.uint8), bitorder="little"))
    return np.asarray(words[places >> 6] * 64 + (places & 63))


def size(flags: Words) -> int:
    """How many bits are set."""
    return int(np.bitwise_count(flags).sum(dtype=np.int64))


def agreements(columns: Words, dimensions: npt.NDArray[np.intp], positive: npt.NDArray[np.bool_]) -> list[Words]:
    """How many of these dimensions have the wanted sign, for each entry, as bit planes, lowest first.

    columns: as `columns_of` gives them. dimensions: which to look at. positive: the wanted signs.
    """
    wanted = sorted(zip(positive.tolist(), dimensions.tolist(), strict=True))
    width = columns.shape[1]
    planes: list[Words] = []
    for low in range(0, width, WIDTH):
        high = min(low + WIDTH, width)
        adder = _Adder(high - low)
        for sign, dimension in wanted:
            adder.add(columns[dimension, low:high], flipped=not sign)
        for weight, part in enumerate(adder.planes()):
            if weight == len(planes):
                planes.append(np.zeros(width, dtype=np.uint64))
            planes[weight][low:high] = part
    return planes


class _Adder:
    """Adds bit vectors: `_levels[w]` holds vectors whose bits are worth 2 to the w, as (vector,
    whether it may be overwritten, whether it stands flipped)."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._levels: list[list[tuple[Words, bool, bool]]] = [[]]
        self._free: list[Words] = []
        self._scratch = np.empty(width, dtype=np.uint64)

    def add(self, vector: Words, *, flipped: bool) -> None:
        """Counts the vector's set bits, or its unset ones if flipped."""
        self._levels[0].append((vector, False, flipped))
        weight = 0
        while len(self._levels[weight]) == 3:
            self._carry(weight)
            weight += 1

    def planes(self) -> list[Words]:
        """The sums so far, lowest plane first."""
        weight = 0
        while weight < len(self._levels):
            level = self._levels[weight]
            if len(level) == 3:
                self._carry(weight)
                level = self._levels[weight]
            if len(level) == 2:
                first, second = (_upright(part) for part in level)
                self._at(weight + 1).append((first & second, True, False))
                self._levels[weight] = [(first ^ second, True, False)]
            weight += 1
        return [_upright(level[0]) for level in self._levels if level]

    def _carry(self, weight: int) -> None:
        """Three vectors of one weight into one of that weight and one of the next. Of three flipped
        vectors both come out flipped, so that hardly any vector is ever turned around."""
        level = self._levels[weight]
        flip = sum(flipped for _, _, flipped in level) >= 2
        parts = [self._turned(vector, own, flipped != flip) for vector, own, flipped in level]
        (a, own_a), (b, own_b), (c, own_c) = parts
        total = a if own_a else self._new()
        carry = self._new()
        np.bitwise_and(a, b, out=carry)
        np.bitwise_xor(a, b, out=total)
        np.bitwise_and(total, c, out=self._scratch)
        np.bitwise_or(carry, self._scratch, out=carry)
        np.bitwise_xor(total, c, out=total)
        self._free += [vector for vector, own in ((b, own_b), (c, own_c)) if own]
        self._levels[weight] = [(total, True, flip)]
        self._at(weight + 1).append((carry, True, flip))

    def _turned(self, vector: Words, own: bool, turn: bool) -> tuple[Words, bool]:
        if not turn:
            return vector, own
        out = vector if own else self._new()
        np.invert(vector, out=out)
        return out, True

    def _at(self, weight: int) -> list[tuple[Words, bool, bool]]:
        if weight == len(self._levels):
            self._levels.append([])
        return self._levels[weight]

    def _new(self) -> Words:
        return self._free.pop() if self._free else np.empty(self._width, dtype=np.uint64)


def _upright(part: tuple[Words, bool, bool]) -> Words:
    vector, _, flipped = part
    return ~vector if flipped else vector


def planes_of(counts: npt.NDArray[np.integer], planes: int) -> list[Words]:
    """(n,) whole numbers below 2 to the `planes`, as bit planes, lowest first."""
    return [bitmap((counts >> weight) & 1 != 0) for weight in range(planes)]


def agreements_in_rows(
    rows: Words, dimensions: npt.NDArray[np.intp], positive: npt.NDArray[np.bool_]
) -> npt.NDArray[np.int64]:
    """As `agreements`, from rows, as plain numbers: quicker where there are few entries."""
    mask = np.zeros(rows.shape[1] * 64, dtype=bool)
    signs = np.zeros_like(mask)
    mask[dimensions], signs[dimensions] = True, positive
    differing = (rows ^ bitmap(signs)) & bitmap(mask)
    return np.asarray(len(dimensions) - np.bitwise_count(differing).sum(axis=1, dtype=np.int64))


def cut(planes: Sequence[Sequence[Words]], allowed: Sequence[Words], depth: int) -> tuple[list[Words], list[Words]]:
    """Where the `depth` largest numbers stand, in one or more parts taken together.

    planes: per part, its numbers as bit planes, lowest first, equally many in each part.
    allowed: per part, a bitmap of who takes part.

    Returns two bitmaps per part: fewer than `depth` that are surely in, and those tied at the edge;
    together they are at least `depth`, or all that are allowed.
    """
    sure = [np.zeros_like(flags) for flags in allowed]
    maybe = list(allowed)
    surely = 0
    for weight in reversed(range(max(map(len, planes), default=0))):
        higher = [flags & part[weight] for flags, part in zip(maybe, planes, strict=True)]
        found = sum(map(size, higher))
        if surely + found >= depth:
            maybe = higher
        else:
            surely += found
            sure = [flags | more for flags, more in zip(sure, higher, strict=True)]
            maybe = [flags & ~more for flags, more in zip(maybe, higher, strict=True)]
    return sure, maybe


def weighted(rows: Words, weights: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """(n,): the sum of the weights of the dimensions that are positive in each row.

    weights: (64 * words,), whole numbers whose absolute sum is below 2 to the 24: then float32 adds
    them without rounding, and the sum does not depend on the order in which a machine adds.
    """
    packed = np.ascontiguousarray(rows).view(np.uint8)
    out = np.empty(len(rows), dtype=np.float32)
    for low in range(0, len(rows), 512):  # so many at a time stay in a cache, and are twice as quick
        signs = np.unpackbits(packed[low : low + 512], axis=1, bitorder="little")
        # Not by the linear algebra library: its threads wait for one another where cores are busy.
        np.einsum("ij,j->i", signs.astype(np.float32), weights, out=out[low : low + 512])
    return out
