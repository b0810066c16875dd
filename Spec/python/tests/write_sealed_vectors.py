"""Writes Spec/Vectors/sealed again: sealed files, key files and texts with the expected outcomes of a reader.

`python tests/write_sealed_vectors.py [FOLDER]`, in Spec/python. Spec/Vectors/README.md describes the files in the
folder.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

from seal_broken import broken
from seal_cases import Case
from seal_catalogue import catalogue
from seal_key_cases import key_cases
from seal_runner import run

FOLDER = Path(__file__).parents[2] / "Vectors" / "sealed"
ENDINGS = {"sealed file": "sealed", "key file": "keyfile", "passphrase key file": "keyfile"}
LONG = 6_000
"""Longer files that differ from another file in a few places are kept as these differences only."""
FEW = 96


@dataclass
class Vector:
    """A case with its names, and the outcome of this reader."""

    case: Case
    file: str
    json: dict[str, Any]
    is_kept: bool

    @property
    def line(self) -> str:
        """Its line of the index."""
        return "\t".join((f"{self.json['name']}.json", self.case.outcome, self.case.rule, self.json["what"]))

    @property
    def text(self) -> str:
        return json.dumps(self.json, ensure_ascii=False, indent=1) + "\n"


def slug(case: Case) -> str:
    rule = "" if case.rule == "-" else case.rule + " "
    return re.sub(r"[^a-z0-9]+", "-", f"{rule}{case.name}".lower()).strip("-")


def edits(old: bytes, new: bytes) -> list[list[Any]] | None:
    """The differences between two files of one length, if they are only a few bytes."""
    if len(old) != len(new):
        return None
    if old == new:
        return []
    found: list[list[Any]] = []
    places = [at for at in range(len(new)) if old[at] != new[at]]
    if len(places) > FEW:
        return None
    for at in places:
        if found and at - (found[-1][0] + len(found[-1][1]) // 2) < 8:
            found[-1][1] = new[found[-1][0] : at + 1].hex()
        else:
            found.append([at, new[at : at + 1].hex()])
    return found


def vectors() -> Iterator[Vector]:
    """All vectors, in the order of the index."""
    kept: dict[int, list[tuple[str, bytes]]] = {}
    for case in [*catalogue(), *broken(), *key_cases()]:
        name = slug(case)
        file, changed = f"{name}.{ENDINGS.get(case.kind, 'txt')}", None
        if len(case.data) > LONG:
            for other, data in kept.get(len(case.data), []):
                changed = edits(data, case.data)
                if changed is not None:
                    file = other
                    break
        if changed is None:
            kept.setdefault(len(case.data), []).append((file, case.data))
        found, problem = run(case.data, case.kind, case.open, case.reads)
        if found.get("error", "opened") != case.outcome:
            raise AssertionError(f"{case.name}: {case.outcome} was expected, {problem} was found")
        made: dict[str, Any] = {"name": name, "what": case.name, "kind": case.kind, "file": file}
        if changed:
            made["edits"] = changed
        made |= {"rule": case.rule, "open": case.open, "expected": found}
        if case.written is not None:
            made["written"] = case.written
        yield Vector(case, file, made, changed is None)


def write(folder: Path) -> None:
    """Writes all vectors."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    lines: list[str] = []
    for each in vectors():
        if each.is_kept:
            (folder / each.file).write_bytes(each.case.data)
        (folder / f"{each.json['name']}.json").write_text(each.text, encoding="utf-8")
        lines.append(each.line)
    (folder / "index.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
