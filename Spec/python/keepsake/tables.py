"""The tables of keys, types and shapes, and the places of the slots of a shape (archive.md, 4 and 5.2)."""

from __future__ import annotations

import dataclasses
import struct

from . import tags
from .data import Data
from .errors import ArchiveError
from .values import Key

USER, RESERVED, SCOPE, CASE = range(4)
MAXIMUM_CELL_WIDTH = 65_535
MAXIMUM_CELL_DEPTH = 8
MAXIMUM_SCOPES = 64
MAXIMUM_KEYS = 1 << 20
MAXIMUM_SHAPES = 1 << 20
MAXIMUM_TYPES = 1 << 16
HEAD = struct.Struct("<IIIII")


@dataclasses.dataclass(frozen=True)
class KeyEntry:
    """A row of the key table. The scope is the number of an entry, or None at the top."""

    namespace: int
    scope: int | None
    name: str


@dataclasses.dataclass(frozen=True)
class TypeEntry:
    """A row of the type table."""

    name: str
    version: int


@dataclasses.dataclass(frozen=True)
class Slot:
    """A slot as a shape declares it. `cell` is the shape of an inline slot."""

    tag: int
    key: int
    optional: int = 0
    cell: int | None = None


@dataclasses.dataclass(frozen=True)
class ShapeEntry:
    """A shape as the table declares it."""

    type: int
    case: int | None
    slots: tuple[Slot, ...]


@dataclasses.dataclass
class Place:
    """The place of a slot in a body: its byte offset, and the masks of its bits with their byte."""

    offset: int
    nil_byte: int = 0
    nil_mask: int = 0
    bit_byte: int = 0
    bit_mask: int = 0
    payload: int = -1


@dataclasses.dataclass
class Layout:
    """The places of everything in the bodies of a shape that has a fixed place."""

    places: list[Place]
    width: int
    payloads: int
    bit_bytes: list[tuple[int, int]]
    """Each byte of bits, with the mask of its used bits."""
    depth: int

    @property
    def is_fixed(self) -> bool:
        return self.payloads == 0


def lay_out(shape: ShapeEntry, layouts: list[Layout]) -> Layout:
    """The layout of a shape whose cells are among those before it."""
    places: list[Place] = []
    bit_bytes: list[tuple[int, int]] = []
    offset = payloads = bits = 0
    depth = 1

    def next_bit() -> tuple[int, int]:
        nonlocal bits, offset
        if bits % 8 == 0:
            bit_bytes.append((offset, 0))
            offset += 1
        byte, used = bit_bytes[-1]
        mask = 1 << bits % 8
        bit_bytes[-1] = (byte, used | mask)
        bits += 1
        return byte, mask

    for slot in shape.slots:
        place = Place(0)
        if slot.optional:
            place.nil_byte, place.nil_mask = next_bit()
        if tags.width_class(slot.tag) == tags.BIT:
            place.bit_byte, place.bit_mask = next_bit()
        place.offset = offset
        if slot.cell is not None:
            offset += layouts[slot.cell].width
            depth = max(depth, layouts[slot.cell].depth + 1)
        elif tags.is_scalar(slot.tag):
            offset += tags.width(slot.tag)
        elif tags.width_class(slot.tag) == tags.PAYLOAD:
            place.payload = payloads
            payloads += 1
        places.append(place)
    return Layout(places, offset, payloads, bit_bytes, depth)


