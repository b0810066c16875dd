"""Recipients, identities, signers and signing keys as text (Spec/seal.md, section 9.1): Bech32m."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import SealError

ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
CONSTANT = 0x2BC830A3
GENERATOR = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)


def polymod(values: list[int]) -> int:
    """The checksum of BIP 173."""
    checksum = 1
    for value in values:
        top = checksum >> 25
        checksum = (checksum & 0x1FFFFFF) << 5 ^ value
        for bit, generator in enumerate(GENERATOR):
            if top >> bit & 1:
                checksum ^= generator
    return checksum


def expanded(prefix: str) -> list[int]:
    return [ord(letter) >> 5 for letter in prefix] + [0] + [ord(letter) & 31 for letter in prefix]


@dataclass(frozen=True)
class TextForm:
    """The text form of one kind of 32 bytes."""

    prefix: str
    upper: bool
    code: str

    @property
    def length(self) -> int:
        return len(self.prefix) + 1 + 52 + 6

    def encode(self, data: bytes) -> str:
        """The text, in the case that writers use."""
        number = int.from_bytes(data, "big") << 4
        values = [number >> 5 * (51 - place) & 31 for place in range(52)]
        checksum = polymod(expanded(self.prefix) + values + [0] * 6) ^ CONSTANT
        values += [checksum >> 5 * (5 - place) & 31 for place in range(6)]
        text = self.prefix + "1" + "".join(ALPHABET[value] for value in values)
        return text.upper() if self.upper else text

    def error(self, rule: str, message: str) -> SealError:
        return SealError(self.code, rule, message)

    def decode(self, text: str) -> bytes:
        """The bytes. Errors repeat no part of the text [S-62]."""
        stripped = text.strip(" \t\r\n")
        if stripped != stripped.lower() and stripped != stripped.upper():
            raise self.error("S-60", "The text mixes capitals and small letters.")
        lower = stripped.lower() if stripped.isascii() else stripped
        if not lower.startswith(self.prefix + "1"):
            raise self.error("S-61", f"The text does not begin with {self.prefix}1.")
        if len(lower) != self.length:
            raise self.error("S-61", f"The text has {len(lower)} characters, not {self.length}.")
        values: list[int] = []
        for place, letter in enumerate(lower[len(self.prefix) + 1 :], len(self.prefix) + 1):
            if letter not in ALPHABET:
                raise self.error("S-61", f"The character {place + 1} is none that such texts have.")
            values.append(ALPHABET.index(letter))
        if polymod(expanded(self.prefix) + values) != CONSTANT:
            raise self.error("S-61", "The checksum does not fit: the text has a mistake.")
        number = 0
        for value in values[:52]:
            number = number << 5 | value
        if number & 15:
            raise self.error("S-61", "The last bits of the text are not zero.")
        return (number >> 4).to_bytes(32, "big")


RECIPIENT_TEXT = TextForm("keepsake", False, "invalidRecipient")
IDENTITY = TextForm("keepsake-secret-key-", True, "invalidIdentity")
SIGNER = TextForm("keepsake-signer", False, "invalidSigner")
SIGNING_KEY = TextForm("keepsake-signing-key-", True, "invalidSigningKey")
