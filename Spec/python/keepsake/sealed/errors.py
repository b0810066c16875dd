"""The errors of sealed files, keys and expectations."""

from __future__ import annotations


class SealError(Exception):
    """A sealed file, a key file or a text is refused.

    `code` is the name that Spec/seal.md gives the error, such as "damagedChunk"; `rule` the rule that is
    broken, such as "S-41", or "" if it is not a rule for readers; `chunk` the index of the chunk, if it is about one.
    """

    def __init__(self, code: str, rule: str, message: str, chunk: int | None = None) -> None:
        place = "" if chunk is None else f" in chunk {chunk}"
        super().__init__(f"{code}{place}{f' [{rule}]' if rule else ''}: {message}")
        self.code = code
        self.rule = rule
        self.message = message
        self.chunk = chunk
