"""The files of a journal, and the record of retention (Spec/journal.md, sections 6 and 9.2)."""

from __future__ import annotations

import os
import re
import struct
from dataclasses import dataclass
from pathlib import Path

from ..sealed.errors import SealError
from ..sealed.primitives import blake2b
from ..sealed.sources import FileSource
from .errors import JournalError
from .header import LAST_FILE, Header

NAME = re.compile(r"([0-9]{10})\.journal")
RETENTION_MAGIC = b"\x89KSR\r\n\x1a\n"
RETENTION = struct.Struct("<8s16sQQQ32s16s16s")
PIN = struct.Struct("<16sQQ32s")


@dataclass(frozen=True)
class Retention:
    """The record of the first file that is kept."""

    journal_id: bytes
    file: int
    segment: int
    first: int
    digest_before: bytes

    @classmethod
    def of(cls, header: Header) -> Retention:
        """The record for a file that begins with this header."""
        p = header.preamble
        return cls(p.journal_id, p.file, p.segment, p.first, p.digest_before)

    def encode(self) -> bytes:
        """The 112 bytes."""
        data = RETENTION.pack(
            RETENTION_MAGIC, self.journal_id, self.file, self.segment, self.first, self.digest_before, bytes(16),
            bytes(16),
        )[:-16]  # fmt: skip
        return data + blake2b(16, data)

    @classmethod
    def decode(cls, data: bytes) -> Retention:
        if len(data) != RETENTION.size:
            raise malformed(f"The record has {len(data)} bytes, not {RETENTION.size}.")
        magic, *fields, zeros, check = RETENTION.unpack(data)
        if magic != RETENTION_MAGIC or any(zeros):
            raise malformed("The record does not begin as it should, or reserved bytes are not zero.")
        if check != blake2b(16, data[:-16]):
            raise malformed("The record was changed since it was written.")
        made = cls(*fields)
        if not 1 <= made.file <= LAST_FILE:
            raise malformed(f"No file has the number {made.file}.")
        return made


def malformed(message: str) -> JournalError:
    return JournalError("malformedRetention", "J-23", message)


@dataclass(frozen=True)
class Pin:
    """A note how far a chain went, to be kept where only its owner can write (section 9.1)."""

    journal_id: bytes
    segment: int
    frames: int
    digest: bytes

    def encode(self) -> bytes:
        """The 64 bytes."""
        return PIN.pack(self.journal_id, self.segment, self.frames, self.digest)

    @classmethod
    def decode(cls, data: bytes) -> Pin:
        if len(data) != PIN.size:
            raise JournalError("invalidPin", "", f"A pin has {PIN.size} bytes, not {len(data)}.")
        return cls(*PIN.unpack(data))


def file_name(number: int) -> str:
    return f"{number:010}.journal"


class Directory:
    """The directory of a journal."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def numbers(self) -> list[int]:
        """The numbers of the files, from the least to the greatest."""
        try:
            names = os.listdir(self.path)
        except FileNotFoundError:
            return []
        found = (NAME.fullmatch(name) for name in names)
        return sorted(number for each in found if each is not None and (number := int(each[1])) > 0)

    def file(self, number: int) -> Path:
        return self.path / file_name(number)

    def open(self, number: int) -> FileSource:
        try:
            return FileSource(self.file(number))
        except FileNotFoundError as error:
            raise JournalError("missingFile", "J-16", f"File {number} is missing.") from error
        except SealError as error:
            raise JournalError("notRegularFile", "", error.message) from error

    def exists(self, number: int) -> bool:
        return number <= LAST_FILE and os.path.lexists(self.file(number))

    def is_beyond(self, number: int) -> bool:
        """True when there are files after the next one and the next one is absent."""
        return any(each > number for each in self.numbers()) and not self.exists(number + 1)

    def retention(self) -> Retention | None:
        """The record, or None without one."""
        try:
            source = FileSource(self.path / "retention")
        except FileNotFoundError:
            return None
        except SealError as error:
            raise JournalError("notRegularFile", "", error.message) from error
        return Retention.decode(source.read(0, RETENTION.size + 1))

    def first_and_last(self) -> tuple[int, int, Retention | None]:
        """The numbers of the first and the last file, between which no number is absent [J-16].

        The last is less than the first when there are no files. The record is read after the names."""
        numbers = self.numbers()
        record = self.retention()
        first = 1 if record is None else record.file
        kept = [number for number in numbers if number >= first]
        for place, number in enumerate(kept if kept or record is None else [0]):
            if number != first + place:
                raise JournalError("missingFile", "J-16", f"File {first + place} is missing.")
        return first, first + len(kept) - 1, record
