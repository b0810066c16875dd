"""The examples of section 10 of Spec/seal.md."""

from __future__ import annotations

import re
from pathlib import Path

SPECIFICATION = Path(__file__).parents[2] / "seal.md"
TEXT = SPECIFICATION.read_text(encoding="utf-8")


def block(name: str) -> bytes:
    """A block of hexadecimal digits."""
    (found,) = re.findall(rf"```{name}\n(.*?)```", TEXT, re.S)
    return bytes.fromhex(found)


def texts(name: str) -> list[str]:
    """A block of lines."""
    (found,) = re.findall(rf"```{name}\n(.*?)```", TEXT, re.S)
    return str(found).split()


VALUES = {
    name.strip(): bytes.fromhex(value)
    for part in re.findall(r"```values\n(.*?)```", TEXT, re.S)
    for name, value in re.findall(r"^(.*?)  *([0-9a-f]{16,})$", part, re.M)
}
"""Each value by its name."""
