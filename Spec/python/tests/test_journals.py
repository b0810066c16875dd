"""Writers of journals: opening without a secret, torn and damaged files, failures; and readers beside a writer."""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import unittest
from pathlib import Path
from unittest import mock

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

from journal_cases import IDENTITY, KEY, Builder, entry, flipped, note, pattern
from journal_damage import FIRST, SECOND
from seal_cases import fixed

from keepsake.journal import Entry, JournalError, JournalWriter, Options, open_journal
from keepsake.journal.frames import FULL, MAXIMUM_CONTENT

RECIPIENT = IDENTITY.recipient


class Writers(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name, "log")

    def place(self, files: dict[str, bytes]) -> None:
        """Makes the directory of a journal with these files."""
        self.path.mkdir()
        for name, data in files.items():
            (self.path / name).write_bytes(data)

    def writer(self, **options: object) -> JournalWriter:
        return JournalWriter(self.path, [RECIPIENT, KEY], Options(**options))  # type: ignore[arg-type]

    def numbers(self, **options: bool) -> list[int]:
        return [each.number for each in open_journal(self.path, IDENTITY, **options)]  # type: ignore[arg-type]

    def names(self) -> list[str]:
        return sorted(name for name in os.listdir(self.path) if name.endswith(".journal"))

    def refused(self, code: str, call: object, *given: object) -> None:
        with self.assertRaises(JournalError) as caught:
            call(*given)  # type: ignore[operator]
        self.assertEqual(caught.exception.code, code)

    # Round trips

    def test_entries_of_all_sizes_come_back(self) -> None:
        sizes = [0, 1, 100, FULL - 24, FULL - 23, FULL, 3 * FULL, 10, MAXIMUM_CONTENT, 5]
        entries = [entry("note", pattern(size), time=number) for number, size in enumerate(sizes)]
        for padded in (False, True):
            with self.writer(padded=padded) as writer:
                writer.append(entries)
        found = list(open_journal(self.path, IDENTITY))
        self.assertEqual([each.content for each in found], [each.content for each in entries] * 2)
        self.assertEqual([each.number for each in found], list(range(20)))
        self.assertEqual(self.names(), [FIRST])

    def test_a_writer_refuses_what_no_entry_can_be(self) -> None:
        writer = self.writer()
        for bad in (
            Entry("note", bytes(MAXIMUM_CONTENT + 1)),
            Entry("x" * 1025, b""),
            Entry("note", b"", version=2**31),
            Entry("note", b"", form=2),
        ):
            self.refused("invalidEntry", writer.append, [bad])
        writer.release()

    def test_one_writer_has_a_journal_open_at_a_time(self) -> None:
        with self.writer():
            self.refused("fileLocked", self.writer)
        self.writer().close()

    # Opening for appending

    def test_a_closed_segment_is_continued_in_its_file_and_an_open_one_in_a_new_file(self) -> None:
        for number in range(4):
            writer = self.writer()
            writer.append([note(number)])
            if number < 2:
                writer.close()
            writer.release()
        self.assertEqual(self.numbers(), [0, 1, 2, 3])
        self.assertEqual(self.names(), [FIRST, SECOND])

    def test_a_torn_batch_is_never_cut_and_a_new_file_follows(self) -> None:
        """Holds [J-107] at each length of the last batch, of the header after an end, and of a long entry."""
        whole = Builder("torn").begin(targets=[KEY, RECIPIENT]).batch(note(0)).batch(note(1), note(2))
        size = len(whole.files[FIRST])
        data = whole.close().begin().files[FIRST]
        for length in range(size - 230, len(data) + 1, 13):
            self.setUp()
            self.place({FIRST: data[:length]})
            before = self.numbers()
            with self.writer() as writer:
                writer.append([note(9)])
            self.assertEqual((self.path / FIRST).read_bytes()[:length], data[:length])
            self.assertEqual(self.numbers(), [*before, len(before)], length)
        long = Builder("torn").begin(targets=[KEY, RECIPIENT]).batch(note(0)).batch(entry("note", pattern(2 * FULL)))
        for by in (1, 70_000, 131_300):
            self.setUp()
            self.place({FIRST: long.files[FIRST][:-by]})
            with self.writer() as writer:
                writer.append([note(9)])
            self.assertEqual(self.numbers(), [0, 1], by)
            self.assertEqual(self.names(), [FIRST, SECOND])

    def test_a_journal_without_any_sound_header_is_refused(self) -> None:
        self.place({FIRST: bytes(1_000), SECOND: b""})
        self.refused("notJournal", self.writer)

    def test_a_new_file_after_damage_says_so(self) -> None:
        """Holds [J-108]."""
        made = Builder("damage").begin(targets=[KEY, RECIPIENT])
        for number in range(5):
            made.batch(note(number))
        self.place({FIRST: flipped(made.files[FIRST], 800)})
        writer = self.writer()
        writer.append([note(5)])
        writer.release()
        self.refused("damaged", self.numbers)
        self.assertEqual(self.numbers(going_on=True)[-1], 5)
        with self.writer() as writer:
            writer.append([note(6)])
        self.assertEqual(self.numbers(going_on=True)[-2:], [5, 6])

    def test_a_writer_goes_on_after_files_without_a_sound_header(self) -> None:
        made = Builder("broken").begin(targets=[KEY, RECIPIENT]).batch(note(0), note(1)).close()
        self.place({FIRST: made.files[FIRST], SECOND: b"rubbish", "0000000003.journal": bytes(1_000)})
        with self.writer() as writer:
            writer.append([note(2)])
        self.assertEqual(self.numbers(going_on=True), [0, 1, 2])
        self.assertEqual(self.names()[-1], "0000000004.journal")

    def test_a_writer_refuses_another_version_and_a_gap(self) -> None:
        made = Builder("version").begin(targets=[KEY, RECIPIENT]).batch(note(0)).close()
        self.place(made.edited((8, b"\2")))
        self.refused("unsupportedVersion", self.writer)
        (self.path / FIRST).write_bytes(made.files[FIRST])
        (self.path / "0000000003.journal").write_bytes(made.files[FIRST])
        self.refused("missingFile", self.writer)

    def test_a_planted_number_ends_in_a_refusal(self) -> None:
        made = Builder("planted").begin(targets=[KEY, RECIPIENT]).batch(note(0)).raw(b"\0")
        planted = Builder("far").begin(segment=2**63 - 1, first=2**63 - 1)
        self.place({FIRST: made.files[FIRST] + planted.files[FIRST]})
        writer = self.writer()
        self.refused("journalFull", writer.append, [note(1)])
        writer.release()

    # Failures

    def test_a_write_that_fails_leaves_the_journal_as_it_was(self) -> None:
        writer = self.writer()
        writer.append([note(0)])
        size = (self.path / FIRST).stat().st_size
        real = os.pwrite
        calls: list[int] = []

        def short(descriptor: int, data: bytes, at: int) -> int:
            calls.append(len(data))
            if len(calls) > 1:
                raise OSError(28, "no space")
            return real(descriptor, bytes(data)[:10], at)

        with mock.patch("os.pwrite", short), self.assertRaises(OSError):
            writer.append([note(1)])
        self.assertEqual((self.path / FIRST).stat().st_size, size)
        writer.append([note(1)])
        writer.close()
        self.assertEqual(self.numbers(), [0, 1])
        self.assertEqual(self.names(), [FIRST, SECOND])

    def test_a_synchronization_that_fails_is_not_repeated(self) -> None:
        """Holds [J-104] and [J-106]: the next append begins a new file, which counts the durable frames only."""
        writer = self.writer()
        writer.append([note(0)])
        with mock.patch("os.fsync", side_effect=OSError(5, "lost")):
            self.refused("durabilityUnknown", writer.append, [note(1)])
        self.assertEqual(self.numbers(), [0, 1])
        writer.append([entry("other", b"1")])
        writer.close()
        self.assertEqual([each.type for each in open_journal(self.path, IDENTITY)], ["note", "other"])

    def test_no_changed_byte_leads_to_an_entry_that_was_not_written(self) -> None:
        made = Builder("changed").begin().batch(note(0), note(1)).close().begin().batch(note(2))
        made.begin(new_file=True).batch([note(3), note(4)]).batch(note(5)).close()
        good = [note(number).content for number in range(6)]
        self.place(made.files)
        for name, data in made.files.items():
            for at in range(0, len(data), 3):
                (self.path / name).write_bytes(flipped(data, at, at % 8))
                for going_on in (False, True):
                    found: list[bytes] = []
                    try:
                        for each in open_journal(self.path, KEY, going_on=going_on):
                            self.assertEqual(each.content, good[each.number])
                            found.append(each.content)
                    except JournalError:
                        self.assertEqual(found, good[: len(found)], (name, at))
                    if not going_on:
                        self.assertEqual(found, good[: len(found)], (name, at))
            (self.path / name).write_bytes(data)

    # Readers beside a writer

    def test_a_reader_goes_on_where_it_ended(self) -> None:
        writer = self.writer()
        writer.append([note(0)])
        journal = open_journal(self.path, KEY)
        self.assertEqual([each.number for each in journal], [0])
        self.assertEqual([each.number for each in journal], [])
        writer.append([note(1), entry("note", pattern(2 * FULL))])
        self.assertEqual([each.number for each in journal], [1, 2])
        writer.begin_segment(new_file=True)
        writer.append([note(3)])
        self.assertEqual([each.number for each in journal], [3])
        self.assertEqual(journal.pin, writer.pin)
        writer.remove_before(2)
        writer.close()
        self.assertEqual([each.number for each in journal], [])
        self.assertEqual(self.numbers(), [3])

    def test_a_reader_goes_back_to_what_was_durable_when_a_new_file_says_so(self) -> None:
        writer = self.writer()
        writer.append([note(0)])
        journal = open_journal(self.path, KEY)
        with mock.patch("os.fsync", side_effect=OSError(5, "lost")):
            self.refused("durabilityUnknown", writer.append, [note(1), note(2)])
        self.assertEqual([each.number for each in journal], [0, 1, 2])
        writer.append([entry("other", b"1")])
        self.assertEqual([(each.number, each.type) for each in journal], [(1, "other")])
        writer.close()

    def test_a_reader_goes_back_when_a_writer_has_cut_the_file_and_ended(self) -> None:
        writer = self.writer()
        writer.append([note(0)])
        journal = open_journal(self.path, KEY)
        size = (self.path / FIRST).stat().st_size
        writer.append([note(1)])
        self.assertEqual([each.number for each in journal], [0, 1])
        writer.release()
        os.truncate(self.path / FIRST, size)
        for _ in range(3):
            with self.writer() as writer:
                writer.append([entry("other", b"1")])
        self.assertEqual([(each.number, each.type) for each in journal], [(n, "other") for n in (1, 2, 3)])

    def test_a_reader_goes_on_when_the_next_file_was_removed(self) -> None:
        writer = self.writer()
        writer.append([note(0)])
        journal = open_journal(self.path, KEY)
        self.assertEqual([each.number for each in journal], [0])
        for number in range(1, 4):
            writer.begin_segment(new_file=True)
            writer.append([note(number)])
        writer.remove_before(3)
        self.assertEqual([each.number for each in journal], [2, 3])
        self.assertEqual(journal.missing, 1)
        for number in range(4, 6):
            writer.begin_segment(new_file=True)
            writer.append([note(number)])
        writer.close()
        (self.path / "0000000005.journal").unlink()
        self.refused("missingFile", list, journal)

    def test_a_reader_of_an_absent_journal_sees_its_first_entries_later(self) -> None:
        journal = open_journal(self.path, KEY)
        self.assertEqual(list(journal), [])
        with self.writer() as writer:
            writer.append([note(0)])
        self.assertEqual([each.number for each in journal], [0])

    def test_a_reader_of_a_growing_long_entry_waits_for_its_last_frame(self) -> None:
        data = Builder("growing").begin().batch(note(0), entry("note", pattern(2 * FULL))).files[FIRST]
        self.place({FIRST: b""})
        journal, found = None, []
        for length in [*range(600, len(data), 9_973), len(data)]:
            (self.path / FIRST).write_bytes(data[:length])
            journal = journal or open_journal(self.path, KEY)
            found += [each.number for each in journal]
        self.assertEqual(found, [0, 1])

    def test_a_reader_beside_a_writer_never_sees_damage(self) -> None:
        count = 300
        writer = self.writer()
        writer.append([note(0)])

        def write() -> None:
            for number in range(1, count):
                if number % 50 == 0:
                    writer.begin_segment(new_file=number % 100 == 0)
                writer.append([entry("note", fixed(f"{number}", 64) * (number % 40))])

        thread = threading.Thread(target=write)
        journal = open_journal(self.path, KEY)
        found: list[int] = []
        thread.start()
        while thread.is_alive() or len(found) < count:
            found += [each.number for each in journal]
        thread.join()
        writer.close()
        self.assertEqual(found, list(range(count)))


if __name__ == "__main__":
    unittest.main()
