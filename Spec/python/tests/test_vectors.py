"""The stored vectors are those that the writers here make, byte for byte."""

from __future__ import annotations

import json
import re
import sys
import unittest
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

import write_example
from write_vectors import FOLDER, broken_forward, vectors

from keepsake import Archive, ArchiveError, content_from_json, dump, verify


class Vectors(unittest.TestCase):
    def test_nothing_has_changed(self) -> None:
        lines, names = [], {"index.tsv"}
        for each in vectors():
            lines.append(each.line)
            names.add(f"{each.name}.archive")
            self.assertEqual((FOLDER / f"{each.name}.archive").read_bytes(), each.data, each.name)
            if each.values is not None:
                names.add(f"{each.name}.json")
                self.assertEqual((FOLDER / f"{each.name}.json").read_text(encoding="utf-8"), each.values, each.name)
        self.assertEqual((FOLDER / "index.tsv").read_text(encoding="utf-8").splitlines(), lines)
        self.assertEqual({path.name for path in FOLDER.iterdir()}, names)

    def test_files_have_the_outcome_of_the_index(self) -> None:
        for line in (FOLDER / "index.tsv").read_text(encoding="utf-8").splitlines():
            file, outcome, rule, what, forward, code = line.split("\t")
            data = (FOLDER / file).read_bytes()
            with self.subTest(file=file, what=what):
                if outcome == "refused":
                    with self.assertRaises(ArchiveError) as raised:
                        verify(Archive(data))
                    self.assertIn(raised.exception.rule, rule.split())
                    self.assertEqual(raised.exception.code, code)
                else:
                    self.assertEqual((verify(Archive(data)).canonicity.value, "-"), (outcome, code))
                self.assertEqual(broken_forward(data) is not None, forward == "refused")
                self.assertIn(forward, ("refused", outcome))

    def test_canonical_ones_are_written_from_their_json(self) -> None:
        for line in (FOLDER / "index.tsv").read_text(encoding="utf-8").splitlines():
            file, outcome, rule = line.split("\t")[:3]
            values = FOLDER / file.replace(".archive", ".json")
            if outcome.startswith("canonical") and values.exists():
                made = bytearray(dump(content_from_json(json.loads(values.read_text(encoding="utf-8")))))
                if rule == "A-6":
                    made[10:12] = (FOLDER / file).read_bytes()[10:12]  # The minor version is not a part of the values.
                self.assertEqual(made, (FOLDER / file).read_bytes(), file)

    def test_only_neighbouring_segments_are_refused_forward_alone(self) -> None:
        lines = [line.split("\t") for line in (FOLDER / "index.tsv").read_text(encoding="utf-8").splitlines()]
        alone = [line for line in lines if line[4] != line[1]]
        self.assertEqual([(line[1], line[2]) for line in alone], [("not canonical", "A-102 A-70")] * 2)

    def test_there_are_enough(self) -> None:
        outcomes = [line.split("\t")[1:3] for line in (FOLDER / "index.tsv").read_text().splitlines()]
        self.assertGreaterEqual(sum(outcome == "canonical" for outcome, _ in outcomes), 160)
        self.assertGreaterEqual(sum(outcome in ("refused", "not canonical") for outcome, _ in outcomes), 160)

    def test_each_rule_for_readers_has_one_unless_bytes_cannot_show_it(self) -> None:
        text = write_example.SPECIFICATION.read_text(encoding="utf-8")
        stated = {f"A-{number}" for number in re.findall(r"\[A-(\d+)\]", text) if int(number) < 200}
        shown = {rule for line in (FOLDER / "index.tsv").read_text().splitlines()
                 for rule in line.split("\t")[2].split()}  # fmt: skip
        shown |= {path.name[:4].rstrip("-").upper() for path in FOLDER.glob("a-*.archive")}
        reading = {f"A-{number}" for number in (35, 36, 57, 58, 59, 60, 61, 67, 68, 69, 71, 74)}
        self.assertEqual(stated - shown - reading - {"A-99", "A-199"}, set())


if __name__ == "__main__":
    unittest.main()
