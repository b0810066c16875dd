"""The errors of sealed journals."""

from __future__ import annotations


class JournalError(Exception):
    """A journal, or a part of it, is refused.

    `code` is the name that Spec/journal.md gives the error, such as "damaged"; `rule` the rule that is broken, such
    as "J-19", or "" if it is not a rule for readers. `file` is the number of the file, `offset` the place in it, and
    `entry` the number of the next entry, as far as they are known.
    """

    def __init__(
        self,
        code: str,
        rule: str,
        message: str,
        file: int | None = None,
        offset: int | None = None,
        entry: int | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.rule = rule
        self.message = message
        self.file = file
        self.offset = offset
        self.entry = entry

    def __str__(self) -> str:
        place = "" if self.file is None else f" in file {self.file}"
        place += "" if self.offset is None else f" at {self.offset}"
        return f"{self.code}{place}{f' [{self.rule}]' if self.rule else ''}: {self.message}"

    def placed(self, file: int | None, offset: int | None, entry: int | None) -> JournalError:
        """The same error, with the parts of the place that it does not have yet."""
        self.file = file if self.file is None else self.file
        self.offset = offset if self.offset is None else self.offset
        self.entry = entry if self.entry is None else self.entry
        return self
