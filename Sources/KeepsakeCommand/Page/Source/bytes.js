'use strict';

// The bytes of a value or of a part of the archive, with their fields named as in Spec/archive.md. A field is an
// array of its start, its end and its name.

// No more elements of one container than this are explained one by one.
const MOST_EXPLAINED = 512;

class Explainer {
  constructor(archive) {
    this.archive = archive;
    this.fields = [];
  }

  put(start, end, name) {
    if (end > start) this.fields.push([start, end, name]);
  }

  // The fields without gaps and in their order; bytes in no field get an empty name.
  finish(start, end) {
    this.fields.sort((one, other) => one[0] - other[0]);
    const all = [];
    let at = start;
    for (const field of this.fields) {
      if (field[0] < at) continue;
      if (field[0] > at) all.push([at, field[0], '']);
      all.push(field);
      at = field[1];
    }
    if (at < end) all.push([at, end, '']);
    return all;
  }

  // A body (5.2): its bits, slots, ends and payloads.
  body(body, prefix) {
    const archive = this.archive, shape = archive.shapes[body.shape];
    const bits = new Map();
    const addBit = (place, text) => bits.set(place.byte, [...(bits.get(place.byte) || []), text]);
    const names = shape.slots.map((slot) => prefix + escaped(cut(archive.keyName(slot.key), 60)));
    shape.slots.forEach((slot, index) => {
      if (slot.nilBit) addBit(slot.nilBit, names[index] + (slot.mayBeAbsent ? ' absent' : ' nil') + '?');
      if (slot.bit) addBit(slot.bit, names[index]);
    });
    for (const [byte, texts] of bits) {
      this.put(body.start + byte, body.start + byte + 1, 'bits: ' + cut(texts.join(', '), 300));
    }
    const places = shape.payloadCount > 0 ? archive.payloads(body) : null;
    shape.slots.forEach((slot, index) => {
      const start = body.start + slot.offset;
      if (slot.cell >= 0) {
        this.body({id: 0, shape: slot.cell, start, end: start + slot.size}, names[index] + '.');
      } else if (slot.size) {
        this.put(start, start + slot.size, `slot ${names[index]}: ${typeName(slot.tag)}`);
      }
    });
    if (!places) return;
    const payloads = shape.slots.map((slot, index) => [slot, names[index]]).filter(([slot]) => slot.payload >= 0);
    for (const [slot, name] of payloads.slice(0, -1)) {
      const at = places.endsAt + slot.payload * places.width;
      this.put(at, at + places.width, `end of ${name}`);
    }
    for (const [slot, name] of payloads) {
      const value = archive.slotValue(body, {...slot, nilBit: null}, places);
      this.payload(value, name);
    }
  }

  // A payload, without the slot that leads to it.
  payload(value, name) {
    const archive = this.archive;
    if (value.start === value.end) return;
    switch (value.isNil ? -1 : kindOf(value.tag)) {
      case Kind.record:
      case Kind.enumeration: {
        const record = archive.record(value);
        this.put(value.start, record.start, `payload ${name}: number of the shape`);
        this.body(record, name + '.');
        break;
      }
      case Kind.array:
      case Kind.set: this.elements(archive.array(value), value, name); break;
      case Kind.dictionary: {
        const entries = archive.dictionary(value);
        if (!entries || !entries.keys) return this.put(value.start, value.end, `payload ${name}`);
        for (const part of entries.parts) this.put(part[0], part[1], `payload ${name}: ${part[2]}`);
        this.elements(entries.keys, {start: value.start, end: entries.middle}, name + ' keys');
        this.elements(entries.values, {start: entries.middle, end: value.end}, name + ' values');
        break;
      }
      default: this.put(value.start, value.end, `payload ${name}: ${typeName(value.tag, value.isNil)}`);
    }
    return undefined;
  }

