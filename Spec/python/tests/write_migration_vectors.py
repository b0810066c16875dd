"""Writes Spec/Vectors/migration again: tables of versions, gates and plans, each line with its outcome.

`python tests/write_migration_vectors.py [FOLDER]`, in Spec/python. The tables are described in Spec/Vectors/README.md.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent)]

from migration_rules import Refused, gate, order, plan, version

FOLDER = Path(__file__).parents[2] / "Vectors" / "migration"
MOST = 4_294_967_295
TEXTS = [
    "0", "1", "11", "11.0", "11.0.0", "2.9", "2.10", "007", "1.007", "00", f"{MOST}", f"0{MOST}", f"{MOST + 1}",
    f"1.{MOST}", f"1.{MOST + 1}", "18446744073709551616", ".".join(["1"] * 16), ".".join(["1"] * 17),
    ".".join(["0"] * 16), "", ".", "1.", ".1", "1..2", "+1", "-1", "1,2", " 1", "1 ", "1\n", "v1", "1a", "0x10", "1e3",
    "\u0661", "\uff11", "1.\u0660", "1\0", "1_000", "1-2", "1.0b",
]  # fmt: skip
ORDERED = ["0", "0.0.1", "1", "1.0", "1.0.0.1", "1.9", "1.10", "2.9", "2.10", "02.10.0", "3", f"{MOST}", f"{MOST}.1"]
ARCHIVES = [
    None,
    "",
    "x",
    "9",
    "9.99",
    "10",
    "10.0.0",
    "10.0.1",
    "10.2",
    "10.5",
    "10.5.1",
    "11",
    "11.0",
    "11.0.1",
    "12",
]
POLICIES = ["exactly", "at least 10", "at least 11.0", "within 10 to 10.5", "within 10.2 to 10.2", "within 10 to 99"]
IDIOMS = [("-", "-"), ("-", "3"), ("1", "1"), ("1", "2"), ("1", "-"), ("0", "-"), ("-1", "-1")]
PLANS = [
    "", "10>11", "10>11 11>12", "11>12 10>11", "9>9.5 9.5>11.1", "10.0>11 11.0.0>12", "10>11 12>13", "11>10", "10>10.0",
    "10>11 11>12 12>10", "10>11 11>10", "10>11 10.0>12", "9>11 10>12", "11>12 12>12.1", "10>13",
]  # fmt: skip
SOURCES = ["8", "9", "9.7", "10", "10.5", "11", "11.5", "12", "12.1", "x"]


def named(text: str | None) -> str:
    return "-" if text is None else json.dumps(text)


def tables() -> dict[str, list[str]]:
    """The lines of each table."""
    versions: list[str] = []
    for text in TEXTS:
        try:
            outcome = ".".join(str(number) for number in version(text))
        except Refused as refusal:
            outcome = str(refusal)
        versions.append(f"{named(text)}\t{outcome}")
    orders = [f"{one}\t{other}\t{order(one, other)}" for one in ORDERED for other in ORDERED]
    gates: list[str] = []
    for policy in POLICIES:
        for archive in ARCHIVES:
            idioms = IDIOMS if archive in (None, "9", "10.2", "11.0", "12") else IDIOMS[:1]
            for wanted, idiom in idioms:
                outcome = gate("11.0", policy, wanted, archive, idiom)
                gates.append("\t".join(("11.0", policy, wanted, named(archive), idiom, outcome)))
    plans: list[str] = []
    for text in PLANS:
        steps = [(start, end) for start, end in (step.split(">") for step in text.split())]
        for source in SOURCES:
            plans.append("\t".join(("12", text or "-", source, plan("12", steps, source))))
    return {"versions.tsv": versions, "order.tsv": orders, "gate.tsv": gates, "plans.tsv": plans}


def write(tables: dict[str, list[str]], folder: Path) -> None:
    """Writes tables into the folder on the command line, if there is one, or else into `folder`."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else folder
    folder.mkdir(parents=True, exist_ok=True)
    for name, lines in tables.items():
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(tables(), FOLDER)
