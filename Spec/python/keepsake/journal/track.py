"""The sequence of the frames in a segment (Spec/journal.md, sections 3 and 5)."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import JournalError
from .frames import BEGIN, LAST, MIDDLE, WHOLE, End, Frame, link
from .header import NO_DIGEST, Header

LAST_INDEX = 2**64 - 1
"""No frame has this index."""
WITHIN = (BEGIN, MIDDLE)
"""The kinds after which a long entry goes on."""


@dataclass(frozen=True)
class Joint:
    """The place from which the next segment goes on: whole entries only."""

    frames: int = 0
    digest: bytes = NO_DIGEST
    next: int = 0


START = Joint()
"""The place before segment 0."""


class Track:
    """A segment whose frames are read one after the other."""

    def __init__(self, header: Header, at: int) -> None:
        self.header = header
        self.at = at
        self.frames_at = at + len(header.data)
        self.frames = 0
        self.digest = header.beginning
        self.next = header.preamble.first
        self.kind = WHOLE
        self.whole = self.joint
        self.is_closed = False
        self.passed_damage = False

    @property
    def number(self) -> int:
        return self.header.preamble.segment

    @property
    def mark(self) -> bytes:
        """The segment field of its frames."""
        return self.header.preamble.segment_id[:8]

    @property
    def joint(self) -> Joint:
        return Joint(self.frames, self.digest, self.next)

    @property
    def is_within_entry(self) -> bool:
        return self.kind in WITHIN

    def fits(self, frame: Frame, at: int) -> bool:
        """True when the frame at this offset is in sequence [J-11]."""
        return (
            not self.is_closed
            and frame.segment == self.mark
            and frame.index == self.frames < LAST_INDEX
            and frame.first == self.next
            and (frame.kind in (MIDDLE, LAST)) == self.is_within_entry
            and (frame.durable <= at - self.frames_at or self.passed_damage)
        )

    def take(self, frame: Frame) -> None:
        """Counts a frame that is in sequence."""
        self.frames += 1
        self.digest = link(self.digest, frame.digest)
        self.next += frame.count
        self.kind = frame.kind
        if not self.is_within_entry:
            self.whole = self.joint

    def rewind(self) -> None:
        """Goes back to the begin of a long entry without its end."""
        self.frames, self.digest, self.next = self.whole.frames, self.whole.digest, self.whole.next
        self.kind = WHOLE

    def resume(self, frame: Frame) -> None:
        """Continues at a frame after damage; the chain is not known from here on."""
        self.passed_damage = True
        self.frames, self.next, self.kind = frame.index, frame.first, WHOLE
        self.whole = self.joint

    def matches(self, end: End, at: int) -> bool:
        """True when the fields of a sound end at this offset are those of this segment [J-14]."""
        return (
            not self.is_closed
            and not self.is_within_entry
            and end.frames == self.frames
            and end.next == self.next
            and end.length == at - self.frames_at
            and end.header_length == len(self.header.data)
            and (end.digest == self.digest or self.passed_damage)
        )


def check_joint(header: Header, before: Joint) -> None:
    """Checks that a header continues a segment [J-17]."""
    preamble = header.preamble
    if preamble.first != before.next:
        raise JournalError("brokenChain", "J-17", f"The segment begins with entry {preamble.first}.")
    if preamble.frames_before != before.frames or preamble.digest_before != before.digest:
        raise JournalError("brokenChain", "J-17", "The segment does not continue the one before.")
