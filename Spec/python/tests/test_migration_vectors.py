"""The tables of Spec/Vectors/migration follow from the rules of Spec/migration.md."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent)]

from write_migration_vectors import FOLDER, tables


class MigrationVectors(unittest.TestCase):
    def test_nothing_has_changed(self) -> None:
        for name, lines in tables().items():
            self.assertEqual((FOLDER / name).read_text(encoding="utf-8").splitlines(), lines)

    def test_each_outcome_is_there(self) -> None:
        found = {line.split("\t")[-1] for name in ("gate.tsv", "plans.tsv") for line in tables()[name]}
        wanted = {"passed", "missing", "malformed", "from the future", "stale", "later than allowed", "idiom mismatch"}
        wanted |= {"backwards", "cycle", "duplicate", "gap", "overlap", "beyond the program", "nothing"}
        self.assertEqual(wanted - found, set())


if __name__ == "__main__":
    unittest.main()
