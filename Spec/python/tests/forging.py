"""Archives with any bytes in any place, for tests of refusals."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from worked_example import person, point

from keepsake import Content, Field, Key, Record, Value, dump, tags
from keepsake.reader import HEADER, MAGIC, NO_ENDS, ROW, SEGMENT, TAIL


def forged_value(tag: int, raw: bytes, optional: int = 0) -> bytes:
    """An archive whose only object has a value with this tag and these bytes.

    Shape 0 is a cell of two numbers, shape 1 has one payload, shape 2 is that of an enumeration of
    one byte, shape 3 an empty record, shape 4 the object's.
    """
    row = Record("E", [Field(Key("i"), Value(0x19, 1))], case="row")
    record = Record(
        "T",
        [
            Field(Key("p"), point(0, 0)),
            Field(Key("q"), person("A")),
            Field(Key("e"), Value(tags.TAG_ENUMERATION, row)),
            Field(Key("n"), Value(tags.TAG_RECORD, Record("N", []))),
            Field(Key("v"), Value(tag, raw, opaque=True), optional),
        ],
    )
    return dump(Content([record], conditionals=[1]))


def word(tag: int, key: int = 0, optional: int = 0) -> int:
    """A word of a shape."""
    return tag | optional << 8 | key << 12


def shape(type_number: int, *words: int) -> bytes:
    """A row of the shape table."""
    return struct.pack(f"<HH{len(words)}I", type_number, len(words), *words)


def key(name: bytes, namespace: int = 0, scope: int | None = None) -> bytes:
    """A row of the key table."""
    if scope is None:
        return bytes([namespace, len(name)]) + name
    return bytes([namespace | 4, len(name)]) + struct.pack("<I", scope) + name


def type_row(name: bytes, version: int = 0) -> bytes:
    """A row of the type table."""
    if version:
        return bytes([1, len(name)]) + struct.pack("<I", version) + name
    return bytes([0, len(name)]) + name


def tables(keys: Sequence[bytes], types: Sequence[bytes], shapes: Sequence[bytes], conditionals: int = 0) -> bytes:
    """Tables with their head."""
    entries = b"".join([*keys, *types, *shapes])
    return struct.pack("<IIIII", len(keys), len(types), len(shapes), conditionals, len(entries)) + entries


def segment(bodies: bytes, count: int, shapes: int, directory: bytes = b"", *, last: bool = True) -> bytes:
    """A segment without tables."""
    return SEGMENT.pack(b"KSEz" if last else b"KSEg", len(bodies), count, shapes) + bodies + directory


def archive(
    segments: Sequence[tuple[bytes, bytes]],
    footer: bytes,
    *,
    conditionals: Sequence[int] = (),
    root: int = 1,
    values: bytes = b"",
) -> bytes:
    """An archive of segments, each followed by its tables."""
    out = bytearray(HEADER.pack(MAGIC, 1, 0, 0, len(values)) + values)
    rows = b""
    first = 1
    for content, behind in segments:
        _, length, count, shapes = SEGMENT.unpack_from(content)
        rows += ROW.pack(len(out), first, length, shapes)
        first += count
        out += content + behind
    start = len(out)
    out += footer + struct.pack(f"<{len(conditionals)}I", *conditionals) + rows
    return bytes(out + TAIL.pack(b"KSTd", len(segments), first - 1, root, start))


def one_object(
    keys: Sequence[bytes],
    types: Sequence[bytes],
    shapes: Sequence[bytes],
    body: bytes = b"\0",
    number: int = 0,
    has_ends: bool = False,
) -> bytes:
    """An archive of one object with these tables."""
    footer = tables(keys, types, shapes)
    return archive([(segment(body, 1, number | (0 if has_ends else NO_ENDS)), b"")], footer)


def two_segments() -> bytes:
    """An archive of three objects in two segments; each declares a shape."""
    long = Value(tags.TAG_BYTES, bytes(60_000))
    return dump(
        Content(
            [
                Record("A", [Field(Key("a"), long)]),
                Record("A", [Field(Key("b"), Value(0x19, 1))]),
                Record("B", [Field(Key("c"), long)]),
            ]
        )
    )


def patched(data: bytes, at: int, new: bytes) -> bytes:
    """The same bytes with other ones at one place."""
    assert data[at : at + len(new)] != new, "nothing is changed"
    return data[:at] + new + data[at + len(new) :]
