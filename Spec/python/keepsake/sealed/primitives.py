"""The functions of section 1 of Spec/seal.md, through PyNaCl on libsodium."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass

from nacl import bindings, exceptions

from .errors import SealError

TAG = 16
NONCE = 24
KEY = 32


def le64(number: int) -> bytes:
    """A number in 8 bytes."""
    return number.to_bytes(8, "little")


def lp(data: bytes | str) -> bytes:
    """Bytes, or the UTF-8 of a string, after their length."""
    raw = data.encode() if isinstance(data, str) else data
    return le64(len(raw)) + raw


def blake2b(size: int, message: bytes, key: bytes = b"") -> bytes:
    """BLAKE2b, keyed or not."""
    return hashlib.blake2b(message, digest_size=size, key=key).digest()


def same(one: bytes, other: bytes) -> bool:
    """True when two commitments or MACs are the same, in a time that does not depend on them."""
    return hmac.compare_digest(one, other)


def seal_bytes(key: bytes, nonce: bytes, data: bytes, message: bytes) -> bytes:
    """XChaCha20-Poly1305 with associated data."""
    return bindings.crypto_aead_xchacha20poly1305_ietf_encrypt(message, data, nonce, key)


def open_bytes(key: bytes, nonce: bytes, data: bytes, sealed: bytes) -> bytes | None:
    """The plaintext, or None if the tag does not verify."""
    if len(sealed) < TAG:
        return None
    try:
        return bindings.crypto_aead_xchacha20poly1305_ietf_decrypt(sealed, data, nonce, key)
    except exceptions.CryptoError:
        return None


@dataclass(frozen=True)
class Cost:
    """The cost of Argon2id: passes, and memory in KiB."""

    passes: int
    memory: int


STANDARD = Cost(3, 262_144)
CONSTRAINED = Cost(3, 65_536)


def argon2id(passphrase: bytes, salt: bytes, cost: Cost) -> bytes:
    """A key-encryption key of a passphrase."""
    try:
        return bindings.crypto_pwhash_alg(
            KEY, passphrase, salt, cost.passes, cost.memory * 1024, bindings.crypto_pwhash_ALG_ARGON2ID13
        )
    except (exceptions.RuntimeError, MemoryError) as error:
        raise SealError(
            "insufficientMemory", "", f"There is no memory for a passphrase of {cost.memory} KiB."
        ) from error


PRIME = 2**255 - 19


def is_canonical_point(point: bytes) -> bool:
    """True when a public key of X25519 is in its only valid form."""
    return len(point) == KEY and int.from_bytes(point, "little") < PRIME


def x25519(secret: bytes, point: bytes) -> bytes | None:
    """The shared secret, or None if it is zero."""
    try:
        return bindings.crypto_scalarmult(secret, point)
    except exceptions.RuntimeError:
        return None


def x25519_public(secret: bytes) -> bytes:
    """The public key of a secret key."""
    return bindings.crypto_scalarmult_base(secret)


def ed25519_public(seed: bytes) -> bytes:
    """The public key of a seed."""
    return bindings.crypto_sign_seed_keypair(seed)[0]


def ed25519_sign(seed: bytes, message: bytes) -> bytes:
    """The signature, 64 bytes."""
    _, secret = bindings.crypto_sign_seed_keypair(seed)
    return bindings.crypto_sign(message, secret)[:64]


def ed25519_verifies(public: bytes, signature: bytes, message: bytes) -> bool:
    """True when it is a signature of this key; libsodium checks everything that section 1 requires [S-1]."""
    try:
        bindings.crypto_sign_open(signature + message, public)
    except exceptions.BadSignatureError:
        return False
    return True


def is_signer(public: bytes) -> bool:
    """True when a public key of Ed25519 is canonical and of the subgroup of prime order."""
    return bindings.crypto_core_ed25519_is_valid_point(public)
