"""Each rule of archive.md that a verdict names, broken once: bytes that can be read, but are not canonical."""

from __future__ import annotations

import re
import struct
import sys
import unittest
from collections.abc import Callable
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

import write_example  # noqa: E402
from forging import (  # noqa: E402
    archive,
    forged_value,
    key,
    one_object,
    segment,
    shape,
    tables,
    type_row,
    word,
)

from keepsake import Archive, Content, Field, Key, Record, Value, dump, floating, tags, verify  # noqa: E402
from keepsake.reader import NO_ENDS, SEVERAL

U8, STRING, ARRAY, DICTIONARY = 0x19, tags.TAG_STRING, tags.TAG_ARRAY, tags.TAG_DICTIONARY
A, B, C, T = key(b"a"), key(b"b"), key(b"c"), type_row(b"T")
SMALL = shape(0, word(U8))


def long_key(name: bytes) -> bytes:
    """A key with the long form of its length."""
    return b"\x08" + struct.pack("<H", len(name)) + name


def two_small_segments() -> bytes:
    """Two segments that would fit into one."""
    first = segment(b"\0", 1, NO_ENDS, last=False)
    last = segment(b"\0", 1, NO_ENDS)
    return archive([(first, tables([A], [T], [SMALL])), (last, b"")], tables([A], [T], [SMALL]))


def neighbours(objects: int) -> bytes:
    """A segment of this number of objects of one byte, and a segment of one object."""
    first = segment(bytes(objects), objects, NO_ENDS, last=False)
    made = tables([A], [T], [SMALL])
    return archive([(first, made), (segment(b"\0", 1, NO_ENDS), b"")], made)


def early(objects: int) -> bytes:
    """A segment of one object of one byte, and a segment of this number of objects."""
    first = segment(b"\0", 1, NO_ENDS, last=False)
    made = tables([A], [T], [SMALL])
    return archive([(first, made), (segment(bytes(objects), objects, NO_ENDS), b"")], made)


def two_tables(
    declared: list[bytes] | None = None, footer: list[bytes] | None = None, types: list[bytes] | None = None
) -> bytes:
    """Two full segments of one shape, with entries that a segment's tables and the footer write in two ways."""
    first = segment(bytes(65_535), 65_535, NO_ENDS, last=False)
    last = segment(b"\0", 1, NO_ENDS)
    return archive(
        [(first, tables(declared or [A], [T], [SMALL])), (last, b"")], tables(footer or [A], types or [T], [SMALL])
    )


def dictionary_of_shapes() -> bytes:
    """A dictionary with the keys 256 and 1, in this order; the record under 1 is of the first shape."""
    keys, values = b"\x1a\x00\x01\x01\x00", b"\x90\x02\x66\x66\x02\x01\x07\x00\x08"
    shapes = [SMALL, shape(0, word(U8, 1)), shape(1, word(DICTIONARY, 2))]
    # The cells are payloads here: the values of a dictionary are an array.
    body = bytes([len(keys)]) + keys + values
    return one_object([A, B, key(b"v")], [type_row(b""), T], shapes, body, 2, has_ends=True)


def wide_ends(length: int) -> bytes:
    """A body of two strings with ends of two bytes, 256 bytes or a few more in all."""
    return struct.pack("<H", 1) + b"x" * (length - 2)


def many_shapes(count: int, inline_last: bool) -> bytes:
    """An archive that declares `count` shapes and then one with a cell, inline or not."""
    keys = [key(b"%d" % number) for number in range(count)]
    shapes = [shape(0, word(U8, number)) for number in range(count)]
    shapes.append(shape(0, word(0x60, 0), 0) if inline_last else shape(0, word(0x66, 0)))
    bodies = b"\0" * count + (b"\0" if inline_last else b"\0\0")
    numbers = b"".join(struct.pack("<H", number) for number in range(count + 1))
    ends = b"".join(struct.pack("<H", number + 1) for number in range(count))
    content = segment(bodies, count + 1, SEVERAL, b"\2" + numbers + ends)
    return archive([(content, b"")], tables(keys, [T], shapes))


def unaligned() -> bytes:
    """A long array of numbers that begin at a wrong place."""
    data = dump(Content([Record("T", [Field(Key("v"), Value(ARRAY, [floating(1.0)] * 32))])]))
    at = data.index(b"\x92\x24") + 2
    zeros = data[at]
    other = (zeros + 1) % 8
    return (
        data[:at]
        + bytes([other])
        + bytes(other)
        + data[at + 1 + zeros : at + 257 + zeros]
        + bytes(7 - other)
        + (data[at + 264 :])
    )


