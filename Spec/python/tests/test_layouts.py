"""Bodies byte by byte, made by hand: the reader and the writer share their layout, so they cannot test it."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

from broken import nested
from forging import forged_value, two_segments

from keepsake import Archive, ArchiveError, Content, Field, Key, Record, Value, dump, tags, verify
from keepsake.reader import ROW, SEGMENT, TAIL
from keepsake.values import MAY_BE_ABSENT, MAY_BE_NIL, NIL
from keepsake.writer import shape_number

BOOL, U8, U16, STRING, ARRAY = tags.TAG_BOOL, 0x19, 0x1A, tags.TAG_STRING, tags.TAG_ARRAY


def body(*fields: tuple[Value, int]) -> str:
    """The body of an object with these values, in hexadecimal."""
    record = Record("T", [Field(Key(f"k{i}"), value, optional) for i, (value, optional) in enumerate(fields)])
    data = dump(Content([record]))
    archive = Archive(data)
    assert verify(archive).rule is None
    assert archive.object(1).record() == record
    segment = archive.segment(0)
    return data[segment.bodies : segment.bodies + segment.length].hex(" ")


def payload(value: Value) -> str:
    """The payload of a value in hexadecimal."""
    return body((value, 0))


def array(tag: int, *contents: object) -> Value:
    """An array of one tag; None is a nil."""
    return Value(ARRAY, [Value(tags.TAG_NIL, NIL) if c is None else Value(tag, c) for c in contents])


class Bodies(unittest.TestCase):
    def test_nine_bits_take_two_bytes_each_where_its_first_bit_comes(self) -> None:
        fields = [(Value(BOOL, True), 0), (Value(U8, 0x11), 0)]
        fields += [(Value(BOOL, index == 6), 0) for index in range(7)]
        fields += [(Value(U8, 0x22), 0), (Value(BOOL, True), 0), (Value(U8, 0x33), 0)]
        self.assertEqual(body(*fields), "81 11 22 01 33")

    def test_the_nil_bit_comes_before_the_value_of_a_bit(self) -> None:
        self.assertEqual(body((Value(BOOL, True), MAY_BE_NIL), (Value(BOOL, NIL), MAY_BE_ABSENT)), "06")
        seven = [(Value(BOOL, False), 0)] * 7
        self.assertEqual(body(*seven, (Value(BOOL, True), MAY_BE_NIL)), "00 01")

    def test_a_byte_of_bits_comes_before_the_slot(self) -> None:
        self.assertEqual(body((Value(U8, 1), 0), (Value(U16, NIL), MAY_BE_NIL), (Value(U8, 2), 0)), "01 01 00 00 02")

    def test_ends_of_all_payloads_but_the_last(self) -> None:
        text = [(Value(STRING, each), 0) for each in ("ab", "", "c")]
        self.assertEqual(body(text[0], (Value(U8, 9), 0), *text[1:]), "09 02 02 61 62 63")
        self.assertEqual(body((Value(STRING, NIL), MAY_BE_NIL), text[0]), "01 00 61 62")

    def test_ends_of_two_and_four_bytes(self) -> None:
        two = body((Value(STRING, "a" * 100), 0), (Value(STRING, "b" * 154), 0))
        self.assertTrue(two.startswith("64 61"), two[:20])
        two = body((Value(STRING, "a" * 100), 0), (Value(STRING, "b" * 155), 0))
        self.assertTrue(two.startswith("64 00 61"), two[:20])
        four = body((Value(STRING, "a" * 100), 0), (Value(STRING, "b" * 65_433), 0))
        self.assertTrue(four.startswith("64 00 61"), four[:20])
        four = body((Value(STRING, "a" * 100), 0), (Value(STRING, "b" * 65_434), 0))
        self.assertTrue(four.startswith("64 00 00 00 61"), four[:20])

    def test_cells_have_bits_of_their_own(self) -> None:
        cell = Value(tags.TAG_RECORD, Record("", [Field(Key("b"), Value(BOOL, True)), Field(Key("n"), Value(U8, 7))]))
        self.assertEqual(body((Value(BOOL, True), 0), (cell, 0), (Value(BOOL, True), 0)), "03 01 07")

    def test_records_that_are_no_cells_are_payloads(self) -> None:
        empty = Value(tags.TAG_RECORD, Record("", []))
        self.assertEqual(body((empty, 0), (Value(U8, 5), 0)), "05 00")
        cell = Value(tags.TAG_RECORD, Record("", [Field(Key("n"), Value(U8, 7))]))
        self.assertEqual(body((cell, MAY_BE_NIL)), "00 00 07")
        case = Value(tags.TAG_ENUMERATION, Record("", [Field(Key("n"), Value(U8, 7))], case="c"))
        self.assertEqual(body((case, 0)), "00 07")


class Arrays(unittest.TestCase):
    def test_each_form(self) -> None:
        for value, expected in (
            (array(U16), ""),
            (array(U16, 1, 2), "1a 01 00 02 00"),
            (array(BOOL, *[True] * 7), "0f ff"),
            (array(BOOL, *[True] * 8), "0f ff 01"),
            (array(STRING, "a", "", "bc"), "2e 03 01 01 61 62 63"),
            (array(U8, 1, None), "91 19 02 02 01 00"),
            (array(U8, None, *range(1, 9)), "91 19 09 01 00 00 01 02 03 04 05 06 07 08"),
            (array(STRING, None, "a"), "90 02 00 2e 00 61"),
            (array(U8, None, None), "90 02 00 00 00"),
            (Value(ARRAY, [array(U8, 1, 2), array(U8, 3, 4)]), "93 19 02 01 02 03 04"),
            (Value(ARRAY, [array(U8, 1, 2), array(U8, 3)]), "6e 02 03 19 01 02 19 03"),
            (Value(ARRAY, [array(U8, 1)]), "6e 01 19 01"),
            (Value(tags.TAG_SET, [Value(U16, 256), Value(U16, 1)]), "1a 00 01 01 00"),
            (Value(tags.TAG_DICTIONARY, [(Value(U8, 2), Value(U8, 3))]), "02 19 02 19 03"),
        ):
            with self.subTest(expected=expected):
                record = Record("T", [Field(Key("k"), value)])
                archive = Archive(dump(Content([record])))
                self.assertIsNone(verify(archive).rule)
                segment = archive.segment(0)
                raw = archive.data[segment.bodies : segment.bodies + segment.length]
                self.assertEqual(bytes(raw).hex(" "), expected)

    def test_numbers_of_256_bytes_are_aligned(self) -> None:
        self.assertTrue(payload(array(U16, *[1] * 127)).startswith("1a 01"))
        self.assertTrue(payload(array(U16, *[1] * 128)).startswith("92 1a"))
        self.assertTrue(payload(array(U8, *[1] * 300)).startswith("19 01"))
        self.assertTrue(payload(array(tags.TAG_UUID, *[bytes(16)] * 20)).startswith("45 00"))
        for size in range(1, 9):
            record = Record(
                "T" * size, [Field(Key("s"), Value(STRING, "x" * size)), Field(Key("k"), array(0x24, *range(32)))]
            )
            data = dump(Content([record]))
            at = data.index(b"\x92\x24") + 2
            self.assertEqual((at + 1 + data[at]) % 8, 0)

    def test_rows_are_shorter_than_256_bytes(self) -> None:
        rows = Value(ARRAY, [array(U8, *[1] * 255)] * 2)
        self.assertTrue(payload(rows).startswith("93 19 ff"))
        rows = Value(ARRAY, [array(U8, *[1] * 256)] * 2)
        self.assertTrue(payload(rows).startswith("6e 02"))


class Frames(unittest.TestCase):
    def test_levels_are_counted_by_verification_too(self) -> None:
        verify(Archive(nested(64)))
        with self.assertRaises(ArchiveError) as raised:
            verify(Archive(nested(65)))
        self.assertEqual(raised.exception.rule, "A-66")

    def test_a_segment_ends_before_it_has_65_536_bytes_or_objects(self) -> None:
        def counts(*sizes: int) -> list[tuple[int, int]]:
            objects = [Record("T", [Field(Key("k"), Value(0x36, bytes(size)))]) for size in sizes]
            archive = Archive(dump(Content(objects)))
            self.assertIsNone(verify(archive).rule)
            return [(segment.count, segment.length) for segment in archive.segments()]

        self.assertEqual(counts(65_000, 535), [(2, 65_535)])
        self.assertEqual(counts(65_000, 536), [(1, 65_000), (1, 536)])
        self.assertEqual(counts(1, 70_000, 1), [(1, 1), (1, 70_000), (1, 1)])
        self.assertEqual(counts(*[0] * 65_536), [(65_535, 0), (1, 0)])

    def test_numbers_of_shapes_in_front_of_bodies(self) -> None:
        for number, expected in (
            (253, "fd"),
            (254, "fe fe 00"),
            (65_535, "fe ff ff"),
            (65_536, "ff 00 00 01 00"),
            (2**20 - 1, "ff ff ff 0f 00"),
        ):
            self.assertEqual(shape_number(number).hex(" "), expected)

    def test_two_rows_with_the_same_first_object(self) -> None:
        data = two_segments()
        row = len(data) - TAIL.size - ROW.size
        broken = data[: row + 8] + b"\1\0\0\0" + data[row + 12 :]
        with self.assertRaises(ArchiveError) as raised:
            verify(Archive(broken))
        self.assertEqual(raised.exception.rule, "A-18")

    def test_unknown_kinds_in_a_slot_are_skipped(self) -> None:
        data = forged_value(0x8E, b"abc")
        self.assertEqual(Archive(data).object(1)["v"].content, b"abc")
        self.assertEqual(SEGMENT.size, 16)


if __name__ == "__main__":
    unittest.main()
