"""Rules of archive.md that only a writer can follow."""

from __future__ import annotations

import random
import sys
import unittest
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

from forging import forged_value  # noqa: E402

from keepsake import Archive, ArchiveError, Content, Field, Key, Record, Value, dump, tags, verify  # noqa: E402

INT, UINT, ARRAY = tags.TAG_INT, tags.TAG_UINT, tags.TAG_ARRAY


def written(*fields: Field) -> Record:
    """A record as it is after writing and reading."""
    archive = Archive(dump(Content([Record("T", list(fields))])))
    assert verify(archive).rule is None
    return archive.object(1).record()


def widths(*values: Value) -> list[str]:
    """The tags that the values of a record get."""
    record = written(*(Field(Key(f"k{index}"), value) for index, value in enumerate(values)))
    return [tags.NAMES[field.value.tag] for field in record.fields]


class Integers(unittest.TestCase):
    def test_a_record_has_one_width(self) -> None:
        top = 2**31 - 1
        self.assertEqual(
            widths(Value(INT, top), Value(INT, -top - 1), Value(UINT, 2**32 - 1)),
            ["int32", "int32", "uint32"],
        )
        self.assertEqual(widths(Value(INT, top + 1), Value(INT, 0), Value(UINT, 0)), ["int64", "int64", "uint64"])
        self.assertEqual(widths(Value(INT, 0), Value(UINT, 2**32)), ["int64", "uint64"])
        self.assertEqual(widths(Value(INT, 0), Value(0x14, 5), Value(0x11, 5)), ["int32", "int64", "int8"])

    def test_nested_records_have_a_width_of_their_own(self) -> None:
        nested = Record("", [Field(Key("n"), Value(INT, 2**40))])
        record = written(Field(Key("a"), Value(INT, 1)), Field(Key("b"), Value(tags.TAG_RECORD, nested)))
        self.assertEqual(record["a"].tag, tags.TAGS["int32"])
        self.assertEqual(record["b"].content["n"].tag, tags.TAGS["int64"])

    def test_arrays_have_the_narrowest(self) -> None:
        for numbers, name in (
            ([1, -128], "int8"),
            ([128], "int16"),
            ([-32_769], "int32"),
            ([2**31], "int64"),
        ):
            record = written(Field(Key("a"), Value(ARRAY, [Value(INT, number) for number in numbers])))
            self.assertEqual({tags.NAMES[each.tag] for each in record["a"].content}, {name})
        mixed = [Value(INT, 300), Value(UINT, 1), Value(tags.TAG_STRING, "x"), Value(INT, 1)]
        record = written(Field(Key("a"), Value(ARRAY, mixed)))
        self.assertEqual([tags.NAMES[each.tag] for each in record["a"].content], ["int16", "uint8", "string", "int16"])

    def test_keys_and_members_keep_64_bits(self) -> None:
        pairs = [(Value(INT, 1), Value(INT, 2))]
        record = written(
            Field(Key("d"), Value(tags.TAG_DICTIONARY, pairs)),
            Field(Key("s"), Value(tags.TAG_SET, [Value(INT, 1)])),
        )
        key, value = record["d"].content[0]
        self.assertEqual((tags.NAMES[key.tag], tags.NAMES[value.tag]), ("int64", "int8"))
        self.assertEqual(tags.NAMES[record["s"].content[0].tag], "int64")


class Others(unittest.TestCase):
    def test_equal_values_give_equal_bytes(self) -> None:
        pairs = [(Value(tags.TAG_STRING, name), Value(0x19, index)) for index, name in enumerate(("b", "a", "ab", ""))]
        seen = set()
        for seed in range(20):
            random.Random(seed).shuffle(pairs)
            seen.add(dump(Content([Record("T", [Field(Key("d"), Value(tags.TAG_DICTIONARY, list(pairs)))])])))
        self.assertEqual(len(seen), 1)

    def test_what_is_unknown_is_kept(self) -> None:
        data = forged_value(0x8E, b"payload of a kind to come")
        self.assertEqual(dump(Archive(data).content()), data)
        content = Content([Record("T", [])], archive_values=[(77, 0x36, b"kept"), (90, 0x9D, bytes(16))])
        self.assertEqual(Archive(dump(content)).content().archive_values, content.archive_values)

    def test_bits_of_numbers_are_kept(self) -> None:
        for tag, bits in (
            (0x24, 1 << 63),
            (0x24, 0x7FF0_0000_0000_0001),
            (0x23, 0xFFC0_0001),
            (0x22, 0x7C01),
        ):
            self.assertEqual(written(Field(Key("n"), Value(tag, bits)))["n"].content, bits)

    def test_limits_of_names_and_words(self) -> None:
        name = "n" * 65_535
        self.assertIn(name, written(Field(Key(name), Value(0x19, 1))))
        with self.assertRaises((ArchiveError, OverflowError)):
            dump(Content([Record("T", [Field(Key(name + "n"), Value(0x19, 1))])]))


class Hostile(unittest.TestCase):
    def test_changed_archives_raise_nothing_else(self) -> None:
        from random_content import ContentMaker

        for seed in range(60):
            chance = random.Random(seed)
            good = dump(ContentMaker(seed, objects=4, depth=2).content())
            for _ in range(20):
                data = bytearray(good)
                for _ in range(chance.randint(1, 4)):
                    data[chance.randrange(len(data))] = chance.choice([0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)])
                try:
                    archive = Archive(bytes(data))
                    verify(archive)
                except ArchiveError:
                    continue
                # Verified bytes can be read, and canonical bytes are written again as they were.
                content = archive.content()
                if verify(archive).rule is None:
                    data[10:12] = bytes(2)
                    self.assertEqual(dump(content), bytes(data), f"seed {seed}")


if __name__ == "__main__":
    unittest.main()
