"""Exchanges random files with another implementation, both ways.

    python tests/exchange.py write FOLDER SEEDS [FIRST]
    python tests/exchange.py check FOLDER
    python tests/exchange.py write-archives FOLDER SEEDS [FIRST]

`write` fills a folder with random sealed files, some of them damaged, in the form of Spec/Vectors/sealed. The other
implementation reads them, and writes for each vector with `written` another file of the same content, with random
values of its own, named `*.other`; `check` opens these. `write-archives` does the first for archives, in the form of
Spec/Vectors/archive.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

from random_content import ContentMaker
from seal_cases import CHEAP, SIGNING_KEY, Made, fixed, keys, pattern, stated
from seal_runner import run
from write_vectors import vector

from keepsake import dump
from keepsake.sealed import Identity, Passphrase, RawKey
from keepsake.sealed.keys import Key, Target

LENGTHS = (0, 1, 2, 9, 17, 4_095, 4_096, 4_097, 8_192, 12_289, 16_384, 20_000)


def targets(chance: random.Random, seed: int) -> tuple[list[Target], list[Key]]:
    """The targets of a file, for the writer, and their keys, for the reader."""
    raw = [RawKey(fixed(f"exchange {seed} key {number}")) for number in range(chance.randrange(3))]
    people = [Identity(fixed(f"exchange {seed} identity {number}")) for number in range(chance.randrange(3))]
    phrases = [
        Passphrase(f"exchange {seed} passphrase {number}", CHEAP) for number in range(chance.choice((0, 0, 1, 2)))
    ]
    if not raw and not people and not phrases:
        raw = [RawKey(fixed(f"exchange {seed}"))]
    return [*raw, *[each.recipient for each in people], *phrases], [*raw, *people, *phrases]


def random_vector(seed: int) -> tuple[bytes, dict[str, Any]]:
    """A random sealed file, and its vector; one of three is damaged somewhere."""
    chance = random.Random(seed)
    several, openers = targets(chance, seed)
    made = Made.make(
        f"exchange {seed}",
        pattern(chance.choice(LENGTHS)),
        several,
        context=chance.randbytes(chance.choice((0, 0, 1, 30))),
        public_metadata=chance.randbytes(chance.choice((0, 0, 1, 30))),
        generation=chance.getrandbits(chance.choice((1, 8, 64))),
        creator="".join(chance.choice("aä名𝄞 \0") for _ in range(chance.choice((0, 3, 30)))),
        exponent=chance.choice((12, 12, 14)),
        padded=chance.random() < 0.4,
        signing_key=SIGNING_KEY if chance.random() < 0.5 else None,
    )
    how: dict[str, Any] = {"keys": keys(*chance.sample(openers, chance.randint(1, len(openers))))}
    if made.options.context:
        how["context"] = stated(made.options.context)
    if made.options.signing_key is not None and chance.random() < 0.7:
        how["signature"] = chance.choice(("any", [SIGNING_KEY.signer.data.hex()]))
    if chance.random() < 0.3:
        how["atLeast"] = str(max(0, min(2**64 - 1, made.options.generation + chance.choice((-1, 0, 0, 1)))))
    data = made.data
    is_damaged = chance.random() < 0.34
    if is_damaged:
        kind = chance.randrange(4)
        at = chance.randrange(len(data)) if kind else chance.randrange(made.preamble.header_length)
        if kind < 3:
            data = made.flipped(at, chance.randrange(8), check=kind == 0 and at < made.preamble.header_length)
        else:
            data = data[:at]
    length = len(made.plaintext)
    start = chance.randint(0, length)
    reads = [(start, chance.randint(start, length)), (0, min(length, 1)), (length, length)]
    found, _ = run(data, "sealed file", how, reads)
    name = f"seed-{seed:06}"
    json: dict[str, Any] = {"name": name, "what": name, "kind": "sealed file", "file": f"{name}.sealed", "rule": "-"}
    json |= {"open": how, "expected": found}
    if not is_damaged:
        json["written"] = made.written
    return data, json


def write(folder: Path, seeds: range) -> None:
    """Writes random sealed files."""
    folder.mkdir(parents=True, exist_ok=True)
    lines: list[str] = []
    for seed in seeds:
        data, made = random_vector(seed)
        (folder / made["file"]).write_bytes(data)
        (folder / f"{made['name']}.json").write_text(json.dumps(made, ensure_ascii=False), encoding="utf-8")
        lines.append("\t".join((f"{made['name']}.json", made["expected"].get("error", "opened"), "-", made["what"])))
    (folder / "index.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def check(folder: Path) -> int:
    """Opens the files of the other implementation; returns their number."""
    count = 0
    for path in sorted(folder.glob("*.other")):
        made = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        reads = [(each["from"], each["to"]) for each in made["expected"].get("reads", [])]
        found, error = run(path.read_bytes(), "sealed file", made["open"], reads)
        expected = made["expected"]
        for each in (found, expected):
            each.pop("pin", None)
        if found != expected:
            raise SystemExit(f"{path}: {error}\nexpected {expected}\nfound    {found}")
        count += 1
    return count


def write_archives(folder: Path, seeds: range) -> None:
    """Writes random archives."""
    folder.mkdir(parents=True, exist_ok=True)
    lines: list[str] = []
    for seed in seeds:
        chance = random.Random(seed)
        content = ContentMaker(seed, objects=chance.choice((1, 4, 20)), depth=chance.choice((1, 2, 3))).content()
        made = vector(f"seed-{seed:06}", dump(content), f"random values, seed {seed}")
        (folder / f"{made.name}.archive").write_bytes(made.data)
        if made.values is not None:
            (folder / f"{made.name}.json").write_text(made.values, encoding="utf-8")
        lines.append(made.line)
    (folder / "index.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Runs the commands above."""
    command, folder, *numbers = arguments
    first = int(numbers[1]) if len(numbers) > 1 else 0
    seeds = range(first, first + int(numbers[0])) if numbers else range(0)
    if command == "check":
        print(check(Path(folder)))
    elif command == "write-archives":
        write_archives(Path(folder), seeds)
    else:
        write(Path(folder), seeds)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
