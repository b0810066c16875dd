"""Keys, and the slots that are for them (Spec/seal.md, section 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from .errors import SealError
from .header import PASSPHRASE, RAW, RECIPIENT, SOLE, Limits, Slot
from .primitives import (
    KEY,
    STANDARD,
    Cost,
    argon2id,
    blake2b,
    ed25519_public,
    is_canonical_point,
    is_signer,
    lp,
    x25519,
    x25519_public,
)
from .texts import IDENTITY, RECIPIENT_TEXT, SIGNER, SIGNING_KEY

MAXIMUM_PASSPHRASE = 4096


def checked(data: bytes, what: str) -> bytes:
    """The same bytes, which must be 32."""
    if len(data) != KEY:
        raise SealError("invalidKeyLength", "", f"{what} has {KEY} bytes, not {len(data)}.")
    return bytes(data)


@dataclass(frozen=True)
class RawKey:
    """A key of 32 random bytes."""

    data: bytes = field(repr=False)

    def __post_init__(self) -> None:
        checked(self.data, "A raw key")

    def combined(self, other: RawKey) -> RawKey:
        """The combination of this key with another one (section 9.3)."""
        return RawKey(blake2b(KEY, lp("keepsake.seal/combined-key") + other.data, self.data))


@dataclass(frozen=True)
class Passphrase:
    """A passphrase that a person types, as UTF-8, with the cost for slots that are written."""

    text: str | bytes = field(repr=False)
    cost: Cost = STANDARD

    def __post_init__(self) -> None:
        if not 1 <= len(self.data) <= MAXIMUM_PASSPHRASE:
            raise SealError("invalidPassphrase", "", "A passphrase has 1 to 4096 bytes.")

    @property
    def data(self) -> bytes:
        return self.text.encode() if isinstance(self.text, str) else self.text


@dataclass(frozen=True)
class Recipient:
    """The public key of an identity."""

    data: bytes

    def __post_init__(self) -> None:
        checked(self.data, "A recipient")
        if not is_canonical_point(self.data) or x25519(bytes(range(KEY)), self.data) is None:
            raise SealError("invalidRecipient", "S-61", "These bytes are no public key of X25519.")

    @classmethod
    def from_text(cls, text: str) -> Recipient:
        return cls(RECIPIENT_TEXT.decode(text))

    def __str__(self) -> str:
        return RECIPIENT_TEXT.encode(self.data)


@dataclass(frozen=True)
class Identity:
    """A secret key of X25519."""

    data: bytes = field(repr=False)

    def __post_init__(self) -> None:
        checked(self.data, "An identity")

    @property
    def recipient(self) -> Recipient:
        return Recipient(x25519_public(self.data))

    @classmethod
    def from_text(cls, text: str) -> Identity:
        return cls(IDENTITY.decode(text))

    def text(self) -> str:
        """The text form, which is a secret."""
        return IDENTITY.encode(self.data)


@dataclass(frozen=True)
class Signer:
    """A public key of Ed25519."""

    data: bytes

    def __post_init__(self) -> None:
        checked(self.data, "A signer")
        if not is_signer(self.data):
            raise SealError("invalidSigner", "S-61", "These bytes are no public key of a signer.")

    @classmethod
    def from_text(cls, text: str) -> Signer:
        return cls(SIGNER.decode(text))

    def __str__(self) -> str:
        return SIGNER.encode(self.data)


@dataclass(frozen=True)
class SigningKey:
    """The seed of a key of Ed25519."""

    data: bytes = field(repr=False)

    def __post_init__(self) -> None:
        checked(self.data, "A signing key")

    @property
    def signer(self) -> Signer:
        return Signer(ed25519_public(self.data))

    @classmethod
    def from_text(cls, text: str) -> SigningKey:
        return cls(SIGNING_KEY.decode(text))

    def text(self) -> str:
        """The text form, which is a secret."""
        return SIGNING_KEY.encode(self.data)


Key: TypeAlias = RawKey | Passphrase | Identity
Target: TypeAlias = RawKey | Passphrase | Recipient


def as_keys(keys: Key | bytes | Iterable[Key | bytes]) -> list[Key]:
    """A list of keys, with a raw key for each 32 bytes."""
    several = [keys] if isinstance(keys, RawKey | Passphrase | Identity | bytes) else list(keys)
    return [RawKey(key) if isinstance(key, bytes) else key for key in several]


# Opening


def x25519_key(secret: bytes, point: bytes, share: bytes, recipient: bytes, file_id: bytes) -> bytes | None:
    """The key-encryption key of a recipient's slot, from either side."""
    shared = x25519(secret, point)
    if shared is None:
        return None
    return blake2b(KEY, lp("keepsake.seal/x25519") + share + recipient + file_id, shared)


