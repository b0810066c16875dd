"""The files of each release stay readable (Spec/versions.md)."""

from __future__ import annotations

import json
import sys
import unittest
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

import keepsake
from keepsake.jsonform import archive_to_json, content_from_json

FOLDER = Path(__file__).parents[2] / "Vectors" / "history"


class History(unittest.TestCase):
    def test_archives_of_each_release_are_canonical_and_written_again_as_they_were(self) -> None:
        releases = [folder for folder in sorted(FOLDER.iterdir()) if folder.is_dir()]
        self.assertTrue(releases)
        for release in releases:
            data = (release / "archive").read_bytes()
            archive = keepsake.Archive(data)
            self.assertEqual(str(keepsake.verify(archive)), "canonical")
            self.assertEqual(archive.archive_value("bundleVersion"), release.name)
            again = keepsake.dump(content_from_json(json.loads(json.dumps(archive_to_json(archive)))))
            self.assertEqual(again, data, release.name)

    def test_sealed_files_of_each_release_open_with_each_key(self) -> None:
        for release in sorted(folder for folder in FOLDER.iterdir() if folder.is_dir()):
            signer = keepsake.Signer.from_text((release / "signer").read_text().strip())
            keys = [
                keepsake.sealed.decode_key_file((release / "key").read_bytes()),
                keepsake.sealed.decode_identity_file((release / "identity").read_bytes()),
            ]
            for key in keys:
                file = keepsake.open_sealed(str(release / "sealed"), [key], context=b"history", signature=[signer])
                self.assertEqual(file.read(0, file.length), (release / "archive").read_bytes(), release.name)


if __name__ == "__main__":
    unittest.main()