def noisy() -> bytes:
    """The same array, aligned, with a byte around the numbers that is not zero."""
    data = bytearray(dump(Content([Record("T", [Field(Key("v"), Value(ARRAY, [floating(1.0)] * 32))])])))
    at = data.index(b"\x92\x24") + 2
    data[at + 263 if data[at] < 7 else at + 1] = 1
    return bytes(data)


CASES: list[tuple[str, str, Callable[[], bytes]]] = [
    (
        "A-101",
        "a body",
        lambda: one_object([A, B], [T], [shape(0, word(STRING), word(STRING, 1))], wide_ends(256), 0, has_ends=True),
    ),
    ("A-101", "an array", lambda: forged_value(ARRAY, b"\x2e\x01\0" + b"x" * 253)),
    (
        "A-101",
        "the keys of a dictionary",
        lambda: forged_value(DICTIONARY, b"\x04\0\x36\x01\0\0" + b"\x36\x01" + b"x" * 248),
    ),
    ("A-102", "a segment that ends early", two_small_segments),
    ("A-102", "neighbours whose objects have 65,535 bytes together", lambda: neighbours(65_534)),
    ("A-102", "a segment that ends early before one that does not fit behind it", lambda: early(65_535)),
    (
        "A-103",
        "one shape that is stated for each",
        lambda: archive([(segment(b"\0\0", 2, SEVERAL, b"\1\0\0\1"), b"")], tables([A], [T], [SMALL])),
    ),
    (
        "A-104",
        "wide numbers of shapes",
        lambda: archive(
            [(segment(b"\0\0", 2, SEVERAL, b"\2\0\0\1\0\1"), b"")],
            tables([A, B], [T], [SMALL, shape(0, word(U8, 1))]),
        ),
    ),
    ("A-105", "a key that is not used", lambda: one_object([A, B], [T], [SMALL])),
    ("A-105", "a type that is not used", lambda: one_object([A], [T, type_row(b"U")], [SMALL])),
    ("A-105", "a shape that is not used", lambda: one_object([A], [T], [SMALL, shape(0)])),
    (
        "A-105",
        "keys in another order",
        lambda: one_object([B, A], [T], [shape(0, word(U8, 1), word(U8, 0))], b"\0\0"),
    ),
    (
        "A-105",
        "shapes in another order",
        lambda: archive(
            [(segment(b"\0\0", 2, SEVERAL, b"\1\1\0\1"), b"")],
            tables([A, B], [T], [SMALL, shape(0, word(U8, 1))]),
        ),
    ),
    ("A-105", "shapes of a dictionary's values in the order of their keys as numbers", lambda: dictionary_of_shapes()),
    (
        "A-105",
        "a shape that an earlier segment declares",
        lambda: archive(
            [
                (
                    segment(b"\0" * 65_535, 65_535, NO_ENDS, last=False),
                    tables([A, B], [T], [SMALL, shape(0, word(U8, 1))]),
                ),
                (segment(b"\0", 1, 1 | NO_ENDS), b""),
            ],
            tables([A, B], [T], [SMALL, shape(0, word(U8, 1))]),
        ),
    ),
    (
        "A-105",
        "a key that an earlier segment declares",
        lambda: archive(
            [
                (segment(b"\0" * 65_535, 65_535, NO_ENDS, last=False), tables([A, B], [T], [SMALL])),
                (segment(b"\0", 1, 1 | NO_ENDS), b""),
            ],
            tables([A, B], [T], [SMALL, shape(0, word(U8, 1))]),
        ),
    ),
    ("A-106", "a long form of a short name", lambda: one_object([long_key(b"a")], [T], [SMALL])),
    (
        "A-106",
        "a long form of a name of 255 bytes",
        lambda: one_object([long_key(b"a" * 255)], [T], [SMALL]),
    ),
    ("A-106", "a long form of a name in the footer alone", lambda: two_tables(footer=[long_key(b"a")])),
    ("A-106", "a long form of a name in a segment alone", lambda: two_tables(declared=[long_key(b"a")])),
    ("A-106", "a version that is 0 in the footer alone", lambda: two_tables(types=[b"\1\1" + bytes(4) + b"T"])),
    ("A-106", "a version that is 0", lambda: one_object([A], [b"\1\1" + bytes(4) + b"T"], [SMALL])),
    (
        "A-107",
        "two shapes that are the same",
        lambda: archive([(segment(b"\0\0", 2, SEVERAL, b"\1\0\1\1"), b"")], tables([A], [T], [SMALL, SMALL])),
    ),
    ("A-108", "bits of a body", lambda: one_object([A], [T], [shape(0, word(0x0F))], b"\2")),
    ("A-108", "nil bits of an array", lambda: forged_value(ARRAY, b"\x91\x19\x02\x05\x00\x01")),
    ("A-109", "the slot of a nil", lambda: one_object([A], [T], [shape(0, word(U8, 0, 1))], b"\1\1")),
    ("A-109", "the bit of a nil", lambda: one_object([A], [T], [shape(0, word(0x0F, 0, 1))], b"\3")),
    ("A-109", "a nil in an array", lambda: forged_value(ARRAY, b"\x91\x19\x02\x01\x07\x01")),
    ("A-110", "a nil of no kind", lambda: one_object([A], [T], [shape(0, word(0, 0, 1))], b"\0")),
    ("A-111", "a long number of a shape", lambda: forged_value(tags.TAG_ENUMERATION, b"\xfe\2\0\1")),
    ("A-111", "a long number of an array's shape", lambda: forged_value(ARRAY, b"\x60\xfe\0\0" + bytes(8))),
    ("A-112", "a cell that is not inline", lambda: forged_value(tags.TAG_RECORD, b"\0" + bytes(8))),
    ("A-112", "a cell inline although there are 4,096 shapes", lambda: many_shapes(4_096, True)),
    ("A-112", "a cell not inline below 4,096 shapes", lambda: many_shapes(4_095, False)),
    ("A-113", "numbers that are not aligned", unaligned),
    ("A-114", "bytes around numbers", noisy),
    ("A-115", "short numbers that are aligned", lambda: forged_value(ARRAY, aligned_short())),
    ("A-115", "long numbers that are not aligned", lambda: forged_value(ARRAY, b"\x1a" + bytes(256))),
    ("A-115", "arrays of one length", lambda: forged_value(ARRAY, b"\x6e\x02\x02\x19\x01\x19\x02")),
    ("A-115", "one row", lambda: forged_value(ARRAY, b"\x93\x19\x02\x01\x02")),
    ("A-115", "cells with ends", lambda: forged_value(ARRAY, b"\x66\0\x01" + bytes(8))),
    ("A-115", "one tag in the mixed form", lambda: forged_value(ARRAY, b"\x90\x02\x19\x19\x01\x01\x01")),
    ("A-115", "one shape in the mixed form", lambda: forged_value(ARRAY, b"\x90\x02\x66\x66\x02\x01A\x01B")),
    (
        "A-115",
        "scalars and a nil in the mixed form",
        lambda: forged_value(ARRAY, b"\x90\x02\x19\x00\x01\x01"),
    ),
    ("A-115", "nil bits without a nil", lambda: forged_value(ARRAY, b"\x91\x19\x02\x00\x01\x01")),
    ("A-115", "nil bits and nothing else", lambda: forged_value(ARRAY, b"\x91\x19\x02\x03\x00\x00")),
    ("A-116", "wide references", lambda: forged_value(ARRAY, b"\x52\x01\x00")),
]


