"""The rules of Spec/restoration.md that tables can show: the rows of a save, the paths that a reader takes from an
index, and the source of the object of a record. It follows only that page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

ROOT, CONTAINED, PRESENTED, VIEW = range(4)


@dataclass(eq=False)
class Node:
    """A node of an interface, or a view."""

    identifier: str | None
    is_stack: bool = False
    is_view: bool = False
    children: list[Node] = field(default_factory=list)
    presented: Node | None = None
    views: list[Node] = field(default_factory=list)
    refers: list[int] = field(default_factory=list)
    parent: Node | None = None

    def ordinals(self) -> dict[Node, int]:
        """The number of siblings with the same identifier before each node below this one."""
        below = [*self.children, *([self.presented] if self.presented else [])]
        if not self.is_stack:
            return dict.fromkeys(below, 0)
        return {
            node: sum(other.identifier == node.identifier for other in below[:place]) if node.identifier else 0
            for place, node in enumerate(below)
        }


def tree(json: dict[str, Any], nodes: list[Node]) -> Node:
    """The node that a table describes; all nodes are appended in the order in which they are described."""
    node = Node(json.get("id"), json.get("stack", False), refers=json.get("refers", []))
    nodes.append(node)
    for each in json.get("children", []):
        node.children.append(tree(each, nodes))
    if "presents" in json:
        node.presented = tree(json["presents"], nodes)
    node.views = [Node(each, is_view=True) for each in json.get("views", [])]
    for each in [*node.children, *node.views, *([node.presented] if node.presented else [])]:
        each.parent = node
    return node


class Save:
    """The rows of the index of a state (sections 1 to 3)."""

    def __init__(self, windows: list[dict[str, Any]]) -> None:
        self.rows: list[list[Any]] = []
        self.objects: list[Node] = []
        self.places: dict[tuple[int, str, bool, int], int] = {}
        self.nodes: list[Node] = []
        self.windows: list[int] = []
        roots = [tree(window, self.nodes) for window in windows]
        for root in roots:
            self.windows.append(self.add(root, ROOT, 0, 0) if root.identifier else 0)
        number = 0
        while number < len(self.objects):
            number += 1
            self.collect(number)

    def add(self, node: Node, role: int, parent: int, ordinal: int) -> int:
        """Adds a row; returns its number, or 0 if another object has the path."""
        assert node.identifier
        place = (parent, node.identifier, node.is_view, ordinal)
        if place in self.places:
            other = self.places[place]
            return other if self.objects[other - 1] is node else 0
        self.rows.append([node.identifier, role, parent, ordinal])
        self.objects.append(node)
        self.places[place] = len(self.rows)
        return len(self.rows)

    def number(self, node: Node) -> int:
        """The number of the row of an object, or 0."""
        return self.objects.index(node) + 1 if node in self.objects else 0

    def collect(self, number: int) -> None:
        """Adds the nodes that an object contains, presents and owns, and then those that it refers to."""
        node = self.objects[number - 1]
        for below, ordinal in node.ordinals().items():
            if not below.identifier:
                continue
            role = PRESENTED if below is node.presented else CONTAINED
            known = self.number(below)
            if known:
                row = self.rows[known - 1]
                if row[1] == ROOT and row[2] == number:
                    row[1] = role
                continue
            self.add(below, role, number, ordinal)
        for view in node.views:
            if view.identifier:
                self.add(view, VIEW, number, 0)
        for target in node.refers:
            self.refer(self.nodes[target])

    def refer(self, node: Node) -> None:
        """Saves the node that a reference leads to, after those of its ancestors that are not on the list yet."""
        line: list[Node] = []
        next_node: Node | None = node
        while next_node is not None and not self.number(next_node):
            line.append(next_node)
            next_node = next_node.parent
        parent = self.number(next_node) if next_node is not None else 0
        for each in reversed(line):
            # A node without an identifier gets no row.
            if not each.identifier:
                continue
            parent = self.add(each, ROOT, parent, each.parent.ordinals()[each] if each.parent else 0)
            if not parent:
                return

    @property
    def outcome(self) -> dict[str, Any]:
        """The columns of the index, row by row."""
        return {"rows": self.rows, "windows": self.windows}


def index(identifiers: list[str], roles: list[int], parents: list[int], objects: list[int]) -> list[list[str]] | None:
    """The paths that a reader takes from an index (section 1); None if it refuses the state.

    Object 1 is the application, and the last one is the index; between them are as many as `objects` lists.
    """
    if len({len(identifiers), len(roles), len(parents), len(objects)}) != 1:
        return None
    last = len(objects) + 2
    owned = {0, 1, last}
    names: list[list[str] | None] = []
    for row, (identifier, role, parent, record) in enumerate(zip(identifiers, roles, parents, objects, strict=True)):
        path: list[str] | None = None
        if role <= 4 and identifier and (parent == 0 or parent <= row):
            above: list[str] | None = [] if parent == 0 else names[parent - 1]
            # A record belongs to the first row that may have it, even if a row above that row is left out.
            if record <= last and record not in owned:
                owned.add(record)
                if above is not None:
                    path = [*above, identifier]
        names.append(path)
    return [path for path in names if path is not None]


def search(restoration_class: str, application: str, is_there: bool, template: str) -> str:
    """The source of the object of the record of a root (section 5)."""
    if restoration_class != "-":
        return "class" if restoration_class == "node" else "left out"
    if application == "node":
        return "application"
    if application == "error":
        return "left out"
    if is_there:
        return "existing"
    return "template" if template == "registered" else "left out"
