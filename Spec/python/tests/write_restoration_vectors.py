"""Writes Spec/Vectors/restoration again: tables of saves, indexes and searches, each line with its outcome.

`python tests/write_restoration_vectors.py [FOLDER]`, in Spec/python. The tables are described in Spec/Vectors/README.md.
"""

from __future__ import annotations

import itertools
import json
import random
import sys
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parent)]

from restoration_rules import Save, index, search
from write_migration_vectors import write

FOLDER = Path(__file__).parents[2] / "Vectors" / "restoration"
RANDOM = 120


def node(identifier: str | None, *children: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A node as the tables describe it."""
    return {"id": identifier, **({"children": list(children)} if children else {}), **more}


def stack(identifier: str | None, *children: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A container that distinguishes its children by their order."""
    return node(identifier, *children, stack=True, **more)


SAVES: list[list[dict[str, Any]]] = [
    [],
    [node("a")],
    [node(None)],
    [node("")],
    [node("a"), node("b")],
    [node("a"), node("a")],
    [node(None, node("a")), node("b")],
    [node("a", node("b", node("c")), node("d"))],
    [node("a", node(None, node("c")), node("d"))],
    [node("a", node("b"), node("b"))],
    [stack("a", node("b"), node("b"), node("c"), node("b"))],
    [stack("a", node("b"), node(None), node("b"))],
    [stack("a", node("b"), presents=node("b"))],
    [node("a", node("b"), presents=node("b"))],
    [node("a", presents=node("b", presents=node("c")))],
    [node("a", presents=node(None, node("c")))],
    [node("a", views=["v", None, "", "w", "v"])],
    [node(None, views=["v"])],
    [node("a", node("v"), views=["v"])],
    [node("a", node("b", views=["v"]), node("c", views=["v"]))],
    # References to nodes that are saved anyway, before and after their turn, and to nodes that are not.
    [node("a", node("b"), refers=[1])],
    [node("a", node("b", refers=[3]), node("c", node("d")))],
    [node("a", node("b", refers=[4]), node("c", node("d", node("e"))))],
    [node("a", node(None, node("c")), refers=[2])],
    [node("a", node(None, node(None, node("c"))), refers=[3])],
    [node("a", node(None, node(None)), refers=[2])],
    [node(None, node("b", node("c"))), node("d", refers=[2])],
    [node("a", refers=[0])],
    [stack("a", node("b", refers=[3]), node("c"), node("d"))],
    [stack("a", node("b"), stack(None, node("x"), node("x"))), node("e", refers=[4, 3])],
    [node("a", node("b"), node("b", node("c")), refers=[3])],
    [node("a", refers=[2]), node("b", node("c", node("d")), presents=node("e", refers=[1]))],
    [node("a", presents=node(None, node("c", presents=node("d"))), refers=[3])],
]


def random_node(choose: random.Random, depth: int) -> dict[str, Any]:
    """A node with others below it."""
    made: dict[str, Any] = {"id": choose.choice(["a", "b", "c", "d", None])}
    if choose.random() < 0.4:
        made["stack"] = True
    if depth > 0:
        children = [random_node(choose, depth - 1) for _ in range(choose.choice([0, 1, 2, 3]))]
        if children:
            made["children"] = children
        if choose.random() < 0.2:
            made["presents"] = random_node(choose, depth - 1)
    if choose.random() < 0.3:
        made["views"] = [choose.choice(["a", "v", None]) for _ in range(choose.choice([1, 2]))]
    return made


def all_nodes(made: dict[str, Any]) -> list[dict[str, Any]]:
    """A node and those below it, in the order in which they are described."""
    below = [*made.get("children", []), *([made["presents"]] if "presents" in made else [])]
    return [made, *itertools.chain.from_iterable(all_nodes(each) for each in below)]


def random_windows(seed: int) -> list[dict[str, Any]]:
    """The windows of an interface, with references between its nodes."""
    choose = random.Random(seed)
    windows = [random_node(choose, 3) for _ in range(choose.choice([1, 1, 2]))]
    nodes = [each for window in windows for each in all_nodes(window)]
    for each in nodes:
        if choose.random() < 0.2:
            each["refers"] = [choose.randrange(len(nodes)) for _ in range(choose.choice([1, 2]))]
    return windows


def random_index(seed: int) -> tuple[list[str], list[int], list[int], list[int]]:
    """Columns of an index, some of them as writers never make them."""
    choose = random.Random(seed)
    count = choose.randrange(1, 7)
    identifiers = [choose.choice(["a", "b", "c", "a", "b", ""]) for _ in range(count)]
    roles = [choose.choice([0, 1, 1, 2, 3, 5]) for _ in range(count)]
    parents = [choose.choice([0, row, choose.randrange(count + 2)]) for row in range(count)]
    objects = [choose.choice([row + 2, row + 2, row + 2, choose.randrange(count + 4)]) for row in range(count)]
    columns = (identifiers, roles, parents, objects)
    if choose.random() < 0.1:
        choose.choice(columns[:3]).pop()
    return columns


def tables() -> dict[str, list[str]]:
    """The lines of each table."""
    saves = [*SAVES, *(random_windows(seed) for seed in range(RANDOM))]
    indexes = [random_index(seed) for seed in range(2 * RANDOM)]
    searches = itertools.product(
        ["-", "unregistered", "node", "none", "error"],
        ["node", "none", "error"],
        [True, False],
        ["-", "unregistered", "registered"],
    )

    def line(*columns: Any) -> str:
        return "\t".join(each if isinstance(each, str) else json.dumps(each) for each in columns)

    return {
        "saves.tsv": [line(windows, Save(windows).outcome) for windows in saves],
        "indexes.tsv": [line(*columns, "refused" if (kept := index(*columns)) is None else kept) for columns in indexes],
        "searches.tsv": [
            line(kind, application, "there" if is_there else "-", template, search(kind, application, is_there, template))
            for kind, application, is_there, template in searches
        ],
    }


if __name__ == "__main__":
    write(tables(), FOLDER)
