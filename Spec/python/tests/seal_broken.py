"""Sealed files that are refused, each for one reason: damaged, cut off, forged by a holder of a key, and stale."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import ed25519_forging as curve
from seal_cases import (
    CHEAP,
    IDENTITY,
    KEY,
    OTHER_IDENTITY,
    OTHER_KEY,
    OTHER_PASSPHRASE,
    OTHER_SIGNING_KEY,
    PASSPHRASE,
    SIGNING_KEY,
    Case,
    Made,
    fixed,
    pattern,
    slot_at,
)
from seal_catalogue import OTHER_SIGNER, SIGNER, opening, signed

from keepsake.sealed import Passphrase, RawKey, open_sealed
from keepsake.sealed.header import PREAMBLE, RECIPIENT, SOLE, Slot, padded_length
from keepsake.sealed.keys import passphrase_slot
from keepsake.sealed.primitives import PRIME, TAG, blake2b, ed25519_sign, seal_bytes, x25519, x25519_public
from keepsake.sealed.reader import statement
from keepsake.sealed.tree import chunk_digest, tree
from keepsake.sealed.writer import signature_block

MALFORMED, DAMAGED, CHUNK = "malformedHeader", "damagedHeader", "damagedChunk"
NO_KEY, LIMIT, STALE = "noMatchingKey", "limitExceeded", "staleFile"
ONE = Made.make("one", pattern(17))
"""A file of one slot and one chunk."""
THREE = Made.make("three", pattern(10_000), public_metadata=b"notes 1", generation=5)
"""A file of three chunks."""
SIGNED = signed("three, signed", 10_000, generation=5, public_metadata=b"notes 1")


def u32(number: int) -> bytes:
    return number.to_bytes(4, "little")


def u64(number: int) -> bytes:
    return number.to_bytes(8, "little")


def preambles() -> Iterator[Case]:
    """Steps 1 to 3."""
    data = ONE.data
    yield Case("no bytes", b"", "emptyFile", "S-11")
    for length in (1, 7, 8, 9, 127):
        yield Case(f"only {length} bytes", data[:length], "truncated", "S-11")
    for name, magic in (
        ("the first byte", b"\x09KSF\r\n\x1a\n"),
        ("line ends that were converted", b"\x89KSF\n\x1a\n\n"),
        ("the magic of an archive", b"\x89KSA\r\n\x1a\n"),
        ("the magic of a key file", b"\x89KSK\r\n\x1a\n"),
    ):
        yield Case(f"another magic: {name}", ONE.patched((0, magic)), "notSealedFile", "S-10")
    yield Case("another magic in few bytes", b"\x89KSA", "notSealedFile", "S-10")
    yield Case("version 0", ONE.patched((8, b"\0")), "draftVersion", "S-5")
    for version in (2, 255):
        yield Case(f"version {version}", ONE.patched((8, bytes([version]))), "unsupportedVersion", "S-5")
    for suite in (0, 2, 255):
        yield Case(f"suite {suite}", ONE.patched((9, bytes([suite]))), "unsupportedSuite", "S-6")
    for flags in (2, 3, 128):
        yield Case(f"flags {flags}", ONE.patched((11, bytes([flags]))), "unsupportedFlags", "S-7")
    for exponent in (0, 11, 13, 19, 21, 22, 64, 255):
        yield Case(f"chunk size exponent {exponent}", ONE.patched((10, bytes([exponent]))), MALFORMED, "S-8")
    for at in (28, 31, 40, 52, 63):
        yield Case(f"reserved byte {at} of the preamble", ONE.patched((at, b"\1")), MALFORMED, "S-4")
    none = ONE.resealed([])
    yield Case("no slots", none, MALFORMED, "S-8")
    many = [ONE.slot(RawKey(fixed(f"key {number}")), number) for number in range(33)]
    yield Case("33 slots", ONE.resealed(many), MALFORMED, "S-8")
    yield Case("2^32 - 1 slots", ONE.patched((16, u32(2**32 - 1))), MALFORMED, "S-8")
    public = ONE.resealed(public_metadata=pattern(65_537))
    yield Case("public metadata of 65537 bytes", public, MALFORMED, "S-8")
    yield Case("encrypted metadata of 59 bytes", ONE.resealed(message=bytes(19)), MALFORMED, "S-8")
    yield Case("encrypted metadata of 0 bytes", ONE.patched((24, u32(0))), MALFORMED, "S-8")
    long = ONE.resealed(message=ONE.message(creator=bytes(65_477)))
    yield Case("encrypted metadata of 65537 bytes", long, MALFORMED, "S-8")
    for name, by in (("1 too small", -1), ("1 too large", 1), ("a slot too large", 192)):
        length = ONE.preamble.header_length + by
        yield Case(f"a header length that is {name}", ONE.patched((12, u32(length))), MALFORMED, "S-3")
    yield Case("a payload length beyond 2^32 chunks", ONE.patched((32, u64((4096 << 32) + 1))), MALFORMED, "S-8")
    yield Case("a payload length of 2^64 - 1", ONE.patched((32, u64(2**64 - 1))), MALFORMED, "S-8")
    beyond = ONE.patched((32, u64((64 << 30) + 1)))
    yield Case("a payload length beyond 64 GiB", beyond, LIMIT, "S-47")
    yield Case("a payload length of 64 GiB", ONE.patched((32, u64(64 << 30))), "truncated", "S-28")
    for what, limit, made in (
        ("slots", 1, Made.make("two keys", pattern(17), [KEY, OTHER_KEY])),
        ("publicMetadata", 6, THREE),
        ("encryptedMetadata", 59, ONE),
        ("payload", 16, ONE),
    ):
        name = f"one beyond a caller's limit: {what}"
        yield Case(name, made.data, LIMIT, "S-47", open=opening(limits={what: limit}))
    both = ONE.patched((8, b"\2\2"), (10, b"\7"))
    yield Case("the version is looked at before the suite", both, "unsupportedVersion", "S-27")
    both = ONE.patched((9, b"\2"), (11, b"\x80"))
    yield Case("the suite is looked at before the flags", both, "unsupportedSuite", "S-27")
    both = ONE.patched((10, b"\7"), (11, b"\x80"))
    yield Case("the flags are looked at before the chunk size", both, "unsupportedFlags", "S-27")
    yield Case("a limit is looked at before later ranges", ONE.patched((24, u32(59))), LIMIT, "S-27",
               open=opening(limits={"slots": 0}))  # fmt: skip
    yield Case("the draft is named before anything else", ONE.patched((8, b"\0\7\7\x80")), "draftVersion", "S-27")


def lengths() -> Iterator[Case]:
    """Files that are too short or too long."""
    header = THREE.preamble.header_length
    for name, length in (
        ("after the preamble", PREAMBLE.size),
        ("in a slot", PREAMBLE.size + 100),
        ("before the header's check", header - 16),
        ("in the header's check", header - 1),
        ("after the header", header),
        ("in the first chunk", header + 5),
        ("after the first chunk", THREE.chunk_at(1)),
        ("before the last tag", len(THREE.data) - TAG),
        ("one byte short", len(THREE.data) - 1),
    ):
        yield Case(f"cut off {name}", THREE.data[:length], "truncated", "S-28")
    for name, length in (
        ("before the trailer", SIGNED.preamble.trailer_at),
        ("before the signature block", len(SIGNED.data) - 168),
        ("one byte short, signed", len(SIGNED.data) - 1),
    ):
        yield Case(f"cut off {name}", SIGNED.data[:length], "truncated", "S-28")
    yield Case("one byte more", THREE.data + b"\0", "trailingBytes", "S-29")
    yield Case("one byte more, signed", SIGNED.data + b"\0", "trailingBytes", "S-29")
    yield Case("a chunk more", THREE.data + THREE.data[THREE.chunk_at(0) : THREE.chunk_at(1)], "trailingBytes", "S-29")
    flags = bytearray(SIGNED.data)
    flags[11] = 0
    yield Case("the signature's flag removed", bytes(flags), "trailingBytes", "S-29")


def headers() -> Iterator[Case]:
    """Step 4."""
    header = THREE.preamble.header_length
    for name, at in (
        ("the file id", 64),
        ("the commitment", 96),
        ("a slot's type", slot_at(0)),
        ("a slot's commitment", slot_at(0) + 56),
        ("a slot's nonce", slot_at(0) + 88),
        ("a slot's padding", slot_at(1) - 1),
        ("the public metadata", slot_at(1)),
        ("the encrypted metadata", slot_at(1) + 7),
        ("the MAC", header - 48),
        ("the check", header - 1),
    ):
        yield Case(f"a bit of {name}", THREE.flipped(at), DAMAGED, "S-30")
    first = ONE.slots()[0]

    def with_slot(slot: Slot) -> bytes:
        return ONE.resealed([slot])

    yield Case("a slot of type 0", with_slot(Slot(0)), MALFORMED, "S-13")
    yield Case("a slot of type 0 beside another", ONE.resealed([first, Slot(0)]), MALFORMED, "S-13")
    odd: tuple[tuple[str, str, Any], ...] = (
        ("byte 2", "reserved", 1),
        ("byte 3", "reserved", 256),
        ("the first parameter", "first", 1),
        ("the second parameter", "second", 1),
        ("byte 12", "more_reserved", 1),
        ("the hint", "hint", b"\1" + bytes(7)),
        ("the salt", "salt", bytes(31) + b"\1"),
        ("the padding", "padding", bytes(31) + b"\1"),
    )
    for name, part, value in odd:
        slot = dataclasses.replace(first, **{part: value})
        yield Case(f"not zero in a raw key's slot: {name}", with_slot(slot), MALFORMED, "S-16")
    made = Made.make("people", pattern(17), [IDENTITY.recipient])
    for name, part, value in odd:
        if part not in ("hint", "salt"):
            slot = dataclasses.replace(made.slots()[0], **{part: value})
            yield Case(f"not zero in an X25519 slot: {name}", made.resealed([slot]), MALFORMED, "S-21",
                       open=opening(IDENTITY))  # fmt: skip
    made = Made.make("two passphrases", pattern(17), [PASSPHRASE, OTHER_PASSPHRASE])
    one, two = made.slots()
    how = opening(PASSPHRASE)
    marked: tuple[tuple[str, str, Any], ...] = (
        ("bit 2 of byte 2", "reserved", 4),
        ("byte 3", "reserved", 256),
        ("byte 12", "more_reserved", 1),
        ("the hint", "hint", b"\1" + bytes(7)),
        ("the 17th byte of the salt", "salt", one.salt[:16] + b"\1" + bytes(15)),
        ("the padding", "padding", b"\1" + bytes(31)),
    )
    for name, part, value in marked:
        slot = dataclasses.replace(one, **{part: value})
        yield Case(f"not zero in a passphrase slot: {name}", made.resealed([slot, two]), MALFORMED, "S-17", open=how)
    costs: tuple[tuple[str, str, Any], ...] = (
        ("no passes", "first", 0),
        ("7 KiB", "second", 7),
        ("no memory", "second", 0),
    )
    for name, part, cost in costs:
        slot = dataclasses.replace(one, **{part: cost})
        yield Case(f"a passphrase slot of {name}", made.resealed([slot, two]), MALFORMED, "S-17", open=how)
    five = [made.slot(Passphrase(f"passphrase {number}", CHEAP), number) for number in range(5)]
    yield Case(
        "five passphrase slots", made.resealed(five), MALFORMED, "S-17", open=opening(Passphrase("passphrase 0"))
    )
    for name, target in (("a key", KEY), ("a passphrase", OTHER_PASSPHRASE), ("a recipient", IDENTITY.recipient)):
        several = [made.slot(PASSPHRASE, 1, sole=True), made.slot(target, 2)]
        yield Case(f"a sole slot beside {name}", made.resealed(several), MALFORMED, "S-18", open=how)
    several = [made.slot(PASSPHRASE, 1, sole=True), Slot(16)]
    yield Case("a sole slot beside an unknown one", made.resealed(several), MALFORMED, "S-18", open=how)
    chance = made.chance
    for name, mark in (("a passphrase key file", 2), ("both kinds", 3)):
        slot = passphrase_slot(PASSPHRASE, chance.data_key, chance.file_id, one.nonce, one.salt, mark)
        yield Case(f"the slot of {name} in a sealed file", made.resealed([slot]), MALFORMED, "S-65", open=how)


def wrong_keys() -> Iterator[Case]:
    """Steps 5 and 6."""
    every = Made.make("every kind", pattern(17), [KEY, PASSPHRASE, IDENTITY.recipient])
    for name, how in (
        ("another key", opening(OTHER_KEY)),
        ("another passphrase", opening(OTHER_PASSPHRASE)),
        ("a passphrase with a space more", opening(Passphrase("correct horse battery staple "))),
        ("another identity", opening(OTHER_IDENTITY)),
        ("wrong ones of every kind", opening(OTHER_KEY, OTHER_IDENTITY, OTHER_PASSPHRASE)),
        ("the identity's bytes as a key", opening(RawKey(IDENTITY.data))),
        ("the data key as a key", opening(RawKey(every.chance.data_key))),
    ):
        yield Case(f"no slot fits: {name}", every.data, NO_KEY, "S-31", open=how)
    yield Case("no keys at all", every.data, NO_KEY, "S-31", open={"keys": []})
    nothing = ONE.resealed([Slot(16), Slot(1, 1)])
    yield Case("none but unknown slots", nothing, NO_KEY, "S-31")
    first = ONE.slots()[0]
    spoilt = dataclasses.replace(first, commitment=fixed("commitment"))
    yield Case("a commitment that does not fit, over a data key that does", ONE.resealed([spoilt]), NO_KEY, "S-15")
    made = Made.make("sole", pattern(17), [PASSPHRASE])
    slot = dataclasses.replace(made.slots()[0], reserved=0)
    yield Case("the mark of a sole slot removed", made.resealed([slot]), NO_KEY, "S-15", open=opening(PASSPHRASE))
    slot = dataclasses.replace(made.slot(PASSPHRASE, 3), reserved=SOLE)
    yield Case("the mark of a sole slot planted", made.resealed([slot]), NO_KEY, "S-15", open=opening(PASSPHRASE))
    foreign = THREE.slots()[0]
    yield Case("the slot of another file", ONE.resealed([foreign]), NO_KEY, "S-15")
    for name, share, secret in noncanonical_shares():
        yield Case(f"a share that is {name}", with_share(share, secret), NO_KEY, "S-22", open=opening(IDENTITY))
    for name, spoilt in (
        ("the data key", dataclasses.replace(first, wrapped=fixed("wrapped", 48))),
        ("the last bit of the tag", dataclasses.replace(first, wrapped=flip(first.wrapped))),
        ("the nonce", dataclasses.replace(first, nonce=flip(first.nonce))),
    ):
        yield Case(f"tampered with: {name}", ONE.resealed([spoilt]), DAMAGED, "S-32")
    pair = Made.make("two passphrases", pattern(17), [PASSPHRASE, OTHER_PASSPHRASE])
    how = opening(PASSPHRASE, OTHER_PASSPHRASE)
    for name, limits in (
        ("passes", {"passphrasePasses": 0}),
        ("memory", {"passphraseMemory": 8_191}),
        ("the sum of all attempts", {"passphraseTotal": 32_767}),
    ):
        yield Case(f"passphrases beyond a limit: {name}", pair.data, LIMIT, "S-20", open=how | {"limits": limits})
    for name, passes, memory in (
        ("4 passes", 4, 8),
        ("256 MiB and 1 KiB", 1, 262_145),
        ("all there is", 2**32 - 1, 2**32 - 1),
    ):
        slot = dataclasses.replace(pair.slots()[0], first=passes, second=memory)
        data = pair.resealed([slot])
        yield Case(f"a slot that asks for {name}", data, LIMIT, "S-20", open=opening(PASSPHRASE))
    costly = [dataclasses.replace(slot, first=3, second=262_144) for slot in pair.slots() * 2]
    yield Case(
        "four slots of 3 passes over 256 MiB for two passphrases", pair.resealed(costly), LIMIT, "S-20", open=how
    )


def flip(data: bytes) -> bytes:
    return data[:-1] + bytes([data[-1] ^ 1])


def noncanonical_shares() -> Iterator[tuple[str, bytes, bytes]]:
    """Shares that are not in their only valid form, with the secrets that they lead to."""
    recipient = IDENTITY.recipient.data
    yield "p + 9, which stands for the base point", (PRIME + 9).to_bytes(32, "little"), recipient
    ephemeral = fixed("ephemeral secret")
    share = bytearray(x25519_public(ephemeral))
    share[31] |= 0x80
    yield "a point with the highest bit set", bytes(share), x25519(ephemeral, recipient) or b""
    yield "zero", bytes(32), bytes(32)
    yield "one", b"\1" + bytes(31), bytes(32)
    yield "p, which stands for zero", PRIME.to_bytes(32, "little"), bytes(32)


def with_share(share: bytes, secret: bytes) -> bytes:
    """A file with an X25519 slot of a share, made by a forger who knows the shared secret."""
    made = ONE
    recipient = IDENTITY.recipient.data
    file_id = made.chance.file_id
    key = blake2b(32, u64(20) + b"keepsake.seal/x25519" + share + recipient + file_id, secret)
    slot = Slot(RECIPIENT, hint=fixed("hint", 8), salt=share)
    return made.resealed([slot.wrapping(made.chance.data_key, key, file_id, fixed("nonce", 24))])


def authentication() -> Iterator[Case]:
    """Steps 7 to 9."""
    header = THREE.preamble.header_length
    fixed_check = THREE.flipped(header - 48, check=True)
    yield Case("the MAC, by whoever has no key", fixed_check, DAMAGED, "S-33")
    yield Case("the public metadata, by whoever has no key", THREE.flipped(slot_at(1), check=True), DAMAGED, "S-33")
    planted = bytearray(THREE.resealed([*THREE.slots(), THREE.slot(OTHER_KEY)]))
    end = header + 192
    planted[end - 48 : end - 16] = fixed("MAC")
    planted[end - 16 : end] = blake2b(16, bytes(planted[: end - 16]))
    yield Case("a slot planted by whoever has no key", bytes(planted), DAMAGED, "S-33")
    unsigned = bytearray(SIGNED.data[: SIGNED.preamble.trailer_at])
    unsigned[11] = 0
    at = SIGNED.preamble.header_length
    unsigned[at - 16 : at] = blake2b(16, bytes(unsigned[: at - 16]))
    yield Case("the signature removed by whoever has no key", bytes(unsigned), DAMAGED, "S-33")
    shorter = bytearray(THREE.data[: THREE.chunk_at(2)])
    shorter[32:40] = u64(8_192)
    shorter[header - 16 : header] = blake2b(16, bytes(shorter[: header - 16]))
    yield Case("the last chunk removed by whoever has no key", bytes(shorter), DAMAGED, "S-33")
    own = Made.make("context", pattern(17), context=b"com.example.notes")
    yield Case("another context", own.data, "contextMismatch", "S-34", open=opening(context=b"com.example.note".hex()))
    yield Case("no context", own.data, "contextMismatch", "S-34")
    yield Case("a context where there is none", ONE.data, "contextMismatch", "S-34", open=opening(context="00"))
    forged = ONE.patched((96, fixed("commitment")))
    yield Case("another commitment, by whoever has the data key", forged, "contextMismatch", "S-34")
    at = slot_at(1) + len(THREE.options.public_metadata)
    for name, place in (("nonce", at), ("ciphertext", at + 24), ("tag", header - 49)):
        forged = THREE.flipped(place, mac=True, check=True)
        yield Case(f"the encrypted metadata's {name}, by whoever has the data key", forged, DAMAGED, "S-35")
    for name, creator in (
        ("a byte that begins nothing", b"\x80"),
        ("a surrogate", b"\xed\xa0\x80"),
        ("a longer form than needed", b"\xc0\xaf"),
        ("beyond the last code point", b"\xf4\x90\x80\x80"),
        ("a character that is cut off", b"a\xe2\x82"),
    ):
        data = ONE.resealed(message=ONE.message(creator=creator))
        yield Case(f"a creator that is no UTF-8: {name}", data, MALFORMED, "S-23")
    for name, message in (
        ("shorter than the rest", ONE.message(creator=b"ab", stated=1)),
        ("longer than the rest", ONE.message(creator=b"ab", stated=3)),
        ("of 2^32 - 1 bytes", ONE.message(creator=b"ab", stated=2**32 - 1)),
        ("of 1025 bytes", ONE.message(creator=b"x" * 1025)),
    ):
        yield Case(f"a creator {name}", ONE.resealed(message=message), MALFORMED, "S-23")
    for length, payload in (
        (17, 19),
        (17, 16),
        (9, 11),
        (9, 16),
        (0, 1),
        (10, 9),
        (2**64 - 1, 17),
        (1_000, 1_000 + 25),
    ):
        made = Made.make(f"payload {length} {payload}", pattern(17))
        data = made.resealed(payload=bytes(payload), message=made.message(length=length))
        yield Case(f"a plaintext of {length} in a payload of {payload} bytes", data, MALFORMED, "S-24")


def chunks() -> Iterator[Case]:
    """Step 12, without a signature."""
    made = THREE

    def piece(index: int, of: Made = made) -> bytes:
        return of.data[of.chunk_at(index) : min(of.chunk_at(index + 1), of.preamble.trailer_at)]

    def with_chunks(*several: bytes) -> bytes:
        return made.data[: made.chunk_at(0)] + b"".join(several)

    for index in range(3):
        reads = [(0, 10_000), (0, 4_096), (4_096, 8_192), (8_192, 10_000), (4_095, 4_097)]
        yield Case(f"a bit of chunk {index}", made.flipped(made.chunk_at(index) + 3), CHUNK, "S-43", reads=reads)
    yield Case("a bit of a tag", made.flipped(made.chunk_at(1) - 1), CHUNK, "S-41")
    yield Case("the last bit of the file", made.flipped(-1, 7), CHUNK, "S-41")
    yield Case("two chunks exchanged", with_chunks(piece(1), piece(0), piece(2)), CHUNK, "S-41")
    yield Case("a chunk twice", with_chunks(piece(0), piece(0), piece(2)), CHUNK, "S-41")
    other = Made.make("other", pattern(10_000))
    yield Case("a chunk of another file", with_chunks(piece(0), piece(1, other), piece(2)), CHUNK, "S-41")
    schedule = made.schedule
    part = made.plaintext[8_192:]
    middle = seal_bytes(schedule.payload, schedule.chunk_nonce(2, False), b"", part)
    yield Case("a last chunk that is not sealed as the last", with_chunks(piece(0), piece(1), middle), CHUNK, "S-41")
    last = seal_bytes(schedule.payload, schedule.chunk_nonce(1, True), b"", made.plaintext[4_096:8_192])
    yield Case("a chunk in the middle that is sealed as the last", with_chunks(piece(0), last, piece(2)), CHUNK, "S-41")
    shorter = bytearray(made.resealed(payload=bytes(8_192), message=made.message(length=8_192)))
    shorter[made.chunk_at(0) :] = piece(0) + piece(1)
    yield Case("the last chunk removed by whoever has the data key", bytes(shorter), CHUNK, "S-41")
    longer = bytearray(made.resealed(payload=bytes(12_289), message=made.message(length=12_289)))
    longer[made.chunk_at(0) :] = piece(0) + piece(1) + piece(1) + piece(2)[: 1 + TAG]
    yield Case("a chunk added by whoever has the data key", bytes(longer), CHUNK, "S-41", reads=[(0, 8_192)])
    empty = Made.make("empty", b"")
    yield Case("a bit of the one chunk of an empty plaintext", empty.flipped(-1), CHUNK, "S-51", reads=[(0, 0)])
    for length in (9, 5_000):
        padded = Made.make(f"padding of {length}", pattern(length), padded=True)
        whole = padded.plaintext + bytes(padded_length(length) - length - 1) + b"\1"
        yield Case(f"padding that is not zero after {length} bytes", padded.resealed(payload=whole), CHUNK, "S-25",
                   reads=[(0, 1)])  # fmt: skip
    yield Case("no bytes of a damaged file", made.flipped(made.chunk_at(0)), CHUNK, "S-50",
               reads=[(0, 0), (10_000, 10_000), (5_000, 5_000)])  # fmt: skip
    reads = [(0, 10_001), (10_001, 10_001), (10_001, 10_002), (2**62, 2**62 + 1), (9_999, 10_001), (0, 10_000)]
    yield Case("ranges that do not lie within the plaintext", made.data, "opened", "S-49", reads=reads)
    how = opening(limits={"read": 100})
    limited = Made.make("limited", pattern(101))
    yield Case("more bytes than a read may have", limited.data, LIMIT, "S-48", open=how,
               reads=[(0, 100), (1, 101), (0, 101), (0, 102)])  # fmt: skip


def forged_signature(name: str, label: str, of: Made, block: bytes) -> Case:
    """A file with another content of its signature block, sealed by a holder of the data key."""
    sealed = signature_block(of.schedule, of.chance.signature_nonce, block)
    return Case(name, of.data[:-168] + sealed, "invalidSignature", label, open=opening(signature="any"))


def signatures() -> Iterator[Case]:
    """Step 10."""
    how = opening(signature=[SIGNER])
    yield Case("not signed, a signer asked for", THREE.data, "signatureAbsent", "S-36", open=how)
    yield Case("not signed, any signer asked for", THREE.data, "signatureAbsent", "S-36", open=opening(signature="any"))
    at = len(SIGNED.data) - 168
    for name, place in (("nonce", at), ("ciphertext", at + 30), ("tag", -1)):
        data = SIGNED.flipped(place)
        yield Case(f"the signature block's {name}", data, "damagedSignature", "S-37", open=how)
    other = signed("another, signed", 10_000)
    block = SIGNED.data[:at] + other.data[-168:]
    yield Case("the signature block of another file", block, "damagedSignature", "S-37", open=how)
    untrusted = opening(signature=[OTHER_SIGNER])
    yield Case("signed by somebody else", SIGNED.data, "untrustedSigner", "S-39", open=untrusted)
    yield Case("nobody is trusted", SIGNED.data, "untrustedSigner", "S-39", open=opening(signature=[]))
    pieces = [
        SIGNED.data[SIGNED.chunk_at(i) : min(SIGNED.chunk_at(i + 1), SIGNED.preamble.trailer_at)] for i in range(3)
    ]
    _, content = tree([chunk_digest(index, piece) for index, piece in enumerate(pieces)])
    public, message = SIGNING_KEY.signer.data, SIGNED.message()
    schedule, preamble = SIGNED.schedule, SIGNED.preamble

    def signature(said: bytes, seed: bytes = SIGNING_KEY.data) -> bytes:
        return ed25519_sign(seed, said)

    right = statement(schedule, preamble, message, content, public)
    yield forged_signature("no signature", "S-38", SIGNED, content + public + bytes(64))
    yield forged_signature("somebody else's signature under the signer's name", "S-38", SIGNED,
                           content + public + signature(right, OTHER_SIGNING_KEY.data))  # fmt: skip
    stranger = OTHER_SIGNING_KEY.signer.data
    yield forged_signature("the signer's signature under somebody else's name", "S-38", SIGNED,
                           content + stranger + signature(right))  # fmt: skip
    wrong = statement(schedule, preamble, message, fixed("content"), public)
    yield forged_signature("a signature of another content", "S-38", SIGNED, content + public + signature(wrong))
    yield forged_signature("a content digest that is not the signed one", "S-38", SIGNED,
                           fixed("content") + public + signature(right))  # fmt: skip
    yield forged_signature("a signature of a statement without its label", "S-38", SIGNED,
                           content + public + signature(right[8:]))  # fmt: skip
    later = dataclasses.replace(SIGNED.options, generation=6)
    newer = dataclasses.replace(SIGNED, options=later)
    made = newer.resealed()
    yield Case(
        "another generation under an old signature",
        made[:-168] + SIGNED.data[-168:],
        "invalidSignature",
        "S-38",
        open=how,
    )
    made = SIGNED.resealed(message=SIGNED.message(creator=b"me"))
    yield Case(
        "another creator under an old signature", made[:-168] + SIGNED.data[-168:], "invalidSignature", "S-38", open=how
    )
    short = signed("padding, signed", 9)
    made = short.resealed(payload=pattern(9) + b"\0")
    yield Case(
        "padding added under an old signature", made[:-168] + short.data[-168:], "invalidSignature", "S-38", open=how
    )
    yield from careless(right, content, public)
    yield from digests(how)


def careless(right: bytes, content: bytes, public: bytes) -> Iterator[Case]:
    """Signatures that only a careless verifier accepts."""
    good = ed25519_sign(SIGNING_KEY.data, right)
    s = int.from_bytes(good[32:], "little") + curve.ORDER
    yield forged_signature(
        "an S not below the order", "S-1", SIGNED, content + public + good[:32] + s.to_bytes(32, "little")
    )
    scalar, eight = curve.secret(SIGNING_KEY.data), curve.torsion()
    nonce = int.from_bytes(fixed("signing nonce"), "little") % curve.ORDER
    twisted = curve.sign(scalar, public, right, nonce, eight)
    yield forged_signature(
        "an R that only the equation with the cofactor takes", "S-1", SIGNED, content + public + twisted
    )
    for name, small in (
        ("the neutral element", curve.encode(curve.IDENTITY)),
        ("a point of order 8", curve.encode(eight)),
        ("a point of order 2", curve.encode(curve.times(4, eight))),
    ):
        said = statement(SIGNED.schedule, SIGNED.preamble, SIGNED.message(), content, small)
        # With a public key of order 1, S B = R holds for every message; of order 8, for one nonce of eight.
        number = 1
        while True:
            r = curve.encode(curve.times(number, curve.BASE))
            k = curve.challenge(r, small, said)
            if k % 8 == 0 or name == "the neutral element":
                break
            number += 1
        yield forged_signature(f"the public key is {name}", "S-1", SIGNED,
                               content + small + r + number.to_bytes(32, "little"))  # fmt: skip
    neutral = (curve.PRIME + 1).to_bytes(32, "little")
    yield forged_signature("the public key is written as p + 1", "S-1", SIGNED,
                           content + neutral + curve.encode(curve.BASE) + (1).to_bytes(32, "little"))  # fmt: skip
    mixed = curve.encode(curve.add(curve.times(scalar, curve.BASE), eight))
    said = statement(SIGNED.schedule, SIGNED.preamble, SIGNED.message(), content, mixed)
    nonce = 1
    while curve.challenge(curve.encode(curve.times(nonce, curve.BASE)), mixed, said) % 8:
        nonce += 1
    twisted = curve.sign(scalar, mixed, said, nonce)
    yield forged_signature("the public key is beyond the subgroup", "S-1", SIGNED, content + mixed + twisted)
    s = curve.challenge(curve.encode(curve.IDENTITY), public, right) * scalar % curve.ORDER
    yield forged_signature("an R of small order", "S-1", SIGNED,
                           content + public + curve.encode(curve.IDENTITY) + s.to_bytes(32, "little"))  # fmt: skip


def digests(how: dict[str, Any]) -> Iterator[Case]:
    """Chunks and trailers that were exchanged below a signature."""
    p = SIGNED.preamble
    schedule = SIGNED.schedule
    forged = seal_bytes(schedule.payload, schedule.chunk_nonce(1, False), b"", bytes(4_096))
    data = bytearray(SIGNED.data)
    data[SIGNED.chunk_at(1) : SIGNED.chunk_at(2)] = forged
    reads = [(0, 4_096), (4_096, 4_097), (8_192, 10_000)]
    yield Case("a chunk exchanged by whoever has the data key", bytes(data), CHUNK, "S-42", open=how, reads=reads)
    yield Case("a chunk exchanged, and nobody asks for the signature", bytes(data), "opened", "S-44", reads=reads)
    data[p.trailer_at + 32 : p.trailer_at + 64] = chunk_digest(1, forged)
    yield Case(
        "a chunk exchanged together with its digest", bytes(data), "damagedSignature", "S-42", open=how, reads=reads
    )
    yield Case(
        "a digest in the trailer", SIGNED.flipped(p.trailer_at), "damagedSignature", "S-42", open=how, reads=reads
    )
    tall = signed("signed, 129 chunks", 128 * 4_096 + 1)
    at = tall.preamble.trailer_at
    for name, spoilt, code in (
        ("a chunk of 129", tall.flipped(tall.chunk_at(100)), CHUNK),
        ("a digest of level 0 of 129 chunks", tall.flipped(at + 32 * 128), "damagedSignature"),
        ("a node of level 1 of 129 chunks", tall.flipped(at + 32 * 129), "damagedSignature"),
    ):
        reads = [(524_288, 524_289), (0, 1), (409_600, 409_601)]
        yield Case(f"{name}, below a signature", spoilt, code, "S-42", open=how, reads=reads)


def stale() -> Iterator[Case]:
    """Step 11."""
    file = open_sealed(THREE.data, KEY)
    pin, header_pin = file.pin(), file.pin(content=False)

    def hexed(**others: Any) -> str:
        return dataclasses.replace(pin, **others).encode().hex()

    yield Case("at least a later generation", THREE.data, STALE, "S-40", open=opening(atLeast="6"))
    yield Case("at least the last generation", THREE.data, STALE, "S-40", open=opening(atLeast=str(2**64 - 1)))
    yield Case(
        "not before a pin of a later generation", THREE.data, STALE, "S-40", open=opening(notBefore=hexed(generation=6))
    )
    yield Case("a pin of the same generation and another file", THREE.data, STALE, "S-40",
               open=opening(notBefore=hexed(file_id=fixed("file id"))))  # fmt: skip
    yield Case(
        "a pin of another header", THREE.data, STALE, "S-40", open=opening(notBefore=hexed(header=fixed("header")))
    )
    yield Case(
        "exactly the pin of an older generation", THREE.data, STALE, "S-40", open=opening(exactly=hexed(generation=4))
    )
    yield Case(
        "exactly the pin of another header", THREE.data, STALE, "S-40", open=opening(exactly=hexed(header=fixed("h")))
    )
    changed = THREE.resealed([THREE.slot(KEY)])
    yield Case("the slots from before a key was removed", changed, STALE, "S-40", open=opening(notBefore=hexed()))
    yield Case("the slots from before, by a pin without content", changed, STALE, "S-40",
               open=opening(exactly=header_pin.encode().hex()))  # fmt: skip
    forged = THREE.resealed(payload=bytes(10_000))
    yield Case("other chunks under the same header", forged, STALE, "S-52", open=opening(exactly=hexed()))
    yield Case("other chunks under the same header, not before", forged, STALE, "S-52", open=opening(notBefore=hexed()))
    yield Case(
        "other chunks, by a pin without content",
        forged,
        "opened",
        "S-53",
        open=opening(exactly=header_pin.encode().hex()),
    )
    damaged = THREE.flipped(THREE.chunk_at(2))
    yield Case("a damaged chunk under a pin of the content", damaged, CHUNK, "S-52", open=opening(exactly=hexed()))
    own = open_sealed(SIGNED.data, KEY).pin().encode().hex()
    again = SIGNED.resealed(payload=bytes(10_000))
    yield Case("other content, signed anew under the same header", again, STALE, "S-52", open=opening(exactly=own))
    yield Case("the same, asked for the signature", again, STALE, "S-52", open=opening(exactly=own, signature=[SIGNER]))
    yield Case("a damaged signature block under a pin of the content", SIGNED.flipped(-1), "damagedSignature", "S-52",
               open=opening(exactly=own))  # fmt: skip
    chunk = bytearray(again[: SIGNED.preamble.trailer_at] + SIGNED.data[SIGNED.preamble.trailer_at :])
    yield Case("other chunks under the same trailer, by a pin", bytes(chunk), CHUNK, "S-52", open=opening(exactly=own))
    salvage = opening(salvage=True)
    header = THREE.preamble.header_length
    yield Case("no salvage of a damaged header", THREE.flipped(slot_at(0) + 60), DAMAGED, "S-55", open=salvage)
    yield Case("no salvage of a header that is cut off", THREE.data[: header - 1], "truncated", "S-55", open=salvage)
    cut = SIGNED.data[: SIGNED.preamble.trailer_at]
    how = opening(salvage=True, signature=[SIGNER])
    yield Case("no salvage for a signature without its trailer", cut, "truncated", "S-56", open=how)
    spoilt = SIGNED.flipped(-1)
    yield Case("no salvage for a damaged signature", spoilt, "damagedSignature", "S-56", open=how)


def broken() -> Iterator[Case]:
    """All of them."""
    for part in (preambles, lengths, headers, wrong_keys, authentication, chunks, signatures, stale):
        yield from part()
