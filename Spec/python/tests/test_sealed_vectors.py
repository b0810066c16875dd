"""The stored vectors of sealed files are those that are made here, and have their stated outcomes."""

from __future__ import annotations

import json
import re
import sys
import unittest
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

from seal_cases import pattern
from seal_example import SPECIFICATION, TEXT
from seal_runner import run, unstated
from write_sealed_vectors import FOLDER, vectors

from keepsake.sealed import (
    Cost,
    Options,
    Passphrase,
    Randomness,
    RawKey,
    Recipient,
    SigningKey,
    SlotRandomness,
    seal,
)
from keepsake.sealed.keys import Target

REPLACEMENT = SPECIFICATION.with_name("replacement.md").read_text(encoding="utf-8")

WITHOUT_BYTES = {
    2: "the time that a comparison takes",
    9: "what is allocated before a field is checked",
    12: "what is done with public metadata",
    26: "what kind of file it is",
    45: "which file is read",
    46: "a file that changes between two reads",
    58: "that no key is created",
    62: "what an error says",
    67: "that no key is created",
}
"""Rules that no bytes can break, each with its subject."""


def loaded(path: Path) -> tuple[dict[str, Any], bytes]:
    """A vector and its bytes."""
    vector: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    data = bytearray((FOLDER / vector["file"]).read_bytes())
    for at, new in vector.get("edits", []):
        data[at : at + len(new) // 2] = bytes.fromhex(new)
    return vector, bytes(data)


def written(how: dict[str, Any]) -> bytes:
    """The file that a writer makes from the inputs in a vector."""
    targets: list[Target] = []
    chance: list[SlotRandomness] = []
    for slot in how["slots"]:
        if "key" in slot:
            targets.append(RawKey(bytes.fromhex(slot["key"])))
        elif "passphrase" in slot:
            targets.append(Passphrase(bytes.fromhex(slot["passphrase"]), Cost(slot["passes"], slot["memory"])))
        else:
            targets.append(Recipient(bytes.fromhex(slot["recipient"])))
        chance.append(
            SlotRandomness(
                bytes.fromhex(slot["nonce"]), bytes.fromhex(slot.get("salt", "") or slot.get("ephemeralSecret", ""))
            )
        )
    return seal(
        pattern(how["plaintextLength"]),
        targets,
        Options(
            unstated(how["context"]),
            unstated(how["publicMetadata"]),
            int(how["generation"]),
            how["creator"],
            how["chunkSizeExponent"],
            how["padded"],
            SigningKey(bytes.fromhex(how["signingKey"])) if how["signingKey"] else None,
            others_beside_passphrase=True,
        ),
        randomness=Randomness(
            bytes.fromhex(how["dataKey"]),
            bytes.fromhex(how["fileID"]),
            chance,
            bytes.fromhex(how["metadataNonce"]),
            bytes.fromhex(how["signatureNonce"] or "00" * 24),
        ),
    )


def index() -> list[list[str]]:
    return [line.split("\t") for line in (FOLDER / "index.tsv").read_text(encoding="utf-8").splitlines()]


class SealedVectors(unittest.TestCase):
    def test_nothing_has_changed(self) -> None:
        lines, names = [], {"index.tsv"}
        for each in vectors():
            lines.append(each.line)
            path = FOLDER / f"{each.json['name']}.json"
            self.assertEqual(path.read_text(encoding="utf-8"), each.text)
            self.assertEqual(loaded(path)[1], each.case.data, each.case.name)
            names |= {path.name, each.file}
        self.assertEqual((FOLDER / "index.tsv").read_text(encoding="utf-8").splitlines(), lines)
        self.assertEqual({path.name for path in FOLDER.iterdir()}, names)
        self.assertEqual(len({line.split("\t")[0] for line in lines}), len(lines))

    def test_each_has_the_outcome_that_it_states(self) -> None:
        for name, outcome, _, _ in index():
            vector, data = loaded(FOLDER / name)
            with self.subTest(name=name):
                reads = [(each["from"], each["to"]) for each in vector["expected"].get("reads", [])]
                found, _ = run(data, vector["kind"], vector["open"], reads)
                self.assertEqual(found, vector["expected"])
                self.assertEqual(found.get("error", "opened"), outcome)

    def test_a_writer_that_is_told_everything_writes_these_bytes(self) -> None:
        count = 0
        for name, _, _, _ in index():
            vector, data = loaded(FOLDER / name)
            if "written" in vector:
                self.assertEqual(written(vector["written"]), data, name)
                count += 1
        self.assertGreaterEqual(count, 100)

    def test_there_are_enough(self) -> None:
        kinds = [loaded(FOLDER / name)[0]["kind"] for name, *_ in index()]
        self.assertGreaterEqual(kinds.count("sealed file"), 220)
        self.assertLess(sum(path.stat().st_size for path in FOLDER.iterdir()), 4_000_000)

    def test_each_rule_for_readers_has_one_unless_bytes_cannot_show_it(self) -> None:
        stated = {int(number) for number in re.findall(r"\[S-(\d+)\]", TEXT) if int(number) < 100}
        shown = {int(rule[2:]) for _, _, rule, _ in index() if rule != "-"}
        self.assertEqual(stated - shown, set(WITHOUT_BYTES))
        self.assertEqual(shown - stated, set())

    def test_each_rule_has_one_number(self) -> None:
        numbers = re.findall(r"\[S-(\d+)\]", TEXT + REPLACEMENT)
        self.assertEqual(len(numbers), len(set(numbers)))

    def test_each_must_has_a_number(self) -> None:
        for paragraph in re.split(r"\n\n|\n(?=\d+\. |\| )", TEXT + REPLACEMENT):
            if "MUST" in paragraph and "BCP 14" not in paragraph:
                self.assertRegex(paragraph, r"\[S-\d+\]", paragraph)


if __name__ == "__main__":
    unittest.main()
