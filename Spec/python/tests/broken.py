"""Archives that readers must refuse: the rule, a description, and the bytes."""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

import worked_example  # noqa: E402
from catalogue import deep, empty_containers  # noqa: E402
from forging import (  # noqa: E402
    archive,
    forged_value,
    key,
    one_object,
    patched,
    segment,
    shape,
    tables,
    two_segments,
    type_row,
    word,
)

from keepsake import (  # noqa: E402
    Content,
    Field,
    Key,
    Record,
    Value,
    dump,
    tags,
)
from keepsake.reader import NO_ENDS, ROW, TAIL  # noqa: E402

BASE = dump(worked_example.CONTENT)
TAIL_AT = len(BASE) - TAIL.size
ROW_AT = TAIL_AT - ROW.size
FOOTER = int.from_bytes(BASE[-8:], "little")
SEGMENT_AT = 0x2C
BODIES = SEGMENT_AT + 16
BODY_LENGTH = int.from_bytes(BASE[SEGMENT_AT + 4 : SEGMENT_AT + 8], "little")
DIRECTORY = BODIES + BODY_LENGTH
U8, F32, STRING, ARRAY = 0x19, 0x23, tags.TAG_STRING, tags.TAG_ARRAY
DICTIONARY, SET = tags.TAG_DICTIONARY, tags.TAG_SET
A, T = key(b"a"), type_row(b"T")


def u32(number: int) -> bytes:
    return struct.pack("<I", number)


def values(*items: tuple[int, int, bytes]) -> bytes:
    """An archive with these archive values."""
    raw = b"".join(struct.pack("<BBI", n, tag, len(content)) + content for n, tag, content in items)
    return archive([(segment(b"\0", 1, NO_ENDS), b"")], tables([A], [T], [shape(0, word(U8))]), values=raw)


def nested(levels: int) -> bytes:
    """An object with arrays in arrays."""
    value = Value(ARRAY, [Value(U8, 1)])
    for _ in range(levels - 2):
        value = Value(ARRAY, [value])
    return dump(Content([Record("T", [Field(Key("v"), value)])]))


def cells(depth: int) -> bytes:
    """Cells inside each other: shape `depth` - 1 has the depth `depth`, and the shape of the object one more."""
    shapes = [shape(0, word(U8))]
    shapes += [shape(0, word(0x60), number) for number in range(depth)]
    return one_object([A], [T], shapes, b"\0", depth)


WIDE = shape(0, *(word(0x1D, index) for index in range(4_096)))
"""A shape of 65,536 bytes."""