  elements(elements, range, name) {
    if (!elements) return this.put(range.start, range.end, `payload ${name}: an unknown form`);
    for (const part of elements.parts) this.put(part[0], part[1], `${name}: ${part[2]}`);
    const count = Math.min(elements.count, MOST_EXPLAINED);
    const isWhole = isFixed(elements.tag) || classOf(elements.tag) === BIT;
    let end = elements.base;
    for (let index = 0; index < count; index += 1) {
      const value = elements.at(index);
      const title = `${name}[${index}]`;
      if (value.row || isWhole) {
        if (value.start >= end) this.put(value.start, value.end, `${title}: ${typeName(value.tag, value.isNil)}`);
      } else if (value.shape >= 0) {
        this.body(this.archive.record(value), title + '.');
      } else {
        this.payload(value, title);
      }
      end = value.end;
    }
    if (count < elements.count) {
      this.put(end, range.end, `${name}[${count}] to [${elements.count - 1}]`);
    }
    return undefined;
  }
}

// The fields of a value, from its first byte to its last.
function explainValue(archive, value, name) {
  const explainer = new Explainer(archive);
  if (value.row) explainer.elements(archive.array(value), value, name);
  else if (value.shape >= 0) explainer.body(archive.record(value), name ? name + '.' : '');
  else if (classOf(value.tag) === PAYLOAD) explainer.payload(value, name);
  else explainer.put(value.start, value.end, `${value.mask ? 'bits with' : 'slot'} ${name}: ${typeName(value.tag)}`);
  return explainer.finish(value.start, value.end);
}

function explainObject(archive, body) {
  const explainer = new Explainer(archive);
  explainer.body(body, '');
  return explainer.finish(body.start, body.end);
}

const ARCHIVE_VALUES = ['', 'bundleVersion', 'userInterfaceIdiom', 'timestamp', 'systemVersion'];

// The parts of the archive as a tree (3): each has a name, a start, an end, and parts or fields.
function archiveParts(archive) {
  const part = (name, start, end, more = {}) => ({name, start, end, ...more});
  const list = (name, start, end, count, at) => part(name, start, end, {count, at});
  const header = [
    [0, 8, 'magic'], [8, 10, 'format version'], [10, 12, 'minor version'], [12, 16, 'features'],
    [16, 20, 'length of the archive values'],
  ];
  const values = [];
  for (let at = 20; at < archive.valuesEnd;) {
    const number = archive.u8(at), end = at + 6 + archive.u32(at + 2);
    const name = ARCHIVE_VALUES[number] || 'unknown value ' + number;
    values.push([at, at + 1, name + ': number'], [at + 1, at + 2, 'tag'], [at + 2, at + 6, 'length of the value'],
      [at + 6, end, name]);
    at = end;
  }
  const footer = archive.footer;
  const counts = [
    [footer, footer + 4, 'number of keys'], [footer + 4, footer + 8, 'number of types'],
    [footer + 8, footer + 12, 'number of shapes'],
    [footer + 12, footer + 16, 'number of conditional references'],
    [footer + 16, footer + 20, 'length of what follows'],
  ];
  const tail = archive.tail;
  return [
    part('header', 0, 20, {fields: header}),
    part('archive values', 20, archive.valuesEnd, {fields: values}),
    list('segments', archive.valuesEnd, footer, archive.segmentCount,
      (index) => segmentPart(archive, archive.segments[index])),
    part('footer', footer, tail, {parts: [
      part('counts', footer, footer + 20, {fields: counts}),
      list('keys', archive.keysStart, archive.typesStart, archive.keys.length, (index) => keyPart(archive, index)),
      list('types', archive.typesStart, archive.shapesStart, archive.types.length, (index) => typePart(archive, index)),
      list('shapes', archive.shapesStart, archive.conditionalsStart, archive.shapes.length,
        (index) => shapePart(archive, index)),
      part('conditional references', archive.conditionalsStart, archive.directoryStart, {
        fields: Array.from({length: Math.min(archive.conditionalCount, MOST_EXPLAINED)}, (_, index) => {
          const at = archive.conditionalsStart + 4 * index;
          return [at, at + 4, `conditional reference ${index + 1}: object ${archive.u32(at)}`];
        })}),
      list('segment directory', archive.directoryStart, tail, archive.segmentCount, (index) => rowPart(archive, index)),
    ]}),
    part('tail', tail, tail + 24, {fields: [
      [tail, tail + 4, 'marker'], [tail + 4, tail + 8, 'number of segments'], [tail + 8, tail + 12, 'number of objects'],
      [tail + 12, tail + 16, 'number of the root'], [tail + 16, tail + 24, 'offset of the footer'],
    ]}),
  ];
}

