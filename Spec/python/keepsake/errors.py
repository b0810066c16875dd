"""The errors of archives: the rule, the place, and a sentence."""

from __future__ import annotations

CODES = {
    "A-2": "invalidUTF8",
    "A-3": "truncated",
    "A-4": "notAnArchive",
    "A-5": "unsupportedVersion",
    "A-7": "unsupportedFeature",
    "A-20": "truncated",
    "A-24": "duplicateKey",
    "A-29": "duplicateKey",
    "A-57": "duplicateMember",
    "A-58": "valueOutOfRange",
    "A-59": "valueOutOfRange",
    "A-60": "typeMismatch",
    "A-66": "limitExceeded",
    "A-70": "nonCanonical",
}
"""The names of errors by rule (archive.md, 7.10); errors of all other rules are `damaged`."""


class ArchiveError(Exception):
    """The bytes break a rule of the specification.

    `rule` is the name of the rule in Spec/archive.md, such as "A-42"; `code` is the name of the error (7.10), such as
    "damaged"; `offset` is the byte of the archive at which it was found, or None if there is no such byte.
    """

    def __init__(self, rule: str, offset: int | None, message: str, code: str = "") -> None:
        place = "" if offset is None else f" at byte {offset}"
        super().__init__(f"[{rule}]{place}: {message}")
        self.rule = rule
        self.code = code or CODES.get(rule, "damaged")
        self.offset = offset
        self.message = message
