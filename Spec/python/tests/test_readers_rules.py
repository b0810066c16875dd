"""Each rule of archive.md for readers, broken once."""

from __future__ import annotations

import re
import sys
import unittest
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

import worked_example  # noqa: E402
import write_example  # noqa: E402
from broken import ALSO, ARRAY, BASE, CASES, DICTIONARY, STRING, U8, A, T, cells, nested, scopes, template, values
from forging import (  # noqa: E402
    forged_value,
    key,
    one_object,
    patched,
    shape,
    two_segments,
    word,
)

from keepsake import (  # noqa: E402
    Archive,
    ArchiveError,
    Value,
    dump,
    floating,
    verify,
)
from keepsake.errors import CODES  # noqa: E402


def outcome(data: bytes) -> str:
    """The rule that an archive breaks, or its verdict."""
    try:
        opened = Archive(data)
        verdict = verify(opened)
        opened.content()
        return verdict.rule or verdict.canonicity.value
    except ArchiveError as error:
        return error.rule


class ReadersRules(unittest.TestCase):
    def test_each_breach_is_refused_by_its_name(self) -> None:
        for rule, name, make in CASES:
            with self.subTest(rule=rule, name=name):
                self.assertEqual(outcome(make()), ALSO.get(name, rule))

    def test_what_the_cases_begin_with_is_accepted(self) -> None:
        self.assertEqual(outcome(BASE), "canonical")
        self.assertEqual(outcome(two_segments()), "canonical")
        self.assertEqual(outcome(values((1, 0x2E, b"1"), (9, 0x36, b"x"))), "canonical")
        self.assertEqual(outcome(one_object([A], [T], [shape(0, word(U8))])), "canonical")
        self.assertEqual(outcome(forged_value(STRING, b"a")), "canonical")
        self.assertEqual(outcome(nested(64)), "canonical")
        self.assertEqual(outcome(scopes(64)), "canonical")
        self.assertEqual(outcome(cells(8)), "canonical")

    def test_every_prefix_is_refused(self) -> None:
        for length in range(len(BASE)):
            with self.assertRaises(ArchiveError):
                verify(Archive(BASE[:length]))

    def test_no_changed_byte_raises_anything_else(self) -> None:
        for at in range(len(BASE)):
            for mask in (0x01, 0x80, 0xFF):
                data = bytearray(BASE)
                data[at] ^= mask
                outcome(bytes(data))


