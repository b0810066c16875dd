"""Checks of a whole archive, and the verdict on its bytes (archive.md, 7.4 and 7.5)."""

from __future__ import annotations

import dataclasses
import enum

from . import tags
from .arrays import ArrayParts, check_level, cut_array, mixed_tag
from .bodies import Body
from .errors import ArchiveError
from .reader import (
    FULL,
    ROW,
    SEGMENT,
    SEVERAL,
    Archive,
    Segment,
)
from .tables import ShapeEntry, Slot, Tables
from .writer import ALIGNED_FROM, INLINE_CAP


class Canonicity(enum.Enum):
    """The verdict on the form of the bytes: those that a writer writes, or others."""

    CANONICAL = "canonical"
    UNKNOWN_KINDS = "canonical with unknown kinds"
    NOT_CANONICAL = "not canonical"


@dataclasses.dataclass(frozen=True)
class Verdict:
    """The result of verification. Rule, offset and reason are those of the first breach in the bytes."""

    canonicity: Canonicity
    rule: str | None = None
    offset: int | None = None
    reason: str | None = None

    def __str__(self) -> str:
        if self.rule is None:
            return self.canonicity.value
        return f"{self.canonicity.value}: [{self.rule}] at byte {self.offset}: {self.reason}"


def verify(archive: Archive) -> Verdict:
    """Checks every object and value; raises ArchiveError if the archive must be refused."""
    return _Verifier(archive).run()


