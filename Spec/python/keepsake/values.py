"""The content of an archive, as Python values."""

from __future__ import annotations

import dataclasses
import struct
import uuid
from typing import Any

from . import tags
from .errors import ArchiveError


class NilType:
    """The content of a value that is nil."""

    def __repr__(self) -> str:
        return "NIL"


NIL = NilType()


@dataclasses.dataclass(frozen=True)
class Key:
    """A name, its namespace, and the scopes around it, the outermost first."""

    name: str
    scopes: tuple[str, ...] = ()
    reserved: bool = False

    def __str__(self) -> str:
        return ("@" if self.reserved else "") + ".".join((*self.scopes, self.name))


@dataclasses.dataclass
class Value:
    """A value with its tag.

    The content is, by kind: bool; int; for floating-point numbers and dates the bits as an int; str;
    bytes; for a UUID its 16 bytes; the number of an object or conditional reference; `Record`; a list
    of `Value` for arrays and sets; a list of pairs for dictionaries; `NIL`. For unknown kinds and unknown
    forms of arrays it is the raw bytes, or a bool for class 7, and `opaque` is set.
    """

    tag: int
    content: Any
    opaque: bool = False

    @property
    def is_nil(self) -> bool:
        return self.content is NIL

    @property
    def number(self) -> float:
        """A floating-point number or a date as a Python float, which may lose the payload of a NaN."""
        size = tags.width(self.tag)
        pattern = {2: "<e", 4: "<f", 8: "<d"}[size]
        result: float = struct.unpack(pattern, self.content.to_bytes(size, "little"))[0]
        return result

    def plain(self) -> Any:
        """The value as an ordinary Python object, without its tag."""
        if self.is_nil:
            return None
        kind = tags.kind(self.tag)
        if self.opaque:
            return self.content
        if kind in (tags.FLOAT, tags.DATE):
            return self.number
        if kind == tags.UUID:
            return uuid.UUID(bytes=self.content)
        if kind in (tags.RECORD, tags.ENUMERATION):
            return self.content.plain()
        if kind in (tags.ARRAY, tags.SET):
            return [element.plain() for element in self.content]
        if kind == tags.DICTIONARY:
            entries = {key.plain(): value.plain() for key, value in self.content}
            if len(entries) != len(self.content):
                raise ArchiveError("A-57", None, "Two keys of a dictionary are one to Python.")
            return entries
        return self.content

    def integer(self, bits: int = 64, signed: bool = True) -> int:
        """The value as an integer that fits into another type (6.1)."""
        low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
        if self.is_nil or self.opaque or tags.kind(self.tag) not in (tags.SIGNED, tags.UNSIGNED):
            raise ArchiveError("A-60", None, "The value is no integer.")
        if not low <= self.content <= high:
            raise ArchiveError("A-58", None, f"The integer {self.content} does not fit.")
        return int(self.content)

    def floating(self, size: int = 8) -> float:
        """The value, a floating-point number or an equal integer, as a float of 2, 4 or 8 bytes (6.2)."""
        is_whole = tags.kind(self.tag) in (tags.SIGNED, tags.UNSIGNED)
        if self.is_nil or self.opaque or not is_whole and tags.kind(self.tag) != tags.FLOAT:
            raise ArchiveError("A-60", None, "The value is no number.")
        try:
            pattern = {2: "<e", 4: "<f", 8: "<d"}[size]
            number = float(self.content) if is_whole else self.number
            result: float = struct.unpack(pattern, struct.pack(pattern, number))[0]
        except OverflowError:
            raise ArchiveError("A-59", None, "A finite number would become infinite.") from None
        if is_whole and result != self.content:
            raise ArchiveError("A-59", None, f"The integer {self.content} would be rounded.")
        return result


def floating(number: float, size: int = 8) -> Value:
    """A floating-point number of 2, 4 or 8 bytes."""
    pattern = {2: "<e", 4: "<f", 8: "<d"}[size]
    return Value({2: 0x22, 4: 0x23, 8: 0x24}[size], int.from_bytes(struct.pack(pattern, number), "little"))


NOT_NIL = 0
MAY_BE_NIL = 1
MAY_BE_ABSENT = 3
"""The flags for nil and for absent values: bits 8 and 9 of the word of a slot."""


@dataclasses.dataclass
class Field:
    """A slot of a record: its key and its value, with flags for nil and for absent values."""

    key: Key
    value: Value
    optional: int = NOT_NIL

    @property
    def is_absent(self) -> bool:
        return self.value.is_nil and self.optional == MAY_BE_ABSENT


@dataclasses.dataclass
class Record:
    """The values of an object, a nested record or an enumeration."""

    type: str
    fields: list[Field]
    version: int = 0
    case: str | None = None

    def __getitem__(self, key: str | Key) -> Value:
        wanted = key if isinstance(key, Key) else Key(key)
        for field in self.fields:
            if field.key == wanted and not field.is_absent:
                return field.value
        raise KeyError(str(wanted))

    def __contains__(self, key: str | Key) -> bool:
        try:
            self[key]
        except KeyError:
            return False
        return True

    def plain(self) -> dict[str, Any]:
        """The values by the names of their keys, without absent ones."""
        return {str(f.key): f.value.plain() for f in self.fields if not f.is_absent}


ARCHIVE_VALUES: dict[int, tuple[str, int]] = {
    1: ("bundleVersion", tags.TAG_STRING),
    2: ("userInterfaceIdiom", 0x14),
    3: ("timestamp", tags.TAG_DATE),
    4: ("systemVersion", tags.TAG_STRING),
}
"""The known archive values: the name and the tag of each number."""


@dataclasses.dataclass
class Content:
    """A whole archive as values, for writers and readers."""

    objects: list[Record]
    root: int = 1
    conditionals: list[int] = dataclasses.field(default_factory=list)
    archive_values: list[tuple[int, int, bytes]] = dataclasses.field(default_factory=list)
