"""Bundle versions, the gate and plans, from Spec/migration.md alone (sections 1 to 4)."""

from __future__ import annotations

import re
from itertools import pairwise

Version = tuple[int, ...]


class Refused(Exception):
    """A refusal by its name."""


def version(text: str) -> Version:
    """The numbers of a version, without zeros at the end."""
    if not re.fullmatch(r"[0-9]+(\.[0-9]+){0,15}", text):
        raise Refused("malformed")
    numbers = [int(number) for number in text.split(".")]
    if max(numbers) > 4_294_967_295:
        raise Refused("malformed")
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def longer(one: Version, count: int) -> Version:
    return one + (0,) * (count - len(one))


def order(one: str, other: str) -> str:
    """The order of two versions."""
    a, b = longer(version(one), 16), longer(version(other), 16)
    return "equal" if a == b else "earlier" if a < b else "later"


def allowed(policy: str, program: str) -> tuple[str, str]:
    """The first and the last version that a policy opens."""
    if policy == "exactly":
        return program, program
    if policy.startswith("at least "):
        return policy.removeprefix("at least "), program
    low, high = policy.removeprefix("within ").split(" to ")
    return low, high


def gate(program: str, policy: str, wanted_idiom: str, archive: str | None, idiom: str) -> str:
    """The outcome of the gate (section 3)."""
    if archive is None:
        return "missing"
    try:
        version(archive)
    except Refused:
        return "malformed"
    if order(archive, program) == "later":
        return "from the future"
    low, high = allowed(policy, program)
    if order(archive, low) == "earlier":
        return "stale"
    if order(archive, high) == "later":
        return "later than allowed"
    if wanted_idiom != "-" and wanted_idiom != idiom:
        return "idiom mismatch"
    return "passed"


def chain(program: str, steps: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The steps in their order (section 4)."""
    for start, end in steps:
        if order(start, end) != "earlier":
            forward = [step for step in steps if order(*step) == "earlier"]
            starts = any(order(end, step[0]) == "equal" for step in forward)
            raise Refused("cycle" if starts else "backwards")
    chained = sorted(steps, key=lambda step: longer(version(step[0]), 16))
    for (start, end), (next_start, _) in pairwise(chained):
        if order(start, next_start) == "equal":
            raise Refused("duplicate")
        if order(end, next_start) == "earlier":
            raise Refused("gap")
        if order(end, next_start) == "later":
            raise Refused("overlap")
    for _, end in chained:
        if order(end, program) == "later":
            raise Refused("beyond the program")
    return chained


def plan(program: str, steps: list[tuple[str, str]], archive: str) -> str:
    """The outcome of a plan for an archive, in a program that opens all versions up to its own."""
    try:
        chained = chain(program, steps)
    except Refused as refusal:
        return str(refusal)
    outcome = gate(program, "at least 0", "-", archive, "-")
    if outcome != "passed":
        return outcome
    if chained and order(archive, chained[0][0]) == "earlier":
        return "stale"
    made = [f"{start}>{end}" for start, end in chained if order(end, archive) == "later"]
    return " ".join(made) or "nothing"
