"""Appending to a journal, which takes no secret (Spec/journal.md, section 8)."""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import fcntl
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from ..sealed.errors import SealError
from ..sealed.header import Slot, padded_length
from ..sealed.keyfiles import write_durably
from ..sealed.keys import RawKey, Recipient, make_slot
from ..sealed.primitives import TAG, blake2b
from ..sealed.sources import Source
from ..sealed.writer import SlotRandomness
from .directory import Directory, Pin, Retention
from .errors import JournalError
from .frames import (
    ARCHIVE,
    BEGIN,
    BYTES,
    END,
    END_MAGIC,
    FULL,
    LAST,
    MARK,
    MAXIMUM_CONTENT,
    MAXIMUM_NAME,
    MAXIMUM_VERSION,
    MIDDLE,
    WHOLE,
    End,
    Entry,
    Frame,
)
from .header import BOUND, LAST_FILE, MAXIMUM_PUBLIC, MAXIMUM_SLOTS, Header, Preamble, Schedule, derive, transcript
from .places import (
    Budget,
    SoFar,
    end_at,
    evidence_after,
    frame_at,
    frame_header_at,
    header_at,
    marks,
    part_at,
    preamble_at,
    read_header,
)
from .track import START, Joint, Track, check_joint

BATCH = 1 << 20
"""A batch has at most this many bytes, or one entry."""


def random(size: int) -> Callable[[], bytes]:
    return lambda: os.urandom(size)


@dataclass
class Randomness:
    """All random values of a segment. Segments with fixed values, for tests, must not contain secrets [J-101]."""

    data_key: bytes = field(default_factory=random(32), repr=False)
    segment_id: bytes = field(default_factory=random(32))
    slots: list[SlotRandomness] = field(default_factory=list)


def now() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


# Segments in memory

Payload: TypeAlias = tuple[int, int, bytes]
"""The kind, the count and the plaintext of a frame."""


class Segment:
    """A segment that is written: it makes the bytes, and knows its chain."""

    def __init__(
        self,
        preamble: Preamble,
        targets: Sequence[RawKey | Recipient],
        public: bytes,
        context: bytes,
        chance: Randomness,
    ) -> None:
        slots: list[Slot] = []
        for number, target in enumerate(targets):
            own = chance.slots[number] if number < len(chance.slots) else SlotRandomness()
            slots.append(make_slot(target, chance.data_key, preamble.slots_id, own.nonce, own.seed, sole=False))
        self.schedule = derive(chance.data_key, context, transcript(preamble, public))
        stated = dataclasses.replace(preamble, commitment=self.schedule.commitment)
        self.header = Header(stated, finish_header(stated, slots, public, self.schedule))
        self.track = Track(self.header, 0)
        self.length = 0
        self.latest = preamble.time

    def batch(self, entries: Sequence[Entry], padded: bool = False) -> list[Frame]:
        """The frames of a batch of entries."""
        self.latest = max([self.latest, *(entry.time for entry in entries)])
        return self.frames(plaintexts(entries, padded))

    def frames(self, payloads: Iterable[Payload]) -> list[Frame]:
        """The frames of a batch, all of which state the length of the frames before it [J-105]."""
        frames: list[Frame] = []
        durable = self.length
        for kind, count, plaintext in payloads:
            blank = Frame(kind, count, self.track.mark, self.track.frames, self.track.next, durable)
            frame = blank.sealing(plaintext, self.schedule)
            self.track.take(frame)
            self.length += frame.size
            frames.append(frame)
        return frames

    def end(self) -> End:
        """The end, after which nothing is written."""
        self.track.is_closed = True
        t = self.track
        return End(t.frames, t.next, self.latest, self.length, t.digest, len(self.header.data)).sealing(self.schedule)


def finish_header(preamble: Preamble, slots: Sequence[Slot], public: bytes, schedule: Schedule) -> bytes:
    """The header with its MAC and check."""
    data = preamble.encode() + b"".join(slot.encode() for slot in slots) + public
    data += blake2b(32, data, schedule.header)
    return data + blake2b(16, data)


