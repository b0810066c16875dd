"""The vectors of journals, and a builder that forges any part of one."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from seal_cases import IDENTITY, KEY, OTHER_IDENTITY, OTHER_KEY, fixed, keys, pattern, stated

from keepsake.journal import Entry, Randomness
from keepsake.journal.directory import Pin, file_name
from keepsake.journal.frames import FULL, LAST, WHOLE, Frame
from keepsake.journal.header import TAIL, Header, Preamble, Schedule
from keepsake.journal.track import START, Joint
from keepsake.journal.writer import Payload, Segment, finish_header, long_parts
from keepsake.sealed import RawKey, Recipient, SlotRandomness
from keepsake.sealed.header import Slot
from keepsake.sealed.primitives import blake2b

__all__ = [
    "IDENTITY", "KEY", "OTHER_IDENTITY", "OTHER_KEY", "Builder", "Case", "entry", "fixed", "flipped", "keys", "note",
    "opening", "pattern", "patched", "stated", "with_check", "with_slots",
]  # fmt: skip
TIME = 1_700_000_000_000
"""The time of the first header; later headers and entries are a second apart."""


def opening(*several: Any, **others: Any) -> dict[str, Any]:
    """The options that a reader is given."""
    return {"keys": keys(*(several or (KEY,)))} | others


@dataclass
class Case:
    """The files of a journal, the inputs of a reader, and the expected outcome."""

    name: str
    files: dict[str, bytes]
    outcome: str = "read"
    rule: str = "-"
    open: dict[str, Any] = field(default_factory=opening)
    written: dict[str, Any] | None = None


def entry(type: str = "note", content: bytes = b"", **others: Any) -> Entry:
    return Entry(type, content, **{"time": TIME} | others)


def note(number: int, length: int = 12) -> Entry:
    """A short entry that is like no other one."""
    return entry("note", fixed(f"note {number}", length), version=1, time=TIME + 1000 * number)


def entry_to_json(each: Entry) -> dict[str, Any]:
    return {
        "type": each.type,
        "form": each.form,
        "version": each.version,
        "time": str(each.time),
        "content": stated(each.content),
    }


class Builder:
    """A journal in memory, which a holder of all its secrets builds part by part.

    `written` describes the parts as long as they are those of an honest writer."""

    def __init__(
        self,
        label: str,
        targets: Sequence[RawKey | Recipient] = (KEY,),
        context: bytes = b"",
        journal: str = "journal",
    ) -> None:
        self.label = label
        self.targets = list(targets)
        self.context = context
        self.journal_id = fixed(f"journal id of {journal}", 16)
        self.files: dict[str, bytes] = {}
        self.file = 0
        self.count = 0
        self.joint: Joint = START
        self.at = 0
        self.segment: Segment = None  # type: ignore[assignment]
        self.segments: list[dict[str, Any]] = []

    # Parts

    def begin(
        self,
        new_file: bool = False,
        targets: Sequence[RawKey | Recipient] | None = None,
        public: bytes = b"",
        change: Callable[[Segment], bytes] | None = None,
        label: str | None = None,
        **fields: Any,
    ) -> Builder:
        """Begins a segment, in a new file if it is the first one or if asked for. `fields` are other ones than those
        of an honest writer; `change` makes other bytes of the header."""
        wanted = self.targets if targets is None else list(targets)
        label = f"{self.label} {self.count}" if label is None else label
        if new_file or self.file == 0:
            self.file += 1
            self.files[self.name] = b""
        if self.segment is not None:
            self.joint = self.segment.track.whole
        seeds = [
            SlotRandomness(fixed(f"nonce {number} of {label}", 24), fixed(f"seed {number} of {label}"))
            for number in range(len(wanted))
        ]
        chance = Randomness(fixed(f"data key of {label}"), fixed(f"segment id of {label}"), seeds)
        preamble = Preamble(
            len(wanted), len(public), self.count, self.joint.next, TIME + 1000 * self.count, self.joint.frames,
            self.file, self.journal_id, chance.segment_id, self.joint.digest,
        )  # fmt: skip
        preamble = dataclasses.replace(preamble, **fields)
        self.segment = Segment(preamble, wanted, public, self.context, chance)
        self.at = len(self.files[self.name])
        self.raw(self.segment.header.data if change is None else change(self.segment))
        self.count = preamble.segment + 1
        self.segments.append(
            {
                "file": self.file,
                "time": str(preamble.time),
                "publicMetadata": stated(public),
                "dataKey": chance.data_key.hex(),
                "segmentID": chance.segment_id.hex(),
                "slots": [slot_to_json(t, c) for t, c in zip(wanted, chance.slots, strict=True)],
                "batches": [],
                "closed": False,
            }
        )
        return self

    def batch(self, *groups: Entry | list[Entry], padding: int = 0) -> Builder:
        """Writes a batch: each group of entries is a frame, or several for a long entry, the last with padding."""
        lists = [each if isinstance(each, list) else [each] for each in groups]
        several = [each for group in lists for each in group]
        self.segment.latest = max([self.segment.latest, *(each.time for each in several)])
        payloads = [part for group in lists for part in payloads_of(group, padding)]
        self.raw(b"".join(frame.encode() for frame in self.segment.frames(payloads)))
        self.segments[-1]["batches"].append(
            [{"entries": [entry_to_json(each) for each in group], "padding": padding} for group in lists]
        )
        return self

    def payload(self, kind: int, count: int, plaintext: bytes) -> Builder:
        """Writes a frame with any payload."""
        return self.raw(self.segment.frames([(kind, count, plaintext)])[0].encode())

    def frame(self, *groups: Entry, **fields: Any) -> Builder:
        """Writes a frame of whole entries whose header has other fields; the tag fits."""
        return self.raw(self.forged(*groups, **fields).encode())

    def forged(self, *several: Entry, **fields: Any) -> Frame:
        """The next frame, with other fields, which is not counted."""
        track = self.segment.track
        plaintext = b"".join(each.encode() for each in several)
        frame = Frame(WHOLE, len(several), track.mark, track.frames, track.next, self.segment.length)
        return dataclasses.replace(frame, **fields).sealing(plaintext, self.schedule)

    def close(self) -> Builder:
        """Writes the end of the segment."""
        self.raw(self.segment.end().encode())
        self.segments[-1]["closed"] = True
        return self

    def raw(self, data: bytes) -> Builder:
        """Writes bytes."""
        self.files[self.name] += data
        return self

    def cut(self, count: int) -> Builder:
        """Takes bytes away from the end of the last file."""
        self.files[self.name] = self.files[self.name][:-count]
        return self

    # Facts

    @property
    def name(self) -> str:
        return file_name(self.file)

    @property
    def schedule(self) -> Schedule:
        return self.segment.schedule

    @property
    def header(self) -> Header:
        return self.segment.header

    @property
    def pin(self) -> Pin:
        """A pin of all that was written."""
        track = self.segment.track
        return Pin(self.journal_id, track.number, track.frames, track.digest)

    @property
    def written(self) -> dict[str, Any]:
        """The inputs with which a writer writes these files."""
        return {"journalID": self.journal_id.hex(), "context": stated(self.context), "segments": self.segments}

    def case(self, name: str, **others: Any) -> Case:
        """A vector whose bytes every writer must write that is told the parts."""
        return Case(name, dict(self.files), written=self.written, **others)

    def broken(self, name: str, outcome: str = "damaged", rule: str = "-", **others: Any) -> Case:
        """A vector of bytes that no honest writer has written."""
        return Case(name, dict(self.files), outcome, rule, **others)

    def edited(self, *patches: tuple[int, bytes], file: int = 1) -> dict[str, bytes]:
        """The files, with other bytes in one of them."""
        name = file_name(file)
        return self.files | {name: patched(self.files[name], *patches)}


def payloads_of(group: list[Entry], padding: int) -> list[Payload]:
    """The payloads of a group of entries that share a frame, or of a long entry."""
    data = b"".join(each.encode() for each in group)
    if len(data) <= FULL:
        return [(WHOLE, len(group), data + bytes(padding))]
    parts = long_parts(data)
    return [*parts[:-1], (LAST, 0, parts[-1][2] + bytes(padding))]


def slot_to_json(target: RawKey | Recipient, chance: SlotRandomness) -> dict[str, Any]:
    if isinstance(target, RawKey):
        return {"key": target.data.hex(), "nonce": chance.nonce.hex()}
    return {"recipient": target.data.hex(), "nonce": chance.nonce.hex(), "ephemeralSecret": chance.seed.hex()}


# Forging


def patched(data: bytes, *patches: tuple[int, bytes]) -> bytes:
    """The same bytes, with others at some offsets."""
    made = bytearray(data)
    for at, new in patches:
        made[at : at + len(new)] = new
    return bytes(made)


def flipped(data: bytes, at: int, bit: int = 0) -> bytes:
    """The same bytes with one bit inverted."""
    at %= len(data)
    return patched(data, (at, bytes([data[at] ^ 1 << bit])))


def with_check(*patches: tuple[int, bytes], mac: bool = True) -> Callable[[Segment], bytes]:
    """Changes bytes of a header; the check fits, and the MAC unless told not to."""

    def change(segment: Segment) -> bytes:
        body = patched(segment.header.data[:-TAIL], *patches)
        mac_bytes = blake2b(32, body, segment.schedule.header) if mac else segment.header.data[-TAIL:-16]
        body += mac_bytes
        return body + blake2b(16, body)

    return change


def with_slots(change: Callable[[list[Slot]], list[Slot]]) -> Callable[[Segment], bytes]:
    """A header with other slots, by a holder of its data key."""

    def changed(segment: Segment) -> bytes:
        header = segment.header
        slots = change(header.slots())
        preamble = dataclasses.replace(header.preamble, slots=len(slots))
        return finish_header(preamble, slots, header.public, segment.schedule)

    return changed
