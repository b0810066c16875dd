"""Reading a journal (Spec/journal.md, sections 6, 7 and 9)."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..sealed.keys import Key, as_keys
from ..sealed.sources import BytesSource, FileSource
from .directory import Directory, Pin, Retention, file_name
from .errors import JournalError
from .frames import BEGIN, END, FRAME, MARK, MIDDLE, WHOLE, End, Entry, Frame, LongEntry, decode_whole
from .header import MAGIC, Header, Schedule
from .places import (
    Budget,
    SoFar,
    evidence_after,
    frame_header_at,
    header_at,
    marks,
    part_at,
    preamble_at,
    read_header,
)
from .track import START, Track, check_joint


@dataclass(frozen=True)
class Damage:
    """A damaged place that a reader has passed. `entry` is the number of the next entry before it."""

    file: int
    offset: int
    entry: int


class DamageFound(Exception):
    """Damage at the place where the reader is."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(message)
        self.rule = rule
        self.message = message


class Journal:
    """The entries of a journal, in their order: `for entry in journal`.

    An iteration ends where the data ends for now. A later iteration goes on there, with entries that have come since.
    With `going_on`, the reader passes damage; `damages` has the places, and `missing` says how many entries are
    missing.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        keys: Key | bytes | Iterable[Key | bytes],
        *,
        context: bytes = b"",
        pin: Pin | None = None,
        going_on: bool = False,
    ) -> None:
        self.directory = Directory(path)
        self.keys = as_keys(keys)
        self.context = context
        self.expected = pin
        self.going_on = going_on
        self.damages: list[Damage] = []
        self.missing = 0
        first, _, self.record = self.directory.first_and_last()
        self.journal_id = self.record.journal_id if self.record else None
        self.next_entry = self.record.first if self.record else 0
        if pin and self.record and not self._is_kept(pin, self.record):
            raise JournalError("stalePin", "J-21", "The pin is about a segment that is not kept.")
        self._pin_is_met = pin is None
        self._file = first
        self._opened: FileSource | None = None
        self._source = SoFar(BytesSource(b""), 0)
        self._at = 0
        self._begin_at = 0
        self._track: Track | None = None
        self._schedule: Schedule | None = None
        self._long: LongEntry | None = None
        self._before = START
        self._last_segment: int | None = None
        self._is_passing_damage = False
        self._following: Header | None = None
        self._evidence_at = -1
        self._budget: Budget | None = None
        self._is_over = False
        self._ready: deque[Entry] = deque()

    @staticmethod
    def _is_kept(pin: Pin, record: Retention) -> bool:
        """True when the pin is about a segment that is kept, or right before the first one that is [J-21]."""
        if pin.journal_id != record.journal_id:
            return False
        is_right_before = pin.segment + 1 == record.segment and pin.digest == record.digest_before
        return is_right_before or pin.segment >= record.segment

    @property
    def pin(self) -> Pin | None:
        """A pin of the entries that were read, or None after damage in the last segment."""
        track = self._track
        if track is None or track.passed_damage or self.journal_id is None:
            return None
        return Pin(self.journal_id, track.number, track.whole.frames, track.whole.digest)

    def __iter__(self) -> Iterator[Entry]:
        while True:
            while self._ready:
                entry = self._ready.popleft()
                self.next_entry = entry.number + 1
                yield entry
            if self._is_over:
                break
            try:
                entries = self._step()
            except DamageFound as damage:
                self._meet(damage)
                continue
            except JournalError as error:
                raise error.placed(self._file, self._at, self.next_entry) from error
            if entries is None:
                self._wait()
                break
            self._ready.extend(entries)
        if not self._pin_is_met:
            raise self._stale("The journal ends before its pin.")

    # Steps

    def _step(self) -> list[Entry] | None:
        """Reads the part at the place where the reader is; None when the journal ends here for now."""
        if self._opened is None:
            if self._file == 1 and not self.directory.exists(1):
                return None
            self._open_file()
            return []
        if self._continues_in_next_file():
            self._leave_file()
            return []
        part = part_at(self._source, self._at)
        if isinstance(part, Frame):
            return self._take_frame(part)
        if isinstance(part, End):
            self._take_end(part)
            return []
        if isinstance(part, Header):
            if self._track is not None and self._track.is_within_entry:
                raise DamageFound("J-19", "A segment begins within a long entry.")
            self._enter(part)
            return []
        return self._at_end()

    def _at_end(self) -> list[Entry] | None:
        """Decides at the end of the file, or at broken bytes [J-18, J-19]."""
        if self._refresh():
            return []
        is_end = self._at == self._source.length
        if self.directory.exists(self._file + 1):
            if self._following is None:
                if self._look_ahead() is not None:
                    return []
                if is_end:
                    self._leave_file()
                    return []
            raise DamageFound("J-20", "The file ends here, or is broken, and the next file does not begin here.")
        if self.directory.is_beyond(self._file):
            first, _, record = self.directory.first_and_last()
            if first > self._file + 1:
                self._leave_file()
                self._go_on_with(first, record)
            return []
        if not is_end and self._has_evidence():
            raise DamageFound("J-19", "Bytes that were durable are broken.")
        return None

    def _has_evidence(self) -> bool:
        """True when bytes at the place of the reader had been durable [J-19].

        All bytes are below a size that was taken before the reader looked at this place, so it need not look again."""
        if self._evidence_at <= self._at and self._track is not None:
            found = evidence_after(self._source, self._at, self._track.mark, self._track.frames_at)
            self._evidence_at = self._evidence_at if found is None else found
        return self._evidence_at > self._at

    def _wait(self) -> None:
        """Goes back to the begin of a long entry without its end."""
        track = self._track
        if track is not None and self._long is not None:
            self._long = None
            self._at = self._begin_at
            track.rewind()

    # Files

    def _open_file(self) -> None:
        self._opened = self._existing_file()
        self._source = SoFar(self._opened, os.fstat(self._opened.descriptor).st_size)
        self._at, self._long, self._following = 0, None, None
        self._evidence_at, self._budget = -1, None
        try:
            header = read_header(self._source, 0)
        except JournalError as error:
            if self.going_on and error.rule in ("J-1", "J-5", "J-7"):
                self._track = None
                raise DamageFound(error.rule, error.message) from error
            raise
        self._look_ahead()
        self._enter(header)

    def _existing_file(self) -> FileSource:
        """The file to be read, which may have been removed since the names were listed."""
        while True:
            try:
                return self.directory.open(self._file)
            except JournalError:
                first, _, record = self.directory.first_and_last()
                if first <= self._file:
                    raise
                self._go_on_with(first, record)

    def _go_on_with(self, first: int, record: Retention | None) -> None:
        """Goes on with the first file that is kept, since the next one was removed."""
        self._file, self.record = first, record
        if self._last_segment is None:
            self.next_entry = record.first if record else 0
        else:
            self._is_passing_damage = True

    def _leave_file(self) -> None:
        assert self._opened is not None
        self._opened.close()
        self._opened = None
        self._file += 1
        self._at = 0

    def _refresh(self) -> bool:
        """Takes the size of the file again; true when it has grown."""
        assert self._opened is not None
        size = os.fstat(self._opened.descriptor).st_size
        has_grown = size > self._source.length
        if has_grown:
            self._source = SoFar(self._opened, size)
        return has_grown

    def _look_ahead(self) -> Header | None:
        """The sound header of the next file, or None."""
        if self.directory.exists(self._file + 1):
            source = self.directory.open(self._file + 1)
            try:
                self._following = header_at(source, 0)
            finally:
                source.close()
        return self._following

    def _continues_in_next_file(self) -> bool:
        """True when the segment is over because the next file continues it [J-18]."""
        track, following = self._track, self._following
        if track is None or following is None:
            return False
        preamble = following.preamble
        return (
            preamble.journal_id == self.journal_id
            and not preamble.after_damage
            and preamble.segment == track.number + 1
            and preamble.frames_before <= track.whole.frames
        )

    # Segments

    @property
    def _has_passed_damage(self) -> bool:
        """True when the place that the next segment continues is not known."""
        return self._is_passing_damage or self._track is not None and self._track.passed_damage

    def _enter(self, header: Header) -> None:
        """Begins the segment of a header."""
        self._begin(header, self._admit(header))

    def _admit(self, header: Header) -> Schedule:
        """Opens a header, and checks that its segment may begin here."""
        self._check_numbers(header)
        if self._last_segment is not None and not self._has_passed_damage and not self._was_ahead(header):
            check_joint(header, self._before)
        return header.open(self.keys, self.context)

    def _was_ahead(self, header: Header) -> bool:
        """True when the reader has read frames that were not durable, which the next file does not count [J-18]."""
        return self._at == 0 and header.preamble.frames_before < self._before.frames

    def _begin(self, header: Header, schedule: Schedule) -> None:
        preamble = header.preamble
        if self.expected is not None and not self._pin_is_met and preamble.segment > self.expected.segment:
            if not self._continues(self.expected, header):
                raise self._stale("The pinned segment is over.")
            self._pin_is_met = True
        if self.journal_id is None:
            self.journal_id = preamble.journal_id
            if self.expected is not None and self.expected.journal_id != self.journal_id:
                raise self._stale("The pin is that of another journal.")
        if self._has_passed_damage:
            self._skip_to(preamble.first)
        else:
            self.next_entry = preamble.first
        self._track = Track(header, self._at)
        self._schedule, self._long = schedule, None
        self._before = self._track.whole
        self._last_segment = preamble.segment
        self._is_passing_damage = False
        self._check_pin()
        self._at += len(header.data)

    def _check_numbers(self, header: Header) -> None:
        """Checks the numbers of a segment [J-15, J-22]."""
        p = header.preamble
        if p.file != self._file or self.journal_id not in (None, p.journal_id):
            raise JournalError("wrongFile", "J-15", f"The header is not one of {file_name(self._file)}.")
        if p.after_damage and self._at > 0:
            raise JournalError("wrongFile", "J-15", "A segment within a file is said to be after damage.")
        if self._has_passed_damage:
            return
        if self._last_segment is not None:
            if p.segment != self._last_segment + 1:
                raise JournalError("wrongFile", "J-15", f"The segment has the number {p.segment}.")
        elif self.record is None:
            if p.segment or p.first or p.after_damage:
                raise JournalError("wrongFile", "J-15", "The first file does not begin with segment 0 and entry 0.")
        elif Retention.of(header) != self.record:
            raise JournalError("wrongFile", "J-22", "The first file is not the one that the record is about.")

    def _take_frame(self, frame: Frame) -> list[Entry]:
        track, schedule = self._track, self._schedule
        if track is None or schedule is None or not track.fits(frame, self._at):
            raise DamageFound("J-11", "A frame is not in sequence.")
        plaintext = frame.open(schedule)
        if plaintext is None:
            raise DamageFound("J-12", "The tag of a frame does not verify.")
        entries = self._entries(frame, plaintext)
        track.take(frame)
        self._before = track.whole
        self._check_pin()
        self._at += frame.size
        return [entry for entry in entries if entry.number >= self.next_entry]

    def _entries(self, frame: Frame, plaintext: bytes) -> list[Entry]:
        """The entries that are complete with this frame."""
        if frame.kind == WHOLE:
            return decode_whole(plaintext, frame.count, frame.first)
        if frame.kind == BEGIN:
            self._long, self._begin_at = LongEntry(plaintext, frame.first), self._at
            return []
        assert self._long is not None
        if frame.kind == MIDDLE:
            self._long.add(plaintext)
            return []
        entry = self._long.finish(plaintext)
        self._long = None
        return [entry]

    def _take_end(self, end: End) -> None:
        track, schedule = self._track, self._schedule
        if track is None or schedule is None or not track.matches(end, self._at):
            raise DamageFound("J-14", "The end of a segment does not fit the segment.")
        if not end.verifies(schedule):
            raise DamageFound("J-14", "The tag of an end does not verify.")
        track.is_closed = True
        self._at += END.size

    def _skip_to(self, entry: int) -> None:
        """Counts the entries that are missing before this one. Entries that were handed out are left out later."""
        self.missing += max(0, entry - self.next_entry)
        self.next_entry = max(self.next_entry, entry)

    # Pins

    def _check_pin(self) -> None:
        """Compares the chain value at the pinned place [J-21]."""
        track, pin = self._track, self.expected
        if track is None or pin is None or self._pin_is_met or track.passed_damage:
            return
        if (track.number, track.frames) == (pin.segment, pin.frames):
            if track.digest != pin.digest:
                raise self._stale("The chain is not the pinned one.")
            self._pin_is_met = True

    def _continues(self, pin: Pin, header: Header) -> bool:
        """True when the first segment that is kept begins right after the pin [J-21]."""
        p = header.preamble
        return (
            self._last_segment is None
            and self._at == 0
            and self.record is not None
            and not p.after_damage
            and (p.journal_id, p.segment, p.frames_before, p.digest_before)
            == (pin.journal_id, pin.segment + 1, pin.frames, pin.digest)
        )

    def _stale(self, message: str) -> JournalError:
        return JournalError("stalePin", "J-21", message, self._file, self._at, self.next_entry)

    # Damage

    def _meet(self, damage: DamageFound) -> None:
        """Stops at damage, or passes it [J-20]."""
        if not self.going_on:
            raise JournalError(
                "damaged", damage.rule, damage.message, self._file, self._at, self.next_entry
            ) from damage
        self.damages.append(Damage(self._file, self._at, self.next_entry))
        self._long = None
        self._is_passing_damage = True
        if self._resume():
            return
        if self.directory.exists(self._file + 1):
            self._leave_file()
        else:
            self._is_over = True

    def _resume(self) -> bool:
        """Finds the next frame or header from which the reader can go on in this file; false without one."""
        source, begin = self._source, self._at
        budget = self._budget = self._budget or Budget(source, begin)
        for at, magic in marks(source, begin + 1):
            if magic == MARK:
                frame = self._frame_to_resume(at, budget)
                if frame is not None and self._track is not None:
                    self._skip_to(frame.first)
                    self._track.resume(frame)
                    self._is_passing_damage = False
                    self._at = at
                    return True
            elif magic == MAGIC and self._header_to_resume(at, budget):
                return True
            if budget.rest < 0:
                break
        return False

    def _frame_to_resume(self, at: int, budget: Budget) -> Frame | None:
        track, schedule = self._track, self._schedule
        fields = frame_header_at(self._source, at)
        if track is None or schedule is None or track.is_closed or fields is None:
            return None
        if fields.segment != track.mark or fields.kind not in (WHOLE, BEGIN):
            return None
        if fields.index < track.frames or fields.first < self.next_entry or not budget.takes(fields.hashed):
            return None
        frame = fields.whole(self._source.read(at + FRAME.size, fields.length))
        return frame if frame is not None and frame.open(schedule) is not None else None

    def _header_to_resume(self, at: int, budget: Budget) -> bool:
        fields = preamble_at(self._source, at)
        if fields is None or self.journal_id not in (None, fields.journal_id):
            return False
        if fields.file != self._file or fields.after_damage:
            return False
        if self._last_segment is not None and fields.segment <= self._last_segment:
            return False
        header = header_at(self._source, at) if budget.takes(fields.header_length - 16) else None
        if header is None:
            return False
        try:
            schedule = self._admit(header)
        except JournalError:
            return False
        self._at = at
        self._begin(header, schedule)
        return True


def open_journal(
    path: str | os.PathLike[str],
    keys: Key | bytes | Iterable[Key | bytes],
    *,
    context: bytes = b"",
    pin: Pin | bytes | None = None,
    going_on: bool = False,
) -> Journal:
    """A journal that is read from its first entry."""
    expected = Pin.decode(pin) if isinstance(pin, bytes) else pin
    return Journal(path, keys, context=context, pin=expected, going_on=going_on)
