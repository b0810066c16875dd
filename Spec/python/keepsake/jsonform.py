"""Values as JSON, without loss. Spec/Vectors/README.md defines the form."""

from __future__ import annotations

import math
import struct
import uuid
from typing import Any

from . import tags
from .reader import Archive
from .values import (
    ARCHIVE_VALUES,
    MAY_BE_ABSENT,
    MAY_BE_NIL,
    NIL,
    NOT_NIL,
    Content,
    Field,
    Key,
    Record,
    Value,
)

OPTIONAL = {NOT_NIL: None, MAY_BE_NIL: "nil", MAY_BE_ABSENT: "absent"}
OPTIONALS = {name: bits for bits, name in OPTIONAL.items()}
FORMATS = {2: "<e", 4: "<f", 8: "<d"}


def float_to_json(value: Value) -> Any:
    """A number, or its bits in hexadecimal if JSON has no such number."""
    number = value.number
    if math.isfinite(number):
        return number
    return f"0x{value.content:0{2 * tags.width(value.tag)}x}"


def float_from_json(tag: int, content: Any) -> int:
    """The bits."""
    if isinstance(content, str):
        return int(content, 16)
    return int.from_bytes(struct.pack(FORMATS[tags.width(tag)], content), "little")


def value_to_json(value: Value) -> Any:
    """An object with one member, which is named by the tag."""
    if value.is_nil:
        return {"nil": tags.NAMES.get(value.tag)} if tags.is_known(value.tag) else {"nil": value.tag}
    if value.opaque:
        content = value.content if isinstance(value.content, bool) else bytes(value.content).hex()
        return {"unknown": [value.tag, content]}
    kind, content = tags.kind(value.tag), value.content
    name = tags.NAMES[value.tag]
    if kind in (tags.FLOAT, tags.DATE):
        return {name: float_to_json(value)}
    if kind == tags.BYTES:
        return {name: bytes(content).hex()}
    if kind == tags.UUID:
        return {name: str(uuid.UUID(bytes=bytes(content)))}
    if kind in (tags.RECORD, tags.ENUMERATION):
        return {name: record_to_json(content)}
    if kind in (tags.ARRAY, tags.SET):
        return {name: [value_to_json(element) for element in content]}
    if kind == tags.DICTIONARY:
        return {name: [[value_to_json(key), value_to_json(entry)] for key, entry in content]}
    return {name: content}


def value_from_json(json: Any) -> Value:
    """The reverse of `value_to_json`."""
    ((name, content),) = json.items()
    if name == "nil":
        if isinstance(content, int):
            return Value(content, NIL)
        return Value(tags.TAG_NIL if content is None else tags.TAGS[content], NIL)
    if name == "unknown":
        tag, raw = content
        return Value(tag, raw if isinstance(raw, bool) else bytes.fromhex(raw), opaque=True)
    tag = tags.TAGS[name]
    kind = tags.kind(tag)
    if tag > 0xFF:
        return Value(tag, content)
    if kind in (tags.FLOAT, tags.DATE):
        return Value(tag, float_from_json(tag, content))
    if kind == tags.BYTES:
        return Value(tag, bytes.fromhex(content))
    if kind == tags.UUID:
        return Value(tag, uuid.UUID(content).bytes)
    if kind in (tags.RECORD, tags.ENUMERATION):
        return Value(tag, record_from_json(content))
    if kind in (tags.ARRAY, tags.SET):
        return Value(tag, [value_from_json(element) for element in content])
    if kind == tags.DICTIONARY:
        return Value(tag, [(value_from_json(key), value_from_json(entry)) for key, entry in content])
    return Value(tag, content)


def record_to_json(record: Record) -> dict[str, Any]:
    """Type, version, case and the slots in their order."""
    result: dict[str, Any] = {"type": record.type}
    if record.version:
        result["version"] = record.version
    if record.case is not None:
        result["case"] = record.case
    values: list[dict[str, Any]] = []
    for field in record.fields:
        slot: dict[str, Any] = {"key": field.key.name}
        if field.key.scopes:
            slot["scopes"] = list(field.key.scopes)
        if field.key.reserved:
            slot["reserved"] = True
        if field.optional:
            slot["optional"] = OPTIONAL[field.optional]
        slot["value"] = value_to_json(field.value)
        values.append(slot)
    result["values"] = values
    return result


def record_from_json(json: Any) -> Record:
    """The reverse of `record_to_json`."""
    fields = [
        Field(
            Key(slot["key"], tuple(slot.get("scopes", ())), slot.get("reserved", False)),
            value_from_json(slot["value"]),
            OPTIONALS[slot.get("optional")],
        )
        for slot in json["values"]
    ]
    return Record(json["type"], fields, json.get("version", 0), json.get("case"))


def content_to_json(content: Content) -> dict[str, Any]:
    """A whole archive."""
    values: dict[str, Any] = {}
    for number, tag, raw in content.archive_values:
        if number in ARCHIVE_VALUES:
            if tag == tags.TAG_STRING:
                values[ARCHIVE_VALUES[number][0]] = raw.decode()
            elif tag == tags.TAG_DATE:
                values[ARCHIVE_VALUES[number][0]] = float_to_json(Value(tag, int.from_bytes(raw, "little")))
            else:
                values[ARCHIVE_VALUES[number][0]] = int.from_bytes(raw, "little", signed=True)
        else:
            values[str(number)] = [tag, raw.hex()]
    result: dict[str, Any] = {"format": 1}
    if values:
        result["archiveValues"] = values
    result["root"] = content.root
    if content.conditionals:
        result["conditionals"] = content.conditionals
    result["objects"] = [record_to_json(record) for record in content.objects]
    return result


def content_from_json(json: Any) -> Content:
    """The reverse of `content_to_json`."""
    numbers = {name: (number, tag) for number, (name, tag) in ARCHIVE_VALUES.items()}
    values: list[tuple[int, int, bytes]] = []
    for name, content in json.get("archiveValues", {}).items():
        if name not in numbers:
            values.append((int(name), content[0], bytes.fromhex(content[1])))
            continue
        number, tag = numbers[name]
        if tag == tags.TAG_STRING:
            raw = content.encode()
        elif tag == tags.TAG_DATE:
            raw = float_from_json(tag, content).to_bytes(8, "little")
        else:
            raw = int(content).to_bytes(8, "little", signed=True)
        values.append((number, tag, raw))
    return Content(
        [record_from_json(record) for record in json["objects"]],
        json.get("root", 1),
        list(json.get("conditionals", ())),
        sorted(values),
    )


def archive_to_json(archive: Archive) -> dict[str, Any]:
    """An archive as JSON."""
    return content_to_json(archive.content())
