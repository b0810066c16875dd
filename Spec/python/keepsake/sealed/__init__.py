"""Sealed files, as Spec/seal.md states them."""

from .errors import SealError
from .header import Limits, padded_length
from .keyfiles import (
    decode_identity_file,
    decode_key_file,
    decode_passphrase_key_file,
    decode_signing_key_file,
    encode_identity_file,
    encode_key_file,
    encode_passphrase_key_file,
    encode_signing_key_file,
    read_identity_file,
    read_key_file,
    read_signing_key_file,
    write_durably,
)
from .keys import Identity, Passphrase, RawKey, Recipient, Signer, SigningKey
from .primitives import CONSTRAINED, STANDARD, Cost
from .reader import AtLeast, Exactly, NotBefore, Pin, Plaintext, SealedFile, Summary, open_sealed, summary
from .writer import Options, Randomness, SlotRandomness, seal

__all__ = [
    "CONSTRAINED",
    "STANDARD",
    "AtLeast",
    "Cost",
    "Exactly",
    "Identity",
    "Limits",
    "NotBefore",
    "Options",
    "Passphrase",
    "Pin",
    "Plaintext",
    "Randomness",
    "RawKey",
    "Recipient",
    "SealError",
    "SealedFile",
    "Signer",
    "SigningKey",
    "SlotRandomness",
    "Summary",
    "decode_identity_file",
    "decode_key_file",
    "decode_passphrase_key_file",
    "decode_signing_key_file",
    "encode_identity_file",
    "encode_key_file",
    "encode_passphrase_key_file",
    "encode_signing_key_file",
    "open_sealed",
    "padded_length",
    "read_identity_file",
    "read_key_file",
    "read_signing_key_file",
    "seal",
    "summary",
    "write_durably",
]
