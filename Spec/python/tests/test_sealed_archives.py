"""Archives in sealed files, random files, files on the disk, and the command."""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import sys
import tempfile
import unittest
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

import worked_example
from random_content import ContentMaker
from seal_cases import CHEAP, IDENTITY, KEY, OTHER_KEY, SIGNING_KEY, fixed

import keepsake
from keepsake import Content, Field, Key, RawKey, Record, SealError, SealOptions, Value, tags
from keepsake.__main__ import main
from keepsake.sealed import Passphrase, encode_identity_file, encode_key_file, encode_signing_key_file
from keepsake.sealed.keys import Target

SEEDS = int(os.environ.get("KEEPSAKE_SEEDS", "200"))


class SealedArchives(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, name: str, data: bytes, mode: int = 0o600) -> str:
        path = self.folder / name
        path.write_bytes(data)
        path.chmod(mode)
        return str(path)

    def test_an_archive_is_loaded_with_a_key_and_not_without(self) -> None:
        data = keepsake.dump(worked_example.CONTENT)
        path = self.file("a", keepsake.seal(data, KEY, SealOptions(context=b"c")))
        archive = keepsake.load(path, KEY, context=b"c")
        self.assertEqual(archive.content(), keepsake.Archive(data).content())
        self.assertEqual(keepsake.load(path, KEY.data, context=b"c").archive_value("bundleVersion"), "11.0")
        for key, code in ((None, "noMatchingKey"), (OTHER_KEY, "noMatchingKey")):
            with self.assertRaises(SealError) as raised:
                keepsake.load(path, key)
            self.assertEqual(raised.exception.code, code)
        with self.assertRaises(SealError) as raised:
            keepsake.load(self.file("b", data), KEY)
        self.assertEqual(raised.exception.code, "notSealedFile")

    def test_a_large_archive_is_opened_where_it_is_asked(self) -> None:
        records = [Record("T", [Field(Key("text"), Value(tags.TAG_STRING, "x" * 1_000))]) for _ in range(5_000)]
        path = self.file("large", keepsake.seal(keepsake.dump(Content(records)), KEY))
        archive = keepsake.load(path, KEY)
        file = archive.data.file  # type: ignore[attr-defined]
        opened: set[int] = set()
        inner = file._sealed

        def sealed(index: int) -> bytes:
            opened.add(index)
            return bytes(inner(index))

        file._sealed = sealed
        self.assertEqual(archive.object(2_500)["text"].content, "x" * 1_000)
        self.assertGreater(file.preamble.chunks, 70)
        self.assertLessEqual(len(opened), 4)

    def test_rows_of_an_array_of_records(self) -> None:
        points = [Record("P", [Field(Key("x"), Value(0x1A, x)), Field(Key("y"), Value(0x1A, -x))]) for x in range(3)]
        array = Value(tags.TAG_ARRAY, [Value(tags.TAG_RECORD, point) for point in points])
        expected = [{"x": x, "y": -x} for x in range(3)]
        self.assertEqual(keepsake.rows(array), expected)

    def test_random_files_come_back(self) -> None:
        for seed in range(SEEDS):
            chance = random.Random(seed)
            plaintext = chance.randbytes(
                chance.choice((0, 1, 17, 4_095, 4_096, 4_097, 9_000, chance.randrange(70_000)))
            )
            keys = [RawKey(fixed(f"{seed} {n}")) for n in range(chance.randint(1, 3))]
            phrase = Passphrase(f"passphrase {seed}", CHEAP)
            targets: list[Target] = [*keys, *([phrase] if chance.random() < 0.3 else []), IDENTITY.recipient]
            options = SealOptions(
                chance.randbytes(chance.randrange(20)),
                chance.randbytes(chance.randrange(20)),
                chance.getrandbits(64),
                "x" * chance.randrange(10),
                chance.choice((12, 14, 16)),
                chance.random() < 0.5,
                SIGNING_KEY if chance.random() < 0.5 else None,
                True,
            )
            data = keepsake.seal(plaintext, targets, options)
            policy = "any" if options.signing_key else None
            own = [phrase] if phrase in targets and chance.random() < 0.5 else [IDENTITY]
            file = keepsake.open_sealed(data, own, context=options.context, signature=policy)  # type: ignore[arg-type]
            self.assertEqual(file.read(), plaintext)
            start = chance.randint(0, len(plaintext))
            end = chance.randint(start, len(plaintext))
            self.assertEqual(file.read(start, end), plaintext[start:end])
            self.assertEqual(b"".join(file.chunks()), plaintext)
            pin = file.pin()
            again = keepsake.open_sealed(data, keys, context=options.context, expecting=keepsake.Exactly(pin))
            self.assertEqual((again.freshness, again.read()), ("exact", plaintext))
            spoilt = bytearray(data)
            spoilt[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
            with contextlib.suppress(SealError):
                file = keepsake.open_sealed(bytes(spoilt), own, context=options.context)
                self.assertEqual(file.read(), plaintext)

    def test_a_random_archive_comes_back_through_a_sealed_file(self) -> None:
        for seed in range(20):
            content = ContentMaker(seed, objects=4, depth=2).content()
            path = self.file("r", keepsake.seal(keepsake.dump(content), KEY, SealOptions(exponent=12, padded=True)))
            archive = keepsake.load(path, KEY)
            self.assertEqual(archive.content(), content)
            self.assertIsNone(keepsake.verify(archive).rule)

    def test_key_files_are_their_owners_alone(self) -> None:
        data = encode_key_file(KEY)
        self.assertEqual(keepsake.read_key_file(self.file("key", data)), KEY)
        with self.assertRaises(SealError) as raised:
            keepsake.read_key_file(self.file("open", data, 0o640))
        self.assertEqual(raised.exception.code, "keyFileOpenPermissions")
        with self.assertRaises(SealError) as raised:
            keepsake.read_key_file(self.folder / "absent")
        self.assertEqual(raised.exception.code, "keyFileAbsent")
        (self.folder / "link").symlink_to(self.folder / "key")
        for path in (self.folder / "link", self.folder):
            with self.assertRaises(SealError) as raised:
                keepsake.read_key_file(path)
            self.assertEqual(raised.exception.code, "notRegularFile")
            with self.assertRaises(SealError) as raised:
                keepsake.open_sealed(path, KEY)
            self.assertEqual(raised.exception.code, "notRegularFile")

    def test_files_are_replaced_and_nothing_else_is_left(self) -> None:
        path = self.folder / "file"
        for data in (b"one", b"two"):
            keepsake.write_durably(path, data)
            self.assertEqual(path.read_bytes(), data)
        with self.assertRaises(FileExistsError):
            keepsake.write_durably(path, b"three", replacing=False)
        self.assertEqual([each.name for each in self.folder.iterdir()], ["file"])
        self.assertEqual(path.stat().st_mode & 0o777, 0o600)

    def run_command(self, *arguments: str) -> tuple[int, str]:
        output = io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            status = main(list(arguments))
        return status, output.getvalue()

    def test_the_command_seals_inspects_verifies_and_opens(self) -> None:
        archive = self.file("a", keepsake.dump(worked_example.CONTENT))
        key = ["--key-file", self.file("key", encode_key_file(KEY))]
        identity = ["--identity-file", self.file("identity", encode_identity_file(IDENTITY))]
        signing = self.file("signing", encode_signing_key_file(SIGNING_KEY))
        sealed, opened = str(self.folder / "sealed"), str(self.folder / "opened")
        recipient = str(IDENTITY.recipient)
        status, _ = self.run_command(
            "seal", archive, sealed, *key, "--recipient", recipient, "--signing-key-file", signing, "--padded"
        )
        self.assertEqual(status, 0)
        status, text = self.run_command("inspect", sealed)
        self.assertEqual((status, json.loads(text)["slots"]), (0, ["key", "recipient"]))
        status, text = self.run_command("verify", sealed, *identity, "--signer", str(SIGNING_KEY.signer))
        self.assertEqual(status, 0)
        self.assertIn("canonical", text)
        status, text = self.run_command("inspect", sealed, *key, "--signer", "any")
        self.assertIn(str(SIGNING_KEY.signer), text)
        self.assertIn('"objects"', text)
        self.assertEqual(self.run_command("open", sealed, *key, "-o", opened)[0], 0)
        self.assertEqual(Path(opened).read_bytes(), Path(archive).read_bytes())
        status, text = self.run_command("open", sealed, *key, "--context", "other", "-o", opened)
        self.assertEqual((status, "contextMismatch" in text), (1, True))


if __name__ == "__main__":
    unittest.main()
