"""Frames, entries and ends (Spec/journal.md, sections 3 to 5)."""

from __future__ import annotations

import dataclasses
import struct
from dataclasses import dataclass

from ..sealed.primitives import TAG, blake2b, lp, open_bytes, seal_bytes
from .errors import JournalError
from .header import Schedule

MARK = b"\xb7KJF"
FRAME = struct.Struct("<4sB3sIIQQQQ16s")
CLEAR = 48
"""The length of the part of a frame that the check covers besides the sealed payload."""
WHOLE, BEGIN, MIDDLE, LAST = 1, 2, 3, 4
FULL = 65_536
"""The most bytes of plaintext that a frame has, and as many as those of kinds 2 and 3 have."""

ENTRY = struct.Struct("<IHBBIq")
MAXIMUM_CONTENT = 16_777_216
MAXIMUM_NAME = 1_024
MAXIMUM_VERSION = 2**31 - 1
BYTES, ARCHIVE = 0, 1

END_MAGIC = b"\x8aKSJ\r\n\x1a\n"
END = struct.Struct("<8sQQqQ32s16sQ16s")
END_FIELDS = 72


def u64(number: int) -> bytes:
    return number.to_bytes(8, "little")


# Frames


@dataclass(frozen=True)
class Frame:
    """A frame. `index` and `first` are those that its header states."""

    kind: int
    count: int
    segment: bytes
    index: int
    first: int
    durable: int
    sealed: bytes = b""

    @property
    def clear(self) -> bytes:
        """The 48 bytes of the header, without the check."""
        return FRAME.pack(
            MARK, self.kind, bytes(3), self.count, len(self.sealed), int.from_bytes(self.segment, "little"),
            self.index, self.first, self.durable, bytes(16),
        )[:CLEAR]  # fmt: skip

    @property
    def digest(self) -> bytes:
        return blake2b(32, lp("keepsake.journal/frame") + self.clear + self.sealed)

    @property
    def size(self) -> int:
        return FRAME.size + len(self.sealed)

    def encode(self) -> bytes:
        return self.clear + self.digest[:16] + self.sealed

    def sealing(self, plaintext: bytes, schedule: Schedule) -> Frame:
        """This frame with a payload."""
        made = dataclasses.replace(self, sealed=bytes(len(plaintext) + TAG))
        sealed = seal_bytes(schedule.payload, schedule.frame_nonce(self.index), made.clear, plaintext)
        return dataclasses.replace(made, sealed=sealed)

    def open(self, schedule: Schedule) -> bytes | None:
        """The plaintext, or None if the tag does not verify."""
        return open_bytes(schedule.payload, schedule.frame_nonce(self.index), self.clear, self.sealed)


@dataclass(frozen=True)
class FrameHeader:
    """The 64 bytes before the payload of a frame, of which the check has not been verified."""

    kind: int
    count: int
    length: int
    segment: bytes
    index: int
    first: int
    durable: int
    check: bytes

    @classmethod
    def decode(cls, data: bytes) -> FrameHeader | None:
        """The header, or None if its fields are not as section 3 says."""
        if len(data) < FRAME.size or data[:4] != MARK:
            return None
        _, kind, reserved, count, length, segment, index, first, durable, check = FRAME.unpack_from(data)
        if any(reserved) or not TAG < length <= FULL + TAG:
            return None
        full = length == FULL + TAG
        fits = {
            WHOLE: count >= 1 and ENTRY.size * count <= length - TAG,
            BEGIN: count == 1 and full,
            MIDDLE: count == 0 and full,
            LAST: count == 0,
        }
        if not fits.get(kind, False):
            return None
        return cls(kind, count, length, u64(segment), index, first, durable, check)

    @property
    def size(self) -> int:
        return FRAME.size + self.length

    @property
    def hashed(self) -> int:
        """The number of bytes that the check covers."""
        return CLEAR + self.length

    def whole(self, sealed: bytes) -> Frame | None:
        """The frame with its payload, or None if the check is wrong."""
        frame = Frame(self.kind, self.count, self.segment, self.index, self.first, self.durable, sealed)
        return frame if frame.digest[:16] == self.check else None


def link(chain: bytes, digest: bytes) -> bytes:
    """The chain value after one more frame (section 5)."""
    return blake2b(32, lp("keepsake.journal/chain") + chain + digest)


# Entries


@dataclass(frozen=True)
class Entry:
    """An entry. `number` counts from 0 in the journal; it is -1 in an entry that was not written yet."""

    type: str
    content: bytes
    version: int = 0
    time: int = 0
    form: int = BYTES
    number: int = -1

    def encode(self) -> bytes:
        """The header, the name of the type and the content."""
        name = self.type.encode()
        return ENTRY.pack(len(self.content), len(name), self.form, 0, self.version, self.time) + name + self.content


