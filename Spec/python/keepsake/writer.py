"""Writing an archive in its one canonical form (archive.md, sections 3 to 5)."""

from __future__ import annotations

import dataclasses
import struct
from collections.abc import Sequence

from . import tags
from .reader import FULL, HEADER, MAGIC, NO_ENDS, ROW, SEGMENT, SEVERAL, TAIL, raw_bytes
from .tables import CASE, KeyEntry, ShapeEntry, Slot, Tables, TypeEntry
from .values import Content, Record, Value

INLINE_CAP = 4_096
ALIGNED_FROM = 256


@dataclasses.dataclass
class Piece:
    """Bytes, with the places of arrays whose zero bytes depend on their position."""

    data: bytearray
    aligned: list[tuple[int, int, int]] = dataclasses.field(default_factory=list)
    """For each array, the place of its count of zero bytes, the multiple that it is aligned to, and the
    length of its elements. Until the bytes are placed, all zero bytes are after the elements."""

    def append(self, other: Piece) -> None:
        start = len(self.data)
        self.aligned += [(at + start, multiple, length) for at, multiple, length in other.aligned]
        self.data += other.data

    def placed(self, offset: int) -> bytearray:
        """The bytes for this offset of the archive."""
        for at, multiple, length in self.aligned:
            zeros = -(offset + at + 1) % multiple
            elements = self.data[at + 1 : at + 1 + length]
            self.data[at] = zeros
            self.data[at + 1 : at + multiple + length] = bytes(zeros) + elements + bytes(multiple - 1 - zeros)
        return self.data


def integer_width(values: Sequence[int], signed: bool) -> int:
    """The width class of the narrowest of 8 to 64 bits for all of the integers."""
    for size in (1, 2, 3, 4):
        bits = 8 * tags.WIDTHS[size]
        low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
        if all(low <= value <= high for value in values):
            return size
    raise ValueError("An integer has more than 64 bits.")


def resolve(values: Sequence[Value], allowed: tuple[int, ...]) -> list[Value]:
    """Gives integers of Swift's `Int` and `UInt` the common width of their container (5.1)."""
    sizes: dict[int, int] = {}
    for pseudo, signed in ((tags.TAG_INT, True), (tags.TAG_UINT, False)):
        numbers = [v.content for v in values if v.tag == pseudo and not v.is_nil]
        size = integer_width(numbers, signed)
        sizes[pseudo] = min(each for each in allowed if each >= size)
    if len(allowed) == 2:
        sizes = dict.fromkeys(sizes, max(sizes.values()))
    return [Value((v.tag & 0xFF & ~7) | sizes[v.tag], v.content) if v.tag in sizes else v for v in values]


