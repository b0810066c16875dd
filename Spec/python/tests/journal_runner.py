"""The outcome of a reader for a vector of a journal, in the form of the vectors."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from journal_cases import entry_to_json
from seal_runner import key_of, unstated

from keepsake.journal import Entry, JournalError, open_journal

PLACED = ("damaged", "malformedEntry")
"""Errors whose place is stated."""


def run(files: dict[str, bytes], how: dict[str, Any]) -> tuple[dict[str, Any], JournalError | None]:
    """The outcome of a reader for the files of a journal."""
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files.items():
            Path(folder, name).write_bytes(data)
        entries: list[dict[str, Any]] = []
        try:
            journal = open_journal(
                folder,
                [key_of(key) for key in how["keys"]],
                context=unstated(how.get("context", "")),
                pin=bytes.fromhex(how["pin"]) if "pin" in how else None,
                going_on=how.get("goingOn", False),
            )
            entries.extend(numbered(entry) for entry in journal)
        except JournalError as error:
            found: dict[str, Any] = {"error": error.code}
            if error.code in PLACED:
                found |= {"file": error.file, "offset": error.offset, "entry": str(error.entry)}
            return found | {"entries": entries}, error
        found = {"entries": entries, "pin": journal.pin.encode().hex() if journal.pin else None}
        if "goingOn" in how:
            found["damages"] = [
                {"file": each.file, "offset": each.offset, "entry": str(each.entry)} for each in journal.damages
            ]
            found["missing"] = str(journal.missing)
        return found, None


def numbered(entry: Entry) -> dict[str, Any]:
    return {"number": str(entry.number)} | entry_to_json(entry)
