"""Compares `keepsake import` with other readers of archives of NSKeyedArchiver.

    pip install bpylist2 nska-deserialize
    apt-get install fq
    python3 compare.py KEEPSAKE [FOLDER]

KEEPSAKE is the built tool. FOLDER has files that Foundation made; the tests write them there:

    KEEPSAKE_SAMPLES=FOLDER swift test --filter 'An archive that Foundation makes'

Other files are made here, in the forms that the tests of the other readers describe. Each file is read by
plistlib and by fq with the rules below, by bpylist2 and by nska-deserialize. The values that each of them reads have to be
those of `keepsake get --json`. The script prints how many files each reader read, and every difference.
"""

import base64
import datetime
import io
import json
import os
import pathlib
import plistlib
import subprocess
import sys
import tempfile
import uuid

from bpylist2 import archiver
import nska_deserialize

UID = plistlib.UID
EPOCH = datetime.datetime(2001, 1, 1, tzinfo=datetime.timezone.utc)


# -- Files that are made here


def named(*names):
    return {"$classname": names[0], "$classes": [*names, "NSObject"]}


def keyed(*objects, **top):
    return {
        "$version": 100000,
        "$archiver": "NSKeyedArchiver",
        "$top": top or {"root": UID(1)},
        "$objects": ["$null", *objects],
    }


def single(class_name, **keys):
    """A file of one object of a class."""
    keys = {name.replace("__", "."): value for name, value in keys.items()}
    return keyed({"$class": UID(2), **keys}, named(class_name))


def files_made_here():
    """Files by name, as property lists before they are written in both forms."""
    id_bytes = uuid.UUID("e621e1f8-c36c-495a-93fc-0c247a3e6e5f").bytes
    array = named("NSMutableArray", "NSArray")
    return {
        "text": keyed("Ada"),
        "empty text": keyed(""),
        "number": keyed(-5),
        "large number": keyed(2**64 - 1),
        "real": keyed(0.1),
        "truth": keyed(True),
        "bytes": keyed(b"\x00\xff"),
        "mutable text": single("NSMutableString", NS__string="Ada"),
        "text in bytes": single("NSString", NS__bytes="Grüße".encode()),
        "mutable bytes": single("NSMutableData", NS__data=b"\x01\x02"),
        "date": single("NSDate", NS__time=0.5),
        "old date": single("NSDate", NS__time=-1e9),
        "identifier": single("NSUUID", NS__uuidbytes=id_bytes),
        "null": single("NSNull"),
        "address": keyed(
            {"$class": UID(3), "NS.base": UID(0), "NS.relative": UID(2)}, "https://a.b/c", named("NSURL")
        ),
        "empty array": single("NSArray", NS__objects=[]),
        "array": keyed({"$class": UID(2), "NS.objects": [UID(3), UID(4), UID(0)]}, array, "a", 7),
        "shared text": keyed({"$class": UID(2), "NS.objects": [UID(3)] * 5}, array, "a"),
        "nested arrays": keyed(
            {"$class": UID(3), "NS.objects": [UID(2), UID(2)]}, {"$class": UID(3), "NS.objects": [UID(4)]}, array, 1
        ),
        "set": keyed({"$class": UID(2), "NS.objects": [UID(3), UID(4)]}, named("NSSet"), "a", "b"),
        "ordered set": keyed(
            {"$class": UID(2), "NS.object.0": UID(3), "NS.object.1": UID(4)}, named("NSOrderedSet"), "b", "a"
        ),
        "dictionary": keyed(
            {"$class": UID(4), "NS.keys": [UID(2)], "NS.objects": [UID(3)]}, "k", 1.5, named("NSMutableDictionary", "NSDictionary")
        ),
        "dictionary of dates": keyed(
            {"$class": UID(4), "NS.keys": [UID(2)], "NS.objects": [UID(3)]},
            "when",
            {"$class": UID(5), "NS.time": 86400.0},
            named("NSDictionary"),
            named("NSDate"),
        ),
        "attributed text": keyed({"$class": UID(3), "NSString": UID(2)}, "Ada", named("NSAttributedString")),
    }


# -- plistlib and fq, with the rules of the article "From NSKeyedArchiver"


class Unsupported(Exception):
    """A reader does not know a class, or is not meant for the file."""


def read_by_plistlib(data):
    return read_by_rules(plistlib.loads(data))


def read_by_fq(data):
    """Reads a file in the binary form. XML is no format of fq 0.3, and its JSON has bytes as texts that lack some."""
    run = subprocess.run(["fq", "-d", "bplist", "-c", "torepr"], input=data, capture_output=True, check=True)

    def with_references(node):
        if {"NS.data", "NS.bytes", "NS.uuidbytes"} & set(node):
            raise Unsupported("bytes")
        return UID(node["cfuid"]) if list(node) == ["cfuid"] else node

    return read_by_rules(json.loads(run.stdout, object_hook=with_references))


