"""An independent reader and writer of Keepsake archives and sealed files, format version 1 of both.

    import keepsake
    archive = keepsake.load("notes.keepsake", key=keepsake.read_key_file("key"))
    archive.object(archive.root)["title"].plain()

It follows only Spec/archive.md and Spec/seal.md, which also define rules such as [A-42] and [S-42]. Sealed journals are
in `keepsake.journal`, which follows Spec/journal.md.
"""

from . import tags
from .bodies import Object
from .errors import ArchiveError
from .explain import explain
from .files import load, rows
from .forward import ForwardArchive
from .jsonform import archive_to_json, content_from_json, content_to_json
from .reader import Archive
from .sealed import (
    AtLeast,
    Exactly,
    Identity,
    NotBefore,
    Passphrase,
    Pin,
    RawKey,
    Recipient,
    SealedFile,
    SealError,
    Signer,
    SigningKey,
    open_sealed,
    read_identity_file,
    read_key_file,
    read_signing_key_file,
    seal,
    summary,
    write_durably,
)
from .sealed.writer import Options as SealOptions
from .values import Content, Field, Key, Record, Value, floating
from .verify import Canonicity, Verdict, verify
from .writer import Writer, dump

__all__ = [
    "Archive",
    "ArchiveError",
    "AtLeast",
    "Canonicity",
    "Content",
    "Exactly",
    "Field",
    "ForwardArchive",
    "Identity",
    "Key",
    "NotBefore",
    "Object",
    "Passphrase",
    "Pin",
    "RawKey",
    "Recipient",
    "Record",
    "SealError",
    "SealOptions",
    "SealedFile",
    "Signer",
    "SigningKey",
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
    "open_sealed",
    "read_identity_file",
    "read_key_file",
    "read_signing_key_file",
    "rows",
    "seal",
    "summary",
    "tags",
    "verify",
    "write_durably",
]
__version__ = "1.0.0"
