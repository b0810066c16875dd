"""Each archive of the catalogue is canonical, and is the same after reading in any order, forward and from JSON."""

from __future__ import annotations

import io
import json
import sys
import unittest
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

from catalogue import catalogue

from keepsake import Archive, ForwardArchive, archive_to_json, content_from_json, dump, verify


class Catalogue(unittest.TestCase):
    def test_each_comes_back(self) -> None:
        names = set()
        for name, content in catalogue():
            with self.subTest(name=name):
                data = dump(content)
                archive = Archive(data)
                verdict = verify(archive)
                self.assertIsNone(verdict.rule, str(verdict))
                again = archive.content()
                self.assertEqual(again, content)
                self.assertEqual(dump(again), data)
                self.assertEqual(list(ForwardArchive(io.BytesIO(data))), content.objects)
                text = json.dumps(archive_to_json(archive))
                self.assertEqual(dump(content_from_json(json.loads(text))), data)
            names.add(name)
        self.assertGreaterEqual(len(names), 160)


if __name__ == "__main__":
    unittest.main()
