"""Journals that are refused, each for one reason."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from journal_cases import (
    IDENTITY,
    KEY,
    OTHER_IDENTITY,
    OTHER_KEY,
    Builder,
    Case,
    entry,
    fixed,
    flipped,
    note,
    opening,
    patched,
    pattern,
    with_check,
    with_slots,
)
from journal_catalogue import HEAD, header_of, three
from journal_damage import FIRST, HEADER, SECOND, SIZE, many

from keepsake.journal import Pin, Retention
from keepsake.journal.frames import BEGIN, END, ENTRY, FULL, LAST, MAXIMUM_CONTENT, MIDDLE, WHOLE, End
from keepsake.journal.header import TAIL
from keepsake.sealed import RawKey
from keepsake.sealed.header import RECIPIENT, Slot
from keepsake.sealed.primitives import PRIME, blake2b

MALFORMED, DAMAGED, NO_KEY, WRONG = "malformedHeader", "damagedHeader", "noMatchingKey", "wrongFile"
ENTRY_ERROR, CHAIN, STALE, MISSING = "malformedEntry", "brokenChain", "stalePin", "missingFile"


def u32(number: int) -> bytes:
    return number.to_bytes(4, "little")


def u64(number: int) -> bytes:
    return number.to_bytes(8, "little")


def headers() -> Iterator[Case]:
    """Headers at the begin of a journal [J-1 to J-7]."""

    def changed(name: str, error: str, rule: str, *patches: tuple[int, bytes]) -> Case:
        return Builder("header").begin(change=with_check(*patches)).batch(note(0)).broken(name, error, rule)

    for name, magic in (
        ("the first byte", b"\x09KSJ\r\n\x1a\n"),
        ("line ends that were converted", b"\x89KSJ\n\x1a\n\n"),
        ("the magic of a sealed file", b"\x89KSF\r\n\x1a\n"),
        ("the magic of an end", b"\x8aKSJ\r\n\x1a\n"),
    ):
        yield changed(f"another magic: {name}", "notJournal", "J-1", (0, magic))
    yield Case("another magic in few bytes", {FIRST: b"\x89KSF"}, "notJournal", "J-1")
    for version in (0, 2, 255):
        yield changed(f"version {version}", "unsupportedVersion", "J-2", (8, bytes([version])))
    for suite in (0, 2, 255):
        yield changed(f"suite {suite}", "unsupportedSuite", "J-3", (9, bytes([suite])))
    for flags in (2, 3, 128):
        yield changed(f"flags {flags}", "unsupportedFlags", "J-4", (10, bytes([flags])))
    for at in (11, 80, 95):
        yield changed(f"reserved byte {at} of a preamble", MALFORMED, "J-5", (at, b"\1"))
    made = Builder("no slots", []).begin().batch(note(0))
    yield made.broken("no slots", MALFORMED, "J-5")
    made = Builder("33 slots", [RawKey(fixed(f"key {number}")) for number in range(32)] + [KEY]).begin().batch(note(0))
    yield made.broken("33 slots", MALFORMED, "J-5")
    yield changed("2^32 - 1 slots", MALFORMED, "J-5", (16, u32(2**32 - 1)))
    made = Builder("public metadata").begin(public=pattern(65_537)).batch(note(0))
    yield made.broken("public metadata of 65537 bytes", MALFORMED, "J-5")
    for name, by in (("1 too small", -1), ("1 too large", 1), ("a slot too large", 192)):
        yield changed(f"a header length that is {name}", MALFORMED, "J-5", (12, u32(HEADER + by)))
    for name, at, number in (
        ("segment number", 24, 2**63),
        ("first entry", 32, 2**63),
        ("file number", 56, 0),
        ("file number", 56, 10**10),
        ("number of frames before segment 0", 48, 1),
    ):
        yield changed(f"a {name} of {number}", MALFORMED, "J-5", (at, u64(number)))
    yield changed("a digest before segment 0", MALFORMED, "J-5", (128, b"\1"))
    made = three("after damage").close().begin(new_file=True, after_damage=True)
    files = {SECOND: made.files[SECOND], "retention": Retention.of(made.header).encode()}
    yield Case("a segment after damage with frames before it", files, MALFORMED, "J-5")
    yield changed("the version is looked at before the suite", "unsupportedVersion", "J-2", (8, b"\2\2"))
    yield changed("the suite is looked at before the flags", "unsupportedSuite", "J-3", (9, b"\2\x80"))
    yield changed("the flags are looked at before the reserved byte", "unsupportedFlags", "J-4", (10, b"\x80\1"))
    data = Builder("header").begin().batch(note(0)).files[FIRST]
    yield Case("a header whose fields and check are wrong", {FIRST: patched(data, (80, b"\1"))}, MALFORMED, "J-5")
    for length in (0, 1, 7, 8, 191, 192, HEADER - 1):
        yield Case(f"a file of {length} bytes", {FIRST: data[:length]}, DAMAGED, "J-7")
    for name, at in (("a commitment", 160), ("a slot", 200), ("a MAC", HEADER - 20), ("a check", HEADER - 1)):
        yield Case(f"a changed byte of {name}", {FIRST: flipped(data, at)}, DAMAGED, "J-7")
    files = three("second").close().begin(new_file=True).batch(note(3)).edited((200, b"\xff"), file=2)
    yield Case("a changed header of the last file", files, DAMAGED, "J-7")
    made = three("second").begin(new_file=True).batch(note(3))
    yield Case("a changed header of a file after an open segment", made.edited((200, b"\xff"), file=2), DAMAGED, "J-7")
    yield Case("a file of no bytes after an open segment", made.files | {SECOND: b""}, DAMAGED, "J-7")
    later = made.edited((8, b"\2"), file=2)
    yield Case("a file of version 2 after an open segment", later, "unsupportedVersion", "J-2")


def slots() -> Iterator[Case]:
    """Slots and keys [J-6, J-8 to J-10]."""

    def one(name: str, error: str, rule: str, change: Any, targets: Any = (KEY,), **others: Any) -> Case:
        made = Builder("slots", targets).begin(change=with_slots(change)).batch(note(0))
        return made.broken(name, error, rule, **others)

    yield one("a slot of type 0", MALFORMED, "J-6", lambda slots: [*slots, Slot(0)])
    yield one("a slot of type 0 and version 1", MALFORMED, "J-6", lambda slots: [*slots, Slot(0, 1)])
    cheap = Slot(2, first=1, second=8, salt=fixed("salt", 16) + bytes(16))
    yield one("a passphrase slot", MALFORMED, "J-6", lambda slots: [*slots, cheap])
    for name, value in (
        ("reserved", 1), ("first", 1), ("second", 1), ("more_reserved", 1), ("hint", b"\1" + bytes(7)),
        ("salt", bytes(31) + b"\1"), ("padding", bytes(31) + b"\1"),
    ):  # fmt: skip
        yield one(
            f"a raw key's slot with the part that is zero: {name.replace('_', ' ')}", MALFORMED, "J-6",
            lambda slots, name=name, value=value: [dataclasses.replace(slots[0], **{name: value})],
        )  # fmt: skip
        if name in ("hint", "salt"):
            continue
        yield one(
            f"an X25519 slot with the part that is zero: {name.replace('_', ' ')}", MALFORMED, "J-6",
            lambda slots, name=name, value=value: [dataclasses.replace(slots[0], **{name: value})],
            [IDENTITY.recipient], open=opening(IDENTITY),
        )  # fmt: skip
    made = Builder("keys", [KEY, IDENTITY.recipient]).begin().batch(note(0))
    yield made.broken("another key", NO_KEY, "J-8", open=opening(OTHER_KEY))
    yield made.broken("another identity", NO_KEY, "J-8", open=opening(OTHER_IDENTITY))
    yield made.broken("no keys", NO_KEY, "J-8", open={"keys": []})
    made = Builder("keys change").begin().batch(note(0)).begin(targets=[OTHER_KEY]).batch(note(1))
    yield made.broken("a later segment for another key", NO_KEY, "J-8")
    point = Slot(RECIPIENT, salt=(PRIME + 9).to_bytes(32, "little"))
    yield one("a share that is not canonical", NO_KEY, "J-8", lambda slots: [point], open=opening(IDENTITY))

    def spoilt(slots: list[Slot]) -> list[Slot]:
        return [dataclasses.replace(slots[0], wrapped=fixed("wrapped", 48))]

    yield one("a wrapped data key that was changed", DAMAGED, "J-8", spoilt)
    moved = Builder("another segment id").begin()
    yield one("a slot of another segment", NO_KEY, "J-8", lambda slots: moved.header.slots())
    change = with_check((100, b"\1"), mac=False)
    made = Builder("other segment id").begin(change=change).batch(note(0))
    yield made.broken("another segment id", NO_KEY, "J-8")
    for name, patch in (
        ("time", (40, u64(1))), ("public metadata", (HEADER - TAIL, b"Notes")), ("commitment", (160, b"\0\0")),
    ):  # fmt: skip
        made = Builder("mac").begin(public=b"notes", change=with_check(patch, mac=False)).batch(note(0))
        yield made.broken(f"a header with another {name}, and a check that fits", DAMAGED, "J-9")
    made = three("mac in the middle").begin(change=with_check((40, u64(1)), mac=False)).batch(note(3))
    yield made.broken("a later header in the file with a wrong MAC", DAMAGED, "J-9")
    made = three("mac in the second file").begin(new_file=True, change=with_check((40, u64(1)), mac=False))
    yield made.batch(note(3)).broken("a header of a second file with a wrong MAC", DAMAGED, "J-9")
    made = Builder("context", context=b"com.example.notes").begin().batch(note(0))
    yield made.broken("no context", "contextMismatch", "J-10")
    yield made.broken("another context", "contextMismatch", "J-10", open=opening(context=b"com.example.note".hex()))
    made = Builder("commitment").begin(change=with_check((160, fixed("commitment")))).batch(note(0))
    yield made.broken("another commitment, under the MAC", "contextMismatch", "J-10")


def frames() -> Iterator[Case]:
    """Frames that are not in sequence [J-11], or do not verify [J-12]."""
    for name, fields in (
        ("index that is one too large", {"index": 3}),
        ("index of the frame before", {"index": 1}),
        ("index of 2^64 - 1", {"index": 2**64 - 1}),
        ("first entry that is one too large", {"first": 4}),
        ("first entry that is one too small", {"first": 2}),
        ("first entry of 2^64 - 1", {"first": 2**64 - 1}),
        ("segment field of another segment", {"segment": bytes(8)}),
        ("kind 4 without a begin", {"kind": LAST, "count": 0}),
        ("mark of durability beyond the frame", {"durable": 2 * SIZE + 36 + 1}),
        ("mark of durability of 2^64 - 1", {"durable": 2**64 - 1}),
    ):
        made = three("sequence")
        yield made.frame(note(3), **fields).broken(f"a frame with a {name}", "damaged", "J-11")
    made = three("middle").payload(WHOLE, 1, note(3).encode())
    forged = made.forged(segment=made.segment.track.mark)
    middle = dataclasses.replace(forged, kind=MIDDLE, count=0).sealing(pattern(FULL), made.schedule)
    yield made.raw(middle.encode()).broken("a frame of kind 3 without a begin", "damaged", "J-11")
    long = entry("note", pattern(FULL)).encode()
    for name, kind, plaintext in (("kind 1", WHOLE, note(9).encode()), ("kind 2", BEGIN, long[:FULL])):
        made = three("begin").payload(BEGIN, 1, long[:FULL]).payload(kind, 1, plaintext)
        yield made.broken(f"a frame of {name} within a long entry", "damaged", "J-11")
    made = three("next segment")
    made.begin().raw(Builder("next segment again").begin().batch(note(3)).files[FIRST][HEADER:])
    yield made.broken("a frame of another segment after a header", "damaged", "J-11")
    made = three("tag")
    good = made.forged(note(3, 30), durable=5)
    parts: dict[str, dict[str, Any]] = {
        "payload": {"sealed": flipped(good.sealed, 3)},
        "tag": {"sealed": flipped(good.sealed, -1)},
        "count": {"count": 2},
        "mark of durability": {"durable": 0},
    }
    for name, changed in parts.items():
        made = three("tag").raw(dataclasses.replace(good, **changed).encode())
        yield made.broken(f"a frame whose {name} was changed, and its check", "damaged", "J-12")
    made = three("data key")
    other = Builder("another data key").begin()
    frame = made.forged(note(3)).sealing(note(3).encode(), other.schedule)
    yield made.raw(frame.encode()).broken("a frame under another data key", "damaged", "J-12")
    unsound: tuple[tuple[str, dict[str, Any], int], ...] = (
        ("kind 0", {"kind": 0}, 36),
        ("kind 5", {"kind": 5}, 36),
        ("count 0", {"count": 0}, 36),
        ("more entries than there is room for", {"count": 2}, 39),
        ("kind 4 without bytes", {"kind": LAST, "count": 0}, 0),
        ("kind 3 that is not full", {"kind": MIDDLE, "count": 0}, 99),
        ("kind 4 with a count", {"kind": LAST}, 36),
        ("kind 1 without bytes", {}, 0),
        ("kind 1 of 65537 bytes", {}, FULL + 1),
    )
    for name, fields, length in unsound:
        made = three("unsound")
        frame = dataclasses.replace(made.forged(note(3)), **fields)
        frame = frame.sealing(entry("note", pattern(FULL)).encode()[:length], made.schedule)
        yield made.raw(frame.encode()).broken(f"a frame that is not sound: {name}", "read", "J-19")
    long = entry("note", pattern(FULL)).encode()
    made = three("unsound")
    parts_of_it = made.segment.frames([(BEGIN, 1, long[: FULL - 1]), (LAST, 0, long[FULL - 1 :])])
    made.raw(b"".join(frame.encode() for frame in parts_of_it))
    yield made.broken("a frame that is not sound: kind 2 that is not full", "read", "J-19")
    made = three("unsound")
    data = made.forged(note(3)).encode()
    yield made.raw(patched(data, (5, b"\1"))).broken("a frame that is not sound: a reserved byte", "read", "J-19")


def raw_entry(text: bytes = b"note", content: bytes = b"", **others: int) -> bytes:
    """The bytes of an entry with any fields."""
    fields = {"length": len(content), "name": len(text), "form": 0, "zero": 0, "version": 1, "time": 0} | others
    return ENTRY.pack(*fields.values()) + text + content


def entries() -> Iterator[Case]:
    """Entries that break section 4 [J-13], behind a good frame and a good entry."""
    good = note(3).encode()
    for name, data in (
        ("a content that is one byte too long", raw_entry(length=1)),
        ("a content of 2^32 - 1 bytes", raw_entry(length=2**32 - 1)),
        ("a name of a type that takes the rest and one byte", ENTRY.pack(0, 2, 0, 0, 1, 0) + b"x"),
        ("a name of a type of 1025 bytes", raw_entry(b"x" * 1025)),
        ("a name of a type that is no UTF-8", raw_entry(b"\xff")),
        ("a name of a type that is half a surrogate pair", raw_entry(b"\xed\xa0\x80")),
        ("a form of 2", raw_entry(form=2)),
        ("a reserved byte of 1", raw_entry(zero=1)),
        ("a version of 2^31", raw_entry(version=2**31)),
        ("padding that is not zero", raw_entry() + b"\0\0\1"),
        ("a third entry that is not counted", raw_entry() + raw_entry()),
    ):
        made = three("entries").payload(WHOLE, 2, good + data).batch(note(5))
        yield made.broken(f"{name}", ENTRY_ERROR, "J-13")
        if name in ("a form of 2", "padding that is not zero"):
            yield made.broken(f"{name}; the reader goes on", ENTRY_ERROR, "J-13", open=opening(goingOn=True))
    made = three("entries").payload(WHOLE, 2, good + raw_entry()[:-4] + b"no")
    yield made.broken("a frame that ends within the name of a type", ENTRY_ERROR, "J-13")
    made = three("entries").payload(WHOLE, 2, good + bytes(19))
    yield made.broken("a frame that ends within the header of an entry", ENTRY_ERROR, "J-13")
    for name, length, parts in (
        ("that fits into its first frame", FULL, [FULL, 10]),
        ("that ends in its first frame", 100, [FULL, 10]),
        ("that ends in a frame of kind 3", FULL + 100, [FULL, FULL, 10]),
        ("that ends with a frame of kind 3", 2 * FULL, [FULL, FULL, 10]),
        ("that ends after its last frame", FULL + 100, [FULL, 99]),
    ):
        data = entry("note", pattern(length - HEAD)).encode()
        data += bytes(max(0, sum(parts) - len(data)))
        made, at = three("long entries"), 0
        for number, size in enumerate(parts):
            kind = BEGIN if number == 0 else LAST if number == len(parts) - 1 else MIDDLE
            made.payload(kind, int(number == 0), data[at : at + size])
            at += size
        yield made.broken(f"a long entry {name}", ENTRY_ERROR, "J-13")
    data = entry("note", pattern(FULL)).encode()
    made = three("long entries").payload(BEGIN, 1, data[:FULL]).payload(LAST, 0, data[FULL:] + b"\0\1")
    yield made.broken("a long entry with padding that is not zero", ENTRY_ERROR, "J-13")
    for name, begin in (
        ("of 2^24 + 1 bytes", raw_entry(content=pattern(FULL), length=MAXIMUM_CONTENT + 1)[:FULL]),
        ("with a form of 2", raw_entry(content=pattern(FULL), form=2)[:FULL]),
        ("with a name of 1025 bytes", raw_entry(content=pattern(FULL), name=1025)[:FULL]),
    ):
        made = three("long entries").payload(BEGIN, 1, begin)
        yield made.broken(f"a long entry {name}", ENTRY_ERROR, "J-13")


def ends() -> Iterator[Case]:
    """Ends that do not fit [J-14]."""

    def forged(made: Builder, **fields: Any) -> End:
        t = made.segment.track
        end = End(t.frames, t.next, made.segment.latest, made.segment.length, t.digest, len(made.header.data))
        return dataclasses.replace(end, **fields).sealing(made.schedule)

    for name, fields in (
        ("frames", {"frames": 3}),
        ("frames, 2^64 - 1", {"frames": 2**64 - 1}),
        ("next entry", {"next": 4}),
        ("frames length", {"length": 1}),
        ("digest", {"digest": fixed("digest")}),
        ("header length", {"header_length": HEADER - 1}),
    ):
        made = three("ends")
        yield made.raw(forged(made, **fields).encode()).broken(f"an end with another number: {name}", "damaged", "J-14")
    made = three("ends")
    yield made.raw(forged(made, latest=0).encode()).broken("an end with another latest time", "read", "J-14")
    made = three("ends")
    end = dataclasses.replace(forged(made), tag=bytes(16))
    yield made.raw(end.encode()).broken("an end with another tag", "damaged", "J-14")
    made = three("ends")
    end = dataclasses.replace(forged(made), latest=0)
    yield made.raw(end.encode()).broken("an end whose latest time was changed, and its check", "damaged", "J-14")
    made = three("ends").close()
    second = forged(made, length=made.segment.length + END.size)
    yield made.raw(second.encode()).broken("two ends", "damaged", "J-14")
    made = three("ends").close()
    yield made.frame(note(3)).broken("a frame after an end", "damaged", "J-11")
    long = entry("note", pattern(FULL)).encode()
    made = three("open entry").payload(BEGIN, 1, long[:FULL])
    yield made.raw(forged(made).encode()).broken("an end within a long entry", "damaged", "J-14")
    made = three("open entry").payload(BEGIN, 1, long[:FULL]).begin().batch(note(4))
    yield made.broken("a segment that begins within a long entry", "damaged", "J-19")
    made = three("open entry").payload(BEGIN, 1, long[:FULL])
    track = made.segment.track
    made.begin(new_file=True, first=track.next, frames_before=track.frames, digest_before=track.digest).batch(note(4))
    yield made.broken("a new file that counts frames of a long entry without its end", "damaged", "J-20")


def files() -> Iterator[Case]:
    """Files and segments that do not fit together [J-15 to J-18]."""
    made = three("wrong files").close().begin(new_file=True).batch(note(3)).close().begin(new_file=True).batch(note(4))
    third, nothing = "0000000003.journal", {"frames_before": 0, "digest_before": bytes(32)}
    one, two, three_ = (made.files[name] for name in (FIRST, SECOND, third))
    yield Case("a first file under another number", {SECOND: one, FIRST: two}, WRONG, "J-15")
    yield Case("a copy of the first file as the second one", {FIRST: one, SECOND: one}, "damaged", "J-20")
    first: dict[str, dict[str, Any]] = {
        "segment 1": {"segment": 1},
        "entry 1": {"first": 1},
        "file number 2": {"file": 2},
        "the flag": {"after_damage": True},
    }
    for name, fields in first.items():
        yield Builder("first").begin(**fields).batch(note(0)).broken(f"a first file with {name}", WRONG, "J-15")
    later: tuple[tuple[str, dict[str, Any], str, str], ...] = (
        ("another journal id", {"journal_id": fixed("id", 16)}, WRONG, "J-15"),
        ("the number of the one before", {"segment": 0} | nothing, WRONG, "J-15"),
        ("a segment number that is one too large", {"segment": 2}, WRONG, "J-15"),
        ("another file number", {"file": 2}, WRONG, "J-15"),
        ("the flag", {"after_damage": True} | nothing, WRONG, "J-15"),
        ("a first entry that is one too large", {"first": 4}, CHAIN, "J-17"),
        ("a first entry that is one too small", {"first": 2}, CHAIN, "J-17"),
        ("one frame fewer before", {"frames_before": 1}, CHAIN, "J-17"),
        ("one frame more before", {"frames_before": 3}, CHAIN, "J-17"),
        ("another digest before", {"digest_before": fixed("digest")}, CHAIN, "J-17"),
    )
    for name, fields, error, rule in later:
        for what, closed in (("an open", False), ("a closed", True)):
            made = three("segments")
            if closed:
                made.close()
            made.begin(**fields).batch(note(3))
            yield made.broken(f"after {what} segment, a segment with {name}", error, rule)
    following: tuple[tuple[str, dict[str, Any], str, str], ...] = (
        ("another journal id", {"journal_id": fixed("id", 16)}, "damaged", "J-20"),
        ("a segment number that is one too large", {"segment": 2}, "damaged", "J-20"),
        ("one frame more before", {"frames_before": 3}, "damaged", "J-20"),
        ("the flag", {"after_damage": True} | nothing, "damaged", "J-20"),
        ("another file number", {"file": 3}, WRONG, "J-15"),
        ("a first entry that is one too large", {"first": 4}, CHAIN, "J-17"),
        ("one frame fewer before, of two entries", {"frames_before": 1, "first": 1}, CHAIN, "J-17"),
        ("another digest before", {"digest_before": fixed("digest")}, CHAIN, "J-17"),
    )
    for name, fields, error, rule in following:
        for what, closed in (("an open", False), ("a closed", True)):
            made = three("files")
            if closed:
                made.close()
            made.begin(new_file=True, **fields).batch(note(3))
            yield made.broken(f"after {what} segment, a file with {name}", error, rule)
    made = three("order").begin(targets=[OTHER_KEY], first=4)
    yield made.broken("the chain is compared before the keys are tried", CHAIN, "J-17")
    made = three("order").begin(first=4, change=with_check((100, b"\1"), mac=False))
    yield made.broken("the chain is compared before the MAC is verified", CHAIN, "J-17")
    made = three("order").begin(segment=4, first=4)
    yield made.broken("the numbers are compared before the chain", WRONG, "J-15")
    made = three("order").begin(segment=4, change=with_slots(lambda slots: [*slots, Slot(0)]))
    yield made.broken("the numbers are compared before the slots", WRONG, "J-15")
    yield Case("no first file", {SECOND: two, third: three_}, MISSING, "J-16")
    yield Case("no second file of three", {FIRST: one, third: three_}, MISSING, "J-16")
    yield Case("no second file of three, and a damaged first one", {FIRST: one[:-200], third: three_}, MISSING, "J-16")
    last = {FIRST: one, "9999999999.journal": one}
    yield Case("a first file and number 9999999999", last, MISSING, "J-16")


def kept() -> Iterator[Case]:
    """Pins [J-21] and records of retention [J-22, J-23]."""
    made = many("pins", 3)
    middle = made.pin
    made.close().begin().batch(note(3)).begin(new_file=True).batch(note(4))
    pin = made.pin
    for name, other in (
        ("another digest", dataclasses.replace(middle, digest=fixed("digest"))),
        ("another digest at the end", dataclasses.replace(pin, digest=fixed("digest"))),
        ("one frame more than the segment has", dataclasses.replace(middle, frames=4)),
        ("one frame more than the journal has", dataclasses.replace(pin, frames=2)),
        ("2^64 - 1 frames", dataclasses.replace(pin, frames=2**64 - 1)),
        ("a later segment", dataclasses.replace(pin, segment=3)),
        ("another journal id", dataclasses.replace(pin, journal_id=fixed("id", 16))),
        ("a digest of zeros before the first frame", Pin(pin.journal_id, 0, 0, bytes(32))),
    ):
        yield made.broken(f"a pin with {name}", STALE, "J-21", open=opening(pin=other.encode().hex()))
    how = opening(pin=pin.encode().hex())
    short = {name: data for name, data in made.files.items() if name == FIRST}
    yield Case("a journal that lost the pinned file", short, STALE, "J-21", how)
    again = many("pins", 3).close().begin(label="later").batch(note(3)).begin(new_file=True).batch(note(4))
    yield again.broken("a journal that was written anew after the pinned segment", STALE, "J-21", open=how)
    hurt = made.edited((HEADER + 80, b"\xff\xff"))
    yield Case("damage before the pinned place", hurt, "damaged", "J-20", how)
    how = opening(pin=middle.encode().hex(), goingOn=True)
    yield Case("damage before the pinned place; the reader goes on", hurt, STALE, "J-21", how)
    how = opening(pin=pin.encode().hex(), goingOn=True)
    yield Case("damage before the pinned segment; the reader goes on", hurt, "read", "J-21", how)
    record = Retention.of(header_of(made.files[SECOND]))
    second = {SECOND: made.files[SECOND]}
    how = opening(pin=middle.encode().hex())
    yield Case("a pin of a file that was removed", second | {"retention": record.encode()}, STALE, "J-21", how)
    for name, other in (
        ("one frame more than the last segment that was removed", dataclasses.replace(middle, segment=1, frames=2)),
        ("another digest than the last segment that was removed", dataclasses.replace(middle, segment=1, frames=1)),
    ):
        if "frame" in name:
            other = dataclasses.replace(other, digest=record.digest_before)
        how = opening(pin=other.encode().hex())
        yield Case(f"a pin with {name}", second | {"retention": record.encode()}, STALE, "J-21", how)
    for name, fields in (
        ("journal id", {"journal_id": fixed("id", 16)}), ("segment", {"segment": 1}), ("first entry", {"first": 3}),
        ("digest", {"digest_before": bytes(32)}),
    ):  # fmt: skip
        other_record = dataclasses.replace(record, **fields)
        rule = "J-15" if name == "journal id" else "J-22"
        yield Case(f"a record with another {name}", second | {"retention": other_record.encode()}, WRONG, rule)
    beyond = dataclasses.replace(record, file=3)
    yield Case("a record of a file that is absent", second | {"retention": beyond.encode()}, MISSING, "J-16")
    yield Case("a record without files", {"retention": record.encode()}, MISSING, "J-16")
    data = record.encode()
    for name, bad in (
        ("magic", b"\x89KSJ" + data[4:]), ("check", flipped(data, -1)), ("byte in the middle", flipped(data, 50)),
        ("reserved byte", flipped(data, 90)),
    ):  # fmt: skip
        fitting = bad if name in ("check", "byte in the middle") else bad[:-16] + blake2b(16, bad[:-16])
        yield Case(f"a record with another {name}", second | {"retention": fitting}, "malformedRetention", "J-23")
    for length in (0, 111, 113):
        cut = second | {"retention": (data + b"\0")[:length]}
        yield Case(f"a record of {length} bytes", cut, "malformedRetention", "J-23")
    for number in (0, 10**10):
        bad = dataclasses.replace(record, file=number).encode()
        yield Case(f"a record of file {number}", second | {"retention": bad}, "malformedRetention", "J-23")


def broken() -> Iterator[Case]:
    """All journals that are refused, and some that are not, beside them."""
    for each in (headers, slots, frames, entries, ends, files, kept):
        yield from each()

