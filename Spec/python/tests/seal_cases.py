"""The vectors of sealed files, and the fixed values that keep their bytes the same."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from keepsake.sealed import (
    Cost,
    Identity,
    Options,
    Passphrase,
    Randomness,
    RawKey,
    SigningKey,
    SlotRandomness,
    seal,
)
from keepsake.sealed.header import PREAMBLE, SLOT, Header, KeySchedule, Limits, Preamble, Slot
from keepsake.sealed.keys import Target, make_slot
from keepsake.sealed.primitives import TAG, blake2b
from keepsake.sealed.writer import assemble

CHEAP = Cost(1, 8)
"""The cheapest cost that a slot may state."""


def fixed(label: str, size: int = 32) -> bytes:
    """Bytes that look random and are always the same."""
    return blake2b(size, f"keepsake vectors: {label}".encode())


def pattern(length: int) -> bytes:
    """The plaintext of vectors: the byte at `i` is i + i / 256 + i / 65,536, without fractions, modulo 256."""
    row = bytes(range(256))
    parts: list[bytes] = []
    for number in range(-(-length // 256)):
        shift = (number + number // 256) % 256
        parts.append(row[shift:] + row[:shift])
    return b"".join(parts)[:length]


def stated(data: bytes) -> str | dict[str, int]:
    """Bytes in the form of vectors: hexadecimal, or a length of the pattern."""
    return {"pattern": len(data)} if len(data) > 4_000 and data == pattern(len(data)) else data.hex()


KEY = RawKey(fixed("raw key"))
OTHER_KEY = RawKey(fixed("other raw key"))
IDENTITY = Identity(fixed("identity"))
OTHER_IDENTITY = Identity(fixed("other identity"))
PASSPHRASE = Passphrase("correct horse battery staple", CHEAP)
OTHER_PASSPHRASE = Passphrase("Tr0ub4dor&3", CHEAP)
SIGNING_KEY = SigningKey(fixed("signing key"))
OTHER_SIGNING_KEY = SigningKey(fixed("other signing key"))


def keys(*several: RawKey | Passphrase | Identity) -> list[dict[str, str]]:
    """Keys as a vector names them."""
    names = {RawKey: "key", Passphrase: "passphrase", Identity: "identity"}
    return [{names[type(key)]: key.data.hex()} for key in several]


@dataclass
class Case:
    """Bytes, the inputs of a reader, and the expected outcome."""

    name: str
    data: bytes
    outcome: str = "opened"
    rule: str = "-"
    kind: str = "sealed file"
    open: dict[str, Any] = field(default_factory=lambda: {"keys": keys(KEY)})
    reads: list[tuple[int, int]] = field(default_factory=list)
    written: dict[str, Any] | None = None


def randomness(label: str, count: int) -> Randomness:
    """Fixed values in place of random ones."""
    return Randomness(
        fixed(f"data key of {label}"),
        fixed(f"file id of {label}"),
        [
            SlotRandomness(fixed(f"nonce {number} of {label}", 24), fixed(f"seed {number} of {label}"))
            for number in range(count)
        ],
        fixed(f"metadata nonce of {label}", 24),
        fixed(f"signature nonce of {label}", 24),
    )


def target_to_json(target: Target, chance: SlotRandomness) -> dict[str, Any]:
    """The description of a slot for a writer."""
    if isinstance(target, RawKey):
        return {"key": target.data.hex(), "nonce": chance.nonce.hex()}
    if isinstance(target, Passphrase):
        return {
            "passphrase": target.data.hex(),
            "passes": target.cost.passes,
            "memory": target.cost.memory,
            "nonce": chance.nonce.hex(),
            "salt": chance.seed[:16].hex(),
        }
    return {"recipient": target.data.hex(), "nonce": chance.nonce.hex(), "ephemeralSecret": chance.seed.hex()}


@dataclass
class Made:
    """A file with everything that it was made from, which a holder of its keys can use to forge."""

    label: str
    plaintext: bytes
    targets: Sequence[Target]
    options: Options
    chance: Randomness
    data: bytes

    @classmethod
    def make(cls, label: str, plaintext: bytes, targets: Sequence[Target] = (KEY,), **options: Any) -> Made:
        chosen = Options(**{"exponent": 12, "others_beside_passphrase": True} | options)
        chance = randomness(label, len(targets))
        return cls(label, plaintext, targets, chosen, chance, seal(plaintext, targets, chosen, randomness=chance))

    @property
    def written(self) -> dict[str, Any]:
        """The inputs with which a writer writes these bytes."""
        chosen, chance = self.options, self.chance
        return {
            "plaintextLength": len(self.plaintext),
            "context": stated(chosen.context),
            "publicMetadata": stated(chosen.public_metadata),
            "generation": str(chosen.generation),
            "creator": chosen.creator,
            "chunkSizeExponent": chosen.exponent,
            "padded": chosen.padded,
            "signingKey": chosen.signing_key.data.hex() if chosen.signing_key else None,
            "dataKey": chance.data_key.hex(),
            "fileID": chance.file_id.hex(),
            "metadataNonce": chance.metadata_nonce.hex(),
            "signatureNonce": chance.signature_nonce.hex() if chosen.signing_key else None,
            "slots": [target_to_json(t, c) for t, c in zip(self.targets, chance.slots, strict=True)],
        }

    def case(self, name: str, **others: Any) -> Case:
        """A vector whose bytes every writer must write."""
        return Case(name, self.data, written=self.written, **others)

    # For forgers

    @property
    def preamble(self) -> Preamble:
        return Preamble.decode(self.data[: PREAMBLE.size], Limits(payload=2**64))

    @property
    def header(self) -> Header:
        return Header.decode(self.preamble, self.data[: self.preamble.header_length])

    @property
    def schedule(self) -> KeySchedule:
        return self.header.schedule(self.chance.data_key, self.options.context)

    def chunk_at(self, index: int) -> int:
        return self.preamble.header_length + index * (self.preamble.chunk + TAG)

    def slots(self) -> list[Slot]:
        return self.header.slots

    def resealed(self, slots: Sequence[Slot] | None = None, message: bytes | None = None, **others: Any) -> bytes:
        """The file with other slots, other encrypted metadata or another payload, by a holder of its data key."""
        payload = others.pop("payload", None)
        if payload is None:
            payload = self.plaintext + bytes(self.preamble.payload - len(self.plaintext))
        if message is None:
            message = self.message()
        chosen = dataclasses.replace(self.options, **others)
        return assemble(payload, message, list(self.slots() if slots is None else slots), chosen, self.chance)

    def message(self, length: int | None = None, creator: bytes | None = None, stated: int | None = None) -> bytes:
        """The encrypted metadata's message, with other values."""
        raw = self.options.creator.encode() if creator is None else creator
        return b"".join(
            (
                (len(self.plaintext) if length is None else length).to_bytes(8, "little"),
                self.options.generation.to_bytes(8, "little"),
                (len(raw) if stated is None else stated).to_bytes(4, "little"),
                raw,
            )
        )

    def slot(self, target: Target, number: int = 40, sole: bool = False, mark: str = "") -> Slot:
        """Another slot of this file."""
        label = f"{self.label} {number} {mark}"
        return make_slot(
            target, self.chance.data_key, self.chance.file_id, fixed(f"nonce {label}", 24), fixed(f"seed {label}"), sole
        )

    def patched(self, *patches: tuple[int, bytes], mac: bool = True, check: bool = True) -> bytes:
        """The file with other bytes in its header or after it; the MAC and the check fit unless told not to."""
        data = bytearray(self.data)
        for at, new in patches:
            data[at : at + len(new)] = new
        end = self.preamble.header_length
        if mac:
            data[end - 48 : end - 16] = blake2b(32, bytes(data[: end - 48]), self.schedule.header)
        if check:
            data[end - 16 : end] = blake2b(16, bytes(data[: end - 16]))
        return bytes(data)

    def flipped(self, at: int, bit: int = 0, mac: bool = False, check: bool = False) -> bytes:
        """The file with one bit inverted; the MAC and the check stay as they were unless told to fit."""
        at %= len(self.data)
        return self.patched((at, bytes([self.data[at] ^ 1 << bit])), mac=mac, check=check)


def slot_at(number: int) -> int:
    """The offset of a slot."""
    return PREAMBLE.size + SLOT.size * number
