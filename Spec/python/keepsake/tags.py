"""Tags: kinds, width classes, and the numbers that go with them (archive.md, section 5.1)."""

from __future__ import annotations

NIL = 0
BOOL = 1
SIGNED = 2
UNSIGNED = 3
FLOAT = 4
STRING = 5
BYTES = 6
DATE = 7
UUID = 8
URL = 9
REFERENCE = 10
CONDITIONAL = 11
RECORD = 12
ARRAY = 13
DICTIONARY = 14
SET = 15
ENUMERATION = 16
FORM = 18

BIT = 7
"""The width class of a value that takes one bit."""

PAYLOAD = 6
"""The width class of a value that is a payload."""

TAG_NIL = 0x00
TAG_BOOL = 0x0F
TAG_STRING = 0x2E
TAG_BYTES = 0x36
TAG_DATE = 0x3C
TAG_UUID = 0x45
TAG_URL = 0x4E
TAG_REFERENCE = 0x53
TAG_CONDITIONAL = 0x5B
TAG_RECORD = 0x66
TAG_INLINE = 0x60
TAG_ARRAY = 0x6E
TAG_DICTIONARY = 0x76
TAG_SET = 0x7E
TAG_ENUMERATION = 0x86
TAG_CASE = 0x80

FORM_MIXED = 0x90
FORM_NILS = 0x91
FORM_ALIGNED = 0x92
FORM_ROWS = 0x93

TAG_INT = 0x114
"""Not a tag of the format: an integer of Swift's `Int`, whose width the writer chooses."""

TAG_UINT = 0x11C
"""The same of `UInt`."""

CLASSES: dict[int, frozenset[int]] = {
    NIL: frozenset({0}),
    BOOL: frozenset({BIT}),
    SIGNED: frozenset({1, 2, 3, 4, 5}),
    UNSIGNED: frozenset({1, 2, 3, 4, 5}),
    FLOAT: frozenset({2, 3, 4}),
    STRING: frozenset({PAYLOAD}),
    BYTES: frozenset({PAYLOAD}),
    DATE: frozenset({4}),
    UUID: frozenset({5}),
    URL: frozenset({PAYLOAD}),
    REFERENCE: frozenset({3}),
    CONDITIONAL: frozenset({3}),
    RECORD: frozenset({PAYLOAD}),
    ARRAY: frozenset({PAYLOAD}),
    DICTIONARY: frozenset({PAYLOAD}),
    SET: frozenset({PAYLOAD}),
    ENUMERATION: frozenset({PAYLOAD}),
}
"""The classes that each known kind may have in a slot."""

WIDTHS = (0, 1, 2, 4, 8, 16)
"""Bytes of the slot of width classes 0 to 5."""

NAMES: dict[int, str] = {
    TAG_BOOL: "bool",
    0x11: "int8",
    0x12: "int16",
    0x13: "int32",
    0x14: "int64",
    0x15: "int128",
    0x19: "uint8",
    0x1A: "uint16",
    0x1B: "uint32",
    0x1C: "uint64",
    0x1D: "uint128",
    0x22: "float16",
    0x23: "float32",
    0x24: "float64",
    TAG_STRING: "string",
    TAG_BYTES: "bytes",
    TAG_DATE: "date",
    TAG_UUID: "uuid",
    TAG_URL: "url",
    TAG_REFERENCE: "reference",
    TAG_CONDITIONAL: "conditional",
    TAG_RECORD: "record",
    TAG_ARRAY: "array",
    TAG_DICTIONARY: "dictionary",
    TAG_SET: "set",
    TAG_ENUMERATION: "enumeration",
    TAG_INT: "Int",
    TAG_UINT: "UInt",
}
"""The names that tags have in the JSON form."""

TAGS: dict[str, int] = {name: tag for tag, name in NAMES.items()}


def kind(tag: int) -> int:
    """The kind of a tag."""
    return tag >> 3


def width_class(tag: int) -> int:
    """The width class of a tag."""
    return tag & 7


def width(tag: int) -> int:
    """The bytes of the slot of a tag of width class 1 to 5."""
    return WIDTHS[tag & 7]


def is_known(tag: int) -> bool:
    """True when this version of the format knows the kind."""
    return tag >> 3 in CLASSES or tag >> 3 == FORM


def is_scalar(tag: int) -> bool:
    """True when a value of the tag takes whole bytes of a slot."""
    return 1 <= tag & 7 <= 5


def is_slot_tag(tag: int) -> bool:
    """True when a value may have the tag, in a slot or beside its bytes; not `0x00`."""
    known = CLASSES.get(tag >> 3)
    if known is None:
        return tag >> 3 != FORM and tag & 7 != 0
    return tag & 7 in known and tag != TAG_NIL


def is_element_tag(tag: int) -> bool:
    """True when an array may give this tag once for all of its elements."""
    return is_slot_tag(tag) or (tag >> 3 in (REFERENCE, CONDITIONAL) and tag & 7 in (1, 2))


def is_key_tag(tag: int) -> bool:
    """True when a key of a dictionary or a member of a set may have the tag."""
    return BOOL <= tag >> 3 <= URL and is_slot_tag(tag)


def is_alignable(tag: int) -> bool:
    """True when an array of such elements is aligned if it is long enough."""
    return tag >> 3 in (SIGNED, UNSIGNED, FLOAT, DATE) and 2 <= tag & 7 <= 5


def alignment(tag: int) -> int:
    """The multiple at which aligned elements begin."""
    return min(width(tag), 8)


def is_row_tag(tag: int) -> bool:
    """True when arrays of such elements are written as rows if they have one length."""
    return is_scalar(tag) and tag >> 3 not in (REFERENCE, CONDITIONAL)


def width_for(length: int) -> int:
    """The width of numbers that are positions in something of this length."""
    return 1 if length < 0x100 else 2 if length < 0x10000 else 4


def narrowest(base: int, count: int) -> int:
    """The narrowest width for `count` numbers in something that has `base` bytes without them."""
    for size, limit in ((1, 0x100), (2, 0x10000)):
        if base + size * count < limit:
            return size
    return 4