CASES: list[tuple[str, str, Callable[[], bytes]]] = [
    ("A-1", "bits of a key", lambda: one_object([b"\x10\x01a"], [T], [shape(0, word(U8))])),
    ("A-1", "bits of a type", lambda: one_object([A], [b"\x02\x01T"], [shape(0, word(U8))])),
    ("A-1", "bits of a slot", lambda: one_object([A], [T], [shape(0, word(U8) | 0x400)])),
    (
        "A-1",
        "conditional references of a segment",
        lambda: patched(two_segments(), two_segments().index(b"KSEz") - 45 + 12, u32(1)),
    ),
    ("A-2", "a string", lambda: forged_value(STRING, b"a\xff")),
    ("A-2", "a URL", lambda: forged_value(tags.TAG_URL, b"\xc0\x80")),
    ("A-2", "a surrogate", lambda: forged_value(STRING, b"\xed\xa0\x80")),
    ("A-2", "a name", lambda: one_object([key(b"\xff")], [T], [shape(0, word(U8))])),
    ("A-2", "an archive value", lambda: values((1, 0x2E, b"\xff"))),
    ("A-3", "an archive that ends early", lambda: BASE[:40]),
    ("A-3", "an archive that ends in its header", lambda: BASE[:12]),
    ("A-3", "an archive without a segment", lambda: values()[:20] + BASE[TAIL_AT:]),
    ("A-4", "another magic", lambda: patched(BASE, 0, b"\x88")),
    ("A-4", "no bytes", lambda: b""),
    ("A-5", "the draft", lambda: patched(BASE, 8, b"\0")),
    ("A-5", "a later version", lambda: patched(BASE, 8, b"\2")),
    ("A-7", "a feature", lambda: patched(BASE, 12, b"\1")),
    ("A-8", "archive values in another order", lambda: values((2, 0x14, bytes(8)), (1, 0x2E, b""))),
    ("A-8", "an archive value twice", lambda: values((1, 0x2E, b""), (1, 0x2E, b""))),
    ("A-9", "another tag", lambda: values((1, 0x36, b""))),
    ("A-10", "an archive value that is a record", lambda: values((9, 0x66, b"\0"))),
    ("A-10", "an archive value of a known kind and another class", lambda: values((9, 0x16, b"\0"))),
    ("A-10", "an archive value of a form", lambda: values((9, 0x96, b"\0"))),
    ("A-10", "an archive value of a bit", lambda: values((9, 0x0F, b"\0"))),
    ("A-10", "an archive value that is nil", lambda: values((9, 0x00, b""))),
    ("A-11", "another length", lambda: values((2, 0x14, bytes(7)))),
    ("A-11", "an archive value that does not fit", lambda: patched(values((1, 0x2E, b"")), 22, u32(1))),
    (
        "A-13",
        "no ends but a variable width",
        lambda: one_object([A], [T], [shape(0, word(STRING))], b"", 0, has_ends=False),
    ),
    (
        "A-13",
        "ends but a fixed width",
        lambda: one_object([A], [T], [shape(0, word(U8))], b"\0", 0, has_ends=True),
    ),
    ("A-13", "bodies of another length", lambda: one_object([A], [T], [shape(0, word(U8))], b"\0\0")),
    ("A-14", "another marker", lambda: patched(BASE, SEGMENT_AT, b"k")),
    ("A-14", "a last segment that is not marked so", lambda: patched(BASE, SEGMENT_AT + 3, b"g")),
    (
        "A-15",
        "many bytes and several objects",
        lambda: archive(
            [(segment(bytes(65_536), 2, NO_ENDS), b"")],
            tables(
                [key(b"%d" % i) for i in range(2_048)],
                [T],
                [shape(0, *(word(0x1D, i) for i in range(2_048)))],
            ),
        ),
    ),
    (
        "A-15",
        "too many objects",
        lambda: archive(
            [(segment(bytes(65_535) + b"\0", 65_536, NO_ENDS), b"")], tables([A], [T], [shape(0, word(U8))])
        ),
    ),
    ("A-16", "a width of shape numbers", lambda: patched(BASE, DIRECTORY, b"\3")),
    ("A-17", "an end behind the bodies", lambda: patched(BASE, DIRECTORY + 3, b"\xff\xff")),
    ("A-18", "a row that leaves the archive", lambda: patched(BASE, ROW_AT, u32(FOOTER))),
    ("A-18", "a length that leaves the segment", lambda: patched(BASE, ROW_AT + 12, u32(FOOTER))),
    ("A-18", "first objects that do not begin with 1", lambda: patched(BASE, ROW_AT + 8, u32(2))),
    ("A-19", "a footer behind its end", lambda: patched(BASE, TAIL_AT + 16, u32(TAIL_AT))),
    ("A-19", "tables that are too long", lambda: patched(BASE, FOOTER + 16, u32(100_000))),
    ("A-19", "tables that are too short", lambda: patched(BASE, FOOTER + 16, u32(8))),
    ("A-20", "another marker", lambda: patched(BASE, TAIL_AT, b"k")),
    ("A-21", "no segments", lambda: patched(BASE, TAIL_AT + 4, u32(0))),
    ("A-21", "more objects than its segments can hold", lambda: patched(BASE, TAIL_AT + 8, u32(65_536))),
    ("A-21", "more objects than bytes", lambda: patched(BASE, TAIL_AT + 8, u32(len(BASE) + 1))),
    ("A-21", "fewer objects than segments", lambda: patched(two_segments(), len(two_segments()) - 16, u32(1))),
    ("A-21", "root 0", lambda: patched(BASE, TAIL_AT + 12, u32(0))),
    ("A-21", "a root that is no object", lambda: patched(BASE, TAIL_AT + 12, u32(3))),
    ("A-22", "a scope that comes later", lambda: one_object([key(b"a", 0, 0)], [T], [shape(0, word(U8))])),
    ("A-22", "a scope that is a key", lambda: one_object([A, key(b"b", 0, 0)], [T], [shape(0, word(U8))])),
    (
        "A-23",
        "a case in a scope",
        lambda: one_object([key(b"s", 2), key(b"c", 3, 0), A], [T], [shape(0, word(U8, 2))]),
    ),
    ("A-24", "a key twice", lambda: one_object([A, A], [T], [shape(0, word(U8))])),
    ("A-25", "a type twice", lambda: one_object([A], [T, T], [shape(0, word(U8))])),
    (
        "A-26",
        "an object of a type without a name",
        lambda: one_object([A], [type_row(b"")], [shape(0, word(U8))]),
    ),
    (
        "A-27",
        "a case behind a slot",
        lambda: one_object([A, key(b"c", 3)], [T], [shape(0, word(U8), word(0x80, 1))]),
    ),
    (
        "A-27",
        "a case that may be nil",
        lambda: one_object(
            [key(b"c", 3), A], [T], [shape(0, word(0x80, 0, 1), word(U8, 1)), shape(0, word(U8, 1))], b"\0", 1
        ),
    ),
    (
        "A-27",
        "a case that is a key",
        lambda: one_object([A], [T], [shape(0, word(0x80)), shape(0, word(U8))], b"\0", 1),
    ),
    ("A-27", "a scope as a key", lambda: one_object([key(b"s", 2)], [T], [shape(0, word(U8))])),
    ("A-27", "absent but not nil", lambda: one_object([A], [T], [shape(0, word(U8, 0, 2))], b"\0\0")),
    (
        "A-27",
        "an inline slot that may be nil",
        lambda: one_object([A], [T], [shape(0, word(U8)), shape(0, word(0x60, 0, 1), 0)], b"\0\0", 1),
    ),
    (
        "A-27",
        "an inline slot without its shape",
        lambda: one_object([A], [T], [shape(0, word(U8)), shape(0, word(0x60))], b"\0", 1),
    ),
    ("A-27", "a slot that takes nothing", lambda: one_object([A], [T], [shape(0, word(0))], b"\0")),
    ("A-28", "a type that is not declared", lambda: one_object([A], [T], [shape(1, word(U8))])),
    ("A-28", "a key that is not declared", lambda: one_object([A], [T], [shape(0, word(U8, 1))])),
    (
        "A-28",
        "an inline shape that is not declared before",
        lambda: one_object([A], [T], [shape(0, word(0x60), 0)]),
    ),
    ("A-28", "a segment's shape", lambda: one_object([A], [T], [shape(0, word(U8))], b"\0", 1)),
    ("A-28", "an object's shape", lambda: patched(BASE, DIRECTORY + 1, b"\5")),
    ("A-28", "a nested record's shape", lambda: forged_value(tags.TAG_RECORD, b"\x09")),
    ("A-29", "a key twice in a shape", lambda: one_object([A], [T], [shape(0, word(U8), word(U8))], b"\0\0")),
    (
        "A-30",
        "an inline shape with a payload",
        lambda: one_object([A], [T], [shape(0, word(STRING)), shape(0, word(0x60), 0)], b"", 1, has_ends=True),
    ),
    (
        "A-30",
        "an inline shape without slots",
        lambda: one_object([A], [T], [shape(0), shape(0, word(0x60), 0)], b"", 1, has_ends=True),
    ),
    (
        "A-30",
        "an inline shape of 65,536 bytes",
        lambda: one_object(
            [key(b"%d" % i) for i in range(4_096)], [T], [WIDE, shape(0, word(0x60), 0)], bytes(65_536), 1
        ),
    ),
    (
        "A-30",
        "an inline shape with a case",
        lambda: one_object(
            [A, key(b"c", 3)], [T], [shape(0, word(0x80, 1), word(U8)), shape(0, word(0x60), 0)], b"\0", 1
        ),
    ),
    ("A-30", "cells nine deep", lambda: cells(9)),
    ("A-30", "an array of cells that are none", lambda: forged_value(ARRAY, b"\x60\x01A")),
    (
        "A-31",
        "a reserved key beside a case",
        lambda: one_object(
            [key(b"c", 3), key(b"r", 1)],
            [T],
            [shape(0, word(0x80, 0), word(U8, 1)), shape(0)],
            b"",
            1,
            has_ends=True,
        ),
    ),
    (
        "A-32",
        "a reserved key in a nested record",
        lambda: archive(
            [(segment(b"\0\0", 1, 1), b"")],
            tables([key(b"r", 1), A], [T], [shape(0, word(U8)), shape(0, word(0x66, 1))]),
        ),
    ),
    ("A-34", "a reference to no object", lambda: forged_value(tags.TAG_REFERENCE, u32(2))),
    ("A-34", "references to no object", lambda: forged_value(ARRAY, b"\x51\x01\x02")),
    ("A-37", "a conditional reference without an entry", lambda: forged_value(tags.TAG_CONDITIONAL, u32(2))),
    ("A-38", "an entry that is no object", lambda: patched(BASE, ROW_AT - 4, u32(3))),
    (
        "A-39",
        "an integer of class 6",
        lambda: one_object([A], [T], [shape(0, word(0x16))], b"", 0, has_ends=True),
    ),
    ("A-39", "a truth value of a byte", lambda: one_object([A], [T], [shape(0, word(0x09))])),
    ("A-39", "a narrow reference in a slot", lambda: one_object([A], [T], [shape(0, word(0x51))])),
    ("A-39", "a form as a tag", lambda: one_object([A], [T], [shape(0, word(0x91))])),
    (
        "A-39",
        "an unknown kind of class 0",
        lambda: one_object([A], [T], [shape(0, word(0x88))], b"", 0, has_ends=True),
    ),
    (
        "A-41",
        "slots that do not fit",
        lambda: one_object([A, key(b"b")], [T], [shape(0, word(U8), word(STRING, 1))], b"", 0, has_ends=True),
    ),
    (
        "A-41",
        "ends that do not fit",
        lambda: one_object([A, key(b"b")], [T], [shape(0, word(STRING), word(STRING, 1))], b"", 0, has_ends=True),
    ),
    ("A-41", "the number of a shape that does not fit", lambda: forged_value(tags.TAG_RECORD, b"\xfe\0")),
    ("A-41", "a record without the number of its shape", lambda: forged_value(tags.TAG_RECORD, b"")),
    (
        "A-42",
        "an end behind the body",
        lambda: one_object([A, key(b"b")], [T], [shape(0, word(STRING), word(STRING, 1))], b"\x01", 0, has_ends=True),
    ),
    (
        "A-42",
        "ends that decrease",
        lambda: one_object(
            [A, key(b"b"), key(b"c")],
            [T],
            [shape(0, *(word(STRING, i) for i in range(3)))],
            b"\2\1ab",
            0,
            has_ends=True,
        ),
    ),
    ("A-42", "ends of an array that decrease", lambda: forged_value(ARRAY, b"\x2e\x03\x02\x01ab")),
    ("A-43", "a nested body that is too long", lambda: forged_value(tags.TAG_RECORD, b"\0" + bytes(9))),
    ("A-43", "a nested body that is too short", lambda: forged_value(tags.TAG_RECORD, b"\0" + bytes(7))),
    ("A-43", "an empty record with a byte", lambda: forged_value(tags.TAG_RECORD, b"\x03\0")),
    ("A-45", "a case in a nested record", lambda: forged_value(tags.TAG_RECORD, b"\x02\0")),
    ("A-45", "an enumeration without a case", lambda: forged_value(tags.TAG_ENUMERATION, b"\0" + bytes(8))),
    ("A-45", "cells with a case", lambda: forged_value(ARRAY, b"\x60\x02\0")),
    (
        "A-45",
        "an object with a case",
        lambda: one_object([A, key(b"c", 3)], [T], [shape(0, word(0x80, 1), word(U8))]),
    ),
    ("A-47", "a first byte of nil", lambda: forged_value(ARRAY, b"\0\0")),
    ("A-47", "a first byte of a known kind and another class", lambda: forged_value(ARRAY, b"\x09\0")),
    ("A-47", "nil bits of strings", lambda: forged_value(ARRAY, b"\x91\x2e\x01\x01")),
    ("A-47", "aligned bytes", lambda: forged_value(ARRAY, b"\x92\x19\0" + bytes(256))),
    ("A-47", "aligned UUIDs", lambda: forged_value(ARRAY, b"\x92\x45\0" + bytes(256 + 7))),
    ("A-47", "rows of references", lambda: forged_value(ARRAY, b"\x93\x51\x01\0\0")),
    ("A-47", "a tag of cells among others", lambda: forged_value(ARRAY, b"\x90\x01\x60" + bytes(8))),
    ("A-47", "a narrow reference among others", lambda: forged_value(ARRAY, b"\x90\x01\x51\x01")),
    ("A-48", "numbers and a half", lambda: forged_value(ARRAY, b"\x1a\0\0\0")),
    ("A-48", "no numbers", lambda: forged_value(ARRAY, b"\x1a")),
    ("A-48", "cells and a half", lambda: forged_value(ARRAY, b"\x60\0" + bytes(12))),
    ("A-48", "rows and a half", lambda: forged_value(ARRAY, b"\x93\x19\x02\0\0\0")),
    ("A-48", "no aligned numbers", lambda: forged_value(ARRAY, b"\x92\x1a\0\0")),
    ("A-49", "bits without an end", lambda: forged_value(ARRAY, b"\x0f\x05\0")),
    ("A-49", "no bits", lambda: forged_value(ARRAY, b"\x0f\x01")),
    ("A-49", "no byte of bits", lambda: forged_value(ARRAY, b"\x0f")),
    ("A-50", "a count of 0", lambda: forged_value(ARRAY, b"\x2e\0")),
    ("A-50", "more strings than bytes", lambda: forged_value(ARRAY, b"\x2e\xff")),
    ("A-50", "more tags than bytes", lambda: forged_value(ARRAY, b"\x90\xff\0\0")),
    ("A-50", "more nils than bytes", lambda: forged_value(ARRAY, b"\x91\x19\xff\0")),
    ("A-50", "a count that does not fit", lambda: forged_value(ARRAY, b"\x2e")),
    ("A-50", "fewer elements than bytes behind nil bits", lambda: forged_value(ARRAY, b"\x91\x19\x01\x00\x01\x02")),
    ("A-50", "rows of no elements", lambda: forged_value(ARRAY, b"\x93\x19\0\0\0")),
    ("A-50", "rows of 256 bytes", lambda: forged_value(ARRAY, b"\x93\x1a\x80\0" + bytes(512))),
    ("A-51", "a scalar of another length", lambda: forged_value(ARRAY, b"\x90\x02\x1a\x2e\x01ab")),
    ("A-51", "a nil of a byte", lambda: forged_value(ARRAY, b"\x90\x02\x00\x2e\x01ab")),
    ("A-51", "a truth value of 2", lambda: forged_value(ARRAY, b"\x90\x02\x0f\x2e\x01\x02b")),
    ("A-51", "a bit of 2 of an unknown kind", lambda: forged_value(ARRAY, b"\x90\x02\x8f\x2e\x01\x02b")),
    ("A-52", "too many zero bytes", lambda: forged_value(ARRAY, b"\x92\x1a\x02\0\0" + bytes(256))),
    ("A-54", "fewer values than keys", lambda: forged_value(DICTIONARY, b"\x03\x19\x01\x02\x19\x01")),
    ("A-54", "no values", lambda: forged_value(DICTIONARY, b"\x02\x19\x01")),
    ("A-54", "no keys", lambda: forged_value(DICTIONARY, b"\0\x19\x01")),
    ("A-54", "keys that do not fit", lambda: forged_value(DICTIONARY, b"\x09\x19\x01\x19\x01")),
    ("A-55", "keys that are arrays", lambda: forged_value(DICTIONARY, b"\x04\x6e\x01\x19\x01\x19\x01")),
    ("A-55", "keys that are references", lambda: forged_value(DICTIONARY, b"\x02\x51\x01\x19\x01")),
    ("A-55", "a key that is nil", lambda: forged_value(DICTIONARY, b"\x03\x90\x01\x00\x19\x01")),
    ("A-55", "keys with nil bits", lambda: forged_value(SET, b"\x91\x19\x01\x00\x01")),
    ("A-55", "members that are rows", lambda: forged_value(SET, b"\x93\x19\x01\x01\x02")),
    ("A-55", "members of an unknown form", lambda: forged_value(SET, b"\x97\x01")),
    ("A-55", "members of an unknown kind", lambda: forged_value(SET, b"\x99\x01")),
    ("A-56", "keys twice", lambda: forged_value(DICTIONARY, b"\x03\x19\x01\x01\x19\x01\x02")),
    ("A-56", "members that decrease", lambda: forged_value(SET, b"\x19\x02\x01")),
    ("A-56", "true before false", lambda: forged_value(SET, b"\x0f\x05")),
    ("A-56", "a prefix behind the longer", lambda: forged_value(SET, b"\x2e\x02\x02aba")),
    ("A-62", "a first segment that begins late", lambda: late_segment()),
    (
        "A-62",
        "a byte behind the last segment",
        lambda: archive([(segment(b"\0", 1, NO_ENDS), b"\0")], tables([A], [T], [shape(0, word(U8))])),
    ),
    ("A-63", "a count that differs from the row", lambda: patched(BASE, SEGMENT_AT + 8, u32(3))),
    ("A-63", "a length that differs from the row", lambda: patched(BASE, SEGMENT_AT + 4, u32(1))),
    (
        "A-64",
        "a segment with other tables",
        lambda: patched(two_segments(), two_segments().index(b"a\0\x01b\0\x01A"), b"z"),
    ),
    ("A-65", "a shape of a later segment", lambda: later_shape()),
    ("A-28", "a shape with a key of a later segment", lambda: later_entry(has_type=True)),
    ("A-28", "a shape of a type of a later segment", lambda: later_entry(has_type=False)),
    (
        "A-56",
        "keys in no order before values of an unknown form",
        lambda: forged_value(DICTIONARY, b"\3\x19\2\1\x94\0\0"),
    ),
    ("A-55", "keys of an unknown form", lambda: forged_value(DICTIONARY, b"\3\x94\1\2\x19\0\0")),
    ("A-66", "65 levels", lambda: nested(65)),
    *(
        ("A-66", f"65 levels, the last {name}", lambda empty=empty: dump(Content([deep(65, inner=empty)])))
        for name, empty in empty_containers()
    ),
    ("A-1", "conditional references in the tables of a segment", lambda: early_conditionals()),
    (
        "A-66",
        "65 levels, the last a dictionary with values of an unknown form",
        lambda: dump(Content([deep(65, inner=Value(DICTIONARY, b"\2\x19\1\x95\1", opaque=True))])),
    ),
    ("A-66", "65 scopes", lambda: scopes(65)),
]


