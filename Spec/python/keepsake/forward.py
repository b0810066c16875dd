"""Reading from front to back, in the memory of a segment and the tables (archive.md, section 7.7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from . import tags
from .errors import ArchiveError
from .reader import FULL, HEADER, NO_ENDS, ROW, SEGMENT, SEVERAL, TAIL, Archive, Segment
from .tables import HEAD, Tables
from .values import Record, Value

BLOCK = 1 << 16


class Source(Protocol):
    """A source of bytes: a binary file, a pipe, the file of a socket."""

    def read(self, size: int, /) -> bytes: ...


class Window:
    """A part of an archive, with the offsets of the whole archive."""

    def __init__(self, start: int, data: bytes) -> None:
        self.start = start
        self.data = data

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return self.data[index.start - self.start : index.stop - self.start]
        return self.data[index - self.start]


class Part(Archive):
    """A segment. It may refer to later objects, so the largest numbers are kept and checked at the end."""

    def __init__(self, window: Window, tables: Tables, largest: dict[int, tuple[int, int]]) -> None:
        self.data = window  # type: ignore[assignment]
        self.tables = tables
        self.count = self.conditional_count = 0xFFFFFFFF
        self.footer = 1 << 64
        self.largest = largest

    def scalar(self, tag: int, start: int) -> Value:
        value = super().scalar(tag, start)
        kind = tags.kind(tag)
        if kind in (tags.REFERENCE, tags.CONDITIONAL) and value.content > self.largest[kind][0]:
            self.largest[kind] = (value.content, start)
        return value


class ForwardArchive:
    """An archive that is read once, from front to back.

    Each segment is checked before its first object is returned; the objects of the last one come after
    the tables of the footer have been read. References are checked at the end only: until the iteration
    ends without an ArchiveError, treat all objects as provisional.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.position = 0
        self.tables = Tables()
        self.rows: list[tuple[int, int, int, int]] = []
        self.largest = {tags.REFERENCE: (0, 0), tags.CONDITIONAL: (0, 0)}
        opening = Archive.__new__(Archive)
        opening.data = memoryview(self.take(HEADER.size))
        opening.read_header()
        opening.data = memoryview(bytes(opening.data) + self.take(opening.values_end - HEADER.size))
        self.archive_values = opening.read_archive_values(opening.values_end)

    def take(self, size: int) -> bytes:
        """The next bytes, which are read in blocks, so that a false length takes no memory."""
        parts = bytearray()
        while len(parts) < size:
            part = self.source.read(min(size - len(parts), BLOCK))
            if not part:
                raise ArchiveError("A-3", self.position + len(parts), "The archive ends early.")
            parts += part
        self.position += size
        return bytes(parts)

    def __iter__(self) -> Iterator[Record]:
        first = 1
        last = False
        while not last:
            objects, last = self.segment(first)
            first += len(objects)
            yield from objects
        self.end(first - 1)

    def segment(self, first: int) -> tuple[list[Record], bool]:
        """The objects of the next segment, and True if it is the last."""
        offset = self.position
        marker, length, count, word = SEGMENT.unpack(self.take(SEGMENT.size))
        if marker not in (b"KSEg", b"KSEz"):
            raise ArchiveError("A-14", offset, "A segment does not begin with its marker.")
        if not 1 <= count <= FULL or (length > FULL and count > 1):
            raise ArchiveError("A-15", offset + 4, "A segment has more objects or bytes than it may.")
        if self.rows:
            before = self.rows[-1]
            if before[2] + length <= FULL and first - before[1] + count <= FULL:
                raise ArchiveError("A-70", offset, "Two neighbouring segments would fit into one.")
        data = self.take(length)
        if word == SEVERAL:
            data += self.take(1)
            if data[-1] not in (1, 2, 4):
                raise ArchiveError("A-16", self.position - 1, "The numbers of shapes have another width.")
            data += self.take(data[-1] * count)
        if word == SEVERAL or not word & NO_ENDS:
            data += self.take(tags.width_for(length) * (count - 1))
        last = marker == b"KSEz"
        self.tables_after(last)
        part = Part(Window(offset + SEGMENT.size, data), self.tables, self.largest)
        segment = part.described(len(self.rows), offset, first, count, length, word)
        objects = list(self.bodies(part, segment))
        self.rows.append((offset, first, length, word))
        return objects, last

    @staticmethod
    def bodies(part: Part, segment: Segment) -> Iterator[Record]:
        bound = segment.bodies
        for index in range(segment.count):
            body = part.object_body(segment, index)
            if body.start != bound:
                raise ArchiveError("A-17", body.start, "A body does not follow the one before it.")
            bound = body.end
            yield body.record()

    def tables_after(self, last: bool) -> None:
        """Takes the tables of a segment, or those of the footer, which hold all entries."""
        start = self.position
        head = self.take(HEAD.size)
        self.footer, self.conditionals = start, HEAD.unpack(head)[3]
        data = memoryview(head + self.take(HEAD.unpack(head)[4]))
        known = self.tables
        if last:
            self.tables = Tables()
        elif self.conditionals:
            raise ArchiveError("A-1", start + 12, "The tables of a segment count conditional references.")
        try:
            self.tables.read(data, 0, len(data))
        except ArchiveError as error:
            raise ArchiveError(error.rule, start + (error.offset or 0), error.message) from None
        if last and (
            self.tables.keys[: len(known.keys)] != known.keys
            or self.tables.types[: len(known.types)] != known.types
            or self.tables.shapes[: len(known.shapes)] != known.shapes
        ):
            raise ArchiveError("A-64", start, "The tables of the footer are not those of the segments.")

    def end(self, count: int) -> None:
        """Checks that the end agrees with the segments, and that the objects that they refer to exist."""
        number, offset = self.largest[tags.REFERENCE]
        if number > count:
            raise ArchiveError("A-34", offset, "A reference is to no object.")
        number, offset = self.largest[tags.CONDITIONAL]
        if number > self.conditionals:
            raise ArchiveError("A-37", offset, "A conditional reference has no entry.")
        for _ in range(self.conditionals):
            if int.from_bytes(self.take(4), "little") > count:
                raise ArchiveError("A-38", self.position - 4, "An entry of the list is no object.")
        for row in self.rows:
            if ROW.unpack(self.take(ROW.size)) != row:
                raise ArchiveError("A-63", self.position - ROW.size, "A row does not agree with its segment.")
        start = self.position
        marker, segments, objects, root, footer = TAIL.unpack(self.take(TAIL.size))
        if marker != b"KSTd":
            raise ArchiveError("A-20", start, "The archive does not end with its tail.")
        if (segments, objects) != (len(self.rows), count) or not 1 <= root <= count:
            raise ArchiveError("A-21", start + 4, "The numbers of the tail are out of range.")
        if footer != self.footer:
            raise ArchiveError("A-19", start + 16, "The footer does not lie where the tail says.")
        if self.source.read(1):
            raise ArchiveError("A-3", self.position, "Bytes come after the tail.")
