"""The worked example of Spec/seal.md, read and written."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

from seal_example import VALUES, block, texts

from keepsake.sealed import (
    Cost,
    Exactly,
    Identity,
    Options,
    Passphrase,
    Randomness,
    RawKey,
    Recipient,
    Signer,
    SigningKey,
    SlotRandomness,
    decode_key_file,
    decode_passphrase_key_file,
    encode_key_file,
    encode_passphrase_key_file,
    open_sealed,
    seal,
)
from keepsake.sealed.keys import make_slot
from keepsake.sealed.primitives import le64
from keepsake.sealed.tree import chunk_digest, tree

KEY = RawKey(VALUES["raw key"])
PLAINTEXT = b"Hello, Keepsake.\n"
CONTEXT = b"com.example.notes"
PHRASE = Passphrase("correct horse battery staple", Cost(3, 65_536))


def ending(name: str, changes: dict[int, bytes]) -> bytes:
    """A file from its end in the specification, and from its other differences from the first file, by offset."""
    data = bytearray(block("file")[:351])
    for offset, new in changes.items():
        data[offset : offset + len(new)] = new
    return bytes(data) + block(name)


PADDED = ending("padded-file", {32: b"\x0a"})
SIGNED = ending("signed-file", {11: b"\x01", 96: VALUES["its commitment"]})


def sealed(plaintext: bytes, **options: object) -> bytes:
    made = Options(context=CONTEXT, public_metadata=b"notes 1", generation=3, creator="keepsake", **options)  # type: ignore[arg-type]
    chance = Randomness(
        VALUES["data key"],
        VALUES["file id"],
        [SlotRandomness(VALUES["slot nonce"])],
        VALUES["metadata nonce"],
        VALUES["signature nonce"],
    )
    return seal(plaintext, KEY, made, randomness=chance)


class WorkedExample(unittest.TestCase):
    def test_files_are_written_as_they_stand_there(self) -> None:
        self.assertEqual(sealed(PLAINTEXT), block("file"))
        self.assertEqual(sealed(b"Keepsake!", padded=True), PADDED)
        self.assertEqual(sealed(PLAINTEXT, signing_key=SigningKey(VALUES["signing key"])), SIGNED)

    def test_files_open(self) -> None:
        file = open_sealed(block("file"), KEY, context=CONTEXT)
        self.assertEqual((file.read(), file.generation, file.creator), (PLAINTEXT, 3, "keepsake"))
        self.assertEqual(file.content_digest(), VALUES["content digest"])
        padded = open_sealed(PADDED, KEY, context=CONTEXT)
        self.assertEqual((padded.read(), padded.length), (b"Keepsake!", 9))
        signer = Signer(VALUES["signer"])
        signed = open_sealed(SIGNED, KEY, context=CONTEXT, signature=[signer])
        self.assertEqual((signed.read(), signed.signer), (PLAINTEXT, signer))
        self.assertEqual(signed.pin().encode(), block("pin"))
        again = open_sealed(SIGNED, KEY, context=CONTEXT, expecting=Exactly(signed.pin()))
        self.assertEqual((again.freshness, again.read()), ("exact", PLAINTEXT))

    def test_slots_are_made_as_they_stand_there(self) -> None:
        shared = VALUES["data key"], VALUES["file id"], VALUES["slot nonce"]
        self.assertEqual(make_slot(PHRASE, *shared, VALUES["salt"], False).encode(), block("passphrase-slot"))
        self.assertEqual(make_slot(PHRASE, *shared, VALUES["salt"], True).encode(), block("sole-slot"))
        recipient = Recipient(VALUES["recipient"])
        self.assertEqual(
            make_slot(recipient, *shared, VALUES["ephemeral secret"], False).encode(), block("x25519-slot")
        )

    def test_texts_and_key_files(self) -> None:
        recipient, identity = texts("texts")
        self.assertEqual(
            (str(Recipient(VALUES["recipient"])), Identity(VALUES["identity"]).text()), (recipient, identity)
        )
        self.assertEqual(Identity.from_text(identity.lower()).recipient, Recipient.from_text(recipient.upper()))
        signer, signing_key = texts("signing-texts")
        self.assertEqual(str(SigningKey.from_text(signing_key).signer), signer)
        self.assertEqual(encode_key_file(KEY), block("keyfile"))
        self.assertEqual(decode_key_file(block("keyfile")), KEY)
        file = encode_passphrase_key_file(KEY, PHRASE, VALUES["file id"], VALUES["slot nonce"], VALUES["salt"])
        self.assertEqual(file, block("passphrase-keyfile"))
        self.assertEqual(decode_passphrase_key_file(file, PHRASE), KEY)
        self.assertEqual(KEY.combined(RawKey(VALUES["data key"])).data, VALUES["combined key"])

    def test_long_trees(self) -> None:
        for count in (128, 129, 16_385):
            digests = [chunk_digest(index, le64(index)) for index in range(count)]
            self.assertEqual(tree(digests)[1], VALUES[f"{count} chunks"])


if __name__ == "__main__":
    unittest.main()