def aligned_short() -> bytes:
    """An array of two numbers, aligned for its place in `forged_value`."""
    for zeros in (0, 1):
        payload = bytes([0x92, 0x1A, zeros]) + bytes(zeros) + b"\1\0\2\0" + bytes(1 - zeros)
        data = forged_value(ARRAY, payload)
        if (data.index(payload) + 3 + zeros) % 2 == 0:
            return payload
    raise AssertionError


class Verdicts(unittest.TestCase):
    def test_each_breach_is_named(self) -> None:
        for rule, name, make in CASES:
            with self.subTest(rule=rule, name=name):
                data = make()
                verdict = verify(Archive(data))
                self.assertEqual(verdict.rule, rule, str(verdict))
                assert verdict.offset is not None
                self.assertLess(verdict.offset, len(data))

    def test_what_is_not_canonical_is_written_otherwise(self) -> None:
        for rule, name, make in CASES:
            if rule == "A-102":
                continue
            with self.subTest(rule=rule, name=name):
                data = make()
                self.assertNotEqual(dump(Archive(data).content()), data)

    def test_at_the_cap_a_cell_is_a_payload_unless_its_shape_is_declared(self) -> None:
        self.assertIsNone(verify(Archive(many_shapes(4_096, False))).rule)
        self.assertIsNone(verify(Archive(many_shapes(4_095, True))).rule)

    def test_widths_on_both_sides_of_a_limit(self) -> None:
        for length in (253, 254, 255, 256, 65_530, 65_534, 65_536, 65_540):
            fields = [Field(Key("a"), Value(STRING, "x")), Field(Key("b"), Value(STRING, "y" * length))]
            verdict = verify(Archive(dump(Content([Record("T", fields)]))))
            self.assertIsNone(verdict.rule, f"{length}: {verdict}")

    def test_each_rule_of_the_text_is_broken_here(self) -> None:
        text = write_example.SPECIFICATION.read_text()
        stated = {f"A-{n}" for n in re.findall(r"\[A-(1\d\d)\]", text)} - {"A-199"}
        self.assertEqual(stated - {rule for rule, _, _ in CASES}, set())


if __name__ == "__main__":
    unittest.main()