def malformed(message: str) -> JournalError:
    return JournalError("malformedEntry", "J-13", message)


def decode_head(data: bytes, at: int) -> tuple[Entry, int]:
    """An entry without its content, and the length of the content; its header and name must be in `data`."""
    if len(data) - at < ENTRY.size:
        raise malformed("A frame ends within the header of an entry.")
    length, name, form, zero, version, time = ENTRY.unpack_from(data, at)
    if length > MAXIMUM_CONTENT:
        raise malformed(f"An entry cannot have {length} bytes.")
    if name > MAXIMUM_NAME:
        raise malformed(f"The name of a type cannot have {name} bytes.")
    if form not in (BYTES, ARCHIVE):
        raise malformed(f"No entry has the form {form}.")
    if zero:
        raise malformed("The reserved byte of an entry is not zero.")
    if version > MAXIMUM_VERSION:
        raise malformed(f"A type cannot have the version {version}.")
    at += ENTRY.size
    if len(data) - at < name:
        raise malformed("A frame ends within the name of a type.")
    try:
        text = data[at : at + name].decode()
    except UnicodeDecodeError as error:
        raise malformed("The name of a type is no UTF-8.") from error
    return Entry(text, b"", version, time, form), length


def decode_whole(plaintext: bytes, count: int, first: int) -> list[Entry]:
    """The entries of a frame of kind 1 [J-13]."""
    entries, at = [], 0
    for number in range(first, first + count):
        entry, length = decode_head(plaintext, at)
        at += ENTRY.size + len(entry.type.encode())
        if len(plaintext) - at < length:
            raise malformed("A frame ends within an entry.")
        entries.append(dataclasses.replace(entry, content=plaintext[at : at + length], number=number))
        at += length
    if any(plaintext[at:]):
        raise malformed("The padding of a frame is not zero.")
    return entries


class LongEntry:
    """An entry whose parts are collected from several frames."""

    def __init__(self, plaintext: bytes, number: int) -> None:
        self.number = number
        self.entry, length = decode_head(plaintext, 0)
        self.head = ENTRY.size + len(self.entry.type.encode())
        self.length = self.head + length
        self.parts = [plaintext]
        self.have = len(plaintext)
        self._check_goes_on()

    def _check_goes_on(self) -> None:
        if self.length <= self.have:
            raise malformed("A long entry ends before its last frame.")

    def add(self, plaintext: bytes) -> None:
        """Takes a part of kind 3."""
        self.parts.append(plaintext)
        self.have += len(plaintext)
        self._check_goes_on()

    def finish(self, plaintext: bytes) -> Entry:
        """The entry, with its last part."""
        rest = self.length - self.have
        if rest > len(plaintext):
            raise malformed("The last frame of a long entry ends before the entry.")
        if any(plaintext[rest:]):
            raise malformed("The padding of a frame is not zero.")
        data = b"".join([*self.parts, plaintext[:rest]])
        return dataclasses.replace(self.entry, content=data[self.head :], number=self.number)


# Ends


@dataclass(frozen=True)
class End:
    """The end of a closed segment."""

    frames: int
    next: int
    latest: int
    length: int
    digest: bytes
    header_length: int
    tag: bytes = bytes(TAG)

    @property
    def fields(self) -> bytes:
        """The 72 bytes that the tag covers."""
        return END.pack(
            END_MAGIC, self.frames, self.next, self.latest, self.length, self.digest, self.tag, 0, bytes(16)
        )[:END_FIELDS]

    def encode(self) -> bytes:
        data = self.fields + self.tag + u64(self.header_length)
        return data + blake2b(16, data)

    def sealing(self, schedule: Schedule) -> End:
        """This end with its tag."""
        tag = seal_bytes(schedule.payload, schedule.end_nonce(self.frames), self.fields, b"")
        return dataclasses.replace(self, tag=tag)

    def verifies(self, schedule: Schedule) -> bool:
        return open_bytes(schedule.payload, schedule.end_nonce(self.frames), self.fields, self.tag) is not None

    @classmethod
    def decode(cls, data: bytes) -> End | None:
        """A sound end, or None."""
        if len(data) < END.size or data[:8] != END_MAGIC or blake2b(16, data[:96]) != data[96 : END.size]:
            return None
        _, frames, next, latest, length, digest, tag, header_length, _ = END.unpack_from(data)
        return cls(frames, next, latest, length, digest, header_length, tag)