class Tables:
    """Keys, types and shapes by number, for readers and writers."""

    def __init__(self) -> None:
        self.keys: list[KeyEntry] = []
        self.types: list[TypeEntry] = []
        self.shapes: list[ShapeEntry] = []
        self.layouts: list[Layout] = []
        self.numbers: dict[ShapeEntry, int] = {}
        self.has_reserved: list[bool] = []
        self._key_numbers: dict[KeyEntry, int] = {}
        self._type_numbers: dict[TypeEntry, int] = {}
        self._scope_depths: list[int] = []
        self.long_names: list[tuple[int, int]] = []
        self.equal_shapes: list[int] = []

    # For writers

    def key_number(self, entry: KeyEntry) -> int:
        """The number of an entry, which is declared if it is new."""
        number = self._key_numbers.get(entry)
        if number is None:
            number = self._add_key(entry, "A-24", 0)
        return number

    def number_of_key(self, key: Key) -> int:
        """The number of a key's entry. Its scopes and itself are declared if they are new."""
        scope: int | None = None
        for name in key.scopes:
            scope = self.key_number(KeyEntry(SCOPE, scope, name))
        return self.key_number(KeyEntry(RESERVED if key.reserved else USER, scope, key.name))

    def type_number(self, entry: TypeEntry) -> int:
        """The number of a type, which is declared if it is new."""
        number = self._type_numbers.get(entry)
        if number is None:
            number = self._add_type(entry, 0)
        return number

    def add_shape(self, shape: ShapeEntry) -> int:
        """Declares a shape that is not declared yet."""
        number = len(self.shapes)
        self.shapes.append(shape)
        self.layouts.append(lay_out(shape, self.layouts))
        self.has_reserved.append(any(self.keys[s.key].namespace == RESERVED for s in shape.slots))
        self.numbers.setdefault(shape, number)
        return number

    def is_cell(self, number: int) -> bool:
        """True when bodies of a shape may be inline."""
        layout = self.layouts[number]
        return (
            layout.is_fixed
            and 0 < layout.width <= MAXIMUM_CELL_WIDTH
            and layout.depth <= MAXIMUM_CELL_DEPTH
            and not self.has_reserved[number]
        )

    def key(self, number: int) -> Key:
        """The key of an entry, with its scopes."""
        entry = self.keys[number]
        scopes: list[str] = []
        scope = entry.scope
        while scope is not None:
            scopes.append(self.keys[scope].name)
            scope = self.keys[scope].scope
        return Key(entry.name, tuple(reversed(scopes)), entry.namespace == RESERVED)

    def write(
        self,
        keys: int,
        types: int,
        shapes: int,
        conditionals: int = 0,
        end: tuple[int, int, int] | None = None,
    ) -> bytes:
        """The entries from these numbers on, up to those of `end`."""
        last = end or (len(self.keys), len(self.types), len(self.shapes))
        out = bytearray()
        for entry in self.keys[keys : last[0]]:
            name = entry.name.encode()
            is_long = len(name) > 255
            out.append(entry.namespace | (4 if entry.scope is not None else 0) | (8 if is_long else 0))
            out += len(name).to_bytes(2 if is_long else 1, "little")
            if entry.scope is not None:
                out += struct.pack("<I", entry.scope)
            out += name
        for type_entry in self.types[types : last[1]]:
            name = type_entry.name.encode()
            is_long = len(name) > 255
            out.append((1 if type_entry.version else 0) | (8 if is_long else 0))
            out += len(name).to_bytes(2 if is_long else 1, "little")
            if type_entry.version:
                out += struct.pack("<I", type_entry.version)
            out += name
        for shape in self.shapes[shapes : last[2]]:
            words: list[int] = []
            if shape.case is not None:
                words.append(tags.TAG_CASE | shape.case << 12)
            for slot in shape.slots:
                words.append(slot.tag | slot.optional << 8 | slot.key << 12)
                if slot.cell is not None:
                    words.append(slot.cell)
            out += struct.pack(f"<HH{len(words)}I", shape.type, len(words), *words)
        counts = (last[0] - keys, last[1] - types, last[2] - shapes)
        return HEAD.pack(*counts, conditionals, len(out)) + bytes(out)

    # For readers

    def read(self, data: Data, start: int, limit: int) -> tuple[int, int]:
        """Adds the entries of the tables that begin at `start` and end at `limit` or before; returns their end
        and the count of conditional references."""
        if limit - start < HEAD.size:
            raise ArchiveError("A-19", start, "The tables are shorter than their head.")
        keys, types, shapes, conditionals, length = HEAD.unpack(data[start : start + HEAD.size])
        end = start + HEAD.size + length
        if end > limit:
            raise ArchiveError("A-19", start + 16, "The tables do not fit.")
        if 2 * keys + 2 * types + 4 * shapes > end - start - HEAD.size:
            raise ArchiveError("A-19", start, "The tables have more entries than bytes for them.")
        if (
            len(self.keys) + keys > MAXIMUM_KEYS
            or len(self.shapes) + shapes > MAXIMUM_SHAPES
            or (len(self.types) + types > MAXIMUM_TYPES)
        ):
            raise ArchiveError("A-66", start, "The tables have more entries than are allowed.")
        position = start + HEAD.size
        for _ in range(keys):
            position = self._read_key(data, position, end)
        for _ in range(types):
            position = self._read_type(data, position, end)
        for _ in range(shapes):
            position = self._read_shape(data, position, end)
        if position != end:
            raise ArchiveError("A-19", position, "The tables do not end where they have to.")
        return position, conditionals

    def _add_key(self, entry: KeyEntry, rule: str, offset: int) -> int:
        number = len(self.keys)
        if self._key_numbers.setdefault(entry, number) != number:
            raise ArchiveError(rule, offset, f"The key {entry.name!r} is declared twice.")
        depth = 0 if entry.scope is None else self._scope_depths[entry.scope] + 1
        if depth > MAXIMUM_SCOPES:
            raise ArchiveError("A-66", offset, "Scopes are nested too deeply.")
        self.keys.append(entry)
        self._scope_depths.append(depth)
        return number

    def _add_type(self, entry: TypeEntry, offset: int) -> int:
        number = len(self.types)
        if self._type_numbers.setdefault(entry, number) != number:
            raise ArchiveError("A-25", offset, f"The type {entry.name!r} is declared twice.")
        self.types.append(entry)
        return number

    def _read_key(self, data: Data, start: int, end: int) -> int:
        position, flags, length = self._read_name_head(data, start, end, 0x0F)
        scope: int | None = None
        if flags & 4:
            if end - position < 4:
                raise ArchiveError("A-19", position, "The tables end in a key.")
            scope = int.from_bytes(data[position : position + 4], "little")
            position += 4
            if scope >= len(self.keys) or self.keys[scope].namespace != SCOPE:
                raise ArchiveError("A-22", position - 4, "The scope of a key is none.")
            if flags & 3 == CASE:
                raise ArchiveError("A-23", start, "A case is declared in a scope.")
        name = self._read_name(data, position, length, end)
        self._add_key(KeyEntry(flags & 3, scope, name), "A-24", start)
        return position + length

    def _read_type(self, data: Data, start: int, end: int) -> int:
        position, flags, length = self._read_name_head(data, start, end, 0x09)
        version = 0
        if flags & 1:
            if end - position < 4:
                raise ArchiveError("A-19", position, "The tables end in a type.")
            version = int.from_bytes(data[position : position + 4], "little")
            position += 4
            if version == 0:
                self.long_names.append((start, position))
        name = self._read_name(data, position, length, end)
        self._add_type(TypeEntry(name, version), start)
        return position + length

    def _read_name_head(self, data: Data, start: int, end: int, known: int) -> tuple[int, int, int]:
        if end - start < 2:
            raise ArchiveError("A-19", start, "The tables end in an entry.")
        flags = data[start]
        if flags & ~known:
            raise ArchiveError("A-1", start, "Bits that are not used are not zero.")
        if not flags & 8:
            return start + 2, flags, int(data[start + 1])
        if end - start < 3:
            raise ArchiveError("A-19", start, "The tables end in an entry.")
        length = int.from_bytes(data[start + 1 : start + 3], "little")
        if length < 256:
            self.long_names.append((start, start + 1))
        return start + 3, flags, length

    @staticmethod
    def _read_name(data: Data, start: int, length: int, end: int) -> str:
        if length > end - start:
            raise ArchiveError("A-19", start, "A name reaches beyond the tables.")
        try:
            return bytes(data[start : start + length]).decode()
        except UnicodeDecodeError:
            raise ArchiveError("A-2", start, "A name is not UTF-8.") from None

    def _read_shape(self, data: Data, start: int, end: int) -> int:
        if end - start < 4:
            raise ArchiveError("A-19", start, "The tables end in a shape.")
        type_number, count = struct.unpack("<HH", data[start : start + 4])
        if 4 * count > end - start - 4:
            raise ArchiveError("A-19", start, "A shape reaches beyond the tables.")
        if type_number >= len(self.types):
            raise ArchiveError("A-28", start, "A shape is of a type that is not declared.")
        words = struct.unpack(f"<{count}I", data[start + 4 : start + 4 + 4 * count])
        case: int | None = None
        slots: list[Slot] = []
        seen: set[int] = set()
        index = 0
        while index < count:
            offset = start + 4 + 4 * index
            word = words[index]
            index += 1
            tag, optional, key = word & 0xFF, word >> 8 & 3, word >> 12
            if word & 0xC00:
                raise ArchiveError("A-1", offset, "Bits of a slot that are not used are not zero.")
            if key >= len(self.keys):
                raise ArchiveError("A-28", offset, "A slot has a key that is not declared.")
            namespace = self.keys[key].namespace
            if tag == tags.TAG_CASE:
                if index != 1 or optional or namespace != CASE:
                    raise ArchiveError("A-27", offset, "A case does not stand as it has to.")
                case = key
                continue
            if namespace not in (USER, RESERVED):
                raise ArchiveError("A-27", offset, "A slot has a scope or a case as its key.")
            if key in seen:
                raise ArchiveError("A-29", offset, "A key stands in a shape twice.")
            seen.add(key)
            if namespace == RESERVED and case is not None:
                raise ArchiveError("A-31", offset, "A shape with a case has a reserved key.")
            if optional == 2:
                raise ArchiveError("A-27", offset, "A slot may be absent but not nil.")
            cell: int | None = None
            if tag == tags.TAG_INLINE:
                if optional or index == count:
                    raise ArchiveError("A-27", offset, "An inline slot does not stand as it has to.")
                cell = words[index]
                index += 1
                if cell >= len(self.shapes):
                    raise ArchiveError("A-28", offset + 4, "An inline slot has a shape that is not declared before.")
                if not self.is_cell(cell) or self.shapes[cell].case is not None:
                    raise ArchiveError("A-30", offset + 4, "The shape of an inline slot is no cell.")
            elif tag == tags.TAG_NIL:
                if not optional:
                    raise ArchiveError("A-27", offset, "A slot takes no bit and no byte.")
            elif not tags.is_slot_tag(tag):
                raise ArchiveError("A-39", offset, f"The tag 0x{tag:02X} is none.")
            slots.append(Slot(tag, key, optional, cell))
        shape = ShapeEntry(type_number, case, tuple(slots))
        if shape in self.numbers:
            self.equal_shapes.append(start)
        self.add_shape(shape)
        return int(start + 4 + 4 * count)
