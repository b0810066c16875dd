'use strict';

// Reads an archive as Spec/archive.md describes it. The command has checked every byte before it wrote the page, so
// this reader checks only what it needs in order not to read beyond an end.

const KINDS = [
  'nil', 'Bool', 'Int', 'UInt', 'Double', 'String', 'bytes', 'date', 'UUID', 'URL', 'reference',
  'conditional reference', 'record', 'array', 'dictionary', 'set', 'enumeration',
];
const Kind = {
  nil: 0, bool: 1, signed: 2, unsigned: 3, floating: 4, string: 5, bytes: 6, date: 7, uuid: 8, url: 9,
  reference: 10, conditional: 11, record: 12, array: 13, dictionary: 14, set: 15, enumeration: 16,
};
const BIT = 7, PAYLOAD = 6;

// A segment of objects with several shapes states this number in place of a shape.
const SEVERAL = 0xffffffff;

const kindOf = (tag) => tag >> 3;
const classOf = (tag) => tag & 7;
// The bytes of a slot of a fixed width, which are those of the classes 1 to 5.
const sizeOf = (tag) => 1 << (classOf(tag) - 1);
const isFixed = (tag) => classOf(tag) >= 1 && classOf(tag) <= 5;
// The width for a length (1.1).
const widthFor = (length) => length < 256 ? 1 : length < 65536 ? 2 : 4;

// The kind and the width in the words of `keepsake inspect`.
function typeName(tag, isNil) {
  if (isNil) return 'nil';
  const kind = kindOf(tag);
  const bits = 8 * sizeOf(tag);
  if (kind === Kind.signed || kind === Kind.unsigned) return KINDS[kind] + bits;
  if (kind === Kind.floating) return bits === 64 ? 'Double' : bits === 32 ? 'Float' : 'Float16';
  return KINDS[kind] || 'value of unknown kind ' + kind;
}

const hexadecimal = (number, digits = 2) => '0x' + number.toString(16).toUpperCase().padStart(digits, '0');

const decoder = new TextDecoder('utf-8', {ignoreBOM: true});