def read_by_rules(archive):
    objects = archive["$objects"]

    def value(node):
        if isinstance(node, dict) and list(node) == ["CF$UID"]:
            node = UID(node["CF$UID"])
        if isinstance(node, UID):
            return None if node.data == 0 else value(objects[node.data])
        if isinstance(node, list):
            return [value(each) for each in node]
        if not isinstance(node, dict):
            return node
        reference = node["$class"]
        reference = reference.data if isinstance(reference, UID) else reference["CF$UID"]
        return of_class(objects[reference]["$classname"].replace("Mutable", ""), node)

    def of_class(name, node):
        if name in ("NSArray", "NSSet") and "NS.objects" in node:
            values = value(node["NS.objects"])
            return values if name == "NSArray" else Members(values)
        if name == "NSOrderedSet":
            return [value(node[f"NS.object.{number}"]) for number in range(len(node) - 1)]
        if name == "NSDictionary":
            return list(zip(value(node["NS.keys"]), value(node["NS.objects"])))
        if name == "NSString":
            return value(node["NS.string"]) if "NS.string" in node else node["NS.bytes"].decode()
        if name == "NSAttributedString":
            return value(node["NSString"])
        if name == "NSData":
            return value(node["NS.data"])
        if name == "NSDate":
            return EPOCH + datetime.timedelta(seconds=node["NS.time"])
        if name == "NSUUID":
            return uuid.UUID(bytes=node["NS.uuidbytes"])
        if name == "NSURL" and value(node["NS.base"]) is None:
            return value(node["NS.relative"])
        if name == "NSNull":
            return None
        raise Unsupported(name)

    return value(archive["$top"]["root"])


class Members(list):
    """The members of a set, in any order."""


# -- The other readers


def read_by_bpylist2(data):
    return archiver.unarchive(data)


def read_by_nska(data):
    value = nska_deserialize.deserialize_plist(io.BytesIO(data))
    return value["root"] if isinstance(value, dict) and list(value) == ["root"] else value


def read_by_keepsake(tool, data, folder):
    old, new = os.path.join(folder, "old"), os.path.join(folder, "new")
    pathlib.Path(old).write_bytes(data)
    subprocess.run([tool, "import", old, "-o", new], check=True)
    subprocess.run([tool, "verify", new], check=True, stdout=subprocess.DEVNULL)
    output = subprocess.run([tool, "get", new, "root", "--json"], check=True, stdout=subprocess.PIPE)
    return json.loads(output.stdout)


# -- Comparison


def seconds(text):
    digits = text.rstrip("Z").split(".")
    whole = datetime.datetime.fromisoformat(digits[0]).replace(tzinfo=datetime.timezone.utc)
    return (whole - EPOCH).total_seconds() + float("0." + digits[1] if len(digits) > 1 else 0)


def is_same(value, found):
    """True when a value of another reader is the value that JSON says."""
    if isinstance(value, archiver.timestamp if hasattr(archiver, "timestamp") else ()):
        return abs(float(value) - (seconds(found) + EPOCH.timestamp())) < 1e-6
    if isinstance(value, datetime.datetime):
        value = value if value.tzinfo else value.replace(tzinfo=datetime.timezone.utc)
        return abs((value - EPOCH).total_seconds() - seconds(found)) < 1e-6
    if value is None or value == "" and found is None:
        return found is None
    if isinstance(value, bool) or isinstance(value, str):
        return value == found
    if isinstance(value, bytes):
        return base64.b64encode(value).decode() == found
    if isinstance(value, uuid.UUID):
        return str(value).upper() == found
    if isinstance(value, (int, float)):
        # A real number of 32 bits is written with the digits that it needs.
        return isinstance(found, (int, float)) and abs(value - found) <= 1e-7 * abs(value)
    if isinstance(value, (set, frozenset, Members)):
        left = list(found)
        return len(value) == len(left) and all(take(each, left) for each in value)
    if isinstance(value, dict):
        value = list(value.items())
    if value and isinstance(value, list) and all(isinstance(each, tuple) for each in value):
        return same_entries(value, found)
    if isinstance(value, (list, tuple)):
        if not value:
            return found in ([], {})
        return len(value) == len(found) and all(map(is_same, value, found))
    return False


def same_entries(entries, found):
    if isinstance(found, dict):
        found = list(found.items())
    else:
        found = [(each["key"], each["value"]) if isinstance(each, dict) else tuple(each) for each in found]
    left = list(found)
    for key, value in entries:
        match = [each for each in left if is_same(key, each[0]) or str(key) == each[0]]
        if not match or not is_same(value, match[0][1]):
            return False
        left.remove(match[0])
    return not left


def take(value, left):
    for index, each in enumerate(left):
        if is_same(value, each):
            del left[index]
            return True
    return False


def main():
    tool = os.path.abspath(sys.argv[1])
    files = {}
    for name, content in files_made_here().items():
        files[name] = plistlib.dumps(content, fmt=plistlib.FMT_BINARY)
    for path in sorted(pathlib.Path(sys.argv[2]).iterdir()) if len(sys.argv) > 2 else []:
        files["Foundation: " + path.name] = path.read_bytes()
    readers = {"plistlib": read_by_plistlib, "fq": read_by_fq, "bpylist2": read_by_bpylist2, "nska-deserialize": read_by_nska}
    counts = {name: [0, 0] for name in readers}
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files.items():
            found = read_by_keepsake(tool, data, folder)
            for reader, read in readers.items():
                try:
                    value = read(data)
                except Exception:
                    continue
                counts[reader][0] += 1
                try:
                    same = is_same(value, found)
                except Exception:
                    same = False
                counts[reader][1] += same
                if not same:
                    print(f"{name}: {reader} reads {value!r:.200}, and keepsake {found!r:.200}")
    for reader, (count, same) in counts.items():
        print(f"{reader}: {count} of {len(files)} files read, {same} with the same values")
    sys.exit(counts["plistlib"][0] != counts["plistlib"][1])


if __name__ == "__main__":
    main()
