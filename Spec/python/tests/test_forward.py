"""Reading from front to back gives the same values as reading at random, and refuses the required archives."""

from __future__ import annotations

import io
import sys
import unittest
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

import worked_example
from broken import CASES, A, T, patched
from forging import archive, key, segment, shape, tables, two_segments, word
from random_content import ContentMaker, large
from test_verdicts import SMALL, two_small_segments

from keepsake import Archive, ArchiveError, Field, ForwardArchive, Key, Record, Value, dump
from keepsake.reader import NO_ENDS, TAIL
from keepsake.values import Content


class Trickle:
    """A source that gives a few bytes at a time, and records the largest request."""

    def __init__(self, data: bytes) -> None:
        self.file = io.BytesIO(data)
        self.most = 0

    def read(self, size: int) -> bytes:
        self.most = max(self.most, size)
        return self.file.read(min(size, 7_000))


def records(data: bytes) -> list[Record]:
    """All objects, read forward."""
    return list(ForwardArchive(Trickle(data)))


def outcome(data: bytes) -> str:
    """The rule for which an archive is refused, or an empty string."""
    try:
        records(data)
        return ""
    except ArchiveError as error:
        return error.rule


class Forward(unittest.TestCase):
    def test_the_same_values(self) -> None:
        for seed in range(100):
            data = dump(ContentMaker(seed).content())
            self.assertEqual(records(data), Archive(data).content().objects, f"seed {seed}")
        for content in (worked_example.CONTENT, large(1)):
            self.assertEqual(records(dump(content)), Archive(dump(content)).content().objects)

    def test_what_is_refused_at_random_is_refused_forward(self) -> None:
        for rule, name, make in CASES:
            with self.subTest(rule=rule, name=name):
                found = outcome(make())
                self.assertTrue(found)
                # Places and counts are met in another order; values are the same.
                if int(rule[2:]) not in (3, 13, 14, 15, 16, 17, 18, 19, 20, 21, 28, 62, 63, 65) and name != "no bytes":
                    self.assertEqual(found, rule)

    def test_no_object_of_a_segment_before_it_is_checked(self) -> None:
        data = two_segments()
        at = data.index(b"KSEg") + 16 + 60_000
        source = ForwardArchive(io.BytesIO(patched(data, at + 1, b"\xff") if data[at + 1] != 0xFF else data))
        with self.assertRaises(ArchiveError):
            next(iter(source))

    def test_tables_of_the_footer_are_compared(self) -> None:
        data = two_segments()
        footer = int.from_bytes(data[-8:], "little")
        at = data.index(b"a\0\x01b\0\x01c", footer)
        given = []
        with self.assertRaises(ArchiveError) as raised:
            for record in ForwardArchive(io.BytesIO(patched(data, at, b"z"))):
                given.append(record)
        self.assertEqual((raised.exception.rule, len(given)), ("A-64", 2))

    def test_lengths_are_not_believed(self) -> None:
        body = Value(0x36, bytes(70_000))
        data = dump(Content([Record("T", [Field(Key("a"), body)])]))
        at = data.index(b"KSEz") + 4
        source = Trickle(patched(data, at, b"\xff\xff\xff\x7f"))
        with self.assertRaises(ArchiveError) as raised:
            list(ForwardArchive(source))
        self.assertEqual(raised.exception.rule, "A-3")
        self.assertLessEqual(source.most, 1 << 16)

    def test_neighbours_that_would_fit_into_one(self) -> None:
        self.assertEqual(outcome(two_small_segments()), "A-70")
        for bodies, refused in ((65_533, True), (65_534, True), (65_535, False)):
            first = segment(b"\0" * bodies, bodies, NO_ENDS, last=False)
            made = archive(
                [(first, tables([A], [T], [SMALL])), (segment(b"\0", 1, NO_ENDS), b"")], tables([A], [T], [SMALL])
            )
            self.assertEqual(outcome(made), "A-70" if refused else "", bodies)

    def test_objects_before_the_end_of_the_bytes(self) -> None:
        data = two_segments()
        given = []
        with self.assertRaises(ArchiveError) as raised:
            for record in ForwardArchive(io.BytesIO(data[:-30])):
                given.append(record)
        self.assertEqual((raised.exception.rule, len(given)), ("A-3", 3))
        given = []
        cut = data.index(b"KSEz") + 30
        with self.assertRaises(ArchiveError):
            for record in ForwardArchive(io.BytesIO(data[:cut])):
                given.append(record)
        self.assertEqual(len(given), 2)

    def test_bytes_after_the_tail(self) -> None:
        data = dump(worked_example.CONTENT)
        self.assertEqual(outcome(data + b"\0"), "A-3")
        self.assertEqual(outcome(patched(data, len(data) - TAIL.size + 4, b"\2")), "A-21")
        self.assertEqual(outcome(patched(data, len(data) - 8, b"\0")), "A-19")

    def test_several_shapes_without_bytes(self) -> None:
        empty = archive([(segment(b"", 3, 0, b"\0\0"), b"")], tables([], [T], [shape(0)]))
        self.assertEqual(outcome(empty), "")
        self.assertEqual(len(records(empty)), 3)
        self.assertEqual(
            outcome(archive([(segment(b"\0", 1, 0 | NO_ENDS), b"")], tables([key(b"k")], [T], [shape(0, word(0x19))]))),
            "",
        )


if __name__ == "__main__":
    unittest.main()