def plaintexts(entries: Sequence[Entry], padded: bool) -> Iterator[Payload]:
    """The payloads of a batch: as many whole entries in a frame as fit."""
    pending, count = b"", 0
    for entry in entries:
        data = entry.encode()
        if count and len(pending) + len(data) > FULL:
            yield WHOLE, count, fill(pending, padded)
            pending, count = b"", 0
        if len(data) <= FULL:
            pending, count = pending + data, count + 1
            continue
        parts = long_parts(data)
        yield from parts[:-1]
        yield LAST, 0, fill(parts[-1][2], padded)
    if count:
        yield WHOLE, count, fill(pending, padded)


def long_parts(data: bytes) -> list[Payload]:
    """The payloads of a long entry, without padding."""
    last = (len(data) - 1) // FULL * FULL
    middle: list[Payload] = [(MIDDLE, 0, data[at : at + FULL]) for at in range(FULL, last, FULL)]
    return [(BEGIN, 1, data[:FULL]), *middle, (LAST, 0, data[last:])]


def fill(plaintext: bytes, padded: bool) -> bytes:
    """The plaintext with zeros up to the length of Padmé (seal.md, section 5.1), when it is padded."""
    return plaintext + bytes(min(padded_length(len(plaintext)), FULL) - len(plaintext)) if padded else plaintext


# The place where a journal goes on


@dataclass(frozen=True)
class Place:
    """The end of the data of the last file (section 8.3).

    `is_closed` is true when the file ends with the end of a segment; else the next segment needs a new file."""

    joint: Joint
    segment: int
    is_closed: bool = False
    is_after_damage: bool = False


def survey(directory: Directory, first: int, last: int) -> Place:
    """Finds where the data of the last file ends, without a key."""
    opened = directory.open(last)
    try:
        place = end_of_data(SoFar(opened, opened.length))
    finally:
        opened.close()
    return place or after_damage(directory, first, last)


def end_of_data(source: Source) -> Place | None:
    """The place where the data of a file ends, or None at damage."""
    header: Header | None = None
    try:
        header = read_header(source, 0)
    except JournalError as error:
        if error.rule in ("J-2", "J-3", "J-4"):
            raise
    closed = closed_segment(source)
    if closed is not None or header is None:
        return closed
    track, at = Track(header, 0), len(header.data)
    while at < source.length:
        part = part_at(source, at)
        if isinstance(part, Frame) and track.fits(part, at):
            track.take(part)
            at += part.size
        elif isinstance(part, End) and track.matches(part, at):
            track.is_closed = True
            at += END.size
        elif isinstance(part, Header) and not track.is_within_entry:
            if part.preamble.segment != track.number + 1 or part.preamble.file != header.preamble.file:
                raise JournalError("wrongFile", "J-15", "A segment does not belong here.", offset=at)
            check_joint(part, track.whole)
            track, at = Track(part, at), at + len(part.data)
        elif part is not None or evidence_after(source, at, track.mark, track.frames_at) is not None:
            return None
        else:
            break
    return Place(track.whole, track.number + 1)


def closed_segment(source: Source) -> Place | None:
    """The place after the last segment of a file, when it was closed."""
    if source.length < END.size:
        return None
    end = end_at(source, source.length - END.size)
    if end is None:
        return None
    begin = source.length - END.size - end.length - end.header_length
    header = header_at(source, begin) if begin >= 0 else None
    if header is None or len(header.data) != end.header_length:
        return None
    return Place(Joint(end.frames, end.digest, end.next), header.preamble.segment + 1, is_closed=True)


def after_damage(directory: Directory, first: int, last: int) -> Place:
    """The place after damage: beyond all numbers that the last file with a sound header states [J-108]."""
    for number in range(last, first - 1, -1):
        source = directory.open(number)
        try:
            segments, next = numbers_stated(source)
        finally:
            source.close()
        if segments:
            return Place(Joint(next=next), max(segments) + 1, is_after_damage=True)
    return Place(START, 0, is_after_damage=True)


def numbers_stated(source: Source) -> tuple[list[int], int]:
    """The segment numbers of all sound headers of a file, and the entry after all that sound parts state.

    It hashes as many bytes as a reader that goes on."""
    segments: list[int] = []
    next = 0
    budget = Budget(source, 0)
    for at, magic in marks(source, 0):
        if magic == MARK:
            fields = frame_header_at(source, at)
            if fields is not None and budget.takes(fields.hashed) and frame_at(source, at):
                next = max(next, fields.first + fields.count)
        elif magic == END_MAGIC:
            end = end_at(source, at) if budget.takes(END.size - 16) else None
            next = max(next, end.next if end else 0)
        else:
            preamble = preamble_at(source, at)
            if preamble is not None and budget.takes(preamble.header_length - 16) and header_at(source, at):
                segments.append(preamble.segment)
                next = max(next, preamble.first)
        if budget.rest < 0:
            break
    return segments, next


