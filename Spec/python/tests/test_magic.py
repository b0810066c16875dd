"""The entry of Spec/magic, with `file` if it is installed."""

from __future__ import annotations

import shutil
import subprocess
import unittest
from pathlib import Path

SPEC = Path(__file__).parents[2]
VECTORS = SPEC / "Vectors"
SEALED, ARCHIVE = "application/vnd.keepsake.sealed", "application/vnd.keepsake.archive"
KNOWN = [
    ("sealed/every-kind-of-slot-opened-by-the-key.sealed", SEALED, "sealed file, version 1, slots 3, payload 17 bytes"),
    ("sealed/signed-4097-bytes.sealed", SEALED, "sealed file, version 1, signed, slots 1, payload 4097 bytes"),
    ("sealed/s-5-version-0.sealed", SEALED, "sealed file, draft"),
    ("archive/worked-example.archive", ARCHIVE, "archive, version 1"),
    ("sealed/key-file.keyfile", "application/vnd.keepsake.key", "key file"),
    (
        "sealed/passphrase-key-file-of-the-cheapest-cost.keyfile",
        "application/vnd.keepsake.key",
        "key file, for a passphrase, passes 1, 8 KiB",
    ),
    (
        "sealed/identity-file-as-writers-write-it.txt",
        "application/vnd.keepsake.identity",
        "identity file, ASCII text",
    ),
    ("sealed/signing-key-file.txt", "application/vnd.keepsake.signing-key", "signing key file, ASCII text"),
]


def told(path: str, *options: str) -> str:
    """The output of `file`."""
    command = ["file", "-b", "-m", str(SPEC / "magic" / "keepsake"), *options, str(VECTORS / path)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout.strip()


@unittest.skipUnless(shutil.which("file"), "file is not installed")
class Magic(unittest.TestCase):
    def test_each_kind_of_file_is_told(self) -> None:
        for path, media_type, text in KNOWN:
            with self.subTest(path=path):
                self.assertEqual(told(path), f"Keepsake {text}")
                self.assertEqual(told(path, "--mime-type"), media_type)

    def test_others_are_not(self) -> None:
        for path in ("sealed/s-10-another-magic-the-first-byte.sealed", "sealed/recipient-as-writers-write-it.txt"):
            self.assertNotIn("Keepsake", told(path))

    def test_the_entry_has_no_mistakes(self) -> None:
        command = ["file", "-C", "-m", str(SPEC / "magic" / "keepsake")]
        done = subprocess.run(command, cwd="/tmp", capture_output=True, text=True, timeout=60, check=False)
        Path("/tmp/keepsake.mgc").unlink(missing_ok=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
