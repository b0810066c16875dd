"""Reading an archive lazily: each part is read when it is requested (archive.md, 7.1 to 7.3)."""

from __future__ import annotations

import bisect
import dataclasses
import mmap
import struct
from collections.abc import Iterator
from typing import Any

from . import tags
from .arrays import check_level, read_array
from .bodies import Body, Object
from .data import Data
from .errors import ArchiveError
from .tables import HEAD, Tables
from .values import ARCHIVE_VALUES, Content, Value

MAGIC = b"\x89KSA\r\n\x1a\n"
HEADER = struct.Struct("<8sHHII")
SEGMENT = struct.Struct("<4sIII")
ROW = struct.Struct("<QIII")
TAIL = struct.Struct("<4sIIIQ")
SEVERAL = 0xFFFFFFFF
NO_ENDS = 0x80000000
FULL = 65_535


@dataclasses.dataclass(frozen=True)
class Segment:
    """A segment as its row describes it."""

    number: int
    offset: int
    first: int
    count: int
    length: int
    shape: int

    @property
    def bodies(self) -> int:
        return self.offset + SEGMENT.size


class Archive:
    """An archive over its bytes. `open` makes the checks of 7.1; everything else is checked when it is read."""

    def __init__(self, data: bytes | bytearray | mmap.mmap | Data) -> None:
        self.data: Data = memoryview(data) if isinstance(data, bytes | bytearray | mmap.mmap) else data
        self.count: int
        self.segment_count: int
        self.tables = Tables()
        self._open()

    # Opening

    def _open(self) -> None:
        data = self.data
        self.read_header()
        if self.values_end + SEGMENT.size + HEAD.size + TAIL.size > len(data):
            raise ArchiveError("A-3", len(data), "The archive ends early.")
        self.archive_values = self.read_archive_values(self.values_end)
        tail = len(data) - TAIL.size
        marker, segments, self.count, self.root, self.footer = TAIL.unpack(data[tail:])
        if marker != b"KSTd":
            raise ArchiveError("A-20", tail, "The archive does not end with its tail.")
        most = min(segments * FULL, len(data))
        if not 1 <= segments <= self.count <= most or not 1 <= self.root <= self.count:
            raise ArchiveError("A-21", tail + 4, "The numbers of the tail are out of range.")
        self.segment_count = segments
        self.directory = tail - ROW.size * segments
        if not self.values_end <= self.footer <= self.directory - HEAD.size:
            raise ArchiveError("A-19", tail + 16, "The footer does not lie where it may.")
        conditionals = int.from_bytes(data[self.footer + 12 : self.footer + 16], "little")
        self.conditional_count = conditionals
        self.conditionals = self.directory - 4 * conditionals
        if self.conditionals < self.footer + HEAD.size:
            raise ArchiveError("A-19", self.footer + 12, "The parts of the footer do not fit.")
        end, _ = self.tables.read(data, self.footer, self.conditionals)
        if end != self.conditionals:
            raise ArchiveError("A-19", self.footer + 16, "The parts of the footer do not add up.")

    def read_header(self) -> None:
        """Checks the header; returns the end of the archive values."""
        if bytes(self.data[:8]) != MAGIC:
            code = "truncated" if len(self.data) < 8 else "notAnArchive"
            raise ArchiveError("A-4", 0, "This is no Keepsake archive.", code)
        if len(self.data) < HEADER.size:
            raise ArchiveError("A-3", len(self.data), "The archive ends in its header.")
        _, version, self.minor, features, length = HEADER.unpack(self.data[: HEADER.size])
        if version != 1:
            draft = " It is a draft that nothing reads any more." if version == 0 else ""
            raise ArchiveError("A-5", 8, f"The archive has format version {version}.{draft}")
        if features:
            raise ArchiveError("A-7", 12, "The archive needs features that this reader does not know.")
        self.values_end = HEADER.size + length

    def read_archive_values(self, end: int) -> list[tuple[int, int, bytes]]:
        values: list[tuple[int, int, bytes]] = []
        position, last = HEADER.size, -1
        while position < end:
            if end - position < 6:
                raise ArchiveError("A-11", position, "An archive value does not fit.")
            number, tag, length = struct.unpack("<BBI", self.data[position : position + 6])
            if number <= last:
                raise ArchiveError("A-8", position, "The numbers of archive values do not increase.")
            known = ARCHIVE_VALUES.get(number)
            if known is not None and known[1] != tag:
                raise ArchiveError("A-9", position + 1, f"The archive value {known[0]} has another tag.")
            if tag & 7 in (0, 7) or (tags.is_known(tag) and not tags.is_key_tag(tag)):
                raise ArchiveError("A-10", position + 1, "An archive value has a kind that is not allowed for it.")
            if length > end - position - 6 or (tags.is_scalar(tag) and length != tags.width(tag)):
                raise ArchiveError("A-11", position + 2, "An archive value is of another length.")
            content = bytes(self.data[position + 6 : position + 6 + length])
            if known is not None and tag == tags.TAG_STRING:
                self.text(position + 6, position + 6 + length)
            values.append((number, tag, content))
            last = number
            position += 6 + length
        return values

    def archive_value(self, name: str) -> Any:
        """One of the four known archive values as a Python object, or None."""
        for number, tag, content in self.archive_values:
            known = ARCHIVE_VALUES.get(number)
            if known is not None and known[0] == name:
                if tag == tags.TAG_STRING:
                    return content.decode()
                if tag == tags.TAG_DATE:
                    return struct.unpack("<d", content)[0]
                return int.from_bytes(content, "little", signed=True)
        return None

    # Objects

    def __len__(self) -> int:
        return self.count

    def segment(self, number: int) -> Segment:
        """The row of the segment directory for a segment, checked as in 7.2."""
        at = self.directory + ROW.size * number
        offset, first, length, shape = ROW.unpack(self.data[at : at + ROW.size])
        if number + 1 < self.segment_count:
            following, next_first = struct.unpack("<QI", self.data[at + ROW.size : at + ROW.size + 12])
        else:
            following, next_first = self.footer, self.count + 1
        if (number == 0 and first != 1) or not first < next_first <= self.count + 1:
            raise ArchiveError("A-18", at + 8, "The numbers of the segments' first objects do not increase.")
        count = next_first - first
        if not self.values_end <= offset <= following - SEGMENT.size - length or following > self.footer:
            raise ArchiveError("A-18", at, "A row describes a segment that does not fit its place.")
        if number == 0 and offset != self.values_end:
            raise ArchiveError("A-62", at, "The first segment does not follow the archive values.")
        segment = self.described(number, offset, first, count, length, shape)
        if self.directory_end(segment) > following:
            raise ArchiveError("A-18", at, "The directory of a segment does not fit its place.")
        return segment

    def described(self, number: int, offset: int, first: int, count: int, length: int, word: int) -> Segment:
        """A segment from the numbers in its head or its row, with its shape checked (3.3)."""
        if count > FULL or (length > FULL and count > 1):
            raise ArchiveError("A-15", offset, "A segment has more objects or bytes than it may.")
        if word == SEVERAL:
            return Segment(number, offset, first, count, length, SEVERAL)
        shape = word & ~NO_ENDS
        if shape >= len(self.tables.shapes):
            raise ArchiveError("A-28", offset + 12, "A segment is of a shape that is not declared.")
        layout = self.tables.layouts[shape]
        width = layout.width if layout.is_fixed else 0
        if bool(word & NO_ENDS) != (width > 0) or (width and length != count * width):
            raise ArchiveError("A-13", offset + 12, "A segment has ends without need, or lacks them.")
        return Segment(number, offset, first, count, length, shape)

    def shape_width(self, segment: Segment) -> int:
        """The width of the numbers of shapes in a segment's directory; 0 if it has none."""
        if segment.shape != SEVERAL:
            return 0
        at = segment.bodies + segment.length
        if at >= self.footer:
            raise ArchiveError("A-18", at, "A segment does not fit its place.")
        width = self.data[at]
        if width not in (1, 2, 4):
            raise ArchiveError("A-16", at, "The numbers of shapes have an impossible width.")
        return width

    def fixed_width(self, segment: Segment) -> int:
        """The width of all bodies of a segment if it has no ends, else 0."""
        if segment.shape == SEVERAL:
            return 0
        layout = self.tables.layouts[segment.shape]
        return layout.width if layout.is_fixed else 0

    def ends(self, segment: Segment) -> int:
        """The offset at which the ends of a segment's bodies begin."""
        width = self.shape_width(segment)
        return segment.bodies + segment.length + (1 + width * segment.count if width else 0)

    def directory_end(self, segment: Segment) -> int:
        """The end of the directory of a segment."""
        ends = self.ends(segment)
        if self.fixed_width(segment):
            return ends
        return ends + tags.width_for(segment.length) * (segment.count - 1)

    def object(self, number: int) -> Object:
        """The object of a number, its body checked."""
        if not 1 <= number <= self.count:
            raise IndexError(f"There is no object {number}.")
        found = bisect.bisect_right(_Firsts(self), number) - 1
        if found < 0:
            raise ArchiveError("A-18", self.directory + 8, "The first segment does not begin with object 1.")
        segment = self.segment(found)
        if not segment.first <= number < segment.first + segment.count:
            raise ArchiveError("A-18", self.directory + ROW.size * found, "No segment holds the object.")
        return Object(number, self.object_body(segment, number - segment.first))

    def object_body(self, segment: Segment, index: int) -> Body:
        """The body of an object by its place in a segment."""
        shape = segment.shape
        width = self.shape_width(segment)
        if width:
            at = segment.bodies + segment.length + 1 + width * index
            shape = int.from_bytes(self.data[at : at + width], "little")
            if shape >= len(self.tables.shapes):
                raise ArchiveError("A-28", at, "An object is of a shape that is not declared.")
        fixed = self.fixed_width(segment)
        if fixed:
            start, end = fixed * index, fixed * (index + 1)
        else:
            size = tags.width_for(segment.length)
            ends = self.ends(segment)

            def end_of(item: int) -> int:
                at = ends + size * item
                return int.from_bytes(self.data[at : at + size], "little")

            start = end_of(index - 1) if index else 0
            end = end_of(index) if index + 1 < segment.count else segment.length
            if start > end or end > segment.length:
                raise ArchiveError("A-17", ends + size * index, "The end of a body does not lie where it may.")
        if self.tables.shapes[shape].case is not None:
            raise ArchiveError("A-45", segment.bodies + start, "The shape of an object has a case.")
        if not self.tables.types[self.tables.shapes[shape].type].name:
            raise ArchiveError("A-26", segment.bodies + start, "The type of an object has no name.")
        return Body(self, shape, segment.bodies + start, segment.bodies + end, 1)

    def segments(self) -> Iterator[Segment]:
        """All segments in their order."""
        return (self.segment(number) for number in range(self.segment_count))

    def __iter__(self) -> Iterator[Object]:
        for segment in self.segments():
            for index in range(segment.count):
                yield Object(segment.first + index, self.object_body(segment, index))

    def conditional(self, number: int) -> int:
        """The number of the object that a conditional reference refers to, or 0."""
        if number == 0:
            return 0
        at = self.conditionals + 4 * (number - 1)
        result = int.from_bytes(self.data[at : at + 4], "little")
        if result > self.count:
            raise ArchiveError("A-38", at, "An entry of the conditional references is no object.")
        return result

    def content(self) -> Content:
        """Everything, as values."""
        return Content(
            [each.record() for each in self],
            self.root,
            [self.conditional(number + 1) for number in range(self.conditional_count)],
            list(self.archive_values),
        )

    # Values

    def body(self, shape: int, start: int, end: int, level: int) -> Body:
        """The body of a nested record, which is one level deeper than its container."""
        if self.tables.has_reserved[shape]:
            raise ArchiveError("A-32", start, "A nested record has a reserved key.")
        check_level(level, start)
        return Body(self, shape, start, end, level)

    def shape_number(self, start: int, end: int) -> tuple[int, int]:
        """The number of a shape in front of a body (5.4), and the offset at which the body begins."""
        first = self.data[start] if start < end else 0
        size = 3 if first == 254 else 5 if first == 255 else 1
        if size > end - start:
            raise ArchiveError("A-41", start, "The number of a shape does not fit.")
        number = first if size == 1 else int.from_bytes(self.data[start + 1 : start + size], "little")
        if number >= len(self.tables.shapes):
            raise ArchiveError("A-28", start, "A record is of a shape that is not declared.")
        return number, start + size

    def nested(self, tag: int, start: int, end: int, level: int) -> Body:
        """The body of a nested record or an enumeration that is a payload."""
        shape, body = self.shape_number(start, end)
        return self.nested_body(tag, shape, body, end, level, start)

    def nested_body(self, tag: int, shape: int, start: int, end: int, level: int, place: int) -> Body:
        """A body whose shape is known, in a value of the tag."""
        if (self.tables.shapes[shape].case is not None) != (tags.kind(tag) == tags.ENUMERATION):
            raise ArchiveError("A-45", place, "Only the shape of an enumeration has a case.")
        return self.body(shape, start, end, level + 1)

    def text(self, start: int, end: int) -> str:
        """UTF-8."""
        try:
            return bytes(self.data[start:end]).decode()
        except UnicodeDecodeError:
            raise ArchiveError("A-2", start, "A string is not UTF-8.") from None

    def scalar(self, tag: int, start: int) -> Value:
        """A value of class 1 to 5."""
        raw = bytes(self.data[start : start + tags.width(tag)])
        kind = tags.kind(tag)
        if kind == tags.SIGNED:
            return Value(tag, int.from_bytes(raw, "little", signed=True))
        if kind == tags.UUID:
            return Value(tag, raw)
        if kind == tags.REFERENCE:
            number = int.from_bytes(raw, "little")
            if number > self.count:
                raise ArchiveError("A-34", start, "A reference is to no object.")
            return Value(tags.TAG_REFERENCE, number)
        if kind == tags.CONDITIONAL:
            number = int.from_bytes(raw, "little")
            if number > self.conditional_count:
                raise ArchiveError("A-37", start, "A conditional reference has no entry.")
            return Value(tags.TAG_CONDITIONAL, number)
        if not tags.is_known(tag):
            return Value(tag, raw, opaque=True)
        return Value(tag, int.from_bytes(raw, "little"))

    def value(self, tag: int, start: int, end: int, level: int) -> Value:
        """A value of class 1 to 6 in its range."""
        kind = tags.kind(tag)
        if tags.is_scalar(tag):
            return self.scalar(tag, start)
        if kind in (tags.STRING, tags.URL):
            return Value(tag, self.text(start, end))
        if kind in (tags.RECORD, tags.ENUMERATION):
            return Value(tag, self.nested(tag, start, end, level).record())
        if kind == tags.ARRAY:
            elements = read_array(self, start, end, level)
            if elements is None:
                return Value(tag, bytes(self.data[start:end]), opaque=True)
            return Value(tag, elements)
        if kind == tags.DICTIONARY:
            entries = self._dictionary(start, end, level)
            if entries is None:
                return Value(tag, bytes(self.data[start:end]), opaque=True)
            return Value(tag, entries)
        if kind == tags.SET:
            return Value(tag, self.keys(start, end, level))
        return Value(tag, bytes(self.data[start:end]), opaque=not tags.is_known(tag))

    def dictionary_parts(self, start: int, end: int) -> tuple[int, int]:
        """The range of the keys of a dictionary with entries."""
        width = tags.width_for(end - start)
        keys = start + width
        middle = keys + int.from_bytes(self.data[start:keys], "little")
        if keys > end or middle > end:
            raise ArchiveError("A-54", start, "The keys of a dictionary do not fit.")
        if middle == keys:
            raise ArchiveError("A-54", start, "A dictionary with a payload has no keys.")
        return keys, middle

    def _dictionary(self, start: int, end: int, level: int) -> list[tuple[Value, Value]] | None:
        """The entries of a dictionary; None if its values are in an unknown form."""
        if start == end:
            check_level(level + 1, start)
            return []
        first, middle = self.dictionary_parts(start, end)
        keys = self.keys(first, middle, level)
        values = read_array(self, middle, end, level)
        if values is None:
            return None
        if len(values) != len(keys):
            raise ArchiveError("A-54", middle, "A dictionary has not as many values as keys.")
        return list(zip(keys, values, strict=True))

    def keys(self, start: int, end: int, level: int) -> list[Value]:
        """The keys of a dictionary or the members of a set."""
        if start == end:
            check_level(level + 1, start)
            return []
        first = self.data[start]
        if first in (tags.FORM_NILS, tags.FORM_ROWS) or first in (tags.TAG_INLINE, tags.TAG_CASE):
            raise ArchiveError("A-55", start, "Keys and members are not of a kind that they may be of.")
        keys = read_array(self, start, end, level)
        if keys is None:
            raise ArchiveError("A-55", start, "Keys and members are in an unknown form.", "unsupportedFeature")
        last: tuple[int, bytes] | None = None
        for key in keys:
            if key.is_nil or not tags.is_key_tag(key.tag):
                code = "damaged" if key.is_nil or tags.is_known(key.tag) else "unsupportedFeature"
                raise ArchiveError("A-55", start, "Keys and members are not of a kind that they may be of.", code)
            this = (key.tag, raw_bytes(key))
            if last is not None and this <= last:
                raise ArchiveError("A-56", start, "Keys or members are not in their order.")
            last = this
        return keys


def raw_bytes(value: Value) -> bytes:
    """The bytes by which keys of one tag are compared."""
    content = value.content
    if isinstance(content, str):
        return content.encode()
    if isinstance(content, bytes):
        return content
    if value.tag == tags.TAG_BOOL:
        return bytes([content])
    return int(content).to_bytes(tags.width(value.tag), "little", signed=tags.kind(value.tag) == tags.SIGNED)


class _Firsts:
    """The first objects of the segments, for a binary search that reads the rows it needs."""

    def __init__(self, archive: Archive) -> None:
        self.archive = archive

    def __len__(self) -> int:
        return self.archive.segment_count

    def __getitem__(self, index: int) -> int:
        at = self.archive.directory + ROW.size * index + 8
        return int.from_bytes(self.archive.data[at : at + 4], "little")