ALSO = {"too many objects": "A-21"}
"""Archives that break two rules, with the one that this reader names: it reads the tail before the segment."""

PASSED: list[tuple[str, str, Callable[[], bytes]]] = [
    ("A-6", "another minor version", lambda: patched(BASE, 10, b"\7")),
    ("A-12", "an unknown archive value that is no string", lambda: values((77, 0x2E, b"\xff"))),
    ("A-33", "an unknown reserved key", lambda: one_object([key(b"new", 1)], [T], [shape(0, word(U8))])),
    ("A-12", "an archive value of number 0", lambda: values((0, 0x36, b"x"))),
    ("A-33", "a template in a scope", lambda: template(U8, scope=0)),
    ("A-73", "a template that is no string", lambda: template(U8)),
    (
        "A-73",
        "a template that is nil",
        lambda: one_object([key(b"template", 1)], [T], [shape(0, word(STRING, 0, 1))], b"\1", 0, has_ends=True),
    ),
    ("A-40", "an unknown kind", lambda: forged_value(0x8E, b"any")),
    (
        "A-44",
        "a nil that is no string",
        lambda: one_object([A], [T], [shape(0, word(STRING, 0, 1))], b"\1\xff\xff", 0, has_ends=True),
    ),
    ("A-46", "an unknown form", lambda: forged_value(ARRAY, b"\x97\1\2")),
    ("A-46", "an unknown form among values", lambda: forged_value(DICTIONARY, b"\2\x19\1\x95\1")),
    (
        "A-46",
        "64 levels, the last a dictionary with values of an unknown form",
        lambda: dump(Content([deep(64, inner=Value(DICTIONARY, b"\2\x19\1\x95\1", opaque=True))])),
    ),
    (
        "A-46",
        "an unknown form in 64 levels",
        lambda: dump(Content([deep(65, inner=Value(ARRAY, b"\x97\1\2", opaque=True))])),
    ),
    (
        "A-40",
        "an unknown kind in 64 levels",
        lambda: dump(Content([deep(65, inner=Value(0x8E, b"any", opaque=True))])),
    ),
    ("A-53", "numbers that are not aligned", lambda: not_aligned()),
    ("A-72", "a root that is no value of Codable", lambda: one_object([A], [T], [shape(0, word(U8))])),
]
"""Archives that readers must accept."""


