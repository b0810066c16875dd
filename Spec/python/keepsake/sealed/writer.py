"""Sealing (Spec/seal.md, sections 3 to 6)."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from .errors import SealError
from .header import (
    DEFAULT_LIMITS,
    EXPONENTS,
    KeySchedule,
    Limits,
    Metadata,
    Preamble,
    Slot,
    chunk_count,
    padded_length,
)
from .keys import Passphrase, RawKey, Recipient, SigningKey, Target, make_slot
from .primitives import NONCE, blake2b, ed25519_sign, seal_bytes
from .reader import statement
from .tree import chunk_digest, tree

MAXIMUM_CREATOR = 1024
MAXIMUM_CONTEXT = 65_536
LAST_GENERATION = 2**64 - 1


def random(size: int) -> Callable[[], bytes]:
    return lambda: os.urandom(size)


@dataclass
class SlotRandomness:
    """The random bytes of a slot: `seed` is a salt of 16 bytes or an ephemeral secret; a raw key has no seed."""

    nonce: bytes = field(default_factory=random(NONCE))
    seed: bytes = field(default_factory=random(32))


@dataclass
class Randomness:
    """All random values of a file. Files with fixed values, for tests, must not contain secrets [S-101]."""

    data_key: bytes = field(default_factory=random(32), repr=False)
    file_id: bytes = field(default_factory=random(32))
    slots: list[SlotRandomness] = field(default_factory=list)
    metadata_nonce: bytes = field(default_factory=random(NONCE))
    signature_nonce: bytes = field(default_factory=random(NONCE))


@dataclass(frozen=True)
class Options:
    """The content of a file besides the plaintext, and its form."""

    context: bytes = b""
    public_metadata: bytes = b""
    generation: int = 0
    creator: str = ""
    exponent: int = 16
    padded: bool = False
    signing_key: SigningKey | None = None
    others_beside_passphrase: bool = False
    """True when a file with a passphrase may have other keys [S-104]."""


def check_targets(targets: Sequence[Target], options: Options) -> None:
    """Checks the rules of section 4 for writers."""
    if not 1 <= len(targets) <= 32:
        raise SealError("invalidKeys", "", "A file has 1 to 32 slots.")
    names = {(type(target), target.data) for target in targets}
    if len(names) != len(targets):
        raise SealError("invalidKeys", "S-102", "Two slots would be for one key.")
    passphrases = sum(isinstance(target, Passphrase) for target in targets)
    if passphrases > 4:
        raise SealError("invalidKeys", "", "A file has at most four passphrases.")
    if passphrases and len(targets) > 1 and not options.others_beside_passphrase:
        raise SealError("invalidKeys", "S-104", "Another key beside a passphrase has to be asked for.")


def check_options(options: Options, targets: Sequence[Target], length: int, limits: Limits) -> None:
    """Checks the bounds for writers."""
    if options.exponent not in EXPONENTS:
        raise SealError("invalidOptions", "", "The chunk size exponent is 12, 14, 16, 18 or 20.")
    if len(options.context) > MAXIMUM_CONTEXT or len(options.creator.encode()) > MAXIMUM_CREATOR:
        raise SealError("invalidOptions", "", "The context or the creator is too long.")
    if len(options.public_metadata) > 65_536 or not 0 <= options.generation <= LAST_GENERATION:
        raise SealError("invalidOptions", "", "The public metadata or the generation is out of range.")
    limits.check("payload", padded_length(length) if options.padded else length, "S-110")
    limits.check("public_metadata", len(options.public_metadata), "S-110")
    for target in targets:
        if isinstance(target, Passphrase):
            if target.cost.passes < 1 or target.cost.memory < 8:
                raise SealError("invalidOptions", "", "A passphrase costs at least 1 pass and 8 KiB.")
            limits.check("passphrase_passes", target.cost.passes, "S-110")
            limits.check("passphrase_memory", target.cost.memory * 1024, "S-110")


def seal(
    plaintext: bytes,
    targets: Target | bytes | Sequence[Target | bytes],
    options: Options | None = None,
    *,
    limits: Limits = DEFAULT_LIMITS,
    randomness: Randomness | None = None,
) -> bytes:
    """The bytes of a sealed file. A target of 32 bytes is a raw key."""
    options = options or Options()
    several = [targets] if isinstance(targets, RawKey | Passphrase | Recipient | bytes) else list(targets)
    wanted: list[Target] = [RawKey(each) if isinstance(each, bytes) else each for each in several]
    check_targets(wanted, options)
    check_options(options, wanted, len(plaintext), limits)
    chance = randomness or Randomness()
    sole = len(wanted) == 1 and isinstance(wanted[0], Passphrase)
    slots: list[Slot] = []
    for number, target in enumerate(wanted):
        own = chance.slots[number] if number < len(chance.slots) else SlotRandomness()
        slots.append(make_slot(target, chance.data_key, chance.file_id, own.nonce, own.seed, sole))
    payload = plaintext
    if options.padded:
        payload += bytes(padded_length(len(plaintext)) - len(plaintext))
    message = Metadata(len(plaintext), options.generation, options.creator).encode()
    return assemble(payload, message, slots, options, chance)


def assemble(payload: bytes, message: bytes, slots: list[Slot], options: Options, chance: Randomness) -> bytes:
    """A file from its parts, without checks, so that tests can also forge files."""
    signing_key = options.signing_key
    schedule = KeySchedule.derive(
        chance.data_key, options.context, options.exponent, signing_key is not None, chance.file_id,
        options.public_metadata,
    )  # fmt: skip
    preamble = Preamble(
        options.exponent, signing_key is not None, len(slots), len(options.public_metadata), len(message) + 40,
        len(payload), chance.file_id, schedule.commitment,
    )  # fmt: skip
    encrypted = chance.metadata_nonce + seal_bytes(schedule.metadata, chance.metadata_nonce, b"", message)
    header = finish_header(preamble, slots, options.public_metadata, encrypted, schedule)
    sealed = seal_chunks(payload, schedule, preamble.chunk)
    trailer = b""
    if signing_key is not None:
        levels, content = tree([chunk_digest(index, each) for index, each in enumerate(sealed)])
        public = signing_key.signer.data
        signature = ed25519_sign(signing_key.data, statement(schedule, preamble, message, content, public))
        trailer = b"".join(digest for level in levels for digest in level)
        trailer += signature_block(schedule, chance.signature_nonce, content + public + signature)
    return header + b"".join(sealed) + trailer


def finish_header(
    preamble: Preamble, slots: list[Slot], public: bytes, encrypted: bytes, schedule: KeySchedule
) -> bytes:
    """The header with its MAC and check."""
    data = preamble.encode() + b"".join(slot.encode() for slot in slots) + public + encrypted
    data += blake2b(32, data, schedule.header)
    return data + blake2b(16, data)


def seal_chunks(payload: bytes, schedule: KeySchedule, chunk: int) -> list[bytes]:
    """The sealed chunks (section 6)."""
    count = chunk_count(len(payload), chunk)
    return [
        seal_bytes(
            schedule.payload,
            schedule.chunk_nonce(index, index == count - 1),
            b"",
            payload[index * chunk : (index + 1) * chunk],
        )
        for index in range(count)
    ]


def signature_block(schedule: KeySchedule, nonce: bytes, content: bytes) -> bytes:
    """The last part of a trailer (section 6.3)."""
    return nonce + seal_bytes(schedule.signature, nonce, b"", content)


def next_generation(generation: int) -> int:
    """The next generation, never after the last one [S-106]."""
    if generation >= LAST_GENERATION:
        raise SealError("invalidOptions", "S-106", "There is no later generation.")
    return generation + 1
