"""An archive as hexadecimal lines, each with its meaning."""

from __future__ import annotations

import json

from . import tags
from .arrays import cut_array, mixed_tag
from .bodies import Body
from .reader import HEADER, ROW, SEVERAL, TAIL, Archive
from .tables import CASE, HEAD, RESERVED, SCOPE
from .values import ARCHIVE_VALUES, Value

LINE = 16
RUN = 32
COMMENT = 60
"""The largest length of a comment about several things."""


def quoted(text: str) -> str:
    """A string in double quotes."""
    return json.dumps(text, ensure_ascii=False)


def explain(archive: Archive) -> str:
    """All bytes of an archive with comments. The archive should have been verified."""
    return _Explainer(archive).run()


class _Explainer:
    def __init__(self, archive: Archive) -> None:
        self.archive = archive
        self.data = archive.data
        self.lines: list[str] = []
        self.position = 0
        self.digits = max(3, len(f"{len(self.data):x}"))

    def put(self, end: int, comment: str) -> None:
        """The bytes up to an end, with a comment in their first line."""
        while self.position < end:
            start = self.position
            zeros = start
            while zeros < end and self.data[zeros] == 0:
                zeros += 1
            if zeros - start >= RUN:
                self.position = zeros
                text = f"00 x {zeros - start}"
            else:
                self.position = min(end, start + LINE)
                text = bytes(self.data[start : self.position]).hex(" ")
            self.lines.append(f"{start:0{self.digits}x} {text:<47} | {comment}".rstrip(" |"))
            comment = ""

    def row(self, pieces: list[tuple[int, str]]) -> None:
        """Pieces one after the other, given by their ends and comments, as many in a line as fit."""
        waiting: list[tuple[int, str]] = []
        for end, comment in pieces:
            if waiting and (end - self.position > LINE or len("; ".join(c for _, c in waiting) + comment) > COMMENT):
                self.put(waiting[-1][0], "; ".join(c for _, c in waiting))
                waiting = []
            waiting.append((end, comment))
        if waiting:
            self.put(waiting[-1][0], "; ".join(c for _, c in waiting))

    def run(self) -> str:
        archive = self.archive
        self.put(8, "header: magic")
        self.put(16, "format version 1, minor version, features")
        self.put(HEADER.size, f"{archive.values_end - HEADER.size} bytes of archive values")
        for number, tag, content in archive.archive_values:
            name = ARCHIVE_VALUES[number][0] if number in ARCHIVE_VALUES else "unknown"
            self.put(self.position + 6, f"{name}: number, tag, length")
            self.put(self.position + len(content), self.shown(tag, self.position, len(content)))
        for segment in archive.segments():
            last = segment.number == archive.segment_count - 1
            self.put(segment.offset + 4, "last segment" if last else "segment")
            self.put(segment.offset + 12, f"{segment.length} bytes of bodies, {segment.count} objects")
            what = "several shapes" if segment.shape == SEVERAL else f"shape {segment.shape}"
            self.put(segment.bodies, what)
            for index in range(segment.count):
                body = archive.object_body(segment, index)
                kind = archive.tables.types[body.shape.type].name
                self.body(body, f"object {segment.first + index}, {kind}")
            width = archive.shape_width(segment)
            if width:
                self.put(self.position + 1, "directory: width of the numbers of shapes")
                self.put(self.position + width * segment.count, "shapes of the objects")
            if archive.directory_end(segment) > self.position:
                self.put(archive.directory_end(segment), "where the bodies end, but the last")
            if not last:
                self.put(archive.segment(segment.number + 1).offset, "tables of the segment")
        self.tables()
        self.put(archive.directory, "conditional references: their objects")
        for number in range(archive.segment_count):
            at = archive.directory + ROW.size * number
            self.put(at + 12, f"row of segment {number}: offset, first object")
            self.put(at + ROW.size, "bytes of bodies; shape")
        at = self.position
        self.put(at + 4, "tail: marker")
        self.put(at + 16, "segments, objects, root")
        self.put(at + TAIL.size, "offset of the footer")
        return "\n".join(self.lines)

    def tables(self) -> None:
        archive, tables = self.archive, self.archive.tables
        self.put(
            archive.footer + HEAD.size,
            f"footer: {len(tables.keys)} keys, {len(tables.types)} types, "
            f"{len(tables.shapes)} shapes, {archive.conditional_count} conditional references",
        )
        pieces: list[tuple[int, str]] = []
        end = self.position
        for number, key in enumerate(tables.keys):
            length = len(key.name.encode())
            what = {SCOPE: ", a scope", CASE: ", a case", RESERVED: ", reserved"}.get(key.namespace, "")
            what += "" if key.scope is None else f", in scope {key.scope}"
            length += (3 if length > 255 else 2) + (0 if key.scope is None else 4)
            end += length
            pieces.append((end, f"key {number}: {quoted(key.name)}{what}"))
        self.row(pieces)
        pieces = []
        for number, entry in enumerate(tables.types):
            length = len(entry.name.encode())
            end += (3 if length > 255 else 2) + (4 if entry.version else 0) + length
            version = f", version {entry.version}" if entry.version else ""
            pieces.append((end, f"type {number}: {quoted(entry.name)}{version}"))
        self.row(pieces)
        for number, shape in enumerate(tables.shapes):
            end = self.position + 4
            pieces = [(end, f"shape {number}: type {shape.type}, number of words")]
            if shape.case is not None:
                end += 4
                pieces.append((end, f"case {tables.keys[shape.case].name}"))
            for slot in shape.slots:
                name = "nil" if slot.tag == tags.TAG_NIL else tags.NAMES.get(slot.tag, "")
                if slot.cell is not None:
                    name = f"inline, shape {slot.cell}"
                more = {0: "", 1: ", may be nil", 3: ", may be absent"}[slot.optional]
                end += 8 if slot.cell is not None else 4
                pieces.append((end, f"{tables.key(slot.key)}: {name}{more}"))
            self.row(pieces)

    def shown(self, tag: int, start: int, length: int) -> str:
        """A value in a few words."""
        if tags.kind(tag) in (tags.STRING, tags.URL):
            return quoted(self.archive.text(start, start + length))
        if tags.is_scalar(tag):
            value: Value = self.archive.scalar(tag, start)
            return f"{value.plain()}"
        return f"{length} bytes"

    def body(self, body: Body, title: str) -> None:
        """Slots, ends and payloads of a body."""
        layout, shape = body.layout, body.shape
        tables = self.archive.tables
        comments: dict[int, list[str]] = {}
        for index, (slot, place) in enumerate(zip(shape.slots, layout.places, strict=True)):
            name = str(tables.key(slot.key))
            if slot.optional:
                word = "absent" if slot.optional == 3 else "nil"
                comments.setdefault(place.nil_byte, []).append(
                    f"{name} {word if body.is_nil(index) else 'not ' + word}"
                )
            if tags.width_class(slot.tag) == tags.BIT:
                bit = bool(self.data[body.start + place.bit_byte] & place.bit_mask)
                comments.setdefault(place.bit_byte, []).append(f"{name} {int(bit)}")
        prefix = f"{title}: " if title else ""
        parts: list[tuple[int, int, int]] = []
        for index, slot in enumerate(shape.slots):
            if slot.cell is not None or tags.is_scalar(slot.tag):
                start, end = body.range(index)
                parts.append((start, end, index))
        for at in comments:
            parts.append((body.start + at, body.start + at + 1, -1))
        for start, end, index in sorted(parts):
            if index < 0:
                self.put(end, prefix + "bits: " + ", ".join(comments[start - body.start]))
            else:
                slot = shape.slots[index]
                name = str(tables.key(slot.key))
                if slot.cell is not None:
                    cell = self.archive.body(slot.cell, start, end, body.level + 1)
                    self.body(cell, f"{prefix}{name}, inline")
                else:
                    self.put(end, f"{prefix}{name}: {self.shown(slot.tag, start, end - start)}")
            prefix = ""
        if layout.is_fixed:
            return
        names = [str(tables.key(slot.key)) for slot in shape.slots if tags.width_class(slot.tag) == 6]
        self.put(body.bounds[0], f"{prefix}ends of {' '.join(names[:-1])}; {names[-1]} ends with the body")
        for index, (slot, place) in enumerate(zip(shape.slots, layout.places, strict=True)):
            if place.payload >= 0:
                start, end = body.range(index)
                self.payload(slot.tag, start, end, str(tables.key(slot.key)), body.level)
        self.put(body.end, "")

    def payload(self, tag: int, start: int, end: int, name: str, level: int) -> None:
        """A payload that begins at the position."""
        if start == end:
            return
        kind = tags.kind(tag)
        archive = self.archive
        if kind in (tags.RECORD, tags.ENUMERATION):
            number, at = archive.shape_number(start, end)
            shape = archive.tables.shapes[number]
            case = "" if shape.case is None else f", case {archive.tables.keys[shape.case].name}"
            self.put(at, f"{name}: shape {number}{case}")
            self.body(archive.nested(tag, start, end, level), "")
        elif kind in (tags.ARRAY, tags.SET):
            self.array(start, end, name, level)
        elif kind == tags.DICTIONARY:
            keys, middle = archive.dictionary_parts(start, end)
            self.put(keys, f"{name}: length of the keys")
            self.array(keys, middle, "keys", level)
            self.array(middle, end, "values", level)
        else:
            self.put(end, f"{name}: {self.shown(tag, start, end - start)}")

    def array(self, start: int, end: int, name: str, level: int) -> None:
        """The payload of an array."""
        archive, data = self.archive, self.data
        if start == end:
            return
        parts = cut_array(archive, start, end)
        if parts is None:
            self.put(end, f"{name}: an array of an unknown form")
            return
        of = tags.NAMES.get(parts.tag, f"0x{parts.tag:02X}")
        if parts.starts is None:
            base = parts.base
            if parts.form == tags.FORM_NILS:
                base -= (parts.count + 7) // 8
                nils = [str(i) for i in range(parts.count) if parts.is_nil(data, i)]
                self.put(base, f"{name}: nil bits and {of}, {parts.count}")
                self.put(parts.base, f"nil bits: {', '.join(nils)}")
            elif parts.form == tags.FORM_ALIGNED:
                self.put(start + 3, f"{name}: aligned {of}, zero bytes before")
                self.put(parts.base, "zero bytes")
            elif parts.form == tags.FORM_ROWS:
                self.put(base, f"{name}: rows of {of}, {parts.row} each")
            elif parts.shape >= 0:
                self.put(base, f"{name}: cells of shape {parts.shape}")
            elif parts.stride == 0:
                self.put(end, f"{name}: bits, and a bit 1 after the last")
            else:
                self.put(base, f"{name}: {of}")
            length = parts.stride * parts.count
            if length:
                self.put(
                    base + length if parts.form != tags.FORM_NILS else end,
                    f"{parts.count} elements" if parts.form != tags.FORM_ROWS else f"{parts.count} rows",
                )
            self.put(end, "zero bytes")
            return
        what = f"shape {parts.shape}, " if parts.shape >= 0 else ""
        if parts.tags_at >= 0:
            self.put(parts.tags_at, f"{name}: several tags, count {parts.count}")
            self.put(parts.tags_at + parts.count, "tags of the elements")
        else:
            count_end = parts.starts[0] - parts.width * (parts.count - 1)
            self.put(count_end, f"{name}: {of}, {what}count {parts.count}")
        self.put(parts.starts[0], "ends but the last")
        for index in range(parts.count):
            first, last = parts.starts[index], parts.starts[index + 1]
            if parts.shape >= 0:
                body = archive.nested_body(parts.tag, parts.shape, first, last, level + 1, start)
                self.body(body, f"element {index}")
                continue
            tag = mixed_tag(archive, parts, index) if parts.tags_at >= 0 else parts.tag
            if first == last:
                continue
            if tag & 7 == tags.BIT:
                self.put(last, f"element {index}: {data[first]}")
            else:
                self.payload(tag, first, last, f"element {index}", level + 1)
