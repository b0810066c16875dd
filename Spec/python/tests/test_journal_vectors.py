"""The stored vectors of journals are those that are made here, and have their stated outcomes."""

from __future__ import annotations

import json
import re
import sys
import unittest
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

from journal_cases import Builder, patched
from journal_runner import run
from seal_runner import unstated
from write_journal_vectors import FOLDER, vectors

from keepsake.journal import Entry, Randomness
from keepsake.journal.header import Preamble
from keepsake.journal.track import START
from keepsake.journal.writer import Segment
from keepsake.sealed import RawKey, Recipient, SlotRandomness

TEXT = (Path(__file__).parents[2] / "journal.md").read_text(encoding="utf-8")


def loaded(path: Path) -> tuple[dict[str, Any], dict[str, bytes]]:
    """A vector and its files."""
    vector: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    files = {each.name: each.read_bytes() for each in (FOLDER / vector["directory"]).iterdir()}
    for name, edits in vector.get("edits", {}).items():
        files[name] = patched(files[name], *((at, bytes.fromhex(new)) for at, new in edits))
    return vector, files


def written(how: dict[str, Any]) -> dict[str, bytes]:
    """The files that a writer makes from the inputs in a vector."""
    made = Builder("written", context=unstated(how["context"]))
    made.journal_id = bytes.fromhex(how["journalID"])
    joint = START
    for number, part in enumerate(how["segments"]):
        slots = part["slots"]
        chance = Randomness(
            bytes.fromhex(part["dataKey"]),
            bytes.fromhex(part["segmentID"]),
            [SlotRandomness(bytes.fromhex(s["nonce"]), bytes.fromhex(s.get("ephemeralSecret", ""))) for s in slots],
        )
        public = unstated(part["publicMetadata"])
        preamble = Preamble(
            len(slots), len(public), number, joint.next, int(part["time"]), joint.frames, part["file"],
            made.journal_id, chance.segment_id, joint.digest,
        )  # fmt: skip
        targets = [
            RawKey(bytes.fromhex(s["key"])) if "key" in s else Recipient(bytes.fromhex(s["recipient"])) for s in slots
        ]
        made.file = part["file"]
        made.files.setdefault(made.name, b"")
        made.segment = Segment(preamble, targets, public, made.context, chance)
        made.segments.append({"batches": []})
        made.raw(made.segment.header.data)
        for batch in part["batches"]:
            paddings = {group["padding"] for group in batch}
            made.batch(*([entry(each) for each in group["entries"]] for group in batch), padding=paddings.pop())
        if part["closed"]:
            made.close()
        joint = made.segment.track.whole
    return made.files


def entry(json: dict[str, Any]) -> Entry:
    return Entry(json["type"], unstated(json["content"]), json["version"], int(json["time"]), json["form"])


def index() -> list[list[str]]:
    return [line.split("\t") for line in (FOLDER / "index.tsv").read_text(encoding="utf-8").splitlines()]


class JournalVectors(unittest.TestCase):
    def test_nothing_has_changed(self) -> None:
        lines, names = [], {"index.tsv"}
        for each in vectors():
            lines.append(each.line)
            path = FOLDER / f"{each.json['name']}.json"
            self.assertEqual(path.read_text(encoding="utf-8"), each.text)
            self.assertEqual(loaded(path)[1], each.case.files, each.case.name)
            names |= {path.name, each.json["directory"]}
        self.assertEqual((FOLDER / "index.tsv").read_text(encoding="utf-8").splitlines(), lines)
        self.assertEqual({path.name for path in FOLDER.iterdir()}, names)
        self.assertEqual(len({line.split("\t")[0] for line in lines}), len(lines))

    def test_each_has_the_outcome_that_it_states(self) -> None:
        for name, outcome, _, _ in index():
            vector, files = loaded(FOLDER / name)
            with self.subTest(name=name):
                found, _ = run(files, vector["open"])
                self.assertEqual(found, vector["expected"])
                self.assertEqual(found.get("error", "read"), outcome)

    def test_a_writer_that_is_told_everything_writes_these_bytes(self) -> None:
        count = 0
        for name, _, _, _ in index():
            vector, files = loaded(FOLDER / name)
            if "written" in vector:
                made = written(vector["written"])
                self.assertEqual(made, {each: data for each, data in files.items() if each in made}, name)
                count += 1
        self.assertGreaterEqual(count, 30)

    def test_there_are_enough(self) -> None:
        self.assertGreaterEqual(len(index()), 350)
        self.assertLess(sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file()), 4_000_000)

    def test_each_rule_for_readers_has_one(self) -> None:
        stated = {int(number) for number in re.findall(r"\[J-(\d+)\]", TEXT) if int(number) < 100}
        shown = {int(rule[2:]) for _, _, rule, _ in index() if rule != "-"}
        self.assertEqual(stated, shown)

    def test_each_rule_has_one_number(self) -> None:
        numbers = re.findall(r"\[J-(\d+)\]", TEXT)
        self.assertEqual(len(numbers), len(set(numbers)))

    def test_each_error_of_the_page_has_one(self) -> None:
        (part,) = re.findall(r"### 7\.3 Errors\n\n(.*?)\. ", TEXT, re.S)
        self.assertEqual(set(re.findall(r"`(\w+)`", part)) - {outcome for _, outcome, _, _ in index()}, set())


if __name__ == "__main__":
    unittest.main()
