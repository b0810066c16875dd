"""The header of a segment and its keys (Spec/journal.md, section 2)."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from ..sealed.header import DEFAULT_LIMITS, PASSPHRASE, RAW, RECIPIENT, SLOT, Slot
from ..sealed.keys import Key, candidates
from ..sealed.primitives import KEY, NONCE, blake2b, le64, lp, same
from .errors import JournalError

MAGIC = b"\x89KSJ\r\n\x1a\n"
PREAMBLE = struct.Struct("<8sBBBBIIIQQqQQ16s16s32s32s32s")
AFTER_DAMAGE = 1
MAXIMUM_PUBLIC = 65_536
MAXIMUM_SLOTS = 32
LAST_FILE = 10**10 - 1
BOUND = 2**63
"""Numbers of segments and of first entries are below it."""
TAIL = 48
"""The length of the MAC and the check."""
NO_DIGEST = bytes(32)


def malformed(message: str, rule: str = "J-5") -> JournalError:
    """The error for a header that breaks a rule."""
    return JournalError("malformedHeader", rule, message)


@dataclass(frozen=True)
class Preamble:
    """The first 192 bytes."""

    slots: int
    public_length: int
    segment: int
    first: int
    time: int
    frames_before: int
    file: int
    journal_id: bytes
    segment_id: bytes
    digest_before: bytes
    after_damage: bool = False
    commitment: bytes = NO_DIGEST

    @property
    def header_length(self) -> int:
        return PREAMBLE.size + SLOT.size * self.slots + self.public_length + TAIL

    @property
    def slots_id(self) -> bytes:
        """The bytes that stand for the file id in a slot."""
        return blake2b(32, lp("keepsake.journal/slots") + self.segment_id)

    def encode(self) -> bytes:
        """The 192 bytes."""
        return PREAMBLE.pack(
            MAGIC, 1, 1, int(self.after_damage), 0, self.header_length, self.slots, self.public_length, self.segment,
            self.first, self.time, self.frames_before, self.file, self.journal_id, bytes(16), self.segment_id,
            self.digest_before, self.commitment,
        )  # fmt: skip

    @classmethod
    def decode(cls, data: bytes) -> Preamble:
        """Checks the fields in the order of section 2 [J-1 to J-5]."""
        if data[:8] != MAGIC[: len(data)]:
            raise JournalError("notJournal", "J-1", "The file does not begin as files of journals do.")
        if len(data) < PREAMBLE.size:
            raise JournalError("damagedHeader", "J-7", "The file ends within its preamble.")
        fields = PREAMBLE.unpack_from(data)
        _, version, suite, flags, zero, length, slots, public, segment, first, time, before, file, *rest = fields
        journal_id, zeros, segment_id, digest_before, commitment = rest
        if version != 1:
            raise JournalError("unsupportedVersion", "J-2", f"The segment has version {version}.")
        if suite != 1:
            raise JournalError("unsupportedSuite", "J-3", f"The segment has suite {suite}.")
        if flags > AFTER_DAMAGE:
            raise JournalError("unsupportedFlags", "J-4", f"The segment has flags {flags:#04x}.")
        if zero or any(zeros):
            raise malformed("Reserved bytes of the preamble are not zero.")
        if not 1 <= slots <= MAXIMUM_SLOTS:
            raise malformed(f"A segment cannot have {slots} slots.")
        if public > MAXIMUM_PUBLIC:
            raise malformed(f"Public metadata cannot have {public} bytes.")
        made = cls(
            slots, public, segment, first, time, before, file, journal_id, segment_id, digest_before, bool(flags),
            commitment,
        )  # fmt: skip
        if length != made.header_length:
            raise malformed(f"The header's length is said to be {length}, and is {made.header_length}.")
        if segment >= BOUND or first >= BOUND or not 1 <= file <= LAST_FILE:
            raise malformed("The number of the segment, of its first entry or of the file is out of range.")
        if (made.after_damage or segment == 0) and (before or digest_before != NO_DIGEST):
            raise malformed("The segment continues another one, although it is the first one or is after damage.")
        return made


@dataclass(frozen=True)
class Schedule:
    """The keys of a segment."""

    commitment: bytes
    header: bytes
    payload: bytes
    base_nonce: bytes

    def frame_nonce(self, index: int) -> bytes:
        return self._nonce(le64(index))

    def end_nonce(self, frames: int) -> bytes:
        return self._nonce(le64(frames) + b"\x01")

    def _nonce(self, counter: bytes) -> bytes:
        padded = counter + bytes(NONCE - len(counter))
        return bytes(a ^ b for a, b in zip(self.base_nonce, padded, strict=True))


def transcript(preamble: Preamble, public: bytes) -> bytes:
    """The bytes `T`."""
    data = preamble.encode()
    return data[8:12] + data[24:160] + lp(public)


def derive(data_key: bytes, context: bytes, fields: bytes) -> Schedule:
    """The keys of a segment with the transcript `fields`."""

    def derived(label: str, size: int, tail: bytes) -> bytes:
        return blake2b(size, lp(f"keepsake.journal/{label}") + fields + tail, data_key)

    payload = derived("payload", KEY + NONCE, lp(context))
    return Schedule(
        derived("commitment", 32, lp(context)), derived("header-mac", 32, b""), payload[:KEY], payload[KEY:]
    )


@dataclass(frozen=True)
class Header:
    """A sound header, as it was read: its fields, its length and its check are right."""

    preamble: Preamble
    data: bytes

    @classmethod
    def decode(cls, preamble: Preamble, data: bytes) -> Header:
        """Verifies the check [J-7]."""
        if len(data) < preamble.header_length:
            raise JournalError("damagedHeader", "J-7", "The file ends within its header.")
        if blake2b(16, data[:-16]) != data[-16:]:
            raise JournalError("damagedHeader", "J-7", "The header was changed since it was written.")
        return cls(preamble, data)

    @property
    def public(self) -> bytes:
        at = PREAMBLE.size + SLOT.size * self.preamble.slots
        return self.data[at : at + self.preamble.public_length]

    @property
    def fields(self) -> bytes:
        return transcript(self.preamble, self.public)

    @property
    def beginning(self) -> bytes:
        """The first chain value of the segment, `G0` (section 5)."""
        return blake2b(32, lp("keepsake.journal/segment") + self.fields + self.preamble.commitment)

    def slots(self) -> list[Slot]:
        """The slots, when they keep the rules that need no key [J-6]."""
        end = PREAMBLE.size + SLOT.size * self.preamble.slots
        slots = [Slot.decode(self.data[at : at + SLOT.size]) for at in range(PREAMBLE.size, end, SLOT.size)]
        for slot in slots:
            check_slot(slot)
        return slots

    def open(self, keys: Sequence[Key], context: bytes) -> Schedule:
        """Finds the slot of a key, and verifies the MAC and the commitment [J-8 to J-10]."""
        slots, slots_id, tampered = self.slots(), self.preamble.slots_id, False
        for number, key in candidates(list(keys), slots, slots_id, DEFAULT_LIMITS):
            data_key = slots[number].unwrap(key, slots_id)
            if data_key is None:
                tampered = True
                continue
            schedule = derive(data_key, context, self.fields)
            if not same(blake2b(32, self.data[:-TAIL], schedule.header), self.data[-TAIL:-16]):
                raise JournalError("damagedHeader", "J-9", "The header's MAC does not fit.")
            if not same(schedule.commitment, self.preamble.commitment):
                raise JournalError("contextMismatch", "J-10", "The segment was written for another context.")
            return schedule
        if tampered:
            raise JournalError("damagedHeader", "J-8", "The slot of the key was tampered with.")
        raise JournalError("noMatchingKey", "J-8", "No key fits any slot of the segment.")


def check_slot(slot: Slot) -> None:
    """Checks the rules of a slot that need no key [J-6]."""
    if slot.type in (0, PASSPHRASE):
        raise malformed(f"A segment cannot have a slot of type {slot.type}.", "J-6")
    if slot.version or slot.type not in (RAW, RECIPIENT):
        return
    zero = not (slot.reserved or slot.first or slot.second or slot.more_reserved or any(slot.padding))
    if slot.type == RAW:
        zero = zero and not any(slot.hint) and not any(slot.salt)
    if not zero:
        raise malformed("Reserved parts of a slot are not zero.", "J-6")
