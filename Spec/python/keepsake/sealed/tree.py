"""The tree of digests over the sealed chunks (Spec/seal.md, sections 6.1 and 6.3)."""

from __future__ import annotations

from collections.abc import Callable

from .errors import SealError
from .header import DIGESTS, level_sizes
from .primitives import blake2b, le64, lp, same

LABEL = lp("keepsake.seal/chunk-digest")
NODE = lp("keepsake.seal/node-digest")


def chunk_digest(index: int, sealed: bytes) -> bytes:
    """The digest of a chunk with its tag."""
    return blake2b(32, LABEL + le64(index) + sealed)


def node_digest(level: int, index: int, children: bytes) -> bytes:
    """The digest of a node over the digests of its children, one after the other."""
    return blake2b(32, NODE + le64(level) + le64(index) + children)


def tree(digests: list[bytes]) -> tuple[list[list[bytes]], bytes]:
    """The levels that a trailer has, and the content digest."""
    levels = [digests]
    while True:
        below = levels[-1]
        above = [
            node_digest(len(levels), number, b"".join(below[at : at + DIGESTS]))
            for number, at in enumerate(range(0, len(below), DIGESTS))
        ]
        if len(above) == 1:
            return levels, above[0]
        levels.append(above)


class TrailerTree:
    """A tree in a trailer, read and verified part by part from the content digest down."""

    def __init__(self, chunks: int, at: int, content: bytes, read: Callable[[int, int], bytes]) -> None:
        self.content = content
        self.read = read
        self.sizes = level_sizes(chunks)
        self.places = [at + 32 * sum(self.sizes[:level]) for level in range(len(self.sizes))]
        self.verified: dict[tuple[int, int], bytes] = {}

    def digest(self, level: int, index: int) -> bytes:
        """A digest of a level, after all levels above it were verified [S-42]."""
        if level == len(self.sizes):
            return self.content
        group = index // DIGESTS
        children = self.verified.get((level, group))
        if children is None:
            first = group * DIGESTS
            count = min(DIGESTS, self.sizes[level] - first)
            children = self.read(self.places[level] + 32 * first, 32 * count)
            if not same(node_digest(level + 1, group, children), self.digest(level + 1, group)):
                raise SealError("damagedSignature", "S-42", f"A node of level {level + 1} of the trailer differs.")
            self.verified[level, group] = children
        at = 32 * (index % DIGESTS)
        return children[at : at + 32]