function segmentPart(archive, segment) {
  const at = segment.start;
  const head = [
    [at, at + 4, 'marker'], [at + 4, at + 8, 'length of the bodies'], [at + 8, at + 12, 'number of objects'],
    [at + 12, at + 16, 'shapes'],
  ];
  const directory = [];
  if (segment.shapeWidth) {
    directory.push([segment.directory, segment.directory + 1, "width of a shape's number"],
      [segment.shapesAt, segment.endsAt, 'shapes of the objects']);
  }
  if (segment.directoryEnd > segment.endsAt) directory.push([segment.endsAt, segment.directoryEnd, 'ends of the bodies']);
  return {name: 'segment ' + segment.index, start: at, end: segment.end, parts: [
    {name: 'head', start: at, end: at + 16, fields: head},
    {name: 'bodies', start: segment.bodies, end: segment.directory, count: segment.count,
      at: (index) => {
        const body = archive.object(segment.first + index);
        return {name: `object #${body.id}`, start: body.start, end: body.end, object: body.id};
      }},
    {name: 'directory', start: segment.directory, end: segment.directoryEnd, fields: directory},
    {name: 'tables', start: segment.directoryEnd, end: segment.end, fields: []},
  ]};
}

function keyPart(archive, index) {
  const key = archive.keys[index];
  const space = ['user key', 'reserved key', 'scope', 'case'][key.space];
  return {name: `key ${index}: ${cut(key.name, 80)}`, start: key.start, end: key.end,
    fields: entryFields(archive, key, `flags: ${space}`, 'number of the scope')};
}

function typePart(archive, index) {
  const type = archive.types[index];
  return {name: `type ${index}: ${cut(type.name, 80)}`, start: type.start, end: type.end,
    fields: entryFields(archive, type, 'flags', 'schema version')};
}

function entryFields(archive, entry, flags, number) {
  const at = entry.start;
  const lengthEnd = archive.u8(at) & 8 ? at + 3 : at + 2;
  const nameStart = entry.number === null ? lengthEnd : lengthEnd + 4;
  return [[at, at + 1, flags], [at + 1, lengthEnd, 'length of the name'], [lengthEnd, nameStart, number],
    [nameStart, entry.end, 'name']].filter(([start, end]) => end > start);
}

function shapePart(archive, index) {
  const shape = archive.shapes[index];
  const fields = [[shape.start, shape.start + 2, "number of the type's entry"],
    [shape.start + 2, shape.start + 4, 'number of words']];
  for (const slot of shape.slots) {
    const nil = slot.mayBeAbsent ? ', may be absent' : slot.mayBeNil ? ', may be nil' : '';
    const inline = slot.cell >= 0 ? `, inline, shape ${slot.cell}` : '';
    fields.push([slot.at, slot.at + (slot.cell >= 0 ? 8 : 4),
      `${cut(archive.keyName(slot.key), 80)}: ${typeName(slot.cell >= 0 ? 0x66 : slot.tag)}${inline}${nil}`]);
  }
  if (shape.caseKey !== null) {
    fields.splice(2, 0, [shape.start + 4, shape.start + 8, 'case ' + cut(archive.keys[shape.caseKey].name, 80)]);
  }
  return {name: `shape ${index}: ${cut(archive.types[shape.type].name, 80) || 'no type'}`,
    start: shape.start, end: shape.end, fields};
}

function rowPart(archive, index) {
  const at = archive.directoryStart + 20 * index;
  return {name: 'row of segment ' + index, start: at, end: at + 20, fields: [
    [at, at + 8, 'offset of the segment'], [at + 8, at + 12, 'number of its first object'],
    [at + 12, at + 16, 'L, length of the bodies'], [at + 16, at + 20, 'shapes'],
  ]};
}
