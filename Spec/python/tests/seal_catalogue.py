"""Sealed files that can be opened: every slot, chunk size, length, padding and signature, and the other contents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

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
    keys,
    pattern,
    stated,
)

from keepsake.sealed import Cost, Identity, Passphrase, RawKey, open_sealed
from keepsake.sealed.header import Slot

SIGNER = SIGNING_KEY.signer.data.hex()
OTHER_SIGNER = OTHER_SIGNING_KEY.signer.data.hex()


def opening(*several: RawKey | Passphrase | Identity, **others: Any) -> dict[str, Any]:
    """The options that open a vector."""
    return {"keys": keys(*(several or (KEY,)))} | others


def signed(label: str, length: int, **options: Any) -> Made:
    """A signed file."""
    return Made.make(label, pattern(length), signing_key=SIGNING_KEY, **options)


def lengths() -> Iterator[Case]:
    """Lengths around the multiples of each chunk size."""
    around = {
        12: (0, 1, 2, 15, 16, 17, 4_095, 4_096, 4_097, 8_191, 8_192, 8_193, 12_288),
        14: (0, 1, 16_383, 16_384, 16_385, 32_768),
        16: (0, 1, 65_535, 65_536, 65_537),
        18: (0, 1, 262_145),
        20: (0, 1, 1_048_577),
    }
    for exponent, several in around.items():
        for length in several:
            name = f"{length} bytes in chunks of {1 << exponent}"
            yield Made.make(name, pattern(length), exponent=exponent).case(name)


def slots() -> Iterator[Case]:
    """Slots of every kind, many slots, and unknown ones."""
    recipient, other_recipient = IDENTITY.recipient, OTHER_IDENTITY.recipient
    sole = Made.make("sole passphrase", pattern(17), [PASSPHRASE])
    yield sole.case("sole passphrase", rule="S-19", open=opening(PASSPHRASE))
    yield Made.make("X25519", pattern(17), [recipient]).case("recipient", open=opening(IDENTITY))
    two = Made.make("two recipients", pattern(17), [recipient, other_recipient])
    yield two.case("two recipients, opened by the first", open=opening(IDENTITY))
    yield two.case("two recipients, opened by the second", open=opening(OTHER_IDENTITY))
    every = Made.make("every kind", pattern(17), [KEY, PASSPHRASE, recipient])
    yield every.case("every kind of slot, opened by the key", open=opening(KEY))
    yield every.case("every kind of slot, opened by the passphrase", open=opening(PASSPHRASE))
    yield every.case("every kind of slot, opened by the identity", open=opening(IDENTITY))
    yield every.case("keys are tried before identities and passphrases", open=opening(PASSPHRASE, IDENTITY, KEY))
    yield every.case("identities are tried before passphrases", open=opening(PASSPHRASE, IDENTITY))
    yield every.case("many wrong keys and a right one", open=opening(OTHER_KEY, OTHER_IDENTITY, OTHER_PASSPHRASE, KEY))
    yield every.case(
        "the cost of passphrases does not count when a key fits",
        open=opening(PASSPHRASE, KEY, limits={"passphraseMemory": 8_191}),
    )
    reverse = Made.make("reverse", pattern(17), [recipient, PASSPHRASE, KEY])
    yield reverse.case("slots in another order, all keys given", open=opening(PASSPHRASE, IDENTITY, KEY))
    pair = Made.make("two passphrases", pattern(17), [PASSPHRASE, OTHER_PASSPHRASE])
    yield pair.case("two passphrases, opened by the second", open=opening(OTHER_PASSPHRASE))
    four = [Passphrase(f"passphrase {number}", CHEAP) for number in range(4)]
    made = Made.make("four passphrases", pattern(17), four)
    yield made.case("four passphrases, opened by the last", open=opening(four[3]))
    many = [RawKey(fixed(f"key {number}")) for number in range(32)]
    made = Made.make("32 keys", pattern(17), many)
    yield made.case("32 keys, opened by the first", open=opening(many[0]))
    yield made.case("32 keys, opened by the last", open=opening(many[31]))
    people = [Identity(fixed(f"identity {number}")) for number in range(32)]
    made = Made.make("32 recipients", pattern(17), [each.recipient for each in people])
    yield made.case("32 recipients, opened by the last", open=opening(people[31]))
    for passes, memory in ((1, 9), (2, 8), (3, 16), (1, 1024)):
        name = f"passphrase of {passes} passes over {memory} KiB"
        phrase = Passphrase("correct horse battery staple", Cost(passes, memory))
        yield Made.make(name, pattern(17), [phrase]).case(name, open=opening(phrase))
    for name, text in (
        ("passphrase of 1 byte", b"x"),
        ("passphrase of 4096 bytes", b"ab" * 2048),
        ("passphrase that is no UTF-8", b"\xff\xfe\x00\x80"),
        ("passphrase of two code points that look like one", "e\u0301".encode()),
    ):
        phrase = Passphrase(text, CHEAP)
        yield Made.make(name, pattern(17), [phrase]).case(name, open=opening(phrase))
    base = Made.make("unknown slots", pattern(17))
    odd = {name: fixed(f"odd {name}", size) for name, size in (("hint", 8), ("salt", 32), ("padding", 32))}
    for name, slot in (
        ("a slot of type 16", Slot(16, 0, 9, 8, 7, 6, **odd)),
        ("a slot of type 4", Slot(4, 0, 0, 0, 0, 0, **odd)),
        ("a slot of type 255", Slot(255, 255, 65_535, 2**32 - 1, 2**32 - 1, 2**32 - 1, **odd)),
        ("a raw key's slot of version 1", Slot(1, 1, 1, 2, 3, 4, **odd)),
        ("a passphrase slot of version 1", Slot(2, 1, 0xFFFF, 0, 0, 1, **odd)),
        ("an X25519 slot of version 1", Slot(3, 1, 1, 1, 1, 1, **odd)),
    ):
        yield Case(f"skipped: {name}", base.resealed([slot, *base.slots()]), rule="S-14")
    four_and_one = [*made_slots(four), Slot(2, 1)]
    yield Case(
        "four passphrases and one of an unknown version",
        Made.make("four passphrases", pattern(17), four).resealed(four_and_one),
        rule="S-14",
        open=opening(four[0]),
    )
    spoilt = Made.make("tampered and whole", pattern(17), [KEY, recipient])
    first, second = spoilt.slots()
    broken = Slot(**vars(first) | {"wrapped": fixed("wrapped", 48)})
    yield Case(
        "a slot that was tampered with, and another that fits",
        spoilt.resealed([broken, second]),
        rule="S-32",
        open=opening(KEY, IDENTITY),
    )
    again = spoilt.slot(KEY, 41)
    yield Case(
        "a slot that was tampered with, and a second for the same key", spoilt.resealed([broken, again]), rule="S-32"
    )


def made_slots(targets: list[Passphrase]) -> list[Slot]:
    return Made.make("four passphrases", pattern(17), targets).slots()


def padding() -> Iterator[Case]:
    """Files in which padding adds nothing, little, or a whole chunk."""
    for length in (0, 1, 2, 3, 7, 8, 9, 17, 100, 255, 256, 257, 1_000, 4_095, 4_096, 4_097, 5_000, 8_192, 9_000):
        name = f"padded, {length} bytes"
        yield Made.make(name, pattern(length), padded=True).case(name)
    name = "padded, with a chunk of nothing but padding"
    made = Made.make(name, pattern(262_145), padded=True)
    yield made.case(name, reads=[(262_144, 262_145), (0, 1)])
    spoilt = bytearray(made.data)
    spoilt[made.chunk_at(65) + 5] ^= 1
    reads = [(262_144, 262_145)]
    yield Case("a damaged chunk of padding need not be opened", bytes(spoilt), reads=reads)
    yield signed("padded and signed", 9_000, padded=True).case("padded and signed", open=opening(signature=[SIGNER]))
    yield Made.make("padded, sole", pattern(17), [PASSPHRASE], padded=True).case(
        "padded, for a passphrase", open=opening(PASSPHRASE)
    )


def beside() -> Iterator[Case]:
    """Context, public metadata, creator and generation at their extremes."""
    for name, context in (("context", b"com.example.notes"), ("context of one zero byte", b"\0")):
        yield Made.make(name, pattern(17), context=context).case(name, open=opening(context=context.hex()))
    name, longest = "context of 65536 bytes", pattern(65_536)
    yield Made.make(name, pattern(17), context=longest).case(name, open=opening(context=stated(longest)))
    for name, public in (
        ("public metadata of 1 byte", b"\n"),
        ("public metadata", b"notes 1"),
        ("public metadata that looks like a slot", bytes([1]) + bytes(191)),
        ("public metadata of 65536 bytes", pattern(65_536)),
    ):
        yield Made.make(name, pattern(17), public_metadata=public).case(name)
    name = "context and public metadata"
    made = Made.make(name, pattern(17), context=b"notes", public_metadata=b"notes")
    yield made.case(name, open=opening(context=b"notes".hex()))
    for name, creator in (
        ("creator", "keepsake 1.0"),
        ("creator of 1024 bytes", "x" * 1024),
        ("creator beyond the basic plane", "Kasten \U0001f5c4 \u00fc"),
        ("creator with a zero byte", "a\0b"),
    ):
        yield Made.make(name, pattern(17), creator=creator).case(name)
    for generation in (1, 2**32, 2**63 - 1, 2**63, 2**64 - 1):
        name = f"generation {generation}"
        yield Made.make(name, pattern(17), generation=generation).case(name)


def signatures() -> Iterator[Case]:
    """Signed files, opened with and without a required signature."""
    for length in (0, 1, 4_096, 4_097, 8_192):
        name = f"signed, {length} bytes"
        yield signed(name, length).case(name, open=opening(signature=[SIGNER]))
    made = signed("signed, policies", 5_000, generation=7, creator="x", public_metadata=b"p", context=b"c")
    context = b"c".hex()
    yield made.case("signed, nobody asks", open=opening(context=context))
    yield made.case("signed, any signer", open=opening(context=context, signature="any"))
    yield made.case("signed, one of two signers", open=opening(context=context, signature=[OTHER_SIGNER, SIGNER]))
    name = "signed, 129 chunks"
    tall = signed(name, 128 * 4_096 + 1)
    yield tall.case(name, open=opening(signature=[SIGNER]), reads=[(0, 1), (524_287, 524_289), (524_288, 524_289)])
    sole = signed("signed, sole", 17, targets=[PASSPHRASE])
    yield sole.case("signed, for a passphrase", open=opening(PASSPHRASE, signature=[SIGNER]))
    people = signed("signed, people", 17, targets=[IDENTITY.recipient, OTHER_IDENTITY.recipient])
    yield people.case("signed, for two recipients", open=opening(OTHER_IDENTITY, signature=[SIGNER]))
    spoilt = bytearray(made.data)
    spoilt[-1] ^= 1
    yield Case("a damaged signature that nobody asks for", bytes(spoilt), open=opening(context=context), rule="S-37")
    spoilt = bytearray(made.data)
    spoilt[made.preamble.trailer_at] ^= 1
    yield Case("a damaged digest that nobody asks for", bytes(spoilt), open=opening(context=context), rule="S-42")
    again = made.resealed(made.slots()[:0] + [made.slot(OTHER_KEY)])
    yield Case(
        "a signature stays valid when the slots change",
        again,
        open=opening(OTHER_KEY, context=context, signature="any"),
    )


def freshness() -> Iterator[Case]:
    """Expectations that are met."""
    made = Made.make("fresh", pattern(5_000), generation=5)
    file = open_sealed(made.data, KEY)
    pin, header_pin = file.pin().encode().hex(), file.pin(content=False).encode().hex()
    for generation in (0, 4, 5):
        yield made.case(f"at least generation {generation}", open=opening(atLeast=str(generation)))
    yield made.case("not before its own pin", open=opening(notBefore=pin))
    yield made.case("not before its own pin without content", open=opening(notBefore=header_pin))
    yield made.case("exactly its pin", open=opening(exactly=pin), reads=[(4_096, 5_000)])
    yield made.case("exactly its pin without content", open=opening(exactly=header_pin))
    older = open_sealed(Made.make("older", b"older", generation=4).data, KEY).pin().encode().hex()
    yield made.case("not before the pin of an older file", open=opening(notBefore=older))
    own = signed("fresh and signed", 5_000, generation=5)
    pin = open_sealed(own.data, KEY).pin().encode().hex()
    yield own.case("signed, exactly its pin, nobody asks for the signature", open=opening(exactly=pin))
    yield own.case("signed, exactly its pin and a signer", open=opening(exactly=pin, signature=[SIGNER]))
    yield own.case("signed, not before its pin", open=opening(notBefore=pin, signature="any"))


def reading() -> Iterator[Case]:
    """Parts, limits at their bounds, and the rest of damaged files."""
    made = Made.make("ranges", pattern(10_000))
    yield made.case(
        "ranges",
        reads=[(0, 0), (0, 1), (4_095, 4_097), (4_096, 8_192), (8_192, 10_000), (9_999, 10_000), (10_000, 10_000),
               (0, 10_000)],
    )  # fmt: skip
    yield made.case(
        "limits at their bounds",
        open=opening(
            limits={"slots": 1, "publicMetadata": 0, "encryptedMetadata": 60, "payload": 10_000, "read": 10_000}
        ),
    )
    phrases = [PASSPHRASE, OTHER_PASSPHRASE]
    two = Made.make("two passphrases", pattern(17), phrases)
    limits = {"passphraseMemory": 8_192, "passphrasePasses": 1, "passphraseTotal": 32_768}
    yield two.case("limits of passphrases at their bounds", open=opening(OTHER_PASSPHRASE, PASSPHRASE, limits=limits))
    salvage = opening(salvage=True)
    yield Case("salvage of a whole file", made.data, open=salvage)
    for name, data in (
        ("salvage of a file that is cut off in its last chunk", made.data[:-1]),
        ("salvage of a file that is cut off in its first chunk", made.data[: made.chunk_at(0) + 10]),
        ("salvage of a file that is cut off after a chunk", made.data[: made.chunk_at(2)]),
        ("salvage of a file with more bytes", made.data + bytes(100)),
    ):
        yield Case(name, data, open=salvage, rule="S-54")
    spoilt = bytearray(made.data)
    spoilt[made.chunk_at(1)] ^= 1
    yield Case("salvage of a file with a damaged chunk", bytes(spoilt), open=salvage, rule="S-54")
    own = signed("salvage, signed", 10_000)
    spoilt = bytearray(own.data)
    spoilt[own.chunk_at(2)] ^= 1
    yield Case("salvage of a signed file", bytes(spoilt), open=opening(salvage=True, signature="any"), rule="S-54")
    yield Case(
        "salvage of a signed file without its trailer", own.data[: own.preamble.trailer_at], open=salvage, rule="S-54"
    )
    tall = signed("signed, 129 chunks", 128 * 4_096 + 1)
    at, how = tall.preamble.trailer_at, opening(salvage=True, signature="any")
    for name, spoilt in (
        ("a damaged digest of level 0", tall.flipped(at + 32 * 128)),
        ("a damaged node of level 1", tall.flipped(at + 32 * 129)),
    ):
        yield Case(f"salvage of a signed file with {name} in its trailer", spoilt, open=how, rule="S-54")


def catalogue() -> Iterator[Case]:
    """All of them."""
    for part in (lengths, slots, padding, beside, signatures, freshness, reading):
        yield from part()