class Writer:
    """Writes objects one after the other; `finish` returns the archive."""

    def __init__(self, archive_values: Sequence[tuple[int, int, bytes]] = ()) -> None:
        self.tables = Tables()
        self.rows: list[tuple[int, int, int, int]] = []
        self.count = 0
        self._declared = (0, 0, 0)
        self._counts = (0, 0, 0)
        self._bodies: list[tuple[int, Piece]] = []
        self._length = 0
        values = b"".join(
            struct.pack("<BBI", number, tag, len(content)) + content for number, tag, content in sorted(archive_values)
        )
        self.out = bytearray(HEADER.pack(MAGIC, 1, 0, 0, len(values)) + values)

    # The frame

    def add(self, record: Record) -> int:
        """Writes the next object; returns its number."""
        shape, body = self._body(record)
        if self._bodies and (self._length + len(body.data) > FULL or len(self._bodies) == FULL):
            self._close_segment(last=False)
        self._bodies.append((shape, body))
        self._length += len(body.data)
        self._counts = (len(self.tables.keys), len(self.tables.types), len(self.tables.shapes))
        self.count += 1
        return self.count

    def finish(self, root: int = 1, conditionals: Sequence[int] = ()) -> bytes:
        """Writes the last segment, the footer and the tail."""
        self._close_segment(last=True)
        footer = len(self.out)
        self.out += self.tables.write(0, 0, 0, len(conditionals))
        self.out += struct.pack(f"<{len(conditionals)}I", *conditionals)
        for row in self.rows:
            self.out += ROW.pack(*row)
        self.out += TAIL.pack(b"KSTd", len(self.rows), self.count, root, footer)
        return bytes(self.out)

    def _close_segment(self, last: bool) -> None:
        shapes = [shape for shape, _ in self._bodies]
        one = shapes[0] if len(set(shapes)) == 1 else SEVERAL
        layout = None if one == SEVERAL else self.tables.layouts[one]
        has_ends = layout is None or not layout.is_fixed or layout.width == 0
        word = one if has_ends else one | NO_ENDS
        self.rows.append((len(self.out), self.count - len(shapes) + 1, self._length, word))
        self.out += SEGMENT.pack(b"KSEz" if last else b"KSEg", self._length, len(shapes), word)
        for _, body in self._bodies:
            self.out += body.placed(len(self.out))
        if one == SEVERAL:
            width = tags.width_for(max(shapes))
            self.out.append(width)
            self.out += b"".join(number.to_bytes(width, "little") for number in shapes)
        if has_ends:
            width = tags.width_for(self._length)
            end = 0
            for _, body in self._bodies[:-1]:
                end += len(body.data)
                self.out += end.to_bytes(width, "little")
        if not last:
            self.out += self.tables.write(*self._declared, end=self._counts)
        self._declared = self._counts
        self._bodies = []
        self._length = 0

    # Bodies

    def _body(self, record: Record) -> tuple[int, Piece]:
        """The shape of a record, which is declared if it is new, and its body."""
        values = resolve([field.value for field in record.fields], (3, 4))
        nested: dict[int, tuple[int, Piece]] = {}
        pieces: dict[int, Piece] = {}
        for index, (field, value) in enumerate(zip(record.fields, values, strict=True)):
            if value.is_nil or value.opaque or not tags.is_known(value.tag):
                if tags.width_class(value.tag) == tags.PAYLOAD:
                    pieces[index] = Piece(bytearray(b"" if value.is_nil else value.content))
            elif value.tag == tags.TAG_RECORD:
                shape, body = self._body(value.content)
                pieces[index] = self._numbered(shape, body)
                if field.optional == 0 and self.tables.is_cell(shape):
                    nested[index] = (shape, body)
            elif tags.width_class(value.tag) == tags.PAYLOAD:
                pieces[index] = self._payload(value)
        number, inline = self._shape(record, values, nested)
        layout = self.tables.layouts[number]
        fixed = bytearray(layout.width)
        payloads: list[Piece] = []
        for index, (value, place) in enumerate(zip(values, layout.places, strict=True)):
            tag = value.tag
            if index in inline:
                cell = nested[index][1].data
                fixed[place.offset : place.offset + len(cell)] = cell
                continue
            if index in pieces:
                payloads.append(pieces[index])
            if value.is_nil:
                fixed[place.nil_byte] |= place.nil_mask
            elif tags.width_class(tag) == tags.BIT:
                fixed[place.bit_byte] |= place.bit_mask if value.content else 0
            elif tags.is_scalar(tag):
                fixed[place.offset : place.offset + tags.width(tag)] = self._scalar(value, tags.width(tag))
        result = Piece(fixed)
        append_payloads(
            result,
            payloads,
            tags.narrowest(len(fixed) + sum(len(piece.data) for piece in payloads), max(len(payloads) - 1, 0)),
        )
        return number, result

    def _shape(self, record: Record, values: list[Value], nested: dict[int, tuple[int, Piece]]) -> tuple[int, set[int]]:
        """The number of a record's shape, and its slots with inline records."""
        tables = self.tables

        def entry(type_number: int, inline: dict[int, tuple[int, Piece]]) -> ShapeEntry:
            case = None
            if record.case is not None:
                case = tables.key_number(KeyEntry(CASE, None, record.case))
            slots = tuple(
                Slot(
                    tags.TAG_INLINE if index in inline else value.tag,
                    tables.number_of_key(field.key),
                    field.optional,
                    inline[index][0] if index in inline else None,
                )
                for index, (field, value) in enumerate(zip(record.fields, values, strict=True))
            )
            return ShapeEntry(type_number, case, slots)

        shape = entry(tables.type_number(TypeEntry(record.type, record.version)), nested)
        if nested and shape not in tables.numbers and len(tables.shapes) >= INLINE_CAP:
            nested = {}
            shape = entry(shape.type, nested)
        number = tables.numbers.get(shape)
        if number is None:
            number = tables.add_shape(shape)
        return number, set(nested)

    @staticmethod
    def _numbered(shape: int, body: Piece) -> Piece:
        """A body with the number of its shape in front of it."""
        result = Piece(shape_number(shape))
        result.append(body)
        return result

    # Values

    @staticmethod
    def _scalar(value: Value, size: int) -> bytes:
        if isinstance(value.content, (bytes, bytearray)):
            return bytes(value.content)
        signed = tags.kind(value.tag) == tags.SIGNED
        return int(value.content).to_bytes(size, "little", signed=signed)

    def _payload(self, value: Value) -> Piece:
        """The payload of a value of class 6; payloads of records begin with the number of their shape."""
        kind = tags.kind(value.tag)
        if value.opaque:
            return Piece(bytearray(value.content))
        if kind in (tags.STRING, tags.URL):
            return Piece(bytearray(value.content.encode()))
        if kind == tags.BYTES:
            return Piece(bytearray(value.content))
        if kind in (tags.RECORD, tags.ENUMERATION):
            return self._numbered(*self._body(value.content))
        if kind == tags.ARRAY:
            return self.array(value.content)
        if kind == tags.SET:
            return self.array(sorted_keys(value.content))
        return self._dictionary(value.content)

    def _dictionary(self, entries: list[tuple[Value, Value]]) -> Piece:
        if not entries:
            return Piece(bytearray())
        pairs = sorted(
            ((widened(key), value) for key, value in entries),
            key=lambda pair: (pair[0].tag, raw_bytes(pair[0])),
        )
        keys = self.array([key for key, _ in pairs])
        values = self.array([value for _, value in pairs])
        width = tags.narrowest(len(keys.data) + len(values.data), 1)
        result = Piece(bytearray(len(keys.data).to_bytes(width, "little")))
        result.append(keys)
        result.append(values)
        return result

    def array(self, elements: list[Value]) -> Piece:
        """The payload of an array, in the form for its elements (5.5)."""
        if not elements:
            return Piece(bytearray())
        elements = resolve(elements, (1, 2, 3, 4))
        present = [element for element in elements if not element.is_nil]
        common = {element.tag for element in present}
        tag = present[0].tag if len(common) == 1 else 0
        has_nils = len(present) < len(elements)
        if tag and tags.is_scalar(tag):
            return self._nils(tag, elements) if has_nils else self._scalars(tag, elements)
        if tag and not has_nils:
            if tag & 7 == tags.BIT:
                bits = sum(1 << index for index, each in enumerate(elements) if each.content)
                bits |= 1 << len(elements)
                return Piece(bytearray([tag]) + bits.to_bytes(len(elements) // 8 + 1, "little"))
            if tag == tags.TAG_ARRAY:
                rows = self._rows(elements)
                if rows is not None:
                    return rows
            if tag in (tags.TAG_RECORD, tags.TAG_ENUMERATION):
                bodies = [self._body(element.content) for element in elements]
                if len({shape for shape, _ in bodies}) == 1:
                    return self._uniform(tag, bodies)
                return self._mixed([tag] * len(bodies), [self._numbered(*each) for each in bodies])
            payloads = [self._payload(element) for element in elements]
            return with_ends(bytearray([tag]), b"", payloads)
        return self._mixed(
            [element.tag if not element.is_nil else 0 for element in elements],
            [self._element(element) for element in elements],
        )

    def _element(self, element: Value) -> Piece:
        if element.is_nil:
            return Piece(bytearray())
        if tags.width_class(element.tag) == tags.BIT:
            return Piece(bytearray([element.content]))
        if tags.is_scalar(element.tag):
            return Piece(bytearray(self._scalar(element, tags.width(element.tag))))
        return self._payload(element)

    @staticmethod
    def _mixed(element_tags: list[int], elements: list[Piece]) -> Piece:
        return with_ends(bytearray([tags.FORM_MIXED]), bytes(element_tags), elements)

    def _uniform(self, tag: int, bodies: list[tuple[int, Piece]]) -> Piece:
        shape = bodies[0][0]
        if self.tables.is_cell(shape):
            form = tags.TAG_INLINE if tag == tags.TAG_RECORD else tags.TAG_CASE
            return Piece(bytearray([form]) + shape_number(shape) + b"".join(b.data for _, b in bodies))
        return with_ends(bytearray([tag]) + shape_number(shape), b"", [body for _, body in bodies])

    def _stored(self, tag: int, elements: list[Value]) -> tuple[int, bytes]:
        """Scalars side by side, references as narrow as they can be. A nil is zero."""
        if tags.kind(tag) in (tags.REFERENCE, tags.CONDITIONAL):
            numbers = [0 if each.is_nil else each.content for each in elements]
            tag = (tag & ~7) | min(integer_width(numbers, False), 3)
        size = tags.width(tag)
        return tag, b"".join(bytes(size) if e.is_nil else self._scalar(e, size) for e in elements)

    def _scalars(self, tag: int, elements: list[Value]) -> Piece:
        tag, stored = self._stored(tag, elements)
        if tags.is_alignable(tag) and len(stored) >= ALIGNED_FROM:
            multiple = tags.alignment(tag)
            data = bytearray([tags.FORM_ALIGNED, tag, 0]) + stored + bytes(multiple - 1)
            return Piece(data, [(2, multiple, len(stored))])
        return Piece(bytearray([tag]) + stored)

    def _nils(self, tag: int, elements: list[Value]) -> Piece:
        tag, stored = self._stored(tag, elements)
        bits = sum(1 << index for index, each in enumerate(elements) if each.is_nil)
        body = bits.to_bytes((len(elements) + 7) // 8, "little") + stored
        width = tags.narrowest(2 + len(body), 1)
        return Piece(bytearray([tags.FORM_NILS, tag]) + len(elements).to_bytes(width, "little") + body)

    def _rows(self, elements: list[Value]) -> Piece | None:
        """Arrays as rows if they all have one length, otherwise None (5.5)."""
        if len(elements) < 2:
            return None
        rows: list[list[Value]] = []
        for element in elements:
            if element.opaque or len(element.content) != len(elements[0].content):
                return None
            rows.append(resolve(element.content, (1, 2, 3, 4)))
        if not rows[0]:
            return None
        tag = rows[0][0].tag
        if not tags.is_row_tag(tag) or len(rows[0]) * tags.width(tag) > 255:
            return None
        if any(each.tag != tag or each.is_nil for row in rows for each in row):
            return None
        stored = b"".join(self._scalar(each, tags.width(tag)) for row in rows for each in row)
        width = tags.narrowest(2 + len(stored), 1)
        head = bytearray([tags.FORM_ROWS, tag]) + len(rows[0]).to_bytes(width, "little")
        return Piece(head + stored)


def shape_number(number: int) -> bytearray:
    """The number of a shape in front of a body (5.4)."""
    if number < 254:
        return bytearray([number])
    if number < 0x10000:
        return bytearray(b"\xfe" + number.to_bytes(2, "little"))
    return bytearray(b"\xff" + number.to_bytes(4, "little"))


def append_payloads(result: Piece, payloads: list[Piece], width: int) -> None:
    """The ends of all payloads but the last, and the payloads."""
    end = 0
    for piece in payloads[:-1]:
        end += len(piece.data)
        result.data += end.to_bytes(width, "little")
    for piece in payloads:
        result.append(piece)


def with_ends(head: bytearray, column: bytes, payloads: list[Piece]) -> Piece:
    """An array with a count and ends: head, count, a column, ends, payloads."""
    base = len(head) + len(column) + sum(len(piece.data) for piece in payloads)
    width = tags.narrowest(base, len(payloads))
    result = Piece(head + len(payloads).to_bytes(width, "little") + column)
    append_payloads(result, payloads, width)
    return result


def widened(key: Value) -> Value:
    """A key: `Int` and `UInt` have 64 bits."""
    return resolve([key], (4,))[0]


def sorted_keys(members: list[Value]) -> list[Value]:
    """Members of a set in their order."""
    return sorted((widened(member) for member in members), key=lambda m: (m.tag, raw_bytes(m)))


def dump(content: Content) -> bytes:
    """An archive with this content."""
    writer = Writer(content.archive_values)
    for record in content.objects:
        writer.add(record)
    return writer.finish(content.root, content.conditionals)
