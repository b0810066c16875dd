"""Random contents of archives: every kind, form and nesting, from a seed."""

from __future__ import annotations

import random
from collections.abc import Callable

from keepsake import Content, Field, Key, Record, Value, floating, tags
from keepsake.reader import raw_bytes
from keepsake.values import MAY_BE_ABSENT, MAY_BE_NIL, NIL, NOT_NIL

WORDS = ["", "a", "name", "größe", "名前", "x" * 300, "𝄞", "two words"]
UNKNOWN = [0x8B, 0x9C, 0xA6, 0xFF]


class ContentMaker:
    """Makes random contents that a writer can write."""

    def __init__(self, seed: int, objects: int = 12, depth: int = 4) -> None:
        self.random = random.Random(seed)
        self.count = self.random.randint(1, objects)
        self.conditionals = self.random.randint(0, 3)
        self.depth = depth
        self.unknown = seed % 5 == 0
        self.templates: list[Callable[[int], Record]] = []

    def content(self) -> Content:
        """A whole archive."""
        values = []
        for number, tag, raw in [
            (1, 0x2E, b"2.0"),
            (2, 0x14, bytes(8)),
            (3, 0x3C, bytes(8)),
            (4, 0x2E, b""),
            (9, 0x9C, bytes(8)),
            (200, 0x36, b"kept"),
        ]:
            if self.random.random() < 0.3:
                values.append((number, tag, raw))
        shapes = [self.outline(0) for _ in range(self.random.randint(1, 4))]
        objects = [self.filled(self.random.choice(shapes), 0) for _ in range(self.count)]
        conditionals = [self.random.randint(0, self.count) for _ in range(self.conditionals)]
        return Content(objects, self.random.randint(1, self.count), conditionals, values)

    def outline(self, level: int) -> tuple[str, int, str | None, list[tuple[Key, int, int]]]:
        """A type with its version and case, and with keys, tags and flags for nils."""
        r = self.random
        keys: dict[Key, None] = {}
        if level == 0 and r.random() < 0.2:
            keys[Key("template", (), True)] = None
        for _ in range(r.choice([0, 1, 2, 3, 5, 9, 20])):
            scopes = tuple(r.choice(["Base", "Other", ""]) for _ in range(r.choice([0, 0, 0, 1, 2])))
            keys[Key(r.choice(WORDS) + str(r.randint(0, 9)), scopes)] = None
        slots = []
        for key in keys:
            optional = r.choice([NOT_NIL, NOT_NIL, MAY_BE_NIL, MAY_BE_ABSENT])
            tag = tags.TAG_STRING if key.reserved else self.tag(level)
            slots.append((key, tag, optional if tag != tags.TAG_NIL else optional or MAY_BE_NIL))
        name = r.choice(["Window", "View", "x" * 260]) if level == 0 else r.choice(["", "Point", "Item"])
        return name, r.choice([0, 0, 3]), None, slots

    def tag(self, level: int) -> int:
        """A tag of a slot."""
        r = self.random
        simple = [tag for tag in tags.NAMES if tag <= 0xFF and tags.kind(tag) < tags.RECORD]
        if self.unknown and r.random() < 0.2:
            return r.choice(UNKNOWN)
        if r.random() < 0.05:
            return tags.TAG_NIL
        if level < self.depth and r.random() < 0.35:
            return r.choice([0x66, 0x66, 0x6E, 0x6E, 0x6E, 0x76, 0x7E, 0x86])
        return r.choice(simple)

    def filled(self, outline: tuple[str, int, str | None, list[tuple[Key, int, int]]], level: int) -> Record:
        """A record with this outline."""
        name, version, case, slots = outline
        fields = []
        for key, tag, optional in slots:
            if tag == tags.TAG_NIL or (optional and self.random.random() < 0.5):
                fields.append(Field(key, Value(tag, NIL), optional))
            else:
                fields.append(Field(key, self.value(tag, level), optional))
        return Record(name, fields, version, case)

    def value(self, tag: int, level: int) -> Value:
        """A value of a tag."""
        r = self.random
        kind = tags.kind(tag)
        if not tags.is_known(tag):
            if tag & 7 == tags.BIT:
                return Value(tag, r.random() < 0.5, opaque=True)
            size = r.randint(0, 9) if tag & 7 == tags.PAYLOAD else tags.width(tag)
            return Value(tag, r.randbytes(size), opaque=True)
        if kind == tags.BOOL:
            return Value(tag, r.random() < 0.5)
        if kind in (tags.SIGNED, tags.UNSIGNED, tags.FLOAT, tags.DATE):
            raw = r.choice([bytes(16), b"\xff" * 16, r.randbytes(16)])[: tags.width(tag)]
            return Value(tag, int.from_bytes(raw, "little", signed=kind == tags.SIGNED))
        if kind in (tags.STRING, tags.URL):
            return Value(tag, r.choice(WORDS) * r.choice([1, 1, 1, 3]))
        if kind == tags.BYTES:
            return Value(tag, r.randbytes(r.choice([0, 1, 7, 200, 300])))
        if kind == tags.UUID:
            return Value(tag, r.randbytes(16))
        if kind == tags.REFERENCE:
            return Value(tag, r.randint(0, self.count))
        if kind == tags.CONDITIONAL:
            return Value(tag, r.randint(0, self.conditionals))
        if kind == tags.RECORD:
            return Value(tag, self.filled(self.outline(level + 1), level + 1))
        if kind == tags.ENUMERATION:
            name, version, _, slots = self.outline(level + 1)
            return Value(tag, self.filled((name, version, r.choice(["row", "", "none"]), slots), level + 1))
        if kind == tags.ARRAY:
            return Value(tag, self.array(level + 1))
        members: dict[tuple[int, bytes], Value] = {}
        one = r.choice([None, tags.TAG_STRING, 0x1A, 0x14, tags.TAG_BOOL])
        for _ in range(r.choice([0, 1, 3, 40])):
            key = self.value(one or r.choice([t for t in tags.NAMES if tags.is_key_tag(t)]), level)
            members[key.tag, raw_bytes(key)] = key
        keys = [members[order] for order in sorted(members)]
        if kind == tags.SET:
            return Value(tag, keys)
        values = self.array(level + 1, len(keys)) if keys else []
        return Value(tag, list(zip(keys, values, strict=True)))

    def array(self, level: int, count: int | None = None) -> list[Value]:
        """Elements of any form."""
        r = self.random
        if count is None:
            count = r.choice([0, 1, 2, 3, 8, 9, 40, 300] if level < 2 else [0, 1, 2, 9])
        style = r.randint(0, 5)
        if style == 0:
            return [self.maybe_nil(level) for _ in range(count)]
        if style == 1 and level <= self.depth:
            tag, row = r.choice([0x11, 0x1B, 0x24, 0x45]), r.randint(0, 5)
            return [Value(tags.TAG_ARRAY, [self.value(tag, level) for _ in range(row)]) for _ in range(count)]
        if style == 2 and level <= self.depth:
            outline = self.outline(level + 1)
            if r.random() < 0.5:
                name, version, _, slots = outline
                return [
                    Value(tags.TAG_ENUMERATION, self.filled((name, version, "case", slots), level + 1))
                    for _ in range(count)
                ]
            return [Value(tags.TAG_RECORD, self.filled(outline, level + 1)) for _ in range(count)]
        tag = self.tag(level)
        if tag == tags.TAG_NIL:
            return [Value(tag, NIL) for _ in range(count)]
        nils = r.choice([0, 0, 0.3])
        return [Value(tags.TAG_NIL, NIL) if r.random() < nils else self.value(tag, level) for _ in range(count)]

    def maybe_nil(self, level: int) -> Value:
        """An element of any tag."""
        tag = self.tag(level)
        return Value(tag, NIL) if tag == tags.TAG_NIL else self.value(tag, level)


def large(seed: int) -> Content:
    """Enough records for several segments."""
    r = random.Random(seed)
    objects = []
    for index in range(r.randint(1_500, 3_000)):
        fields = [
            Field(Key("index"), Value(0x14, index)),
            Field(Key("text"), Value(0x2E, "x" * r.randint(0, 90))),
        ]
        if r.random() < 0.001 * (index // 500):
            fields.append(Field(Key(f"extra{index}"), Value(0x66, Record("Part", [Field(Key("p"), floating(1))]))))
        if r.random() < 0.001:
            fields.append(Field(Key("long"), Value(0x36, bytes(r.choice([65_400, 65_535, 70_000])))))
        if r.random() < 0.01:
            numbers = [floating(float(n)) for n in range(r.randint(30, 40))]
            fields.append(Field(Key("numbers"), Value(0x6E, numbers)))
        objects.append(Record("Row", fields))
    return Content(objects)