class Archive {
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.parts = [];
    const tail = bytes.length - 24;
    this.tail = tail;
    this.valuesEnd = 20 + this.u32(16);
    this.segmentCount = this.u32(tail + 4);
    this.objectCount = this.u32(tail + 8);
    this.root = this.u32(tail + 12);
    this.footer = this.u64(tail + 16);
    this.readTables();
    this.readSegments();
  }

  u8(at) { return this.view.getUint8(at); }
  u16(at) { return this.view.getUint16(at, true); }
  u32(at) { return this.view.getUint32(at, true); }
  u64(at) { return Number(this.view.getBigUint64(at, true)); }
  // A number of 1, 2 or 4 bytes.
  number(at, width) { return width === 1 ? this.u8(at) : width === 2 ? this.u16(at) : this.u32(at); }

  text(start, end) { return decoder.decode(this.bytes.subarray(start, end)); }

  // Tables (4).

  readTables() {
    const footer = this.footer;
    const [keys, types, shapes] = [this.u32(footer), this.u32(footer + 4), this.u32(footer + 8)];
    this.conditionalCount = this.u32(footer + 12);
    let at = footer + 20;
    this.keysStart = at;
    this.keys = [];
    const name = (isLong, hasNumber) => {
      const start = at;
      const length = isLong ? this.u16(at + 1) : this.u8(at + 1);
      at += isLong ? 3 : 2;
      const number = hasNumber ? this.u32(at) : null;
      if (hasNumber) at += 4;
      at += length;
      return {name: this.text(at - length, at), number, start, end: at};
    };
    for (let index = 0; index < keys; index += 1) {
      const flags = this.u8(at);
      const entry = name(flags & 8, flags & 4);
      this.keys.push({...entry, space: flags & 3, scope: entry.number});
    }
    this.typesStart = at;
    this.types = [];
    for (let index = 0; index < types; index += 1) {
      const flags = this.u8(at);
      const entry = name(flags & 8, flags & 1);
      this.types.push({...entry, version: entry.number || 0});
    }
    this.shapesStart = at;
    this.shapes = [];
    for (let index = 0; index < shapes; index += 1) {
      const shape = this.readShape(at);
      this.shapes.push(shape);
      at = shape.end;
    }
    this.conditionalsStart = at;
    this.directoryStart = at + 4 * this.conditionalCount;
  }

  readShape(start) {
    const count = this.u16(start + 2);
    const shape = {
      type: this.u16(start), caseKey: null, slots: [], start, end: start + 4 + 4 * count, objectCount: 0,
    };
    for (let word = 0; word < count; word += 1) {
      const at = start + 4 + 4 * word;
      const bits = this.u32(at);
      const tag = bits & 0xff, key = bits >>> 12;
      if (tag === 0x80) {
        shape.caseKey = key;
        continue;
      }
      const slot = {tag, key, mayBeNil: !!(bits & 0x100), mayBeAbsent: !!(bits & 0x200), cell: -1, at};
      if (tag === 0x60) {
        word += 1;
        slot.cell = this.u32(at + 4);
      }
      shape.slots.push(slot);
    }
    this.layOut(shape);
    return shape;
  }

  // The place of each slot in a body (5.2).
  layOut(shape) {
    let at = 0, bits = 0, bitByte = 0;
    shape.payloadCount = 0;
    const nextBit = () => {
      if (bits % 8 === 0) {
        bitByte = at;
        at += 1;
      }
      bits += 1;
      return {byte: bitByte, mask: 1 << ((bits - 1) % 8)};
    };
    for (const slot of shape.slots) {
      slot.nilBit = slot.mayBeNil ? nextBit() : null;
      slot.bit = classOf(slot.tag) === BIT ? nextBit() : null;
      slot.offset = at;
      slot.payload = -1;
      if (slot.cell >= 0) at += slot.size = this.shapes[slot.cell].slotBytes;
      else if (isFixed(slot.tag)) at += slot.size = sizeOf(slot.tag);
      else if (classOf(slot.tag) === PAYLOAD) slot.payload = shape.payloadCount++;
    }
    shape.slotBytes = at;
  }

  // The names of the scopes of a key, and its own.
  keyPath(number) {
    const names = [];
    for (let key = this.keys[number]; key; key = key.scope === null ? null : this.keys[key.scope]) {
      names.unshift(key.space === 1 ? '<' + key.name + '>' : key.name);
    }
    return names;
  }

  keyName(number) {
    const key = this.keys[number];
    if (key.shown === undefined) key.shown = this.keyPath(number).join('.');
    return key.shown;
  }

  // Segments and objects (3.3, 3.4).

  readSegments() {
    this.segments = [];
    for (let index = 0; index < this.segmentCount; index += 1) {
      const row = this.directoryStart + 20 * index;
      const last = index + 1 === this.segmentCount;
      const first = this.u32(row + 8);
      const count = (last ? this.objectCount + 1 : this.u32(row + 28)) - first;
      const start = this.u64(row);
      const segment = {
        index, start, end: last ? this.footer : this.u64(row + 20), first, count,
        length: this.u32(row + 12), shapes: this.u32(row + 16), bodies: start + 16, last,
      };
      const bodiesEnd = segment.bodies + segment.length;
      segment.directory = bodiesEnd;
      let at = bodiesEnd;
      segment.shapeWidth = 0;
      if (segment.shapes === SEVERAL) {
        segment.shapeWidth = this.u8(at);
        segment.shapesAt = at + 1;
        at += 1 + segment.shapeWidth * count;
      }
      segment.isFixed = segment.shapes !== SEVERAL && segment.shapes >>> 31 === 1;
      segment.endWidth = widthFor(segment.length);
      segment.endsAt = at;
      segment.directoryEnd = segment.isFixed ? at : at + segment.endWidth * (count - 1);
      this.segments.push(segment);
      if (segment.shapes === SEVERAL) {
        for (let place = 0; place < count; place += 1) this.shapes[this.shapeAt(segment, place)].objectCount += 1;
      } else {
        this.shapes[segment.shapes & 0x7fffffff].objectCount += count;
      }
    }
  }

  shapeAt(segment, place) {
    if (segment.shapeWidth === 0) return segment.shapes & 0x7fffffff;
    return this.number(segment.shapesAt + place * segment.shapeWidth, segment.shapeWidth);
  }

  segmentOf(id) {
    let [low, high] = [0, this.segments.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.segments[middle].first <= id) low = middle; else high = middle - 1;
    }
    return this.segments[low];
  }

  // The body of an object.
  object(id) {
    const segment = this.segmentOf(id);
    const place = id - segment.first;
    const shape = this.shapeAt(segment, place);
    const base = segment.bodies;
    if (segment.isFixed) {
      const width = segment.length / segment.count;
      return {id, shape, start: base + place * width, end: base + (place + 1) * width};
    }
    const end = (index) => this.number(segment.endsAt + index * segment.endWidth, segment.endWidth);
    return {
      id, shape, start: base + (place === 0 ? 0 : end(place - 1)),
      end: base + (place === segment.count - 1 ? segment.length : end(place)),
    };
  }

  // The number of the object whose body has a byte; 0 for bytes of no body.
  objectAt(offset) {
    let [low, high] = [0, this.segments.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.segments[middle].start <= offset) low = middle; else high = middle - 1;
    }
    const segment = this.segments[low];
    if (offset < segment.bodies || offset >= segment.bodies + segment.length) return 0;
    const at = offset - segment.bodies;
    if (segment.isFixed) return segment.first + Math.floor(at / (segment.length / segment.count));
    let [first, last] = [0, segment.count - 1];
    while (first < last) {
      const middle = (first + last) >> 1;
      if (this.number(segment.endsAt + middle * segment.endWidth, segment.endWidth) > at) last = middle;
      else first = middle + 1;
    }
    return segment.first + first;
  }

  type(body) { return this.types[this.shapes[body.shape].type]; }

  // Where the payloads of a body begin, and where each ends.
  payloads(body) {
    const shape = this.shapes[body.shape];
    const width = widthFor(body.end - body.start);
    const endsAt = body.start + shape.slotBytes;
    const first = endsAt + (shape.payloadCount - 1) * width;
    return {width, endsAt, first};
  }

  // The value of a slot of a body, or null where it is absent.
  slotValue(body, slot, places) {
    const isNil = slot.nilBit !== null && (this.u8(body.start + slot.nilBit.byte) & slot.nilBit.mask) !== 0;
    if (isNil && slot.mayBeAbsent) return null;
    let start = body.start + slot.offset, end = start;
    if (slot.payload >= 0) {
      const {width, endsAt, first} = places;
      start = first + (slot.payload === 0 ? 0 : this.number(endsAt + (slot.payload - 1) * width, width));
      end = slot.payload === this.shapes[body.shape].payloadCount - 1
        ? body.end : first + this.number(endsAt + slot.payload * width, width);
    } else if (slot.bit) {
      start = body.start + slot.bit.byte;
      end = start + 1;
    } else {
      end = start + (slot.size || 0);
    }
    return {
      tag: slot.cell >= 0 ? 0x66 : slot.tag, isNil: isNil || slot.tag === 0, start, end,
      mask: slot.bit ? slot.bit.mask : 0, shape: slot.cell, row: 0,
    };
  }

  // Calls a function with each key that has a value.
  forEachField(body, visit) {
    const shape = this.shapes[body.shape];
    const places = shape.payloadCount > 0 ? this.payloads(body) : null;
    for (const slot of shape.slots) {
      const value = this.slotValue(body, slot, places);
      if (value) visit(slot, value);
    }
  }

  // The record of a value of kind 12 or 16: its body, without the number of its shape (5.4).
  record(value) {
    if (value.shape >= 0) return {id: 0, shape: value.shape, start: value.start, end: value.end};
    const {number, at} = this.shapeNumber(value.start);
    return {id: 0, shape: number, start: at, end: value.end};
  }

  shapeNumber(at) {
    const first = this.u8(at);
    if (first < 254) return {number: first, at: at + 1};
    return first === 254 ? {number: this.u16(at + 1), at: at + 3} : {number: this.u32(at + 1), at: at + 5};
  }

  // Arrays (5.5): the elements, and what the bytes before them are. The result is null for an unknown form.
  array(value) {
    if (value.row) return this.scalars(value.row, value.start, value.end, []);
    return this.elements(value.start, value.end);
  }

  scalars(tag, base, end, parts) {
    const size = sizeOf(tag);
    return {
      tag, count: Math.floor((end - base) / size), base, parts,
      at: (index) => this.plain(tag, base + index * size, base + (index + 1) * size),
    };
  }

  plain(tag, start, end, more = {}) {
    return {tag, isNil: tag === 0, start, end, mask: 0, shape: -1, row: 0, ...more};
  }

  elements(start, end) {
    if (start === end) return {tag: 0, count: 0, base: end, parts: [], at: () => null};
    const form = this.u8(start);
    const width = widthFor(end - start);
    const parts = [[start, start + 1, 'form ' + hexadecimal(form)]];
    let at = start + 1;
    const take = (bytes, name) => {
      if (bytes > 0) parts.push([at, at + bytes, name]);
      at += bytes;
      return at - bytes;
    };
    const ranges = (count) => {
      const ends = take((count - 1) * width, 'ends');
      const base = at;
      const bound = (index) => base + this.number(ends + index * width, width);
      return (index) => [index === 0 ? base : bound(index - 1), index === count - 1 ? end : bound(index)];
    };
    if (form === 0x90) {
      const count = this.number(take(width, 'count'), width);
      const tags = take(count, 'tags');
      const range = ranges(count);
      return {tag: 0, count, base: at, parts, at: (index) => {
        const tag = this.u8(tags + index);
        return this.plain(tag, ...range(index), {mask: classOf(tag) === BIT ? 1 : 0});
      }};
    }
    if (form === 0x91) {
      const tag = this.u8(take(1, 'tag'));
      const count = this.number(take(width, 'count'), width);
      const bits = take(Math.ceil(count / 8), 'nil bits');
      const found = this.scalars(tag, at, end, parts);
      const isNil = (index) => (this.u8(bits + (index >> 3)) & (1 << (index & 7))) !== 0;
      return {...found, at: (index) => ({...found.at(index), isNil: isNil(index)})};
    }
    if (form === 0x92) {
      const tag = this.u8(take(1, 'tag'));
      const zeros = this.u8(take(1, 'z'));
      take(zeros, 'zero bytes');
      const last = end - (Math.min(8, sizeOf(tag)) - 1 - zeros);
      if (last < end) parts.push([last, end, 'zero bytes']);
      return this.scalars(tag, at, last, parts);
    }
    if (form === 0x93) {
      const tag = this.u8(take(1, 'tag'));
      const row = sizeOf(tag) * this.number(take(width, 'm'), width);
      const base = at;
      return {tag: 0x6e, count: Math.floor((end - base) / row), base, parts,
        at: (index) => this.plain(0x6e, base + index * row, base + (index + 1) * row, {row: tag})};
    }
    if (form > 0x93 && form < 0x98) return null;
    if (form === 0x60 || form === 0x80 || form === 0x66 || form === 0x86) {
      const {number, at: next} = this.shapeNumber(at);
      take(next - at, 'number of the shape');
      const tag = form | 6;
      if (classOf(form) === PAYLOAD) {
        const count = this.number(take(width, 'count'), width);
        const range = ranges(count);
        return {tag, count, base: at, parts, at: (index) => this.plain(tag, ...range(index), {shape: number})};
      }
      const size = this.shapes[number].slotBytes;
      const base = at;
      return {tag, count: Math.floor((end - base) / size), base, parts,
        at: (index) => this.plain(tag, base + index * size, base + (index + 1) * size, {shape: number})};
    }
    if (classOf(form) === PAYLOAD) {
      const count = this.number(take(width, 'count'), width);
      const range = ranges(count);
      return {tag: form, count, base: at, parts, at: (index) => this.plain(form, ...range(index))};
    }
    if (classOf(form) === BIT) {
      const base = at;
      const count = 8 * (end - base - 1) + (31 - Math.clz32(this.u8(end - 1)));
      return {tag: form, count, base, parts, at: (index) => {
        const byte = base + (index >> 3);
        return this.plain(form, byte, byte + 1, {mask: 1 << (index & 7)});
      }};
    }
    return this.scalars(form, at, end, parts);
  }

  // A dictionary (5.6): its keys and its values. The result is null where the values have an unknown form.
  dictionary(value) {
    if (value.start === value.end) return {count: 0, keys: null, values: null, parts: []};
    const width = widthFor(value.end - value.start);
    const middle = value.start + width + this.number(value.start, width);
    const parts = [[value.start, value.start + width, 'length of the keys']];
    const keys = this.elements(value.start + width, middle);
    const values = this.elements(middle, value.end);
    return keys && values && {count: keys.count, keys, values, parts, middle};
  }

  // The number of a reference of any width.
  referenceNumber(value) { return this.number(value.start, sizeOf(value.tag)); }

  // The object that a value refers to; 0 for none and for other values.
  target(value) {
    if (value.isNil) return 0;
    const kind = kindOf(value.tag);
    if (kind === Kind.reference) return this.referenceNumber(value);
    if (kind !== Kind.conditional) return 0;
    const number = this.referenceNumber(value);
    return number >= 1 && number <= this.conditionalCount ? this.u32(this.conditionalsStart + 4 * (number - 1)) : 0;
  }

  isTrue(value) { return (this.u8(value.start) & value.mask) !== 0; }

  // The parts of a value: the number of them, and a function from an index to a name and a value.
  children(value) {
    if (value.isNil) return null;
    switch (kindOf(value.tag)) {
      case Kind.record:
      case Kind.enumeration: return this.fields(this.record(value));
      case Kind.array:
      case Kind.set: {
        const elements = this.array(value);
        return elements && {count: elements.count, at: (index) => ({name: String(index), value: elements.at(index)})};
      }
      case Kind.dictionary: {
        const entries = this.dictionary(value);
        return entries && {count: entries.count, at: (index) => ({
          name: valueText(this, entries.keys.at(index), 80), key: entries.keys.at(index),
          value: entries.values.at(index),
        })};
      }
      default: return null;
    }
  }

  fields(body) {
    const found = [];
    this.forEachField(body, (slot, value) => found.push({name: this.keyName(slot.key), slot, value}));
    return {count: found.length, at: (index) => found[index]};
  }

  // Calls a function with the objects that a body refers to, at any depth; a reference to none is left out.
  forEachReference(body, visit) {
    const shape = this.shapes[body.shape];
    if (!this.mayRefer(shape)) return;
    this.forEachField(body, (slot, value) => this.visitReferences(value, visit));
  }

  // Whether values of a shape can hold references.
  mayRefer(shape) {
    if (shape.mayRefer === undefined) {
      shape.mayRefer = shape.slots.some((slot) => slot.cell >= 0
        ? this.mayRefer(this.shapes[slot.cell]) : kindOf(slot.tag) >= Kind.reference);
    }
    return shape.mayRefer;
  }

  visitReferences(value, visit) {
    if (value.isNil) return;
    const walk = (elements) => {
      if (!elements || (isFixed(elements.tag) && kindOf(elements.tag) < Kind.reference)) return;
      if (kindOf(elements.tag) >= Kind.string && kindOf(elements.tag) < Kind.reference) return;
      for (let index = 0; index < elements.count; index += 1) this.visitReferences(elements.at(index), visit);
    };
    switch (kindOf(value.tag)) {
      case Kind.reference:
      case Kind.conditional: {
        const target = this.target(value);
        if (target) visit(target);
        break;
      }
      case Kind.record:
      case Kind.enumeration: this.forEachReference(this.record(value), visit); break;
      case Kind.array: walk(this.array(value)); break;
      case Kind.dictionary: {
        const entries = this.dictionary(value);
        if (entries && entries.count) walk(entries.values);
        break;
      }
      default: break;
    }
  }
}
