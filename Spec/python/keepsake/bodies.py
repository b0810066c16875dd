"""Bodies cut into their values, and objects over them (archive.md, sections 5.2 to 5.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import tags
from .arrays import read_bounds
from .errors import ArchiveError
from .tables import Layout, ShapeEntry
from .values import NIL, Field, Key, Record, Value

if TYPE_CHECKING:
    from .reader import Archive


class Body:
    """The bytes of a record, cut into its values, whose content is not read yet."""

    def __init__(self, archive: Archive, shape: int, start: int, end: int, level: int) -> None:
        self.archive = archive
        self.number = shape
        self.shape: ShapeEntry = archive.tables.shapes[shape]
        self.layout: Layout = archive.tables.layouts[shape]
        self.start = start
        self.end = end
        self.level = level
        layout = self.layout
        length = end - start
        if layout.is_fixed:
            if length != layout.width:
                raise ArchiveError("A-43", start, f"A body of {layout.width} bytes has {length}.")
            self.bounds: list[int] = []
            return
        self.width = tags.width_for(length)
        first = start + layout.width + self.width * (layout.payloads - 1)
        if first > end:
            raise ArchiveError("A-41", start, "The slots and ends of a body do not fit.")
        self.bounds = read_bounds(archive.data, start + layout.width, layout.payloads, self.width, first, end)

    def is_nil(self, index: int) -> bool:
        """True when the slot holds a nil."""
        slot, place = self.shape.slots[index], self.layout.places[index]
        if slot.tag == tags.TAG_NIL:
            return True
        return bool(slot.optional and self.archive.data[self.start + place.nil_byte] & place.nil_mask)

    def range(self, index: int) -> tuple[int, int]:
        """The range of the bytes of a slot, or of its payload; not for bits."""
        slot, place = self.shape.slots[index], self.layout.places[index]
        if place.payload >= 0:
            return self.bounds[place.payload], self.bounds[place.payload + 1]
        start = self.start + place.offset
        if slot.cell is not None:
            return start, start + self.archive.tables.layouts[slot.cell].width
        return start, start + tags.width(slot.tag)

    def value(self, index: int) -> Value:
        """The value of a slot, with everything in it."""
        slot, place = self.shape.slots[index], self.layout.places[index]
        if self.is_nil(index):
            return Value(slot.tag, NIL)
        if tags.width_class(slot.tag) == tags.BIT:
            bit = bool(self.archive.data[self.start + place.bit_byte] & place.bit_mask)
            return Value(slot.tag, bit, opaque=slot.tag != tags.TAG_BOOL)
        start, end = self.range(index)
        if slot.cell is not None:
            nested = self.archive.body(slot.cell, start, end, self.level + 1)
            return Value(tags.TAG_RECORD, nested.record())
        return self.archive.value(slot.tag, start, end, self.level)

    def record(self) -> Record:
        """All values."""
        tables = self.archive.tables
        entry = tables.types[self.shape.type]
        case = None if self.shape.case is None else tables.keys[self.shape.case].name
        fields = [
            Field(tables.key(slot.key), self.value(index), slot.optional) for index, slot in enumerate(self.shape.slots)
        ]
        return Record(entry.name, fields, entry.version, case)


class Object:
    """An object of an archive, of which only the requested values are read."""

    def __init__(self, number: int, body: Body) -> None:
        self.number = number
        self._body = body

    @property
    def type(self) -> str:
        return self._body.archive.tables.types[self._body.shape.type].name

    @property
    def version(self) -> int:
        return self._body.archive.tables.types[self._body.shape.type].version

    def keys(self) -> list[Key]:
        """The keys that have a value or a nil, in the order of the record."""
        body = self._body
        return [
            body.archive.tables.key(slot.key)
            for index, slot in enumerate(body.shape.slots)
            if not (slot.optional == 3 and body.is_nil(index))
        ]

    def __contains__(self, key: str | Key) -> bool:
        return self._index(key) is not None

    def __getitem__(self, key: str | Key) -> Value:
        index = self._index(key)
        if index is None:
            raise KeyError(str(key))
        return self._body.value(index)

    def record(self) -> Record:
        """All values."""
        return self._body.record()

    def _index(self, key: str | Key) -> int | None:
        wanted = key if isinstance(key, Key) else Key(key)
        body = self._body
        for index, slot in enumerate(body.shape.slots):
            if body.archive.tables.key(slot.key) == wanted:
                return None if slot.optional == 3 and body.is_nil(index) else index
        return None