def template(tag: int, scope: int | None = None) -> bytes:
    """An object with the reserved key `template`, of one byte."""
    keys = [key(b"s", 2)] if scope is not None else []
    keys.append(key(b"template", 1, scope))
    return one_object(keys, [T], [shape(0, word(tag, len(keys) - 1))], b"\7")


def not_aligned() -> bytes:
    """The worked example with its aligned numbers one byte off, and one byte less after them."""
    at = BASE.index(b"\x92\x24") + 2
    return patched(BASE, at, bytes([BASE[at] ^ 1]))


def late_segment() -> bytes:
    """A byte between the archive values and the first segment."""
    good = archive([(segment(b"\0", 1, NO_ENDS), b"")], tables([A], [T], [shape(0, word(U8))]))
    data = bytearray(good[:20] + b"\0" + good[20:])
    data[-8:] = struct.pack("<Q", int.from_bytes(good[-8:], "little") + 1)
    row = len(data) - TAIL.size - ROW.size
    data[row : row + 8] = struct.pack("<Q", 21)
    return bytes(data)


def later_entry(has_type: bool) -> bytes:
    """The first segment declares two shapes, but not the key of the second one, or not the type of both."""
    first = segment(bytes(60_000), 1, 0, last=False)
    last = segment(bytes(60_000), 1, 0)
    keys, shapes = [A, key(b"b")], [shape(0, word(0x36)), shape(0, word(0x36, 1))]
    declared = tables(keys[:1], [T], shapes) if has_type else tables(keys, [], shapes)
    return archive([(first, declared), (last, b"")], tables(keys, [T], shapes))


def early_conditionals() -> bytes:
    """The tables of the first of two segments announce a conditional reference, like those of the footer."""
    shapes = [shape(0, word(0x36))]
    first, last = segment(bytes(60_000), 1, 0, last=False), segment(bytes(60_000), 1, 0)
    return archive(
        [(first, tables([A], [T], shapes, 1)), (last, b"")], tables([A], [T], shapes, 1), conditionals=[1]
    )


def later_shape() -> bytes:
    """The first segment has an object of the shape that the second one declares."""
    first = segment(b"\0", 1, 1 | NO_ENDS, last=False)
    last = segment(b"\0", 1, 0 | NO_ENDS)
    keys, shapes = [A, key(b"b")], [shape(0, word(U8)), shape(0, word(U8, 1))]
    return archive([(first, tables(keys[:1], [T], shapes[:1])), (last, b"")], tables(keys, [T], shapes))


def scopes(count: int) -> bytes:
    """A key in scopes inside each other."""
    rows = [key(b"s", 2, number - 1 if number else None) for number in range(count)]
    return one_object([*rows, key(b"a", 0, count - 1)], [T], [shape(0, word(U8, count))])
