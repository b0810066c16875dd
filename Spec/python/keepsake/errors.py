"""What is wrong with an archive: the rule, the place, and a sentence."""

from __future__ import annotations


class ArchiveError(Exception):
    """The bytes break a rule of the specification.

    `rule` is the name of the rule in Spec/archive.md, such as "A-42"; `offset` is the byte of the
    archive at which it was found, or None where no byte says it.
    """

    def __init__(self, rule: str, offset: int | None, message: str) -> None:
        place = "" if offset is None else f" at byte {offset}"
        super().__init__(f"[{rule}]{place}: {message}")
        self.rule = rule
        self.offset = offset
        self.message = message
