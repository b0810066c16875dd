"""Damaged journals: readers that stop at damage, and readers that go on after it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from journal_cases import Builder, Case, entry, fixed, flipped, note, opening, patched, pattern
from journal_catalogue import three

from keepsake.journal.frames import END, FRAME, FULL, Frame

FIRST = "0000000001.journal"
SECOND = "0000000002.journal"
HEADER = 192 + 192 + 48
"""The length of a header with one slot and without public metadata."""


def going_on() -> dict[str, object]:
    return opening(goingOn=True)


def both(name: str, files: dict[str, bytes], rule: str) -> Iterator[Case]:
    """A reader that stops, and one that goes on."""
    yield Case(name, files, "damaged", rule)
    yield Case(f"{name}; the reader goes on", files, "read", "J-20", going_on())


def many(label: str, count: int = 6) -> Builder:
    """A segment of several batches, each of one frame of 36 + 64 + 16 bytes."""
    made = Builder(label).begin()
    for number in range(count):
        made.batch(note(number))
    return made


SIZE = FRAME.size + 24 + 12 + 16
"""The length of a frame of one note."""


def frames() -> Iterator[Case]:
    """Frames that were changed in the middle of a segment."""
    made = many("changed frames")
    data = made.files[FIRST]
    at = HEADER + 2 * SIZE
    for name, place in (("mark", 0), ("index", 24), ("check", 48), ("payload", 70)):
        yield from both(f"a changed {name} of a frame", {FIRST: flipped(data, at + place)}, "J-19")
    yield from both("two frames of zeros", {FIRST: patched(data, (at, bytes(2 * SIZE)))}, "J-19")
    yield from both("a frame that was taken out", {FIRST: data[:at] + data[at + SIZE :]}, "J-11")
    yield from both("bytes that were put in", {FIRST: data[:at] + b"12345" + data[at:]}, "J-19")
    yield from both("bytes that were taken out", {FIRST: data[: at + 10] + data[at + 13 :]}, "J-19")
    yield from both("a frame that is there twice", {FIRST: data[:at] + data[at - SIZE :]}, "J-11")
    exchanged = data[:at] + data[at + SIZE : at + 2 * SIZE] + data[at : at + SIZE] + data[at + 2 * SIZE :]
    yield from both("two frames that were exchanged", {FIRST: exchanged}, "J-11")
    made = three("changed before an end").close()
    yield from both("a changed frame before an end", {FIRST: flipped(made.files[FIRST], HEADER + 80)}, "J-19")
    made = Builder("changed long entry").begin().batch(note(0), entry("note", pattern(2 * FULL + 5))).batch(note(2))
    begin = HEADER + SIZE
    long = FRAME.size + FULL + 16
    for name, place in (("begin", 0), ("middle", long), ("last frame", 2 * long)):
        changed = {FIRST: flipped(made.files[FIRST], begin + place + 100)}
        yield from both(f"a changed {name} of a long entry", changed, "J-19")


def repeated() -> Iterator[Case]:
    """A long entry whose frames are there again after its damage: their indexes are not greater."""
    made = Builder("repeated long entry").begin().batch(entry("note", pattern(FULL)))
    frames = made.files[FIRST][HEADER:]
    made.files[FIRST] = flipped(made.files[FIRST], -1)
    made.raw(frames).batch(note(1))
    files = {FIRST: made.files[FIRST]}
    yield Case("a long entry with a changed last frame, and a copy of it; the reader goes on", files, "read", "J-20",
               going_on())  # fmt: skip


def passed_over() -> Iterator[Case]:
    """Sound frames after damage at which no reader goes on."""
    made = many("passed over", 2).raw(bytes(10))
    low = made.forged(note(9), index=4, first=1)
    wrong = dataclasses.replace(low, first=5, sealed=flipped(low.sealed, 3))
    for name, frame in (
        ("an entry that was read", low),
        ("a wrong tag", wrong),
        ("another segment field", made.forged(note(9), index=4, first=5, segment=bytes(8))),
        ("an index that was read", made.forged(note(9), index=1, first=5)),
    ):
        good = made.forged(note(6), index=6, first=6, durable=made.segment.length + 1)
        files = {FIRST: made.files[FIRST] + frame.encode() + good.encode()}
        yield Case(f"after broken bytes, a frame with {name}; the reader goes on", files, "read", "J-20",
                   going_on())  # fmt: skip


def evidence() -> Iterator[Case]:
    """Each kind of evidence [J-19], and sound bytes that show no damage."""
    other = Builder("another segment").begin().batch(note(7)).close().files[FIRST]
    gap = b"\0" * 10
    for name, part in (
        ("header", other[:HEADER]),
        ("end", other[-END.size :]),
        ("frame of another segment", other[HEADER : -END.size]),
    ):
        made = three("evidence").raw(gap + part)
        yield made.broken(f"a sound {name} after broken bytes", "damaged", "J-19")
        made = three("evidence").raw(gap + flipped(part, -1))
        yield made.broken(f"a {name} with a wrong check after broken bytes", "read", "J-19")
        made = three("evidence").raw(gap + part[:-1])
        yield made.broken(f"a cut {name} after broken bytes", "read", "J-19")
    for name, by, outcome in (("one byte beyond", 1, "damaged"), ("at", 0, "read")):
        made = three("mark of durability")
        frame = made.forged(note(4), index=4, first=4, durable=made.segment.length + by)
        made.raw(gap + frame.encode())
        yield made.broken(f"a later frame whose mark of durability is {name} the broken place", outcome, "J-19")
    for name, fewer, outcome in (("one more than", 1, "damaged"), ("as much as", 0, "read")):
        made = three("budget")
        yield made.raw(candidates(fixed("strange segment", 8), fewer)).broken(
            f"candidates with wrong checks, {name} a reader hashes", outcome, "J-19"
        )


def candidates(segment: bytes, fewer: int, more: int = 0, hashed: int = 0) -> bytes:
    """Broken bytes: headers of frames with the longest payload and a wrong check, one after the other, and zeros.

    There are as many bytes as a search needs to hash all of these frames and `hashed` bytes, when `more` bytes are
    after them; less `fewer`, and then the first of these frames has so many bytes less that one is too much."""
    header, first = (
        Frame(1, 1, segment, 9, 9, 0, bytes(FULL + 16 - by)).clear + bytes(16) for by in (0, max(0, 4 * fewer - 1))
    )
    count = 22
    needed = count * (FULL + 16 + 48) + hashed - (1 << 20)
    return b"\0" + first + header * (count - 1) + bytes(needed // 4 - 1 - FRAME.size * count - more - fewer)


def ends() -> Iterator[Case]:
    """Damage at the end of a file that another one follows."""
    made = many("two files").close().begin(new_file=True).batch(note(6))
    first = made.files[FIRST]
    for name, by in (("its end", END.size), ("half of its end", 50)):
        yield Case(f"a first file without {name}", made.files | {FIRST: first[:-by]}, rule="J-18")
    files = made.files | {FIRST: first[: -END.size - SIZE]}
    yield from both("a first file without its last frame", files, "J-20")
    yield from both("a first file with a changed frame", made.edited((HEADER + 80, b"\0\0")), "J-20")
    files = made.files | {FIRST: first + b"\0"}
    yield Case("a byte after an end is ignored when a new file follows", files, rule="J-18")
    made = many("after damage", 3)
    made.files[FIRST] = flipped(made.files[FIRST], HEADER + SIZE + 80)
    made.begin(new_file=True, frames_before=0, digest_before=bytes(32), first=3, after_damage=True).batch(note(3))
    yield from both("a new file after damage", made.files, "J-20")
    made = many("jump after damage", 3).close()
    made.begin(new_file=True, frames_before=0, digest_before=bytes(32), first=10, segment=4, after_damage=True)
    made.batch(note(10)).begin(new_file=True).batch(note(11))
    yield from both("a new file after damage that the reader does not find", made.files, "J-20")
    made = many("lower after damage", 4)
    made.begin(new_file=True, frames_before=0, digest_before=bytes(32), first=2, after_damage=True)
    made.batch(note(2), note(3)).batch([note(4), note(5)])
    yield from both("a new file after damage with entries that there were before", made.files, "J-20")


def headers() -> Iterator[Case]:
    """Headers that were changed."""
    made = many("headers", 2).begin().batch(note(2)).close().begin().batch(note(3))
    at = HEADER + 2 * SIZE
    yield from both("a changed header in the middle of a file", {FIRST: flipped(made.files[FIRST], at + 200)}, "J-19")
    yield from both("a changed end", {FIRST: flipped(made.files[FIRST], at + HEADER + SIZE + 9)}, "J-19")
    made.begin(new_file=True).batch(note(4)).begin().batch(note(5)).begin(new_file=True).batch(note(6))
    changed = made.edited((200, b"\xff\xff"), file=1)
    yield Case("a changed header at the begin of a journal; the reader goes on", changed, "read", "J-20", going_on())
    changed = made.edited((200, b"\xff\xff"), file=2)
    yield Case("a changed header of a second file; the reader goes on", changed, "read", "J-20", going_on())
    cut = made.files | {SECOND: made.files[SECOND][:100]}
    yield Case("a second file that is cut in its header; the reader goes on", cut, "read", "J-20", going_on())
    later = made.edited((8, b"\2"), file=2)
    yield Case("a second file of version 2; the reader goes on", later, "unsupportedVersion", "J-2", going_on())
    made = many("hidden header", 2)
    hidden = many("hidden header", 3).begin(segment=9, first=99).files[FIRST][-HEADER:]
    made.begin(public=hidden).batch(note(2)).begin().batch(note(3))
    changed = {FIRST: flipped(made.files[FIRST], HEADER + 2 * SIZE + 20)}
    yield Case("a header of the journal in the public metadata of a changed one; the reader goes on", changed, "read",
               "J-20", going_on())  # fmt: skip
    foreign = Builder("foreign", journal="other journal").begin(segment=9, first=99).files[FIRST]
    made = many("foreign header", 2).begin(public=foreign).batch(note(2)).begin().batch(note(3))
    changed = {FIRST: flipped(made.files[FIRST], HEADER + 2 * SIZE + 20)}
    yield Case("a header of another journal in the public metadata of a changed one; the reader goes on", changed,
               "read", "J-20", going_on())  # fmt: skip


def budgets() -> Iterator[Case]:
    """The bytes that a reader hashes while it goes on."""
    for name, fewer in (("one more than", 1), ("as much as", 0)):
        made = many("work", 2)
        made.raw(candidates(made.segment.track.mark, fewer, SIZE, SIZE - 16))
        made.batch(note(2)).begin(new_file=True).batch(note(3))
        yield made.broken(f"candidates, {name} a reader hashes; the reader goes on", "read", "J-20", open=going_on())
    made = Builder("alternating").begin()
    for number in range(40):
        made.batch(note(number)).raw(b"\0")
    made.begin().batch(note(40))
    yield made.broken("a byte after each frame; the reader goes on", "read", "J-20", open=going_on())


def damaged() -> Iterator[Case]:
    """All damaged journals."""
    for each in (frames, repeated, passed_over, evidence, ends, headers, budgets):
        yield from each()
