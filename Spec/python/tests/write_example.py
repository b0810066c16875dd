"""Writes section 8 of archive.md again: `python tests/write_example.py`, in Spec/python."""

from __future__ import annotations

import re
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

import worked_example  # noqa: E402

from keepsake import Archive, dump, explain  # noqa: E402

SPECIFICATION = Path(__file__).parents[2] / "archive.md"
BLOCK = re.compile(r"(?<=```hex\n).*?(?=\n```)", re.DOTALL)


def example() -> str:
    """The lines of the example."""
    return explain(Archive(dump(worked_example.CONTENT)))


if __name__ == "__main__":
    text = SPECIFICATION.read_text()
    SPECIFICATION.write_text(BLOCK.sub(lambda _: example(), text, count=1))
