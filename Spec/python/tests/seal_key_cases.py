"""Key files, identity files and text forms, whole and damaged (Spec/seal.md, section 9)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import ed25519_forging as curve
from seal_cases import IDENTITY, KEY, OTHER_IDENTITY, OTHER_PASSPHRASE, PASSPHRASE, SIGNING_KEY, Case, fixed

from keepsake.sealed import (
    encode_identity_file,
    encode_key_file,
    encode_passphrase_key_file,
    encode_signing_key_file,
)
from keepsake.sealed.header import OF_KEY_FILE, Slot
from keepsake.sealed.header import PASSPHRASE as PASSPHRASE_SLOT
from keepsake.sealed.keyfiles import PASSPHRASE_KEY_FILE
from keepsake.sealed.keys import passphrase_slot
from keepsake.sealed.primitives import PRIME, blake2b
from keepsake.sealed.texts import ALPHABET, CONSTANT, SIGNER, TextForm, expanded, polymod
from keepsake.sealed.texts import IDENTITY as IDENTITY_TEXT

FILE_ID, NONCE, SALT = fixed("file id of a key file"), fixed("nonce of a key file", 24), fixed("salt of a key file", 16)


def key_files() -> Iterator[Case]:
    """Section 9."""
    data = encode_key_file(KEY)
    kind = "key file"

    def case(name: str, data: bytes, outcome: str = "opened", rule: str = "-") -> Case:
        return Case(name, data, outcome, rule, kind, {})

    yield case("key file", data)
    yield case("key file of no bytes", b"", "keyFileWrongLength", "S-57")
    yield case("key file of 47 bytes", data[:-1], "keyFileWrongLength", "S-57")
    yield case("key file of 49 bytes", data + b"\n", "keyFileWrongLength", "S-57")
    yield case("key file of 32 bytes, the key alone", KEY.data, "keyFileWrongLength", "S-57")
    yield case("key file with another magic", b"\x89KSF" + data[4:], "notKeyFile", "S-57")
    yield case("key file with another magic and check", b"\x89KSF" + data[4:-1] + b"\0", "notKeyFile", "S-57")
    yield case("key file with a damaged key", data[:20] + b"\0" + data[21:], "keyFileDamaged", "S-57")
    yield case("key file with a damaged check", data[:-1] + bytes([data[-1] ^ 1]), "keyFileDamaged", "S-57")


def with_check(slot: Slot) -> bytes:
    """A passphrase key file with a slot, and a check that fits."""
    data = PASSPHRASE_KEY_FILE + FILE_ID + slot.encode()
    return data + blake2b(32, data)[:16]


def passphrase_key_files() -> Iterator[Case]:
    """Section 9.4."""
    data = encode_passphrase_key_file(KEY, PASSPHRASE, FILE_ID, NONCE, SALT)
    slot = passphrase_slot(PASSPHRASE, KEY.data, FILE_ID, NONCE, SALT, OF_KEY_FILE)

    def case(name: str, data: bytes, outcome: str, rule: str = "S-66", phrase: bytes = PASSPHRASE.data) -> Case:
        return Case(
            f"passphrase key file {name}", data, outcome, rule, "passphrase key file", {"passphrase": phrase.hex()}
        )

    def changed(**others: object) -> bytes:
        return with_check(dataclasses.replace(slot, **others))  # type: ignore[arg-type]

    yield case("of the cheapest cost", data, "opened", "-")
    yield case("of 247 bytes", data[:-1], "keyFileWrongLength")
    yield case("of 249 bytes", data + b"\0", "keyFileWrongLength")
    yield case("that is a key file", encode_key_file(KEY), "keyFileWrongLength")
    yield case("with another magic", b"\x89KSK" + data[4:], "notKeyFile")
    yield case("with a damaged slot", data[:100] + bytes([data[100] ^ 1]) + data[101:], "keyFileDamaged")
    yield case("with a damaged check", data[:-1] + bytes([data[-1] ^ 1]), "keyFileDamaged")
    unkeyed = data[:-16] + blake2b(16, data[:-16])
    yield case("with BLAKE2b-16 as its check", unkeyed, "keyFileDamaged")
    for number, name in ((0, "type 0"), (1, "a raw key"), (3, "X25519"), (16, "an unknown type")):
        yield case(f"with a slot of {name}", changed(type=number), "keyFileDamaged")
    yield case("with a slot of version 1", changed(version=1), "keyFileDamaged")
    for name, mark in (("of a sealed file", 0), ("that is sole", 1), ("of both kinds", 3)):
        other = passphrase_slot(PASSPHRASE, KEY.data, FILE_ID, NONCE, SALT, mark)
        yield case(f"with a slot {name}", with_check(other), "keyFileDamaged", "S-65")
    other = passphrase_slot(PASSPHRASE, KEY.data, FILE_ID, NONCE, SALT, 0)
    planted = dataclasses.replace(other, reserved=OF_KEY_FILE)
    yield case("with the mark planted", with_check(planted), "noMatchingKey")
    yield case("with a reserved bit", changed(reserved=OF_KEY_FILE | 4), "keyFileDamaged")
    yield case("with a hint", changed(hint=b"\1" + bytes(7)), "keyFileDamaged")
    yield case("with a longer salt", changed(salt=SALT + b"\1" + bytes(15)), "keyFileDamaged")
    yield case("with padding that is not zero", changed(padding=bytes(31) + b"\1"), "keyFileDamaged")
    yield case("of no passes", changed(first=0), "keyFileDamaged")
    yield case("of 7 KiB", changed(second=7), "keyFileDamaged")
    yield case("of 4 passes", changed(first=4), "limitExceeded")
    yield case("of 256 MiB and 1 KiB", changed(second=262_145), "limitExceeded")
    yield case("and another passphrase", data, "noMatchingKey", phrase=OTHER_PASSPHRASE.data)
    yield case("with another file id", data[:8] + fixed("other id") + data[40:-16] + blake2b(
        32, data[:8] + fixed("other id") + data[40:-16])[:16], "noMatchingKey")  # fmt: skip
    yield case("whose key does not unwrap", changed(wrapped=fixed("wrapped", 48)), "keyFileDamaged")
    assert slot.type == PASSPHRASE_SLOT


def checked(prefix: str, values: list[int]) -> str:
    """A text with a checksum that fits."""
    checksum = polymod(expanded(prefix) + values + [0] * 6) ^ CONSTANT
    values = values + [checksum >> 5 * (5 - place) & 31 for place in range(6)]
    return prefix + "1" + "".join(ALPHABET[value] for value in values)


def texts() -> Iterator[Case]:
    """Section 9.1."""
    recipient, identity = str(IDENTITY.recipient), IDENTITY.text()
    signer, signing_key = str(SIGNING_KEY.signer), SIGNING_KEY.text()
    kinds = (("recipient", recipient), ("identity", identity), ("signer", signer), ("signing key", signing_key))
    codes = {"recipient": "invalidRecipient", "identity": "invalidIdentity", "signer": "invalidSigner",
             "signing key": "invalidSigningKey"}  # fmt: skip
    for kind, text in kinds:

        def case(name: str, text: str, rule: str, refused: bool = True, kind: str = kind) -> Case:
            outcome = codes[kind] if refused else "opened"
            return Case(f"{kind}: {name}", text.encode("utf-8"), outcome, rule, kind, {})

        other = text.swapcase()
        yield case("as writers write it", text, "-", False)
        yield case("in the other case", other, "S-59", False)
        yield case("between blanks", f" \t\r\n{text}\r\n", "S-59", False)
        middle = len(text) - 20
        yield case("in mixed case", text[:middle] + other[middle:], "S-60")
        for name, wrong in (
            ("no characters", ""),
            ("nothing but its prefix", text[: text.lower().index("1") + 1]),
            ("a character missing", text[:-1]),
            ("a character more", text + text[-1]),
            ("two characters exchanged", text[:-10] + text[-9] + text[-10] + text[-8:]),
            ("another character", text[:-10] + ("q" if text.islower() else "Q") + text[-9:]),
            ("a character that is none of Bech32", text[:-10] + ("b" if text.islower() else "B") + text[-9:]),
            ("a blank within", text[:-10] + " " + text[-9:]),
            ("a character beyond ASCII", text[:-10] + "\u00e9" + text[-9:]),
            ("the prefix of something else", "age" + text[3:]),
        ):
            yield case(name, wrong, "S-61")
        prefix = text.lower()[: text.lower().index("1", 8)]
        values = [ALPHABET.index(letter) for letter in text.lower()[len(prefix) + 1 : -6]]
        yield case("last bits that are not zero", checked(prefix, values[:-1] + [values[-1] | 1]), "S-61")
        bech32 = polymod(expanded(prefix) + values + [0] * 6) ^ 1
        first = values + [bech32 >> 5 * (5 - place) & 31 for place in range(6)]
        yield case("the checksum of Bech32", prefix + "1" + "".join(ALPHABET[v] for v in first), "S-61")
        yield case("31 bytes", checked(prefix, values[:50]), "S-61")
    for name, point in (
        ("zero", bytes(32)),
        ("a point of small order", b"\1" + bytes(31)),
        ("a number not below 2^255 - 19", (PRIME + 9).to_bytes(32, "little")),
        ("a number with the highest bit", IDENTITY.recipient.data[:31] + bytes([IDENTITY.recipient.data[31] | 128])),
    ):
        text = TextForm("keepsake", False, "").encode(point)
        yield Case(f"recipient: {name}", text.encode(), "invalidRecipient", "S-61", "recipient", {})
    eight = curve.torsion()
    mixed = curve.add(curve.times(curve.secret(SIGNING_KEY.data), curve.BASE), eight)
    for name, point in (
        ("the neutral element", curve.encode(curve.IDENTITY)),
        ("a point of order 8", curve.encode(eight)),
        ("a point beyond the subgroup", curve.encode(mixed)),
        ("not canonical", (PRIME + 3).to_bytes(32, "little")),
        ("no point of the curve", b"\2" + bytes(31)),
    ):
        yield Case(f"signer: {name}", SIGNER.encode(point).encode(), "invalidSigner", "S-61", "signer", {})


def identity_files() -> Iterator[Case]:
    """Section 9.2."""
    text = IDENTITY.text()
    assert IDENTITY_TEXT.decode(text) == IDENTITY.data
    kind, code = "identity file", "invalidIdentity"

    def case(name: str, data: bytes, rule: str = "-", refused: bool = False) -> Case:
        return Case(f"identity file: {name}", data, code if refused else "opened", rule, kind, {})

    line = text.encode()
    yield case("as writers write it", encode_identity_file(IDENTITY))
    yield case("without a comment", line + b"\n")
    yield case("without a line feed", line)
    yield case("line ends of another system", b"# mine\r\n\r\n" + line + b"\r\n")
    yield case("blanks around every line", b" \t# mine\n \t \n\t " + line + b" \t\r\n")
    yield case("a comment that is no UTF-8", b"#\xff\xfe\0\n" + line + b"\n")
    yield case("4096 bytes", b"#" + b"x" * (4096 - 2 - len(line)) + b"\n" + line)
    for name, data, rule in (
        ("no bytes", b"", "S-64"),
        ("4097 bytes", b"#" + b"x" * (4097 - 2 - len(line)) + b"\n" + line, "S-64"),
        ("nothing but a comment", b"# nothing\n", "S-63"),
        ("nothing but line feeds", b"\n\n", "S-63"),
        ("two identities", line + b"\n" + OTHER_IDENTITY.text().encode() + b"\n", "S-63"),
        ("the same identity twice", line + b"\n" + line + b"\n", "S-63"),
        ("two identities on a line", line + b" " + line + b"\n", "S-64"),
        ("a comment after the identity, on its line", line + b" # mine\n", "S-64"),
        ("a recipient", str(IDENTITY.recipient).encode() + b"\n", "S-64"),
        ("a line that is no UTF-8", b"\xff" + line + b"\n", "S-64"),
        ("a form feed after the identity", line + b"\x0c\n", "S-64"),
        ("a byte order mark", b"\xef\xbb\xbf" + line + b"\n", "S-64"),
    ):
        yield case(name, data, rule, refused=True)
    own = encode_signing_key_file(SIGNING_KEY)
    yield Case("signing key file", own, "opened", "-", "signing key file", {})
    yield Case("signing key file: an identity", encode_identity_file(IDENTITY), "invalidSigningKey", "S-64",
               "signing key file", {})  # fmt: skip
    yield Case("signing key file: no bytes", b"", "invalidSigningKey", "S-64", "signing key file", {})
    yield case("a signing key", own, "S-64", refused=True)


def key_cases() -> Iterator[Case]:
    """All of them."""
    for part in (key_files, passphrase_key_files, texts, identity_files):
        yield from part()
