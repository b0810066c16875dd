"""The bytes that an archive is read from: in memory, mapped, or opened on request."""

from __future__ import annotations

from typing import Protocol, overload


class Data(Protocol):
    """The part of `memoryview` that a reader needs."""

    def __len__(self) -> int: ...

    @overload
    def __getitem__(self, index: int, /) -> int: ...
    @overload
    def __getitem__(self, index: slice, /) -> memoryview: ...
