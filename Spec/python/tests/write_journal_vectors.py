"""Writes Spec/Vectors/journal again: journals with the expected outcomes of a reader.

`python tests/write_journal_vectors.py [FOLDER]`, in Spec/python. Spec/Vectors/README.md describes the files in the
folder.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

from journal_broken import broken
from journal_cases import Case
from journal_catalogue import catalogue
from journal_damage import damaged
from journal_runner import run
from write_sealed_vectors import edits

FOLDER = Path(__file__).parents[2] / "Vectors" / "journal"
FLAT = re.compile(r"\{[^{}\[\]]*\}")
"""An object without other objects in it, which is written in one line."""
LONG = 6_000
"""Larger journals that differ from another one in a few places are kept as these differences only."""


@dataclass
class Vector:
    """A case with its names, and the outcome of this reader."""

    case: Case
    json: dict[str, Any]
    is_kept: bool

    @property
    def line(self) -> str:
        """Its line of the index."""
        return "\t".join((f"{self.json['name']}.json", self.case.outcome, self.case.rule, self.json["what"]))

    @property
    def text(self) -> str:
        text = json.dumps(self.json, ensure_ascii=False, indent=1)
        return FLAT.sub(lambda found: re.sub(r"\n *", " ", found[0]), text) + "\n"


def slug(case: Case) -> str:
    rule = "" if case.rule == "-" else case.rule + " "
    return re.sub(r"[^a-z0-9]+", "-", f"{rule}{case.name}".lower()).strip("-")


def differences(old: dict[str, bytes], new: dict[str, bytes]) -> dict[str, list[list[Any]]] | None:
    """The differences between two journals whose files have the same names and lengths, if they are only a few."""
    if old.keys() != new.keys():
        return None
    found = {name: edits(old[name], new[name]) for name in new}
    if None in found.values() or old != new and sum(map(len, new.values())) < LONG:
        return None
    return {name: each for name, each in found.items() if each}


def vectors() -> Iterator[Vector]:
    """All vectors, in the order of the index."""
    kept: list[tuple[str, dict[str, bytes]]] = []
    for case in [*catalogue(), *damaged(), *broken()]:
        name = slug(case)
        folder, changed = name, None
        for other, files in kept:
            changed = differences(files, case.files)
            if changed is not None:
                folder = other
                break
        if changed is None:
            kept.append((name, case.files))
        found, problem = run(case.files, case.open)
        if found.get("error", "read") != case.outcome:
            raise AssertionError(f"{case.name}: {case.outcome} was expected, {problem or 'read'} was found")
        made: dict[str, Any] = {"name": name, "what": case.name, "directory": folder}
        if changed:
            made["edits"] = changed
        made |= {"rule": case.rule, "open": case.open, "expected": found}
        if case.written is not None:
            made["written"] = case.written
        yield Vector(case, made, changed is None)


def write(folder: Path) -> None:
    """Writes all vectors."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    lines: list[str] = []
    for each in vectors():
        if each.is_kept:
            journal = folder / each.json["directory"]
            journal.mkdir()
            for name, data in each.case.files.items():
                (journal / name).write_bytes(data)
        (folder / f"{each.json['name']}.json").write_text(each.text, encoding="utf-8")
        lines.append(each.line)
    (folder / "index.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
