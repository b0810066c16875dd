"""The pickle of Spec/poke, with GNU poke if it is installed: it accepts whole files, and refuses other forms."""

from __future__ import annotations

import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

SPEC = Path(__file__).parents[2]
VECTORS = SPEC / "Vectors"
RULES = {"S-3", "S-4", "S-5", "S-6", "S-7", "S-8", "S-10", "S-13", "S-28", "S-29", "A-4", "A-5", "A-7", "A-20"}
"""Rules that the pickle checks in whole files."""
OTHERS = {"S-54", "S-65"}
"""Rules whose files are not whole, but are not refused for a reason that the pickle checks."""
LONG = 20_000


def poke(file: Path) -> tuple[int, str]:
    """The exit status and the output of the pickle for a file."""
    command = ["poke", "-q", "-L", "check.pk", str(file)]
    done = subprocess.run(command, cwd=SPEC / "poke", capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout + done.stderr


def index(folder: str, step: int) -> list[tuple[Path, str, str]]:
    """Some files of an index, each with its outcome and its rule."""
    found: dict[Path, tuple[str, str]] = {}
    for line in (VECTORS / folder / "index.tsv").read_text(encoding="utf-8").splitlines():
        name, outcome, rule = line.split("\t")[:3]
        path = VECTORS / folder / name.replace(".json", ".sealed")
        if path.exists() and path.stat().st_size < LONG and rule not in OTHERS:
            found[path] = (outcome, rule)
    whole = [(path, *facts) for path, facts in found.items() if facts[1] not in RULES]
    return whole[::step] + [(path, *facts) for path, facts in found.items() if facts[1] in RULES]


@unittest.skipUnless(shutil.which("poke"), "GNU poke is not installed")
class Poke(unittest.TestCase):
    def check(self, folder: str, accepted: set[str], step: int) -> None:
        count = 0
        for path, outcome, rule in index(folder, step):
            with self.subTest(path=path.name):
                status, text = poke(path)
                if "magic-of-a-key-file" in path.name:
                    self.assertEqual((status, text), (0, "key file\n"))
                elif rule in RULES and outcome not in accepted:
                    self.assertEqual(status, 1, text)
                    count += 1
                elif outcome in accepted:
                    self.assertEqual(status, 0, text)
                    count += 1
        self.assertGreater(count, 20)

    def test_sealed_files(self) -> None:
        self.check("sealed", {"opened"}, 12)

    def test_archives(self) -> None:
        self.check("archive", {"canonical", "canonical with unknown kinds", "not canonical"}, 20)


if __name__ == "__main__":
    unittest.main()