def check_cost(slots: list[Slot], passphrases: int, limits: Limits) -> None:
    """Compares the cost of all passphrases with all slots with the limits [S-20]."""
    total = 0
    for slot in slots:
        memory = slot.cost.memory * 1024
        limits.check("passphrase_passes", slot.cost.passes, "S-20")
        limits.check("passphrase_memory", memory, "S-20")
        total += passphrases * slot.cost.passes * memory
    if slots and passphrases:
        limits.check("passphrase_total", total, "S-20")


def candidates(keys: list[Key], slots: list[Slot], file_id: bytes, limits: Limits) -> Iterable[tuple[int, bytes]]:
    """Each slot that was made for one of the keys, with its key-encryption key, in the order of step 5."""

    def fitting(type: int, derive: Callable[[Slot], bytes | None]) -> Iterable[tuple[int, bytes]]:
        for number, slot in enumerate(slots):
            if slot.known and slot.type == type:
                key = derive(slot)
                if key is not None and slot.commits_to(key, file_id):
                    yield number, key

    for raw in [key for key in keys if isinstance(key, RawKey)]:
        yield from fitting(RAW, lambda slot, raw=raw: raw.data)  # type: ignore[misc]
    for identity in [key for key in keys if isinstance(key, Identity)]:
        own = x25519_public(identity.data)

        def derive(slot: Slot, identity: Identity = identity, own: bytes = own) -> bytes | None:
            if not is_canonical_point(slot.salt):
                return None  # [S-22]
            return x25519_key(identity.data, slot.salt, slot.salt, own, file_id)

        yield from fitting(RECIPIENT, derive)
    passphrases = [key for key in keys if isinstance(key, Passphrase)]
    if passphrases:
        check_cost([slot for slot in slots if slot.known and slot.type == PASSPHRASE], len(passphrases), limits)
    for passphrase in passphrases:
        yield from fitting(
            PASSPHRASE,
            lambda slot, passphrase=passphrase: argon2id(passphrase.data, slot.salt[:16], slot.cost),  # type: ignore[misc]
        )


# Making slots


def passphrase_slot(
    passphrase: Passphrase, data_key: bytes, file_id: bytes, nonce: bytes, salt: bytes, mark: int
) -> Slot:
    """A passphrase slot; `mark` is the byte at offset 2."""
    cost = passphrase.cost
    blank = Slot(PASSPHRASE, reserved=mark, first=cost.passes, second=cost.memory, salt=salt[:16] + bytes(16))
    return blank.wrapping(data_key, argon2id(passphrase.data, salt[:16], cost), file_id, nonce)


def make_slot(target: Target, data_key: bytes, file_id: bytes, nonce: bytes, seed: bytes, sole: bool) -> Slot:
    """A slot for a key. `seed` is a passphrase's salt, or the ephemeral secret of an X25519 slot."""
    if isinstance(target, RawKey):
        return Slot(RAW).wrapping(data_key, target.data, file_id, nonce)
    if isinstance(target, Passphrase):
        return passphrase_slot(target, data_key, file_id, nonce, seed, SOLE if sole else 0)
    share = x25519_public(seed)
    key = x25519_key(seed, target.data, share, target.data, file_id)
    if key is None:
        raise SealError("invalidRecipient", "", "The recipient is no public key that anything can be sealed for.")
    hint = blake2b(KEY, lp("keepsake.seal/recipient-hint") + file_id + target.data, data_key)[:8]
    return Slot(RECIPIENT, hint=hint, salt=share).wrapping(data_key, key, file_id, nonce)
