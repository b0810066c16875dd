"""`python -m keepsake inspect|explain|verify|write`."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from . import ArchiveError, Canonicity, archive_to_json, content_from_json, dump, explain, load, verify


def main(arguments: list[str] | None = None) -> int:
    """Runs a command; 0 if all is well, 1 if an archive is refused, 3 if it is not canonical."""
    parser = argparse.ArgumentParser(prog="keepsake", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    inspect = commands.add_parser("inspect", help="check an archive and print its values as JSON")
    inspect.add_argument("archive")
    inspect.add_argument("--plain", action="store_true", help="without tags, one object a line")
    explained = commands.add_parser("explain", help="check an archive and print its bytes with comments")
    explained.add_argument("archive")
    check = commands.add_parser("verify", help="check an archive and print the verdict")
    check.add_argument("archive", nargs="+")
    write = commands.add_parser("write", help="write an archive from JSON as inspect prints it")
    write.add_argument("json")
    write.add_argument("archive")
    options = parser.parse_args(arguments)
    status = 0
    try:
        if options.command == "write":
            text = sys.stdin.read() if options.json == "-" else Path(options.json).read_text()
            Path(options.archive).write_bytes(dump(content_from_json(json.loads(text))))
        elif options.command == "inspect":
            archive = load(options.archive)
            verdict = verify(archive)
            if options.plain:
                for each in archive:
                    print(each.number, each.type, json.dumps(each.record().plain(), default=str))
            else:
                json.dump(archive_to_json(archive), sys.stdout, indent=1, ensure_ascii=False)
                print()
            print(verdict, file=sys.stderr)
        elif options.command == "explain":
            archive = load(options.archive)
            verify(archive)
            print(explain(archive))
        else:
            for path in options.archive:
                verdict = verify(load(path))
                print(f"{path}: {verdict}")
                if verdict.canonicity is Canonicity.NOT_CANONICAL:
                    status = 3
    except ArchiveError as error:
        print(f"keepsake: {error}", file=sys.stderr)
        return 1
    return status


if __name__ == "__main__":
    sys.exit(main())
