"""Sealed journals, as Spec/journal.md states them."""

from .directory import Pin, Retention
from .errors import JournalError
from .frames import ARCHIVE, BYTES, Entry
from .reader import Damage, Journal, open_journal
from .writer import JournalWriter, Options, Randomness

__all__ = [
    "ARCHIVE",
    "BYTES",
    "Damage",
    "Entry",
    "Journal",
    "JournalError",
    "JournalWriter",
    "Options",
    "Pin",
    "Randomness",
    "Retention",
    "open_journal",
]
