"""Writes Spec/Vectors/archive again: archives with the expected outcomes of a reader.

`python tests/write_vectors.py [FOLDER]`, in Spec/python. Spec/Vectors/README.md describes the files in the folder.
"""

from __future__ import annotations

import dataclasses
import io
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

import broken
import test_verdicts
import worked_example
from catalogue import catalogue
from random_content import ContentMaker

from keepsake import Archive, ArchiveError, ForwardArchive, archive_to_json, dump, verify

FOLDER = Path(__file__).parents[2] / "Vectors" / "archive"
LONG = 8_000
"""Archives of more bytes have no JSON beside them."""
RANDOM = 20


@dataclasses.dataclass
class Vector:
    """An archive, and the expected outcome of a reader."""

    name: str
    data: bytes
    what: str
    outcome: str
    rule: str
    forward: str
    code: str
    values: str | None

    @property
    def line(self) -> str:
        """Its line of the index."""
        return "\t".join((f"{self.name}.archive", self.outcome, self.rule, self.what, self.forward, self.code))


def vector(name: str, data: bytes, what: str, rule: str = "") -> Vector:
    """An archive with the outcome of this reader."""
    made = Vector(re.sub(r"[^a-z0-9]+", "-", name.lower()), data, what, "refused", "-", "refused", "-", None)
    try:
        archive = Archive(data)
        verdict = verify(archive)
        made.outcome = verdict.canonicity.value
        made.rule = verdict.rule or rule or "-"
        if len(data) <= LONG:
            made.values = json.dumps(archive_to_json(archive), ensure_ascii=False) + "\n"
    except ArchiveError as error:
        rules = dict.fromkeys((rule or error.rule, error.rule))
        made.rule, made.code = " ".join(rules), error.code
    forward = broken_forward(data)
    if forward is None:
        made.forward = made.outcome
    elif made.outcome != "refused":
        made.rule += f" {forward}"
    return made


def broken_forward(data: bytes) -> str | None:
    """The rule for which a reader that goes forward refuses an archive (7.7)."""
    try:
        for _ in ForwardArchive(io.BytesIO(data)):
            pass
        return None
    except ArchiveError as error:
        return error.rule


def vectors() -> Iterator[Vector]:
    """All vectors, in the order of the index."""
    yield vector("worked-example", dump(worked_example.CONTENT), "every form once")
    for name, content in catalogue():
        yield vector(name, dump(content), name)
    for seed in range(RANDOM):
        data = dump(ContentMaker(seed, objects=4, depth=2).content())
        yield vector(f"random-{seed:04}", data, f"random values, seed {seed}")
    for rule, name, make in broken.PASSED:
        yield vector(f"{rule} {name}", make(), name, rule)
    for rule, name, make in [*broken.CASES, *test_verdicts.CASES]:
        yield vector(f"{rule} {name}", make(), name, rule)


def write(folder: Path) -> None:
    """Writes all vectors."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in [*folder.glob("*.archive"), *folder.glob("*.json")]:
        old.unlink()
    lines: list[str] = []
    for each in vectors():
        (folder / f"{each.name}.archive").write_bytes(each.data)
        if each.values is not None:
            (folder / f"{each.name}.json").write_text(each.values, encoding="utf-8")
        lines.append(each.line)
    (folder / "index.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
