"""The bytes that an archive is read from, in memory, mapped, or opened when they are asked for."""

from __future__ import annotations

from typing import Protocol, overload


class Data(Protocol):
    """As much of `memoryview` as a reader needs."""

    def __len__(self) -> int: ...

    @overload
    def __getitem__(self, index: int, /) -> int: ...
    @overload
    def __getitem__(self, index: slice, /) -> memoryview: ...