class WhatReadersLetPass(unittest.TestCase):
    def test_minor_version_is_ignored(self) -> None:
        self.assertEqual(outcome(patched(BASE, 10, b"\7")), "canonical")

    def test_unknown_archive_values_are_ignored(self) -> None:
        self.assertEqual(outcome(values((77, 0x2E, b"\xff"))), "canonical")

    def test_unknown_reserved_keys_are_ignored(self) -> None:
        self.assertEqual(outcome(one_object([key(b"new", 1)], [T], [shape(0, word(U8))])), "canonical")

    def test_a_template_that_is_no_string_is_a_value(self) -> None:
        data = template(U8)
        self.assertEqual(outcome(data), "canonical")
        field = Archive(data).object(1).record().fields[0]
        self.assertEqual((field.key.name, field.key.reserved, field.value), ("template", True, Value(U8, 7)))

    def test_unknown_kinds_are_skipped(self) -> None:
        for tag, raw in ((0x8E, b"any"), (0x99, b"1"), (0xFD, bytes(16))):
            data = forged_value(tag, raw)
            self.assertEqual(outcome(data), "canonical with unknown kinds")
            self.assertEqual(Archive(data).object(1)["p"].plain(), {"x": 0, "y": 0})

    def test_bytes_of_a_nil_are_not_looked_at(self) -> None:
        data = one_object([A], [T], [shape(0, word(STRING, 0, 1))], b"\1\xff\xff", 0, has_ends=True)
        self.assertEqual(outcome(data), "A-109")
        self.assertTrue(Archive(data).object(1)["a"].is_nil)

    def test_unknown_forms_are_skipped(self) -> None:
        for form in range(0x94, 0x98):
            self.assertEqual(outcome(forged_value(ARRAY, bytes([form, 1, 2]))), "canonical with unknown kinds")
            data = forged_value(DICTIONARY, bytes([2, 0x19, 1, form, 1, 2]))
            self.assertEqual(outcome(data), "canonical with unknown kinds")
            self.assertTrue(Archive(data).object(1)["v"].opaque)
            self.assertEqual(dump(Archive(data).content()), data)

    def test_numbers_that_are_not_aligned_are_read(self) -> None:
        data = dump(worked_example.CONTENT)
        at = data.index(b"\x92\x24") + 2
        self.assertEqual(outcome(patched(data, at, bytes([data[at] ^ 1]))), "A-113")

    def test_conversions(self) -> None:
        self.assertEqual(Value(0x11, -5).integer(64), -5)
        self.assertEqual(floating(0.1, 4).floating(8), floating(0.1, 4).number)
        self.assertEqual(Value(0x11, -5).floating(2), -5.0)
        self.assertEqual(Value(0x1D, 1 << 127).floating(4), 2.0**127)
        for rule, convert in (
            ("A-58", lambda: Value(0x14, 256).integer(8, False)),
            ("A-58", lambda: Value(0x11, -1).integer(64, False)),
            ("A-59", lambda: floating(1e300).floating(4)),
            ("A-60", lambda: floating(1.0).integer()),
            ("A-60", lambda: Value(0x0F, True).floating()),
            ("A-59", lambda: Value(0x14, (1 << 53) + 1).floating()),
            ("A-59", lambda: Value(0x14, 2049).floating(2)),
            ("A-59", lambda: Value(0x14, 65_536).floating(2)),
        ):
            with self.assertRaises(ArchiveError) as raised:
                convert()
            self.assertEqual(raised.exception.rule, rule)

    def test_keys_that_are_one_to_python_are_refused(self) -> None:
        zeros = Value(DICTIONARY, [(floating(0.0), Value(U8, 1)), (floating(-0.0), Value(U8, 2))])
        with self.assertRaises(ArchiveError) as raised:
            zeros.plain()
        self.assertEqual(raised.exception.rule, "A-57")

    def test_absent_and_nil_differ(self) -> None:
        window = Archive(BASE).object(1)
        self.assertTrue(window["scale"].is_nil)
        with self.assertRaises(KeyError):
            window["note"]


class NamesOfRules(unittest.TestCase):
    ELSEWHERE = {
        "A-74": "every test here is of hostile bytes",
        "A-35": "there are no graphs of Python objects",
        "A-36": "there are no graphs of Python objects",
        "A-71": "a file is mapped, and checked where it is read",
        "A-72": "values of Codable are not read as such",
    }

    def test_each_name_of_an_error_is_in_the_text(self) -> None:  # 7.10
        section = write_example.SPECIFICATION.read_text().split("7.10. ")[1].split("\n## ")[0]
        named = set(re.findall(r"`([a-zA-Z0-9]+)`", section))
        self.assertLessEqual(set(CODES.values()) | {"damaged"}, named)
        lines = {}
        for line in section.split("\n"):
            if line.startswith("| `"):
                lines[line.split("`")[1]] = set(re.findall(r"\[(A-\d+)\]", line))
        for rule, code in CODES.items():
            if int(rule[2:]) < 57 or rule in ("A-66", "A-70"):
                self.assertIn(rule, lines[code])

    def test_each_rule_of_the_text_is_broken_here(self) -> None:
        text = write_example.SPECIFICATION.read_text()
        stated = {f"A-{n}" for n in re.findall(r"\[A-(\d+)\]", text) if int(n) < 99}
        folder = Path(__file__).parent
        source = Path(__file__).read_text() + (folder / "test_forward.py").read_text()
        shown = {rule for rule, _, _ in CASES} | set(re.findall(r"# (A-\d+)", source)) | {"A-59", "A-60"}
        self.assertEqual(stated - shown - set(self.ELSEWHERE), set())


if __name__ == "__main__":
    unittest.main()