class _Verifier:
    def __init__(self, archive: Archive) -> None:
        self.archive = archive
        self.data = archive.data
        self.tables = archive.tables
        self.breach: tuple[int, str, str] | None = None
        self.has_unknown = False
        self.used = 0
        """Shapes with a number below this have been used."""
        self.used_up = 0
        """The shapes that the segments so far declare."""

    def note(self, rule: str, offset: int, reason: str) -> None:
        """Records that the bytes are not canonical."""
        if self.breach is None or offset < self.breach[0]:
            self.breach = (offset, rule, reason)

    def run(self) -> Verdict:
        archive = self.archive
        for start, _ in self.tables.long_names:
            self.note("A-106", start, "An entry is longer than it has to be.")
        for start in self.tables.equal_shapes:
            self.note("A-107", start, "Two shapes are the same.")
        for number in range(archive.conditional_count):
            archive.conditional(number + 1)
        counts = self._declared_by_shape()
        position = archive.values_end
        declared = Tables()
        previous: Segment | None = None
        for segment in archive.segments():
            position = self._segment(segment, position, declared, counts, previous)
            previous = segment
        for start, _ in declared.long_names:
            self.note("A-106", start, "An entry of a segment's tables is longer than it has to be.")
        if position != archive.footer:
            raise ArchiveError("A-62", position, "The last segment does not end where the footer begins.")
        if self.breach is not None:
            offset, rule, reason = self.breach
            return Verdict(Canonicity.NOT_CANONICAL, rule, offset, reason)
        return Verdict(Canonicity.UNKNOWN_KINDS if self.has_unknown else Canonicity.CANONICAL)

    # Tables and segments

    def _declared_by_shape(self) -> list[tuple[int, int]]:
        """The numbers of keys and types that are declared before each shape, if all are in their order."""
        tables, footer = self.tables, self.archive.footer
        keys = types = 0
        counts: list[tuple[int, int]] = []

        def use_key(number: int) -> None:
            nonlocal keys
            new: list[int] = []
            entry: int | None = number
            while entry is not None and entry >= keys:
                new.append(entry)
                entry = tables.keys[entry].scope
            for each in reversed(new):
                if each != keys:
                    self.note("A-105", footer, "The keys are not in the order of their first use.")
                keys = max(keys, each + 1)

        for shape in tables.shapes:
            if shape.type >= types:
                if shape.type != types:
                    self.note("A-105", footer, "The types are not in the order of their first use.")
                types = shape.type + 1
            if shape.case is not None:
                use_key(shape.case)
            for slot in shape.slots:
                use_key(slot.key)
            counts.append((keys, types))
        if keys != len(tables.keys) or types != len(tables.types):
            self.note("A-105", footer, "A key or a type is not used.")
        return counts

    def _segment(
        self,
        segment: Segment,
        position: int,
        declared: Tables,
        counts: list[tuple[int, int]],
        previous: Segment | None,
    ) -> int:
        """Checks a segment, which must begin at a position; returns its end."""
        archive, data = self.archive, self.data
        last = segment.number == archive.segment_count - 1
        if segment.offset != position:
            raise ArchiveError("A-62", position, "A segment does not follow the one before it.")
        marker, length, count, shape = SEGMENT.unpack(data[segment.offset : segment.bodies])
        if marker != (b"KSEz" if last else b"KSEg"):
            raise ArchiveError("A-14", segment.offset, "A segment does not begin with its marker.")
        row = archive.directory + ROW.size * segment.number
        if (length, count, shape) != (segment.length, segment.count, ROW.unpack(data[row : row + ROW.size])[3]):
            raise ArchiveError("A-63", segment.offset, "A segment does not agree with its row.")
        directory = segment.bodies + segment.length
        end = archive.directory_end(segment)
        if last:
            limit, next_segment = len(self.tables.shapes), end
        else:
            next_segment = self._delta(declared, end)
            limit = len(declared.shapes)
        self._between(segment, previous)
        bound = segment.bodies
        numbers: list[int] = []
        for index in range(segment.count):
            body = archive.object_body(segment, index)
            if body.start != bound:
                raise ArchiveError("A-17", body.start, "A body does not follow the one before it.")
            bound = body.end
            numbers.append(body.number)
            self._body(body, limit)
        if bound != directory:
            raise ArchiveError("A-17", bound, "The bodies do not end where the directory begins.")
        if shape == SEVERAL:
            if len(set(numbers)) == 1:
                self.note("A-103", directory, "All objects of the segment have one shape.")
            if data[directory] != tags.width_for(max(numbers)):
                self.note("A-104", directory, "The numbers of shapes are wider than they have to be.")
        if self.used != limit:
            self.note("A-105", end, "A segment declares a shape that it does not use.")
        if not last and (len(declared.keys), len(declared.types)) != (counts[limit - 1] if limit else (0, 0)):
            self.note("A-105", end, "A segment declares other keys or types than its shapes need.")
        return next_segment

    def _delta(self, declared: Tables, start: int) -> int:
        """Reads the tables of a segment and compares them with those of the footer; returns their end."""
        before = (len(declared.keys), len(declared.types), len(declared.shapes))
        end, conditionals = declared.read(self.data, start, self.archive.footer)
        if conditionals:
            raise ArchiveError("A-1", start + 12, "The tables of a segment count conditional references.")
        full = self.tables
        if (
            declared.keys[before[0] :] != full.keys[before[0] : len(declared.keys)]
            or declared.types[before[1] :] != full.types[before[1] : len(declared.types)]
            or declared.shapes[before[2] :] != full.shapes[before[2] : len(declared.shapes)]
        ):
            raise ArchiveError("A-64", start, "The tables of a segment are not those of the footer.")
        return end

    def _between(self, segment: Segment, previous: Segment | None) -> None:
        """Checks that the segment before this one ended at the required place."""
        if previous is None:
            return
        body = self.archive.object_body(segment, 0)
        if previous.length + body.end - body.start <= FULL and previous.count < FULL:
            self.note("A-102", segment.offset, "The segment before ends too early.")

    # Values

    def _use(self, shape: int, limit: int, offset: int) -> None:
        """Marks a shape as used, after those of its cells."""
        if shape >= limit:
            raise ArchiveError("A-65", offset, "A record is of a shape that a later segment declares.")
        if shape < self.used:
            return
        for slot in self.tables.shapes[shape].slots:
            if slot.cell is not None:
                self._use(slot.cell, limit, offset)
        if shape != self.used:
            self.note("A-105", offset, "Shapes are not in the order of their first use.")
        self.used = max(self.used, shape + 1)

    def _body(self, body: Body, limit: int) -> None:
        """Checks a body with everything in it."""
        data, layout, shape = self.data, body.layout, body.shape
        for at, used in layout.bit_bytes:
            if data[body.start + at] & ~used:
                self.note("A-108", body.start + at, "Bits that are not used are not zero.")
        if not layout.is_fixed:
            numbers = layout.payloads - 1
            base = body.end - body.start - numbers * body.width
            if tags.narrowest(base, numbers) != body.width and numbers:
                self.note("A-101", body.start, "The ends of a body are wider than they have to be.")
        outside: dict[int, int] = {}
        for index, (slot, place) in enumerate(zip(shape.slots, layout.places, strict=True)):
            tag = slot.tag
            if tag == tags.TAG_NIL:
                if not data[body.start + place.nil_byte] & place.nil_mask:
                    self.note("A-110", body.start + place.nil_byte, "A nil of no kind is not marked.")
                continue
            if body.is_nil(index):
                self._nil(body, index)
                continue
            if tags.width_class(tag) == tags.BIT:
                self.has_unknown |= tag != tags.TAG_BOOL
                continue
            start, end = body.range(index)
            if slot.cell is not None:
                self._body(self.archive.body(slot.cell, start, end, body.level + 1), limit)
                continue
            self._value(tag, start, end, body.level, limit)
            if tag == tags.TAG_RECORD and not slot.optional:
                number, _ = self.archive.shape_number(start, end)
                if self.tables.is_cell(number):
                    outside[index] = number
        if outside or (body.number >= INLINE_CAP and any(s.cell is not None for s in shape.slots)):
            self._not_inline(body, outside)
        self._use(body.number, limit, body.start)

    def _not_inline(self, body: Body, outside: dict[int, int]) -> None:
        """Checks that records of fixed width are inline, or not, as the rules require (5.4)."""
        shape = body.shape
        has_inline = any(slot.cell is not None for slot in shape.slots)
        inline = ShapeEntry(
            shape.type,
            shape.case,
            tuple(
                Slot(tags.TAG_INLINE, slot.key, 0, outside[index]) if index in outside else slot
                for index, slot in enumerate(shape.slots)
            ),
        )
        declared = max(self.used, 0)
        number = self.tables.numbers.get(inline)
        known = number is not None and number < declared
        if outside and (has_inline or known or declared < INLINE_CAP):
            self.note("A-112", body.start, "A record of fixed width does not lie inline.")
        elif not outside and body.number >= INLINE_CAP:
            self.note("A-112", body.start, "A record lies inline although there are too many shapes.")

    def _nil(self, body: Body, index: int) -> None:
        """Checks that the slot of a nil is zero, and its payload empty."""
        slot, place = body.shape.slots[index], body.layout.places[index]
        if tags.width_class(slot.tag) == tags.BIT:
            if self.data[body.start + place.bit_byte] & place.bit_mask:
                self.note("A-109", body.start + place.bit_byte, "The bit of a nil is not zero.")
            return
        start, end = body.range(index)
        if tags.is_scalar(slot.tag):
            if any(self.data[start:end]):
                self.note("A-109", start, "The slot of a nil is not zero.")
        elif start != end:
            self.note("A-109", start, "The payload of a nil is not empty.")

    def _value(self, tag: int, start: int, end: int, level: int, limit: int) -> None:
        """Checks a value of class 1 to 6."""
        archive = self.archive
        kind = tags.kind(tag)
        if kind in (tags.RECORD, tags.ENUMERATION):
            self._shape_number(start, end)
            self._body(archive.nested(tag, start, end, level), limit)
        elif kind == tags.ARRAY:
            self._array(start, end, level, limit)
        elif kind == tags.SET:
            archive.keys(start, end, level)
            self._array(start, end, level, limit)
        elif kind == tags.DICTIONARY:
            if start == end:
                check_level(level + 1, start)
                return
            keys, middle = archive.dictionary_parts(start, end)
            width = tags.width_for(end - start)
            if tags.narrowest(end - start - width, 1) != width:
                self.note("A-101", start, "The length of the keys is wider than it has to be.")
            archive.keys(keys, middle, level)
            count = self._array(keys, middle, level, limit)
            if self._array(middle, end, level, limit) not in (count, -1):
                raise ArchiveError("A-54", middle, "A dictionary has not as many values as keys.")
        else:
            self.has_unknown |= not tags.is_known(tag)
            archive.value(tag, start, end, level)

    def _shape_number(self, start: int, end: int) -> None:
        number, body = self.archive.shape_number(start, end)
        if body - start != (1 if number < 254 else 3 if number < 0x10000 else 5):
            self.note("A-111", start, "The number of a shape is longer than it has to be.")

    def _array(self, start: int, end: int, level: int, limit: int) -> int:
        """Checks an array; returns the number of its elements, or -1 if its form is unknown."""
        if start == end:
            check_level(level + 1, start)
            return 0
        archive = self.archive
        parts = cut_array(archive, start, end)
        if parts is None:
            self.has_unknown = True
            return -1
        deeper = level + 1
        check_level(deeper + (parts.form == tags.FORM_ROWS), start)
        self.has_unknown |= parts.tag != 0 and not tags.is_known(parts.tag)
        self._widths(parts, start, end)
        if parts.starts is None:
            self._fixed(parts, start, end, deeper, limit)
            return parts.count
        element_tags = [parts.tag] * parts.count
        if parts.shape >= 0:
            self._shape_number(start + 1, end)
            for index in range(parts.count):
                first, last = parts.starts[index], parts.starts[index + 1]
                self._body(archive.nested_body(parts.tag, parts.shape, first, last, deeper, start), limit)
            if self.tables.is_cell(parts.shape):
                self.note("A-115", start, "Records of fixed width are not written as such.")
            return parts.count
        for index in range(parts.count):
            first, last = parts.starts[index], parts.starts[index + 1]
            if parts.tags_at >= 0:
                element_tags[index] = mixed_tag(archive, parts, index)
            tag = element_tags[index]
            if tag & 7 == tags.BIT:
                self.has_unknown |= tag != tags.TAG_BOOL
            elif tag != tags.TAG_NIL:
                self._value(tag, first, last, deeper, limit)
        if parts.form == tags.FORM_MIXED:
            self._mixed(parts, element_tags, start)
        elif parts.tag == tags.TAG_ARRAY:
            self._not_rows(parts, start)
        return parts.count

    def _widths(self, parts: ArrayParts, start: int, end: int) -> None:
        """Checks that the numbers of an array have the narrowest width."""
        if not parts.width:
            return
        numbers = 1 if parts.starts is None else parts.count
        base = end - start - numbers * parts.width
        if tags.narrowest(base, numbers) != parts.width:
            self.note("A-101", start, "The numbers of an array are wider than they have to be.")

    def _fixed(self, parts: ArrayParts, start: int, end: int, level: int, limit: int) -> None:
        """Checks an array of scalars, bits or cells."""
        archive, data = self.archive, self.data
        if parts.shape >= 0:
            self._shape_number(start + 1, end)
            for index in range(parts.count):
                at = parts.base + parts.stride * index
                body = archive.nested_body(parts.tag, parts.shape, at, at + parts.stride, level, start)
                self._body(body, limit)
            return
        if parts.stride == 0:
            return
        size = tags.width(parts.tag)
        kind = tags.kind(parts.tag)
        length = parts.count * parts.stride
        if kind in (tags.REFERENCE, tags.CONDITIONAL):
            largest = max(archive.scalar(parts.tag, parts.base + size * index).content for index in range(parts.count))
            if tags.width_for(largest) != size:
                self.note("A-116", start, "References are wider than they have to be.")
        if parts.form == tags.FORM_NILS:
            nils = [parts.is_nil(data, index) for index in range(parts.count)]
            for index, is_nil in enumerate(nils):
                at = parts.base + size * index
                if is_nil and any(data[at : at + size]):
                    self.note("A-109", at, "The slot of a nil is not zero.")
            if not any(nils) or all(nils):
                self.note("A-115", start, "An array has nil bits that it should not have.")
            if parts.count % 8 and data[parts.base - 1] >> parts.count % 8:
                self.note("A-108", parts.base - 1, "Nil bits that are not used are not zero.")
        elif parts.form == tags.FORM_ALIGNED:
            multiple = tags.alignment(parts.tag)
            if parts.base - start - 3 != -(start + 3) % multiple:
                self.note("A-113", start + 2, "The elements of an array do not begin where they have to.")
            if any(data[start + 3 : parts.base]) or any(data[parts.base + length : end]):
                self.note("A-114", start + 3, "Zero bytes around numbers are not zero.")
            if length < ALIGNED_FROM:
                self.note("A-115", start, "An array is aligned although it is short.")
        elif parts.form == tags.FORM_ROWS:
            if parts.count < 2:
                self.note("A-115", start, "There are fewer than two rows.")
        elif tags.is_alignable(parts.tag) and length >= ALIGNED_FROM:
            self.note("A-115", start, "A long array of numbers is not aligned.")

    def _mixed(self, parts: ArrayParts, element_tags: list[int], start: int) -> None:
        """Checks that the elements of an array in form 0x90 fit no other form."""
        present = {tag for tag in element_tags if tag}
        if len(present) != 1:
            return
        tag = present.pop()
        has_nils = 0 in element_tags
        if has_nils and not tags.is_scalar(tag):
            return
        if not has_nils and tag in (tags.TAG_RECORD, tags.TAG_ENUMERATION):
            assert parts.starts is not None
            shapes = {
                self.archive.shape_number(parts.starts[index], parts.starts[index + 1])[0]
                for index in range(parts.count)
            }
            if len(shapes) > 1:
                return
        self.note("A-115", start, "The elements of an array have tags of their own without need.")

    def _not_rows(self, parts: ArrayParts, start: int) -> None:
        """Checks that an array of arrays that is not written as rows cannot be."""
        assert parts.starts is not None
        if parts.count < 2:
            return
        first: tuple[int, int] | None = None
        for index in range(parts.count):
            at, end = parts.starts[index], parts.starts[index + 1]
            if at == end or not tags.is_row_tag(self.data[at]) or not tags.is_element_tag(self.data[at]):
                return
            this = (self.data[at], end - at)
            if first not in (None, this) or end - at - 1 > 255:
                return
            first = this
        self.note("A-115", start, "Arrays of one length are not written as rows.")
