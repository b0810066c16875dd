'use strict';

// Search in an archive: first in names, then in the bytes of all objects, where a hit counts if it is in a text.

// Text as the bytes of a body are searched: each byte one character, with the letters of ASCII in lower case.
const asBytes = new TextDecoder('windows-1252');
const folded = (bytes) => asBytes.decode(bytes).toLowerCase();

class Search {
  constructor(archive, names) {
    this.archive = archive;
    // The name of an object by its number, such as its restoration identifier; or null.
    this.names = names;
    this.haystack = null;
  }

  prepare() {
    if (this.haystack === null) this.haystack = folded(this.archive.bytes);
  }

  // Finds the numbers of objects that match, each once. Between two of them it may find nothing for a while and then
  // yields 0, so that the caller can look at the clock.
  * matches(query) {
    const archive = this.archive;
    const wanted = query.toLowerCase();
    if (/^#\d+$/.test(wanted)) {
      const id = Number(wanted.slice(1));
      if (id >= 1 && id <= archive.objectCount) yield id;
      return;
    }
    const seen = new Uint8Array(archive.objectCount + 1);
    const isNew = (id) => id > 0 && !seen[id] && (seen[id] = 1) === 1;
    if (this.names) {
      for (const [id, name] of this.names) if (name.toLowerCase().includes(wanted) && isNew(id)) yield id;
    }
    yield* this.ofShapes(wanted, isNew);
    this.prepare();
    const needle = folded(new TextEncoder().encode(query));
    // A letter beyond ASCII is several bytes, whose lower case means nothing, so its hits are read as texts.
    const isPlain = needle.length === query.length;
    let at = this.haystack.indexOf(needle, archive.valuesEnd);
    while (at >= 0 && at < archive.footer) {
      const id = archive.objectAt(at);
      let next = at + 1;
      if (id) {
        const body = archive.object(id);
        const found = seen[id] ? null : textAt(archive, body, at);
        const isMatch = found !== null && at + needle.length <= found.value.end
          && (isPlain || contains(archive, found.value, wanted));
        if (seen[id] || isMatch) next = body.end;
        yield isMatch && isNew(id) ? id : 0;
      } else {
        yield 0;
      }
      at = this.haystack.indexOf(needle, next);
    }
  }

  // Objects by the names of their types and of their keys.
  * ofShapes(wanted, isNew) {
    const archive = this.archive;
    const has = (name) => name.toLowerCase().includes(wanted);
    const types = archive.types.map((type) => has(type.name));
    const keys = archive.keys.map((key) => key.space < 2 && has(key.name));
    const shapes = archive.shapes.map((shape) =>
      shape.objectCount > 0 && (types[shape.type] || shape.slots.some((slot) => keys[slot.key])));
    if (!shapes.includes(true)) return;
    for (const segment of archive.segments) {
      for (let place = 0; place < segment.count; place += 1) {
        const id = segment.first + place;
        if (shapes[archive.shapeAt(segment, place)] && isNew(id)) yield id;
      }
    }
  }
}

function contains(archive, value, wanted) {
  // The bytes of a long text have matched already.
  if (value.end - value.start > 65536) return true;
  return archive.text(value.start, value.end).toLowerCase().includes(wanted);
}

// The text that has a byte, with the names that lead to it; null for a byte of another value.
function textAt(archive, body, offset) {
  const shape = archive.shapes[body.shape];
  const places = shape.payloadCount > 0 ? archive.payloads(body) : null;
  const isPayload = places !== null && offset >= places.first;
  for (const slot of shape.slots) {
    // Texts are in payloads; a record that is stored inline has none.
    if (!isPayload || slot.payload < 0) continue;
    const value = archive.slotValue(body, slot, places);
    if (value && !value.isNil && offset >= value.start && offset < value.end) {
      return textIn(archive, value, offset, archive.keyName(slot.key));
    }
  }
  return null;
}

function textIn(archive, value, offset, name) {
  switch (kindOf(value.tag)) {
    case Kind.string:
    case Kind.url: return {name, value};
    case Kind.record:
    case Kind.enumeration: {
      const found = textAt(archive, archive.record(value), offset);
      return found && {name: `${name}.${found.name}`, value: found.value};
    }
    case Kind.array:
    case Kind.set: return textAmong(archive, archive.array(value), offset, name);
    case Kind.dictionary: {
      const entries = archive.dictionary(value);
      if (!entries || !entries.keys) return null;
      return textAmong(archive, offset < entries.middle ? entries.keys : entries.values, offset, name);
    }
    default: return null;
  }
}

function textAmong(archive, elements, offset, name) {
  if (!elements || elements.count === 0 || offset < elements.base) return null;
  let [low, high] = [0, elements.count - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (elements.at(middle).end > offset) high = middle; else low = middle + 1;
  }
  const value = elements.at(low);
  if (value.isNil || value.mask || value.row || offset < value.start) return null;
  return textIn(archive, value, offset, `${name}[${low}]`);
}

// The references of all objects, read bit by bit while the page waits for the user.
class References {
  constructor(archive) {
    this.archive = archive;
    this.next = 1;
    this.pairs = {from: [], to: []};
    this.starts = null;
  }

  get isComplete() { return this.starts !== null; }

  // Reads objects until some milliseconds have passed.
  read(milliseconds) {
    const until = performance.now() + milliseconds;
    while (this.next <= this.archive.objectCount) {
      const id = this.next++;
      let last = 0;
      this.archive.forEachReference(this.archive.object(id), (target) => {
        if (target === last) return;
        last = target;
        this.pairs.from.push(id);
        this.pairs.to.push(target);
      });
      if (id % 256 === 0 && performance.now() > until) return;
    }
    this.sort();
  }

  sort() {
    const {from, to} = this.pairs;
    const starts = new Uint32Array(this.archive.objectCount + 2);
    for (const target of to) starts[target + 1] += 1;
    for (let id = 1; id < starts.length; id += 1) starts[id] += starts[id - 1];
    const places = starts.slice();
    this.sources = new Uint32Array(to.length);
    to.forEach((target, index) => { this.sources[places[target]++] = from[index]; });
    this.starts = starts;
    this.pairs = null;
  }

  // The objects that refer to one.
  to(id) { return this.sources.subarray(this.starts[id], this.starts[id + 1]); }
}
