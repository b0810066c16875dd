"""An independent reader and writer of Keepsake archives, format version 1.

    import keepsake
    archive = keepsake.load("notes.keepsake")
    archive.object(archive.root)["title"].plain()

It is written from Spec/archive.md alone; rules such as [A-42] are named there.
"""

from . import tags
from .bodies import Object
from .errors import ArchiveError
from .explain import explain
from .forward import ForwardArchive
from .jsonform import archive_to_json, content_from_json, content_to_json
from .reader import Archive, load
from .values import Content, Field, Key, Record, Value, floating
from .verify import Canonicity, Verdict, verify
from .writer import Writer, dump

__all__ = [
    "Archive",
    "ArchiveError",
    "Canonicity",
    "Content",
    "Field",
    "ForwardArchive",
    "Key",
    "Object",
    "Record",
    "Value",
    "Verdict",
    "Writer",
    "archive_to_json",
    "content_from_json",
    "content_to_json",
    "dump",
    "explain",
    "floating",
    "load",
    "tags",
    "verify",
]
__version__ = "1.0.0"
