"""`python -m keepsake inspect|explain|verify|open|seal|write`."""

from __future__ import annotations

import argparse
import base64
import getpass
import json
import os
import sys
from pathlib import Path
from typing import Any

from . import (
    Archive,
    ArchiveError,
    Canonicity,
    Identity,
    Passphrase,
    Pin,
    RawKey,
    SealedFile,
    SealError,
    SealOptions,
    Signer,
    archive_to_json,
    content_from_json,
    dump,
    explain,
    load,
    open_sealed,
    read_identity_file,
    read_key_file,
    read_signing_key_file,
    seal,
    summary,
    verify,
    write_durably,
)
from .files import archive_in, is_sealed
from .sealed import AtLeast, Exactly, NotBefore, Recipient
from .sealed.reader import Expectation, SignaturePolicy, Summary

ARCHIVE = b"\x89KSA\r\n\x1a\n"


def add_key_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options for the keys that open a sealed file."""
    parser.add_argument("--key-file", action="append", default=[], help="a key file")
    parser.add_argument("--identity-file", action="append", default=[], help="an identity file")
    parser.add_argument("--passphrase", action="store_true", help="ask for a passphrase")
    parser.add_argument("--context", default="", help="what the file was sealed for, as text")


def add_opening_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options for keys, and for the expectations of a sealed file."""
    add_key_options(parser)
    parser.add_argument("--signer", action="append", default=[], help="ask for a signature of this signer, or `any`")
    parser.add_argument("--not-before", help="a pin in Base64: the file is that one or a later one")
    parser.add_argument("--exactly", help="a pin in Base64: the file is that one")
    parser.add_argument("--at-least", type=int, help="the lowest generation")


def keys(options: argparse.Namespace) -> list[RawKey | Passphrase | Identity]:
    """The keys that the options name."""
    found: list[RawKey | Passphrase | Identity] = [read_key_file(path) for path in options.key_file]
    found += [read_identity_file(path) for path in options.identity_file]
    if options.passphrase:
        found.append(Passphrase(getpass.getpass("Passphrase: ") if sys.stdin.isatty() else sys.stdin.readline()[:-1]))
    return found


def expectation(options: argparse.Namespace) -> Expectation | None:
    """The expectation of freshness that the options give."""
    if options.exactly:
        return Exactly(Pin.decode(base64.b64decode(options.exactly)))
    if options.not_before:
        return NotBefore(Pin.decode(base64.b64decode(options.not_before)))
    return None if options.at_least is None else AtLeast(options.at_least)


def opened(path: str, options: argparse.Namespace) -> SealedFile:
    """The sealed file, opened with the options."""
    signature: SignaturePolicy = None
    if options.signer:
        signature = "any" if options.signer == ["any"] else [Signer.from_text(text) for text in options.signer]
    return open_sealed(
        path,
        keys(options),
        context=options.context.encode(),
        signature=signature,
        expecting=expectation(options),
    )


def outside(found: Summary) -> dict[str, Any]:
    """The parts of a file that can be read without a key."""
    return {
        "sealed": 1,
        "chunkSize": found.chunk,
        "signed": found.signed,
        "slots": found.slots,
        "payloadLength": found.payload,
        "fileID": found.file_id.hex(),
        "publicMetadata": found.public_metadata.decode(errors="backslashreplace"),
    }


def inside(file: SealedFile) -> dict[str, Any]:
    """The facts about an open file."""
    return {
        "plaintextLength": file.length,
        "generation": file.generation,
        "creator": file.creator,
        "slot": file.slot,
        "sole": file.is_sole,
        "signer": str(file.signer) if file.signer else None,
        "freshness": file.freshness,
        "pin": base64.b64encode(file.pin().encode()).decode(),
    }


def archive_of(path: str, options: argparse.Namespace) -> tuple[SealedFile | None, Archive | None]:
    """The sealed file, if it is one, and its archive; or the archive that the file is."""
    if not is_sealed(path):
        return None, load(path)
    file = opened(path, options)
    return file, archive_in(file) if file.read(0, min(8, file.length)) == ARCHIVE else None


