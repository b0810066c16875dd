"""Journals that can be read: entries of every form, segments, files, padding, retention, pins, and torn ends."""

from __future__ import annotations

from collections.abc import Iterator

from journal_cases import (
    IDENTITY,
    KEY,
    OTHER_IDENTITY,
    TIME,
    Builder,
    Case,
    entry,
    fixed,
    note,
    opening,
    pattern,
    with_slots,
)

from keepsake.journal.directory import Retention
from keepsake.journal.frames import ARCHIVE, FULL, MAXIMUM_NAME, MAXIMUM_VERSION
from keepsake.journal.header import Header
from keepsake.journal.places import read_header
from keepsake.sealed import Identity, RawKey
from keepsake.sealed.header import Slot
from keepsake.sealed.sources import BytesSource

HEAD = 24
"""The length of the header and the name of an entry of the type `note`."""


def three(label: str = "three entries") -> Builder:
    """One file, one segment, three entries in two batches, no end."""
    return Builder(label).begin().batch([note(0), note(1)]).batch(note(2))


def entries() -> Iterator[Case]:
    """Entries of every form."""
    yield Case("no files", {"lock": b""})
    yield Builder("no entries").begin().case("no entries")
    yield Builder("no entries").begin().close().case("no entries and an end")
    yield Builder("one entry").begin().batch(note(0)).case("one entry")
    yield three().case("three entries in two batches")
    yield three().close().case("three entries and an end")
    yield Builder("two frames").begin().batch(note(0), note(1)).case("a batch of two frames")
    made = Builder("odd entries").begin()
    made.batch(
        [
            entry("", b""),
            entry("note", b"", version=MAXIMUM_VERSION),
            entry("x" * MAXIMUM_NAME, b"\0"),
            entry("Grüße", "Gruß".encode(), time=-1),
            entry("note", b"\0" * 40, time=2**63 - 1),
            entry("note", b"early", time=-(2**63)),
            entry("note", b"no archive at all", form=ARCHIVE),
        ]
    )
    yield made.close().case("entries at their bounds")
    made = Builder("most entries").begin().batch([entry("", b"") for _ in range(FULL // 20)])
    yield made.broken("3276 entries in one frame", "read")
    made = Builder("full frame").begin().batch(entry("note", pattern(FULL - HEAD)))
    yield made.case("an entry that fills a frame")
    made = Builder("padding").begin().batch([note(0)], padding=7).batch([note(1), note(2)], padding=1_000).close()
    yield made.case("frames with padding")
    made = Builder("full padding").begin().batch([note(0)], padding=FULL - HEAD - 12)
    yield made.case("a frame with as much padding as fits")


def long_entries() -> Iterator[Case]:
    """Entries that take several frames."""
    for length in (FULL + 1, 2 * FULL, 2 * FULL + 1):
        made = Builder(f"long {length}").begin()
        made.batch(note(0), entry("note", pattern(length - HEAD)), note(2)).close()
        yield made.case(f"an entry of {length} bytes in several frames, between two others")
    made = Builder("long padded").begin().batch(entry("note", pattern(FULL)), padding=500)
    yield made.case("a long entry with padding in its last frame")


def segments() -> Iterator[Case]:
    """Several segments and files."""
    made = three("segments").close().begin().batch(note(3)).close().begin().close().begin().batch(note(4), note(5))
    yield made.case("segments in one file: closed, closed, empty, open")
    made = three("open segments").begin().batch(note(3)).begin().begin().batch(note(4)).close()
    yield made.broken("segments without ends in one file", "read")
    made = three("files").close().begin(new_file=True).batch(note(3)).close()
    made.begin().batch(note(4)).begin(new_file=True).batch(note(5))
    yield made.case("three files, the second of which ends without an end")
    made = Builder("empty files").begin().close().begin(new_file=True).begin(new_file=True).batch(note(0))
    yield made.case("files without entries")
    recipient, other = IDENTITY.recipient, OTHER_IDENTITY.recipient
    made = Builder("recipients", [recipient, other, KEY]).begin().batch(note(0)).close()
    yield made.case("two recipients and a key, opened by the key")
    yield made.case("two recipients and a key, opened by the second", open=opening(OTHER_IDENTITY))
    made = Builder("changing").begin().batch(note(0)).close().begin(targets=[recipient, KEY]).batch(note(1)).close()
    made.begin(new_file=True, targets=[other, recipient]).batch(note(2))
    yield made.case("segments for other keys", open=opening(KEY, IDENTITY))
    many = [RawKey(fixed(f"key {number}")) for number in range(31)] + [KEY]
    yield Builder("32 keys", many).begin().batch(note(0)).case("32 keys, opened by the last")
    people = [Identity(fixed(f"identity {number}")) for number in range(32)]
    made = Builder("32 recipients", [each.recipient for each in people]).begin().batch(note(0))
    yield made.case("32 recipients, opened by the last", open=opening(people[31]))
    odd = {name: fixed(f"odd {name}", size) for name, size in (("hint", 8), ("salt", 32), ("padding", 32))}
    for name, slot in (
        ("type 16", Slot(16, 0, 9, 8, 7, 6, **odd)),
        ("type 255", Slot(255, 255, 65_535, 2**32 - 1, 2**32 - 1, 2**32 - 1, **odd)),
        ("a raw key, version 1", Slot(1, 1, 1, 2, 3, 4, **odd)),
        ("X25519, version 1", Slot(3, 1, 1, 1, 1, 1, **odd)),
    ):
        made = Builder("one slot more").begin(change=with_slots(lambda slots, slot=slot: [slot, *slots]))  # type: ignore[misc]
        yield made.batch(note(0)).broken(f"skipped: a slot of {name}", "read", "J-6")
    made = Builder("context", context=b"com.example.notes").begin(public=b"notes 1").batch(note(0)).close()
    made.begin(public=pattern(5_000)).batch(note(1))
    yield made.case("a context and public metadata", open=opening(context=b"com.example.notes".hex()))
    made = Builder("most public metadata").begin(public=pattern(65_536)).batch(note(0))
    yield made.case("public metadata of 65536 bytes")
    made = three("other names")
    others = {"0000000000.journal": b"", "3.journal": b"", "0000000002.journal.old": b"", "lock": b"", "notes": b""}
    yield Case("other names are ignored", made.files | others, rule="J-16")
    made = Builder("old clock").begin(time=TIME + 10**9).batch(note(0)).close().begin(time=-5).batch(note(1)).close()
    yield made.case("a clock that goes back")


def torn() -> Iterator[Case]:
    """Ends that were torn: the journal ends before them, for now."""
    cuts = {"its last byte": 1, "its last 20 bytes": 20, "its payload": 52, "all but 20 bytes": 96}
    for name, by in cuts.items():
        yield three().cut(by).broken(f"a torn last frame without {name}", "read", "J-19")
    yield three().raw(bytes(100)).broken("zeros after the last frame", "read", "J-19")
    yield three().raw(pattern(5_000)).broken("rubbish after the last frame", "read", "J-19")
    made = three("torn batch")
    at = len(made.files[made.name])
    made.batch(note(3), note(4), note(5))
    files = made.edited((at, bytes(150)))
    yield Case("a batch whose first frame is zeros and whose last one is sound", files, rule="J-19")
    made = three("torn batch of rubbish")
    made.batch(note(3), note(4), note(5))
    files = made.edited((at + 70, b"\xff"))
    yield Case("a batch whose first frame is broken and whose others are sound", files, rule="J-19")
    for name, closed in (("an end", True), ("an open segment", False)):
        made = three(f"torn header after {name}")
        if closed:
            made.close()
        made.begin(public=b"notes 1")
        for by in (1, 60, 300, 430):
            part = made.files[made.name][:-by]
            yield Case(f"a header after {name} without its last {by} bytes", {made.name: part}, rule="J-19")
    made = three("torn end").close()
    yield made.cut(1).broken("an end without its last byte", "read", "J-19")
    made = three("unfinished").batch(entry("note", pattern(FULL))).cut(40)
    yield made.broken("a long entry without its last frame", "read", "J-19")


def continued() -> Iterator[Case]:
    """Files that go on after a torn end [J-18]."""
    made = three("after a torn frame")
    made.files[made.name] += pattern(70)
    made.begin(new_file=True).batch(note(3))
    yield made.broken("a new file after broken bytes", "read", "J-18")
    made = three("frames that do not count")
    joint = made.segment.track.whole
    made.batch(note(3), note(4))
    made.begin(new_file=True, first=joint.next, frames_before=joint.frames, digest_before=joint.digest)
    made.batch(entry("note", b"other"))
    yield made.broken("a new file that does not count the last frames", "read", "J-18")
    made = three("evidence that does not count")
    made.files[made.name] += b"\0" + Builder("other").begin().batch(note(9)).close().files["0000000001.journal"]
    made.begin(new_file=True).batch(note(3))
    yield made.broken("a new file after broken bytes with sound parts after them", "read", "J-18")
    made = three("end that does not count")
    joint = made.segment.track.whole
    made.batch(note(3)).close()
    made.begin(new_file=True, first=joint.next, frames_before=joint.frames, digest_before=joint.digest)
    made.batch(entry("note", b"other")).close()
    yield made.broken("a new file that does not count the last frame before an end", "read", "J-18")
    made = three("wrong end")
    end = Builder("wrong end").begin().close().files["0000000001.journal"][-112:]
    made.raw(end).begin(new_file=True).batch(note(3))
    yield made.broken("a new file after an end that does not fit", "read", "J-18")
    made = three("torn header").close()
    made.files[made.name] += made.header.data[:200]
    made.begin(new_file=True).batch(note(3))
    yield made.broken("a new file after a torn header after an end", "read", "J-18")
    made = three("unfinished long entry")
    joint = made.segment.track.whole
    made.batch(entry("note", pattern(FULL + 500))).cut(600)
    made.begin(new_file=True, first=joint.next, frames_before=joint.frames, digest_before=joint.digest)
    yield made.batch(note(3)).broken("a new file after a long entry without its last frame", "read", "J-18")
    made = Builder("nothing counts").begin()
    joint = made.segment.track.whole
    made.batch(note(0)).begin(new_file=True, first=0, frames_before=0, digest_before=joint.digest).batch(note(0))
    yield made.broken("a new file that counts no frame of the segment before", "read", "J-18")


def kept() -> Iterator[Case]:
    """Retention [J-22], and pins [J-21]."""
    made = three("retention").close().begin(new_file=True).batch(note(3)).close().begin().close()
    made.begin(new_file=True).batch(note(4)).close().begin(new_file=True).batch(note(5))
    headers = {number: Retention.of(header_of(made.files[f"{number:010}.journal"])) for number in range(1, 5)}
    for number in (1, 3, 4):
        files = {name: data for name, data in made.files.items() if int(name[:10]) >= number}
        yield Case(f"files from number {number} on", files | {"retention": headers[number].encode()}, rule="J-22")
    files = {name: data for name, data in made.files.items() if int(name[:10]) != 1}
    files["retention"] = headers[3].encode()
    yield Case("an older file that was not removed yet", files, rule="J-22")
    pins = {}
    made = Builder("pins").begin()
    pins["before the first frame"] = made.pin
    pins["after the first batch"] = made.batch(note(0), note(1)).pin
    pins["at the end of a segment"] = made.batch(note(2)).close().pin
    made.begin().batch(note(3))
    pins["in the middle of a later file"] = made.begin(new_file=True).batch(note(4)).pin
    pins["at the end"] = made.batch(note(5)).close().pin
    for name, pin in pins.items():
        yield made.case(f"a pin {name}", rule="J-21", open=opening(pin=pin.encode().hex()))
    files = {"0000000002.journal": made.files["0000000002.journal"]}
    files["retention"] = Retention.of(header_of(files["0000000002.journal"])).encode()
    removed = three("pins of removed files").close()
    last = removed.pin
    removed.begin(new_file=True).batch(note(3))
    left = {"0000000002.journal": removed.files["0000000002.journal"]}
    left["retention"] = Retention.of(header_of(left["0000000002.journal"])).encode()
    how = opening(pin=last.encode().hex())
    yield Case("a pin of the last segment that was removed", left, rule="J-21", open=how)
    yield Case("a pin of a kept file", files, rule="J-21", open=opening(pin=pins["at the end"].encode().hex()))


def header_of(data: bytes) -> Header:
    """The header at the begin of a file."""
    return read_header(BytesSource(data), 0)


def catalogue() -> Iterator[Case]:
    """All journals that can be read to their end."""
    for each in (entries, long_entries, segments, torn, continued, kept):
        yield from each()

