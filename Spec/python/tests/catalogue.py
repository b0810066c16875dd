"""Archives that a writer makes, each for one subject: kinds at their extremes, forms, widths, frames."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

from keepsake import Content, Field, Key, Record, Value, tags
from keepsake.values import MAY_BE_ABSENT, MAY_BE_NIL, NIL

BOOL, STRING, BYTES, URL = tags.TAG_BOOL, tags.TAG_STRING, tags.TAG_BYTES, tags.TAG_URL
REFERENCE, CONDITIONAL = tags.TAG_REFERENCE, tags.TAG_CONDITIONAL
RECORD, ARRAY, DICTIONARY = tags.TAG_RECORD, tags.TAG_ARRAY, tags.TAG_DICTIONARY
SET, ENUMERATION = tags.TAG_SET, tags.TAG_ENUMERATION
SIMPLE = [tag for tag in tags.NAMES if tag <= 0xFF and tags.kind(tag) <= tags.CONDITIONAL]
SCALARS = [tag for tag in SIMPLE if tags.is_scalar(tag)]
TEXTS = ["", "a", "\0", "é", "名", "𝄞", "a\u0301", "\u00e1", "\ufeff", "\U0010ffff", "x" * 255, "x" * 256]


def record(*values: Value, name: str = "T") -> Record:
    """A record with the values under keys of one letter or more."""
    return Record(name, [Field(Key(f"k{index}"), value) for index, value in enumerate(values)])


def one(*values: Value) -> Content:
    """An archive of one object; conditional reference 1 refers to it, if there is one."""
    return with_references(record(*values))


def with_references(made: Record) -> Content:
    """An archive of one object, with a list of conditional references if it has any."""
    return Content([made], conditionals=[1] if any(refers(f.value) for f in made.fields) else [])


def refers(value: Value) -> bool:
    """True when a value contains a conditional reference."""
    if value.is_nil or value.opaque:
        return False
    if value.tag == RECORD or value.tag == ENUMERATION:
        return any(refers(field.value) for field in value.content.fields)
    if value.tag == ARRAY or value.tag == SET:
        return any(refers(element) for element in value.content)
    if value.tag == DICTIONARY:
        return any(refers(entry) for _, entry in value.content)
    return value.tag == CONDITIONAL and value.content > 0


def extremes(tag: int) -> list[Value]:
    """Values of a tag at its limits."""
    kind, bits = tags.kind(tag), 8 * tags.width(tag) if tags.is_scalar(tag) else 0
    if kind == tags.BOOL:
        return [Value(tag, False), Value(tag, True)]
    if kind == tags.SIGNED:
        return [Value(tag, n) for n in (0, 1, -1, -(1 << bits - 1), (1 << bits - 1) - 1)]
    if kind == tags.UNSIGNED:
        return [Value(tag, n) for n in (0, 1, (1 << bits) - 1)]
    if kind in (tags.FLOAT, tags.DATE):
        exponent = {16: 10, 32: 23, 64: 52}[bits]
        infinity = ((1 << bits - 1) - 1) >> exponent << exponent
        top = 1 << bits - 1
        patterns = (0, top, 1, infinity - 1, infinity, infinity | top, infinity | 1, infinity | 1 << exponent - 1)
        return [Value(tag, pattern) for pattern in patterns]
    if kind in (tags.STRING, tags.URL):
        return [Value(tag, text) for text in TEXTS]
    if kind == tags.BYTES:
        return [Value(tag, raw) for raw in (b"", b"\0", b"\xff" * 300, bytes(range(256)))]
    if kind == tags.UUID:
        return [Value(tag, bytes(16)), Value(tag, bytes(range(16))), Value(tag, b"\xff" * 16)]
    return [Value(tag, 0), Value(tag, 1)]


def array(*elements: Value) -> Value:
    """An array."""
    return Value(ARRAY, list(elements))


def nil() -> Value:
    """An element that is nil."""
    return Value(tags.TAG_NIL, NIL)


def sortable(tag: int) -> list[Value]:
    """Values of a tag as keys, in their order."""
    if tag == BOOL:
        return extremes(tag)
    keys = {tags_bytes(value): value for value in extremes(tag)}
    return [keys[raw] for raw in sorted(keys)]


def tags_bytes(value: Value) -> bytes:
    """The bytes of a key."""
    from keepsake.reader import raw_bytes

    return raw_bytes(value)


def cell(number: int) -> Value:
    """A record of two bytes."""
    return Value(RECORD, Record("", [Field(Key("a"), Value(0x19, number)), Field(Key("b"), Value(BOOL, True))]))


def named(name: str) -> Value:
    """A record with a payload."""
    return Value(RECORD, Record("", [Field(Key("name"), Value(STRING, name))]))


def case(name: str, *values: Value) -> Value:
    """An enumeration."""
    return Value(ENUMERATION, Record("E", record(*values).fields, case=name))


def empty_containers() -> Iterator[tuple[str, Value]]:
    """Empty containers, which count as levels like others."""
    yield "an empty array", array()
    yield "an empty dictionary", Value(DICTIONARY, [])
    yield "an empty set", Value(SET, [])
    yield "a record without keys", Value(RECORD, Record("", []))
    yield "a case without values", Value(tags.TAG_ENUMERATION, Record("E", [], case="c"))


def deep(levels: int, make_inline: bool = False, inner: Value | None = None) -> Record:
    """An object with records or arrays in each other; `inner` is the container at the last level."""
    if make_inline:
        inner = Record("", [Field(Key("n"), Value(0x19, 1))])
        for _ in range(levels - 1):
            inner = Record("", [Field(Key("n"), Value(RECORD, inner))])
        return inner
    value = inner or array(Value(0x19, 1))
    for _ in range(levels - 2):
        value = array(value)
    return record(value)


def values_of_each_kind() -> Iterator[tuple[str, Content]]:
    """Kinds in slots, in arrays, and as keys."""
    for tag in SIMPLE:
        name = tags.NAMES[tag]
        yield f"{name} at its extremes", one(*extremes(tag))
        nils = [Field(Key("n"), Value(tag, NIL), MAY_BE_NIL), Field(Key("v"), extremes(tag)[-1], MAY_BE_NIL)]
        yield f"{name} nil", with_references(Record("T", nils))
        nils = [Field(Key("n"), Value(tag, NIL), MAY_BE_ABSENT), Field(Key("v"), extremes(tag)[-1], MAY_BE_ABSENT)]
        yield f"{name} absent", with_references(Record("T", nils))
        yield f"{name} in an array", one(array(*extremes(tag)))
        yield f"{name} and a nil in an array", one(array(nil(), *extremes(tag)))
        if tags.is_scalar(tag):
            yield f"{name} in a long array", one(array(*(extremes(tag)[-1:] * (256 // tags.width(tag) + 1))))
        if tags.is_row_tag(tag):
            yield f"{name} in rows", one(array(*[array(*extremes(tag)[:2])] * 3))
        if tags.is_key_tag(tag):
            keys = sortable(tag)
            yield f"{name} as keys", one(Value(DICTIONARY, [(key, Value(0x19, 1)) for key in keys]))
            yield f"{name} as members", one(Value(SET, keys))


def bodies() -> Iterator[tuple[str, Content]]:
    """Bits, ends and their widths."""
    for count in range(1, 18):
        yield f"{count} truth values", one(*(Value(BOOL, index % 3 == 0) for index in range(count)))
    for size in (252, 253, 254, 255, 65_530, 65_531, 65_532, 65_533, 65_536):
        yield f"a payload of {size} bytes", one(Value(STRING, "a"), Value(BYTES, bytes(size)))
        yield f"an array with a payload of {size} bytes", one(array(Value(BYTES, b"a"), Value(BYTES, bytes(size))))
    yield "an empty object", Content([Record("T", [])])
    yield "one empty string", one(Value(STRING, ""))
    yield "a nil of no kind", Content([Record("T", [Field(Key("n"), nil(), MAY_BE_NIL)])])
    yield "an absent value of no kind", Content([Record("T", [Field(Key("n"), nil(), MAY_BE_ABSENT)])])


def containers() -> Iterator[tuple[str, Content]]:
    """Records, enumerations, arrays of them, dictionaries and sets."""
    empty = Value(RECORD, Record("", []))
    yield "a cell inline", one(cell(1), Value(STRING, "x"))
    yield "a record with a payload", one(named("x"), Value(0x19, 1))
    yield "an empty record", one(empty, Value(0x19, 1))
    may_be_nil = [Field(Key("n"), cell(1), MAY_BE_NIL), Field(Key("m"), Value(RECORD, NIL), MAY_BE_NIL)]
    yield "cells that may be nil", Content([Record("T", may_be_nil)])
    yield "cells eight deep", one(Value(RECORD, deep(8, make_inline=True)))
    yield "cells eight deep, and one more", one(Value(RECORD, deep(9, make_inline=True)))
    yield "enumerations", one(case("none"), case("some", Value(0x19, 1)), case("", Value(STRING, "x")))
    yield "an array of cells", one(array(*(cell(n) for n in range(5))))
    yield "an array of records of one shape", one(array(named("a"), named(""), named("bc")))
    yield "an array of empty records", one(array(empty, empty, empty))
    yield "an array of records of several shapes", one(array(named("a"), cell(1), named("b")))
    yield "an array of records and a nil", one(array(named("a"), nil(), cell(1)))
    yield "an array of cases of one shape and width", one(array(case("a", Value(0x19, 1)), case("a", Value(0x19, 2))))
    yield "an array of cases of one shape", one(array(case("a", Value(STRING, "x")), case("a", Value(STRING, ""))))
    yield "an array of several cases", one(array(case("a", Value(0x19, 1)), case("b")))
    for count in (1, 7, 8, 9, 15, 16, 17):
        yield f"{count} truth values in an array", one(array(*(Value(BOOL, n % 3 == 0) for n in range(count))))
        yield f"{count} numbers and nils", one(array(*(nil() if n % 2 else Value(0x1A, n) for n in range(count))))
    yield "nils and nothing else", one(array(nil(), nil()))
    yield (
        "an array of every kind",
        one(array(*(extremes(tag)[-1] for tag in SIMPLE), named("x"), cell(1), case("c"), nil())),
    )
    yield "arrays in arrays", one(array(array(), array(Value(0x19, 1)), array(Value(STRING, "x")), array(array())))
    yield "arrays of one length but not of one tag", one(array(array(Value(0x19, 1)), array(Value(0x11, 1))))
    yield (
        "rows of 255 and of 256 bytes",
        one(array(*[array(*[Value(0x19, 1)] * 255)] * 2), array(*[array(*[Value(0x19, 1)] * 256)] * 2)),
    )
    yield "empty containers", one(array(), Value(DICTIONARY, []), Value(SET, []))
    keys = [extremes(tag)[-1] for tag in sorted(SIMPLE) if tags.is_key_tag(tag)]
    yield "a dictionary with keys of every kind", one(Value(DICTIONARY, [(key, key) for key in keys]))
    yield (
        "a dictionary of containers",
        one(Value(DICTIONARY, [(Value(STRING, "a"), array(Value(0x19, 1))), (Value(STRING, "b"), named("x"))])),
    )
    two = [(Value(0x1A, 256), named("x")), (Value(0x1A, 1), Value(RECORD, Record("", [Field(Key("a"), Value(0x19, 1))])))]
    yield "a dictionary whose values are of two shapes", one(Value(DICTIONARY, two))
    yield "a dictionary of nils", one(Value(DICTIONARY, [(Value(0x19, n), nil()) for n in range(3)]))
    for size in (250, 251, 252, 253):
        yield (
            f"a dictionary with a key of {size} bytes",
            one(Value(DICTIONARY, [(Value(BYTES, bytes(size)), Value(0x19, 1))])),
        )
    yield "64 levels", Content([deep(64)])
    for name, empty in empty_containers():
        yield f"64 levels, the last {name}", Content([deep(64, inner=empty)])


def frames() -> Iterator[tuple[str, Content]]:
    """Archive values, names, references, segments, and unknown parts."""
    known = [(1, STRING, b"11.0"), (2, 0x14, b"\xff" * 8), (3, tags.TAG_DATE, bytes(8)), (4, STRING, b"")]
    for value in known:
        yield f"archive value {value[0]}", Content([Record("T", [])], archive_values=[value])
    unknown = [(9, 0x36, b"x"), (10, 0x9D, bytes(16)), (255, 0x8E, b"any")]
    yield "archive values, some unknown", Content([Record("T", [])], archive_values=[*known, *unknown])
    for size in (255, 256, 65_535):
        yield f"names of {size} bytes", Content([Record("T" * size, [Field(Key("k" * size), Value(0x19, 1))])])
    names = [Field(Key(text), Value(0x19, 1)) for text in TEXTS]
    yield "names of every length of character", Content([Record("T", names)])
    for depth in (1, 2, 64):
        scopes = tuple(f"s{number % 3}" for number in range(depth))
        yield (
            f"{depth} scopes",
            Content([Record("T", [Field(Key("k", scopes), Value(0x19, 1)), Field(Key("k"), Value(0x19, 2))])]),
        )
    yield (
        "a template",
        Content(
            [
                Record(
                    "T", [Field(Key("template", (), True), Value(STRING, "t")), Field(Key("template"), Value(0x19, 1))]
                )
            ]
        ),
    )
    yield "an unknown reserved key", Content([Record("T", [Field(Key("new", (), True), Value(0x19, 1))])])
    yield "versions of a type", Content([Record("T", [], version) for version in (0, 1, 2**32 - 1)])
    yield (
        "keys in two orders",
        Content([Record("T", [Field(Key(k), Value(0x19, 1)) for k in order]) for order in ("ab", "ba", "ab")]),
    )
    yield "a root that is not the first", Content([record(Value(REFERENCE, n)) for n in (2, 3, 1)], root=3)
    objects = [record(array(Value(REFERENCE, 0), Value(REFERENCE, n))) for n in (255, 256, 1)]
    yield "references of one and two bytes", Content(objects + [Record("T", [])] * 253)
    yield (
        "conditional references",
        Content(
            [record(Value(CONDITIONAL, 1), array(Value(CONDITIONAL, 2), Value(CONDITIONAL, 0)))], conditionals=[0, 1]
        ),
    )
    for count in (253, 254, 255, 256):
        many = [Record("T", [Field(Key(f"k{n}"), Value(STRING, ""))]) for n in range(count)]
        yield f"{count} shapes and a nested record of the last", Content([*many, record(Value(RECORD, many[-1]))])
    yield "a segment of exactly 65,535 bytes", Content([record(Value(BYTES, bytes(n))) for n in (65_000, 535)])
    yield "a segment of one byte more", Content([record(Value(BYTES, bytes(n))) for n in (65_000, 536)])
    yield "a long object between short ones", Content([record(Value(BYTES, bytes(n))) for n in (1, 70_000, 1)])
    yield (
        "tables in several segments",
        Content(
            [
                record(Value(BYTES, bytes(60_000)), name="A"),
                record(Value(STRING, "x"), cell(1), name="B"),
                record(Value(BYTES, bytes(60_000)), name="A"),
                record(named("new"), name="C"),
            ]
        ),
    )
    yield (
        "aligned numbers in several segments",
        Content([record(Value(BYTES, bytes(20_001 + n)), array(*[Value(0x14, n)] * 40)) for n in range(5)]),
    )
    for tag in (0x89, 0x8A, 0x8B, 0x8C, 0x8D, 0x8E, 0x8F, 0x99, 0xFE, 0xFF):
        content: bytes | bool = True if tag & 7 == tags.BIT else b"\1" * (tags.width(tag) if tags.is_scalar(tag) else 3)
        value = Value(tag, content, opaque=True)
        yield f"an unknown kind of tag {tag:02x}", one(value, array(value, value), array(value, Value(0x19, 1)))
    for tag in (0x8C, 0x8E, 0x8F):
        slots = [Field(Key("n"), Value(tag, NIL), MAY_BE_NIL), Field(Key("m"), Value(tag, NIL), MAY_BE_ABSENT)]
        yield f"nils of an unknown kind of tag {tag:02x}", Content([Record("T", slots)])
    for form in range(0x94, 0x98):
        raw = Value(ARRAY, bytes([form, 1, 2, 3]), opaque=True)
        yield f"an unknown form {form:02x}", one(raw, array(raw, array()))


def codable() -> Iterator[tuple[str, Content]]:
    """Archives that only writers of section 9 have rules for."""
    names = sorted(f"{number:x}" for number in range(65_536))
    entries = [(Value(STRING, name), Value(BOOL, int(name, 16) % 2 == 0)) for name in names]
    root = Record("Codable", [Field(Key("value"), Value(DICTIONARY, entries))])
    yield "65,536 keys of a keyed container of Codable", Content([root])


def catalogue() -> Iterator[tuple[str, Content]]:
    """All archives, each with its name."""
    yield from values_of_each_kind()
    yield from bodies()
    yield from containers()
    yield from frames()
    yield from codable()
