"""Written archives are read back, are canonical, and are written again as the same bytes."""

from __future__ import annotations

import json
import os
import sys
import unittest
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

import worked_example  # noqa: E402
import write_example  # noqa: E402
from random_content import ContentMaker, large  # noqa: E402

from keepsake import (  # noqa: E402
    Archive,
    Canonicity,
    Content,
    archive_to_json,
    content_from_json,
    dump,
    verify,
)

SEEDS = int(os.environ.get("KEEPSAKE_SEEDS", "300"))


class RoundTrips(unittest.TestCase):
    def check(self, content: Content, seed: object) -> None:
        data = dump(content)
        archive = Archive(data)
        verdict = verify(archive)
        self.assertIsNone(verdict.rule, f"seed {seed}: {verdict}")
        again = archive.content()
        self.assertEqual(again, content, f"seed {seed}")
        self.assertEqual(dump(again), data, f"seed {seed}")
        for number in (1, archive.count, archive.count // 2 + 1):
            self.assertEqual(archive.object(number).record(), content.objects[number - 1])

    def test_random_contents(self) -> None:
        for seed in range(SEEDS):
            self.check(ContentMaker(seed).content(), seed)

    def test_random_contents_through_json(self) -> None:
        for seed in range(0, SEEDS, 3):
            data = dump(ContentMaker(seed).content())
            text = json.dumps(archive_to_json(Archive(data)))
            self.assertEqual(dump(content_from_json(json.loads(text))), data, f"seed {seed}")

    def test_several_segments(self) -> None:
        for seed in range(5):
            content = large(seed)
            self.assertGreater(Archive(dump(content)).segment_count, 1)
            self.check(content, seed)

    def test_unknown_kinds_are_told(self) -> None:
        verdicts = {seed % 5 == 0: set() for seed in (0, 1)}
        for seed in range(60):
            data = dump(ContentMaker(seed).content())
            verdicts[seed % 5 == 0].add(verify(Archive(data)).canonicity)
        self.assertEqual(verdicts[False], {Canonicity.CANONICAL})
        self.assertIn(Canonicity.UNKNOWN_KINDS, verdicts[True])


class WorkedExample(unittest.TestCase):
    def test_the_text_shows_the_bytes(self) -> None:
        text = write_example.SPECIFICATION.read_text()
        self.assertIn(f"```hex\n{write_example.example()}\n```", text)

    def test_the_example_is_canonical_and_comes_back(self) -> None:
        data = dump(worked_example.CONTENT)
        archive = Archive(data)
        self.assertEqual(verify(archive).canonicity, Canonicity.CANONICAL)
        self.assertEqual(dump(archive.content()), data)
        self.assertEqual(archive.archive_value("bundleVersion"), "11.0")
        self.assertEqual(archive.archive_value("timestamp"), 0.5)
        self.assertIsNone(archive.archive_value("systemVersion"))
        window = archive.object(1)
        self.assertNotIn("note", window)
        self.assertIn("scale", window)
        self.assertEqual(window["votes"].plain(), [1, None, 3])
        self.assertEqual(window["grid"].plain(), [[1, 2], [3, 4], [5, 6]])


if __name__ == "__main__":
    unittest.main()
