"""The archive of section 8 of archive.md: every form of the format once."""

from __future__ import annotations

import struct

from keepsake import Content, Field, Key, Record, Value, floating, tags
from keepsake.values import MAY_BE_ABSENT, MAY_BE_NIL, NIL


def point(x: float, y: float) -> Value:
    """A record of fixed width."""
    return Value(tags.TAG_RECORD, Record("", [Field(Key("x"), floating(x, 4)), Field(Key("y"), floating(y, 4))]))


def person(name: str) -> Value:
    """A record with a payload."""
    return Value(tags.TAG_RECORD, Record("Person", [Field(Key("name"), Value(tags.TAG_STRING, name))]))


def array(*elements: Value) -> Value:
    """An array."""
    return Value(tags.TAG_ARRAY, list(elements))


def small(*numbers: int) -> list[Value]:
    """Unsigned integers of 8 bits."""
    return [Value(tags.TAGS["uint8"], number) for number in numbers]


def medium(*numbers: int) -> list[Value]:
    """Unsigned integers of 16 bits."""
    return [Value(tags.TAGS["uint16"], number) for number in numbers]


def text(string: str) -> Value:
    """A string."""
    return Value(tags.TAG_STRING, string)


WINDOW = Record(
    "Window",
    [
        Field(Key("title"), text("Contacts")),
        Field(Key("open"), Value(tags.TAG_BOOL, True)),
        Field(Key("scale"), Value(tags.TAGS["float32"], NIL), MAY_BE_NIL),
        Field(Key("note"), Value(tags.TAG_STRING, NIL), MAY_BE_ABSENT),
        Field(Key("origin"), point(0.5, 1)),
        Field(Key("screen", ("Base",)), Value(tags.TAG_REFERENCE, 2)),
        Field(Key("focus"), Value(tags.TAG_CONDITIONAL, 1)),
        Field(Key("corners"), array(point(0, 0), point(2, 3))),
        Field(Key("grid"), array(array(*small(1, 2)), array(*small(3, 4)), array(*small(5, 6)))),
        Field(Key("marks"), array(*medium(1, 256))),
        Field(Key("flags"), array(*(Value(tags.TAG_BOOL, bit) for bit in (True, False, True)))),
        Field(Key("votes"), array(*small(1), Value(tags.TAG_NIL, NIL), *small(3))),
        Field(Key("curve"), array(*(floating(0) for _ in range(32)))),
        Field(Key("names"), array(text("Ann"), text("Bo"))),
        Field(Key("people"), array(person("Ann"), person("Bo"))),
        Field(Key("mixed"), array(*small(7), text("x"), Value(tags.TAG_NIL, NIL))),
        Field(Key("menu"), Value(tags.TAG_DICTIONARY, [(text("save"), small(2)[0]), (text("new"), small(1)[0])])),
        Field(Key("tags"), Value(tags.TAG_SET, medium(1, 256))),
        Field(
            Key("choice"),
            Value(tags.TAG_ENUMERATION, Record("Choice", [Field(Key("index"), small(84)[0])], case="row")),
        ),
    ],
)

SCREEN = Record("Screen", [Field(Key("width"), Value(tags.TAG_INT, 1920))], version=2)

CONTENT = Content(
    [WINDOW, SCREEN],
    root=1,
    conditionals=[1],
    archive_values=[(1, tags.TAG_STRING, b"11.0"), (3, tags.TAG_DATE, struct.pack("<d", 0.5))],
)
