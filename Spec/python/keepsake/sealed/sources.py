"""The sources of the bytes of a sealed file."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Protocol

from .errors import SealError


class Source(Protocol):
    """Bytes that can be read at any place."""

    @property
    def length(self) -> int: ...

    def read(self, at: int, count: int) -> bytes: ...


class BytesSource:
    """Bytes in memory."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    @property
    def length(self) -> int:
        return len(self.data)

    def read(self, at: int, count: int) -> bytes:
        return self.data[at : at + count]


class FileSource:
    """A file that stays open, so that a replacement in between cannot mix two files [S-45]."""

    def __init__(self, path: str | Path) -> None:
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        try:
            self.descriptor = os.open(path, flags)
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.ENXIO):
                raise SealError("notRegularFile", "S-26", f"{path} is no regular file.") from error
            raise
        status = os.fstat(self.descriptor)
        if not stat.S_ISREG(status.st_mode):
            self.close()
            raise SealError("notRegularFile", "S-26", f"{path} is no regular file.")
        self.length = status.st_size

    def read(self, at: int, count: int) -> bytes:
        parts: list[bytes] = []
        while count and (part := os.pread(self.descriptor, count, at)):
            parts.append(part)
            at += len(part)
            count -= len(part)
        return b"".join(parts)

    def close(self) -> None:
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1

    def __del__(self) -> None:
        if hasattr(self, "descriptor"):
            self.close()
