"""Cutting arrays into their elements, form by form (archive.md, section 5.5)."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING

from . import tags
from .data import Data
from .errors import ArchiveError
from .values import NIL, Value

if TYPE_CHECKING:
    from .reader import Archive

MAXIMUM_LEVELS = 64


def read_bounds(data: Data, ends: int, count: int, width: int, first: int, end: int) -> list[int]:
    """The offsets at which `count` payloads begin, and the end of the last one; only the other ends are stored."""
    bounds = [first]
    for index in range(count - 1):
        at = ends + width * index
        bound = first + int.from_bytes(data[at : at + width], "little")
        if bound < bounds[-1] or bound > end:
            raise ArchiveError("A-42", at, "The end of a payload does not lie where it may.")
        bounds.append(bound)
    bounds.append(end)
    return bounds


@dataclasses.dataclass
class ArrayParts:
    """An array cut into its elements: the range and the tag of each."""

    form: int
    tag: int
    count: int
    width: int = 0
    starts: list[int] | None = None
    """Bounds of payloads or bodies, one more than there are elements."""
    base: int = 0
    """The offset at which elements of one width begin."""
    stride: int = 0
    nils: int = -1
    """The offset at which nil bits begin."""
    tags_at: int = -1
    """The offset at which the tags of elements begin."""
    shape: int = -1
    row: int = 0
    """The number of elements of a row."""

    def is_nil(self, data: Data, index: int) -> bool:
        return self.nils >= 0 and bool(data[self.nils + index // 8] >> index % 8 & 1)


def cut_array(archive: Archive, start: int, end: int) -> ArrayParts | None:
    """Cuts an array that is not empty; None if its form is unknown (5.5)."""
    data = archive.data
    form = data[start]
    length = end - start
    width = tags.width_for(length)

    def number(at: int) -> int:
        if at + width > end:
            raise ArchiveError("A-50", at, "A number of an array does not fit.")
        result = int.from_bytes(data[at : at + width], "little")
        if result == 0:
            raise ArchiveError("A-50", at, "A count of an array is 0.")
        return result

    def multiple(first: int, last: int, size: int) -> int:
        if first >= last or (last - first) % size:
            raise ArchiveError("A-48", first, "The elements of an array are no multiple of their width.")
        return (last - first) // size

    def tag_at(at: int, allowed: Callable[[int], bool]) -> int:
        if at >= end or not allowed(data[at]):
            raise ArchiveError("A-47", at, "The tag of an array's elements is not one of its form.")
        return data[at]

    def with_ends(parts: ArrayParts, at: int) -> ArrayParts:
        first = at + width * (parts.count - 1)
        if first > end:
            raise ArchiveError("A-50", at, "An array has more elements than bytes for them.")
        parts.starts = read_bounds(data, at, parts.count, width, first, end)
        return parts

    if form in (0x94, 0x95, 0x96, 0x97):
        return None
    if form == tags.FORM_MIXED:
        count = number(start + 1)
        tags_at = start + 1 + width
        if tags_at + count > end:
            raise ArchiveError("A-50", start + 1, "An array has more elements than bytes for them.")
        return with_ends(ArrayParts(form, 0, count, width, tags_at=tags_at), tags_at + count)
    if form == tags.FORM_NILS:
        tag = tag_at(start + 1, lambda t: tags.is_scalar(t) and tags.is_element_tag(t))
        count = number(start + 2)
        nils = start + 2 + width
        base = nils + (count + 7) // 8
        if base > end or (end - base) != count * tags.width(tag):
            raise ArchiveError("A-50", start + 2, "An array has not as many elements as it says.")
        return ArrayParts(form, tag, count, width, base=base, stride=tags.width(tag), nils=nils)
    if form == tags.FORM_ALIGNED:
        tag = tag_at(start + 1, lambda t: tags.is_alignable(t) and tags.is_element_tag(t))
        multiple_of = tags.alignment(tag)
        if length < 3:
            raise ArchiveError("A-48", start, "An array ends early.")
        zeros = data[start + 2]
        if zeros >= multiple_of:
            raise ArchiveError("A-52", start + 2, "An array has more zero bytes than it may.")
        base = start + 3 + zeros
        count = multiple(base, end - (multiple_of - 1 - zeros), tags.width(tag))
        return ArrayParts(form, tag, count, base=base, stride=tags.width(tag))
    if form == tags.FORM_ROWS:
        tag = tag_at(start + 1, lambda t: tags.is_row_tag(t) and tags.is_element_tag(t))
        row = number(start + 2)
        base = start + 2 + width
        stride = row * tags.width(tag)
        if stride > 255:
            raise ArchiveError("A-50", start + 2, "A row is longer than it may be.")
        return ArrayParts(form, tag, multiple(base, end, stride), width, base=base, stride=stride, row=row)
    if form in (tags.TAG_INLINE, tags.TAG_CASE):
        shape, base = archive.shape_number(start + 1, end)
        if not archive.tables.is_cell(shape):
            raise ArchiveError("A-30", start + 1, "The shape of the elements is no cell.")
        stride = archive.tables.layouts[shape].width
        tag = tags.TAG_RECORD if form == tags.TAG_INLINE else tags.TAG_ENUMERATION
        return ArrayParts(form, tag, multiple(base, end, stride), base=base, stride=stride, shape=shape)
    if not tags.is_element_tag(form):
        raise ArchiveError("A-47", start, f"The first byte of an array, 0x{form:02X}, is no form.")
    if form & 7 == tags.BIT:
        last = data[end - 1]
        if length < 2 or last == 0:
            raise ArchiveError("A-49", end - 1, "An array of bits does not say where it ends.")
        count = 8 * (length - 2) + last.bit_length() - 1
        if count == 0:
            raise ArchiveError("A-49", end - 1, "An array of bits has none.")
        return ArrayParts(form, form, count, base=start + 1)
    if tags.is_scalar(form):
        size = tags.width(form)
        return ArrayParts(form, form, multiple(start + 1, end, size), base=start + 1, stride=size)
    position, shape = start + 1, -1
    if form in (tags.TAG_RECORD, tags.TAG_ENUMERATION):
        shape, position = archive.shape_number(position, end)
    parts = ArrayParts(form, form, number(position), width, shape=shape)
    return with_ends(parts, position + width)


def mixed_tag(archive: Archive, parts: ArrayParts, index: int) -> int:
    """The tag of an element of an array in form 0x90, with its extent checked."""
    assert parts.starts is not None
    at = parts.tags_at + index
    tag = archive.data[at]
    start, end = parts.starts[index], parts.starts[index + 1]
    if tag == tags.TAG_NIL:
        if start != end:
            raise ArchiveError("A-51", start, "A nil has bytes.")
        return tag
    if not tags.is_slot_tag(tag):
        raise ArchiveError("A-47", at, f"The tag 0x{tag:02X} of an element is none.")
    size = 1 if tag & 7 == tags.BIT else tags.width(tag) if tags.is_scalar(tag) else end - start
    if end - start != size or (tag & 7 == tags.BIT and archive.data[start] > 1):
        raise ArchiveError("A-51", start, "An element is not as its tag says.")
    return tag


def check_level(level: int, at: int) -> None:
    """Checks that a container, empty or not, is allowed at a level."""
    if level > MAXIMUM_LEVELS:
        raise ArchiveError("A-66", at, "Values are nested too deeply.")


def read_array(archive: Archive, start: int, end: int, level: int) -> list[Value] | None:
    """The elements of an array; None if its form is unknown."""
    if start == end:
        check_level(level + 1, start)
        return []
    data = archive.data
    parts = cut_array(archive, start, end)
    if parts is None:
        return None
    deeper = level + 1
    check_level(deeper + (parts.form == tags.FORM_ROWS), start)
    elements: list[Value] = []
    if parts.form == tags.FORM_ROWS:
        size = tags.width(parts.tag)
        for index in range(parts.count):
            at = parts.base + parts.stride * index
            row = [archive.scalar(parts.tag, at + size * item) for item in range(parts.row)]
            elements.append(Value(tags.TAG_ARRAY, row))
        return elements
    for index in range(parts.count):
        if parts.is_nil(data, index):
            elements.append(Value(tags.TAG_NIL, NIL))
        elif parts.starts is None and parts.shape >= 0:
            at = parts.base + parts.stride * index
            body = archive.nested_body(parts.tag, parts.shape, at, at + parts.stride, deeper, start)
            elements.append(Value(parts.tag, body.record()))
        elif parts.starts is None and parts.stride == 0:
            bit = bool(data[parts.base + index // 8] >> index % 8 & 1)
            elements.append(Value(parts.tag, bit, opaque=parts.tag != tags.TAG_BOOL))
        elif parts.starts is None:
            elements.append(archive.scalar(parts.tag, parts.base + parts.stride * index))
        else:
            first, last = parts.starts[index], parts.starts[index + 1]
            tag = parts.tag
            if parts.shape >= 0:
                body = archive.nested_body(tag, parts.shape, first, last, deeper, start)
                elements.append(Value(tag, body.record()))
                continue
            if parts.tags_at >= 0:
                tag = mixed_tag(archive, parts, index)
            if tag == tags.TAG_NIL:
                elements.append(Value(tag, NIL))
            elif tag & 7 == tags.BIT:
                elements.append(Value(tag, bool(data[first]), opaque=tag != tags.TAG_BOOL))
            else:
                elements.append(archive.value(tag, first, last, deeper))
    return elements
