"""An archive by the path of its file, sealed or not."""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterable
from typing import Any

from .errors import ArchiveError
from .reader import Archive
from .sealed.errors import SealError
from .sealed.header import MAGIC
from .sealed.keys import Key
from .sealed.reader import Expectation, Plaintext, SealedFile, SignaturePolicy, open_sealed
from .values import Value


def is_sealed(path: str | os.PathLike[str]) -> bool:
    """True when a file begins as sealed files do."""
    with open(path, "rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def load(
    path: str | os.PathLike[str],
    key: Key | bytes | Iterable[Key | bytes] | None = None,
    *,
    context: bytes = b"",
    signature: SignaturePolicy = None,
    expecting: Expectation | None = None,
) -> Archive:
    """The archive in a file, of which only the requested parts are read.

    With a key, the file must be a sealed file: its chunks are opened and verified when something in them is
    requested. Without a key, it must be an archive, and is mapped.
    """
    if key is None:
        return load_archive(path)
    return archive_in(open_sealed(os.fspath(path), key, context=context, signature=signature, expecting=expecting))


def archive_in(file: SealedFile) -> Archive:
    """The archive that a sealed file holds."""
    if file.length == 0:
        raise ArchiveError("A-4", 0, "This is no Keepsake archive.")
    return Archive(Plaintext(file))


def load_archive(path: str | os.PathLike[str]) -> Archive:
    """An archive in a file that is not sealed."""
    if is_sealed(path):
        raise SealError("noMatchingKey", "S-31", f"{os.fspath(path)} is sealed: pass a key.")
    with open(path, "rb") as file:
        if os.fstat(file.fileno()).st_size == 0:
            raise ArchiveError("A-4", 0, "This is no Keepsake archive.")
        return Archive(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


def rows(array: Value) -> list[dict[str, Any]]:
    """The elements of an array of records, each as a dictionary: `pandas.DataFrame(keepsake.rows(value))`."""
    return [element.content.plain() for element in array.content]
