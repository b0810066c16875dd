"""The tables of Spec/Vectors/restoration follow from the rules of Spec/restoration.md."""

from __future__ import annotations

import json
import sys
import unittest
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent)]

from write_restoration_vectors import FOLDER, tables


class RestorationVectors(unittest.TestCase):
    def test_nothing_has_changed(self) -> None:
        for name, lines in tables().items():
            self.assertEqual((FOLDER / name).read_text(encoding="utf-8").splitlines(), lines)

    def test_each_outcome_is_there(self) -> None:
        found = {line.split("\t")[-1] for line in tables()["searches.tsv"]}
        self.assertEqual(found, {"class", "application", "existing", "template", "left out"})
        rows = [row for line in tables()["saves.tsv"] for row in json.loads(line.split("\t")[-1])["rows"]]
        self.assertEqual({row[1] for row in rows}, {0, 1, 2, 3})
        self.assertTrue(any(row[3] > 1 for row in rows))
        # A node below a saved one that is saved only because of a reference.
        self.assertTrue(any(row[1] == 0 and row[2] > 0 for row in rows))
        self.assertIn("refused", {line.split("\t")[-1] for line in tables()["indexes.tsv"]})


if __name__ == "__main__":
    unittest.main()
