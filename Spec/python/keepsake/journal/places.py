"""Parts of a file that are recognized without a key (Spec/journal.md, sections 2, 3, 5 and 7.1)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

from ..sealed.sources import Source
from .errors import JournalError
from .frames import END, END_MAGIC, FRAME, MARK, End, Frame, FrameHeader
from .header import MAGIC, PREAMBLE, Header, Preamble

MAGICS = re.compile(b"|".join(re.escape(each) for each in (MARK, MAGIC, END_MAGIC)))
SMALLEST_WINDOW, LARGEST_WINDOW = 1 << 9, 1 << 20
LONGEST_MAGIC = 8
FREE = 1 << 20
"""A search hashes four times as many bytes as it looks at, and this many more."""

Part: TypeAlias = Header | Frame | End


class SoFar:
    """The first bytes of a file that a writer may still extend.

    The size is taken before anything is read. Bytes below it are not written again."""

    def __init__(self, source: Source, size: int) -> None:
        self.source = source
        self.length = size

    def read(self, at: int, count: int) -> bytes:
        return self.source.read(at, max(0, min(count, self.length - at)))


def read_header(source: Source, at: int) -> Header:
    """A sound header [J-1 to J-5, J-7]."""
    preamble = Preamble.decode(source.read(at, PREAMBLE.size))
    return Header.decode(preamble, source.read(at, preamble.header_length))


def header_at(source: Source, at: int) -> Header | None:
    """The sound header at an offset, or None."""
    try:
        return read_header(source, at)
    except JournalError:
        return None


def frame_header_at(source: Source, at: int) -> FrameHeader | None:
    """The header of a frame within the file, whose check has not been verified."""
    header = FrameHeader.decode(source.read(at, FRAME.size))
    return header if header is not None and at + header.size <= source.length else None


def frame_at(source: Source, at: int) -> Frame | None:
    """The sound frame at an offset, or None."""
    header = frame_header_at(source, at)
    return None if header is None else header.whole(source.read(at + FRAME.size, header.length))


def end_at(source: Source, at: int) -> End | None:
    """The sound end at an offset, or None."""
    return End.decode(source.read(at, END.size))


def part_at(source: Source, at: int) -> Part | None:
    """The sound part at an offset, or None: the file ends there, or the bytes are broken."""
    return frame_at(source, at) or end_at(source, at) or header_at(source, at)


def marks(source: Source, begin: int) -> Iterator[tuple[int, bytes]]:
    """The offset of each mark and magic at `begin` and after it, in the order of the file.

    Most searches end soon, so the windows begin small, and grow."""
    at, size = begin, SMALLEST_WINDOW
    while at < source.length:
        window = source.read(at, size + LONGEST_MAGIC - 1)
        for found in MAGICS.finditer(window):
            if found.start() < size:
                yield at + found.start(), found[0]
        at, size = at + size, min(2 * size, LARGEST_WINDOW)


class Budget:
    """The bytes that a search may hash: at most four times as many as there are from `begin` on, and 1 MiB."""

    def __init__(self, source: Source, begin: int) -> None:
        self.rest = 4 * (source.length - begin) + FREE

    def takes(self, count: int) -> bool:
        """True when the count was still left."""
        self.rest -= count
        return self.rest >= 0


def evidence_after(source: Source, begin: int, segment: bytes, frames_at: int) -> int | None:
    """The offset of evidence that bytes at `begin` had been durable, or None [J-19].

    `segment` is the field of the segment's frames, the first of which begins at `frames_at`."""
    budget = Budget(source, begin)
    for at, magic in marks(source, begin + 1):
        if magic == MARK:
            frame = frame_header_at(source, at)
            if frame is None or frame.segment == segment and frame.durable <= begin - frames_at:
                continue
            if not budget.takes(frame.hashed) or frame.whole(source.read(at + FRAME.size, frame.length)):
                return at
        elif magic == END_MAGIC:
            if at + END.size <= source.length and (not budget.takes(END.size - 16) or end_at(source, at)):
                return at
        else:
            fields = preamble_at(source, at)
            if fields is not None and (not budget.takes(fields.header_length - 16) or header_at(source, at)):
                return at
    return None


def preamble_at(source: Source, at: int) -> Preamble | None:
    """The preamble of a header within the file, or None; the check has not been verified."""
    try:
        preamble = Preamble.decode(source.read(at, PREAMBLE.size))
    except JournalError:
        return None
    return preamble if at + preamble.header_length <= source.length else None