def run_inspect(options: argparse.Namespace) -> int:
    if is_sealed(options.file) and not (options.key_file or options.identity_file or options.passphrase):
        json.dump(outside(summary(options.file)), sys.stdout, indent=1, ensure_ascii=False)
        print()
        return 0
    file, archive = archive_of(options.file, options)
    if file is not None:
        print(json.dumps(outside(file.summary) | inside(file), indent=1, ensure_ascii=False))
    if archive is None:
        return 0
    verdict = verify(archive)
    if options.plain:
        for each in archive:
            print(each.number, each.type, json.dumps(each.record().plain(), default=str))
    else:
        json.dump(archive_to_json(archive), sys.stdout, indent=1, ensure_ascii=False)
        print()
    print(verdict, file=sys.stderr)
    return 0


def run_verify(options: argparse.Namespace) -> int:
    status = 0
    for path in options.file:
        file, archive = archive_of(path, options)
        if file is not None:
            file.verify()
            print(f"{path}: {file.preamble.chunks} chunks verified, {file.length} bytes of plaintext")
        if archive is not None:
            verdict = verify(archive)
            print(f"{path}: {verdict}")
            if verdict.canonicity is Canonicity.NOT_CANONICAL:
                status = 3
    return status


def run_open(options: argparse.Namespace) -> int:
    file = opened(options.file, options)
    if options.output == "-":
        for part in file.chunks():
            sys.stdout.buffer.write(part)
    else:
        write_durably(options.output, b"".join(file.chunks()))
    return 0


def run_seal(options: argparse.Namespace) -> int:
    own: list[RawKey | Passphrase | Recipient] = [
        key.recipient if isinstance(key, Identity) else key for key in keys(options)
    ]
    own += [Recipient.from_text(text) for text in options.recipient]
    made = seal(
        Path(options.file).read_bytes(),
        own,
        SealOptions(
            context=options.context.encode(),
            public_metadata=options.public_metadata.encode(),
            generation=options.generation,
            padded=options.padded,
            signing_key=read_signing_key_file(options.signing_key_file) if options.signing_key_file else None,
        ),
    )
    write_durably(options.output, made)
    return 0


def run_explain(options: argparse.Namespace) -> int:
    archive = load(options.file)
    verify(archive)
    print(explain(archive))
    return 0


def run_write(options: argparse.Namespace) -> int:
    text = sys.stdin.read() if options.json == "-" else Path(options.json).read_text()
    Path(options.archive).write_bytes(dump(content_from_json(json.loads(text))))
    return 0


def main(arguments: list[str] | None = None) -> int:
    """Runs a command; returns 0 for success, 1 if a file is refused, 3 if an archive is not canonical."""
    parser = argparse.ArgumentParser(prog="keepsake", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)

    inspect = commands.add_parser("inspect", help="print what a file says, and an archive's values as JSON")
    inspect.add_argument("file")
    inspect.add_argument("--plain", action="store_true", help="without tags, one object a line")
    add_opening_options(inspect)
    inspect.set_defaults(run=run_inspect)

    check = commands.add_parser("verify", help="verify every chunk, and print an archive's verdict")
    check.add_argument("file", nargs="+")
    add_opening_options(check)
    check.set_defaults(run=run_verify)

    opening = commands.add_parser("open", help="open a sealed file and write its plaintext")
    opening.add_argument("file")
    opening.add_argument("--output", "-o", default="-", help="a file; without it, the standard output")
    add_opening_options(opening)
    opening.set_defaults(run=run_open)

    sealing = commands.add_parser("seal", help="seal a file")
    sealing.add_argument("file")
    sealing.add_argument("output")
    add_key_options(sealing)
    sealing.add_argument("--recipient", action="append", default=[], help="the text form of a recipient")
    sealing.add_argument("--signing-key-file", help="sign with this key")
    sealing.add_argument("--public-metadata", default="", help="readable without a key")
    sealing.add_argument("--generation", type=int, default=0)
    sealing.add_argument("--padded", action="store_true")
    sealing.set_defaults(run=run_seal)

    explained = commands.add_parser("explain", help="check an archive and print its bytes with comments")
    explained.add_argument("file")
    explained.set_defaults(run=run_explain)

    write = commands.add_parser("write", help="write an archive from JSON as inspect prints it")
    write.add_argument("json")
    write.add_argument("archive")
    write.set_defaults(run=run_write)

    options = parser.parse_args(arguments)
    try:
        return int(options.run(options))
    except (ArchiveError, SealError) as error:
        print(f"keepsake: {error}", file=sys.stderr)
    except OSError as error:
        print(f"keepsake: {error.filename or ''}: {os.strerror(error.errno or 0)}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