# Journals on a disk


@dataclass(frozen=True)
class Options:
    """The parts of a segment that an application chooses."""

    context: bytes = b""
    public_metadata: bytes = b""
    padded: bool = False


class JournalWriter:
    """A journal that is open for appending; one process at a time has it open.

    `randomness` and `clock` are for tests: the random values of a segment by its number, and the time.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        targets: Iterable[RawKey | Recipient],
        options: Options | None = None,
        *,
        randomness: Callable[[int], Randomness] | None = None,
        clock: Callable[[], int] = now,
        journal_id: bytes | None = None,
    ) -> None:
        self.directory = Directory(path)
        self.targets = list(targets)
        self.options = options or Options()
        self._randomness = randomness or (lambda segment: Randomness())
        self._clock = clock
        check_options(self.targets, self.options)
        self._descriptor = -1
        self._segment: Segment | None = None
        self._durable = 0
        self._lock = lock(self.directory)
        try:
            self._open(journal_id)
        except BaseException:
            self.release()
            raise

    # Opening

    def _open(self, journal_id: bytes | None) -> None:
        if not self.directory.numbers() and self.directory.retention() is None:
            self.journal_id = journal_id or os.urandom(16)
            self.file = 0
            self._place = Place(START, 0)
            return
        first, self.file, record = self.directory.first_and_last()
        self.journal_id = record.journal_id if record else self._journal_id(first, self.file)
        self._place = survey(self.directory, first, self.file)
        self._descriptor = os.open(self.directory.file(self.file), os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
        os.fsync(self._descriptor)
        self._durable = os.fstat(self._descriptor).st_size

    def _journal_id(self, first: int, last: int) -> bytes:
        """The journal id in the first file that begins with a sound header."""
        problem: JournalError | None = None
        for number in range(first, last + 1):
            source = self.directory.open(number)
            try:
                return read_header(source, 0).preamble.journal_id
            except JournalError as error:
                problem = problem or error.placed(number, 0, None)
            finally:
                source.close()
        raise problem or JournalError("missingFile", "J-16", "The journal has no files.")

    # Segments

    def _begin(self, new_file: bool = False) -> Segment:
        """Begins a segment in the last file, or in a new one."""
        place = self._place
        is_new = new_file or not place.is_closed
        file = self.file + 1 if is_new else self.file
        if file > LAST_FILE or place.segment >= BOUND or place.joint.next >= BOUND:
            raise JournalError("journalFull", "", "There are no more numbers for files, segments or entries.")
        chance = self._randomness(place.segment)
        preamble = Preamble(
            len(self.targets), len(self.options.public_metadata), place.segment, place.joint.next, self._clock(),
            place.joint.frames, file, self.journal_id, chance.segment_id, place.joint.digest, place.is_after_damage,
        )  # fmt: skip
        segment = Segment(preamble, self.targets, self.options.public_metadata, self.options.context, chance)
        if is_new:
            self._make_file(file, segment.header.data)
        else:
            self._write(segment.header.data)
        self._segment = segment
        self._advance(segment)
        return segment

    def _make_file(self, file: int, data: bytes) -> None:
        """Makes a file with its header, in one durable step [J-109]; the file before it is durable by then [J-110]."""
        try:
            write_durably(self.directory.file(file), data, replacing=False)
        except SealError as error:
            raise JournalError(error.code, "", error.message) from error
        self._close_file()
        self.file = file
        self._descriptor = os.open(self.directory.file(file), os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
        self._durable = len(data)

    def _close_file(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _write(self, data: bytes) -> None:
        """Writes at the durable end of the file, and synchronizes [J-104, J-106].

        After a failure no segment is open, and the next one begins in a new file."""
        at, rest = self._durable, memoryview(data)
        segment, self._segment = self._segment, None
        self._place = dataclasses.replace(self._place, is_closed=False)
        try:
            while rest:
                count = os.pwrite(self._descriptor, rest, at)
                at, rest = at + count, rest[count:]
        except OSError as error:
            try:
                os.ftruncate(self._descriptor, self._durable)
                os.fsync(self._descriptor)
            except OSError:
                raise JournalError("durabilityUnknown", "", "A batch may be in the journal or not.") from error
            raise
        try:
            os.fsync(self._descriptor)
        except OSError as error:
            raise JournalError("durabilityUnknown", "", "A batch may be in the journal or not.") from error
        self._durable, self._segment = at, segment

    # Appending

    def append(self, entries: Iterable[Entry]) -> None:
        """Appends entries; they are durable when the call returns."""
        several = list(entries)
        for entry in several:
            check_entry(entry)
        for batch in batches(several):
            segment = self._segment or self._begin()
            frames = segment.batch(batch, self.options.padded)
            self._write(b"".join(frame.encode() for frame in frames))
            self._advance(segment)

    def _advance(self, segment: Segment) -> None:
        """Takes note of what is durable."""
        self._place = Place(segment.track.whole, segment.track.number + 1)

    def begin_segment(self, new_file: bool = False) -> None:
        """Closes the segment with an end, and begins another one, in a new file if asked for."""
        self._finish()
        self._begin(new_file)

    def _finish(self) -> None:
        """Writes the end of the segment."""
        if self._segment is not None:
            self._write(self._segment.end().encode())
            self._place = dataclasses.replace(self._place, is_closed=True)
            self._segment = None

    def close(self) -> None:
        """Closes the segment with an end, and gives the journal back."""
        try:
            self._finish()
        finally:
            self.release()

    def release(self) -> None:
        """Gives the journal back without an end, as a kill does."""
        self._close_file()
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def __enter__(self) -> JournalWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pin(self) -> Pin:
        """A pin of all that is durable in the open segment (section 9.1)."""
        if self._segment is None:
            raise JournalError("noSegment", "", "No segment is open.")
        joint = self._place.joint
        return Pin(self.journal_id, self._segment.track.number, joint.frames, joint.digest)

    # Retention

    def remove_before(self, file: int) -> None:
        """Removes the files before one of them, after the record is durable [J-111]."""
        first, last, _ = self.directory.first_and_last()
        if not first <= file <= last:
            raise JournalError("missingFile", "", f"File {file} is not one of the journal.")
        source = self.directory.open(file)
        try:
            record = Retention.of(read_header(source, 0))
        finally:
            source.close()
        write_durably(self.directory.path / "retention", record.encode())
        for number in range(first, file):
            os.unlink(self.directory.file(number))


def batches(entries: Sequence[Entry]) -> Iterator[list[Entry]]:
    """The entries in batches of at most 1 MiB, or one entry."""
    batch: list[Entry] = []
    length = 0
    for entry in entries:
        size = len(entry.encode()) + TAG
        if batch and length + size > BATCH:
            yield batch
            batch, length = [], 0
        batch.append(entry)
        length += size
    if batch:
        yield batch


def check_options(targets: Sequence[RawKey | Recipient], options: Options) -> None:
    """Checks the bounds for writers."""
    if not 1 <= len(targets) <= MAXIMUM_SLOTS or len(set(targets)) != len(targets):
        raise JournalError("invalidKeys", "", "A segment has 1 to 32 slots, each for another key.")
    if len(options.public_metadata) > MAXIMUM_PUBLIC or len(options.context) > MAXIMUM_PUBLIC:
        raise JournalError("invalidOptions", "", "The public metadata or the context is too long.")


def check_entry(entry: Entry) -> None:
    """Checks the bounds of section 4."""
    fits = len(entry.type.encode()) <= MAXIMUM_NAME and len(entry.content) <= MAXIMUM_CONTENT
    if not fits or not 0 <= entry.version <= MAXIMUM_VERSION or entry.form not in (BYTES, ARCHIVE):
        raise JournalError("invalidEntry", "", "The type, the version or the content of an entry is out of range.")


def lock(directory: Directory) -> int:
    """A descriptor of the locked file `lock` of the directory, which is made when it is absent."""
    with contextlib.suppress(FileExistsError):
        os.mkdir(directory.path, 0o700)
        synchronize(directory.path.parent)
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(directory.path / "lock", flags, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
            raise JournalError("fileLocked", "", "Another process has the journal open for appending.") from error
        raise
    return descriptor


def synchronize(directory: os.PathLike[str]) -> None:
    """Brings the names in a directory to stable storage."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
