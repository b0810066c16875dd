'use strict';

// The page of two files: the objects that differ, and each of them on both sides.

// Arrays whose middle parts have more pairs of elements than this are compared place by place.
const MOST_PAIRS = 250000;

// Two elements with less than this part of their values in common are not called one element that changed.
const LEAST_LIKENESS = 0.5;

const MARKS = {added: '+', removed: '−', changed: '~', moved: '→'};

// One of the two archives, with names for its objects that both sides share.
class Side {
  constructor(archive, facts) {
    this.archive = archive;
    this.state = facts.state ? new SavedState(facts.state) : null;
  }

  // The name of an object: its path in a state, otherwise its number.
  name(id) {
    const path = this.state ? this.state.pathTo(id) : [];
    return path.length ? path.map((row) => this.state.rows[row][3]).join(' › ') : '#' + id;
  }

  // A text that is the same for values that are the same.
  signature(value) {
    if (!value) return '';
    const archive = this.archive;
    const head = typeName(value.tag, value.isNil);
    if (value.isNil) return head;
    const kind = kindOf(value.tag);
    if (kind === Kind.reference || kind === Kind.conditional) {
      const target = archive.target(value);
      return `${head} ${target ? this.name(target) : 'none'}`;
    }
    if (kind === Kind.bool) return `${head} ${archive.isTrue(value)}`;
    const parts = archive.children(value);
    if (!parts) return `${head} ${asBytes.decode(archive.bytes.subarray(value.start, value.end))}`;
    const texts = [];
    for (let index = 0; index < parts.count; index += 1) {
      const part = parts.at(index);
      const name = part.key ? this.signature(part.key) : part.slot ? part.name : '';
      const text = name + ':' + this.signature(part.value);
      // With its length before it, a text needs no quotes: these would double their escapes with each level.
      texts.push(text.length + ':' + text);
    }
    const isRecord = kind === Kind.record || kind === Kind.enumeration;
    return `${head} ${isRecord ? this.typeOf(value) : ''}[${texts.join()}]`;
  }

  // The parts of a record or of a dictionary as texts; null for other values.
  partTexts(value) {
    const kind = kindOf(value.tag);
    if (value.isNil || ![Kind.record, Kind.enumeration, Kind.dictionary].includes(kind)) return null;
    return new Set((this.parts(value) || []).map((part) =>
      (part.key ? this.signature(part.key) : part.name) + ':' + this.signature(part.value)));
  }

  typeOf(value) {
    const record = this.archive.record(value), type = this.archive.type(record);
    const key = this.archive.shapes[record.shape].caseKey;
    return JSON.stringify([type.name, type.version, key === null ? '' : this.archive.keys[key].name]);
  }

  text(value) {
    if (!value) return '';
    const target = this.archive.target(value);
    return target ? '→ ' + escaped(cut(this.name(target), 120)) : valueText(this.archive, value);
  }

  parts(value) {
    if (!value || this.archive.target(value)) return null;
    const parts = this.archive.children(value);
    return parts && Array.from({length: parts.count}, (_, index) => parts.at(index));
  }
}

// Pairs the elements of two arrays by the texts of their values: a list of pairs of indices, where -1 stands for no
// element, with a third part that is true for pairs outside of the longest common sequence. Elements of equal values are pairs at any two places. Of the others those are pairs that `likeness` says
// have most in common, and then those that were replaced by others at the same place.
function pairElements(before, after, likeness) {
  const pairs = [];
  let start = 0, oldEnd = before.length, newEnd = after.length;
  while (start < oldEnd && start < newEnd && before[start] === after[start]) {
    pairs.push([start, start]);
    start += 1;
  }
  const tail = [];
  while (oldEnd > start && newEnd > start && before[oldEnd - 1] === after[newEnd - 1]) {
    oldEnd -= 1;
    newEnd -= 1;
    tail.unshift([oldEnd, newEnd]);
  }
  const [rows, columns] = [oldEnd - start, newEnd - start];
  if (rows * columns > MOST_PAIRS) {
    for (let index = 0; index < Math.max(rows, columns); index += 1) {
      pairs.push([index < rows ? start + index : -1, index < columns ? start + index : -1]);
    }
    return pairs.concat(tail);
  }
  // The lengths of the longest common sequences of the ends of both.
  const lengths = Array.from({length: rows + 1}, () => new Uint32Array(columns + 1));
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      lengths[row][column] = before[start + row] === after[start + column]
        ? lengths[row + 1][column + 1] + 1 : Math.max(lengths[row + 1][column], lengths[row][column + 1]);
    }
  }
  // The gaps between the elements of the longest common sequence.
  const gaps = [{gone: [], come: [], match: null}];
  let [row, column] = [0, 0];
  while (row < rows || column < columns) {
    const gap = gaps[gaps.length - 1];
    if (row < rows && column < columns && before[start + row] === after[start + column]) {
      gap.match = [start + row++, start + column++];
      gaps.push({gone: [], come: [], match: null});
    } else if (column >= columns || (row < rows && lengths[row + 1][column] >= lengths[row][column + 1])) {
      gap.gone.push(start + row++);
    } else {
      gap.come.push(start + column++);
    }
  }
  const partners = pairAcross(gaps, before, after, likeness);
  const used = new Set(partners.values());
  for (const {gone, come, match} of gaps) {
    const left = gone.filter((index) => !used.has(index));
    for (const index of come) {
      if (partners.has(index)) pairs.push([partners.get(index), index, true]);
      else pairs.push([left.length ? left.shift() : -1, index]);
    }
    for (const index of left) pairs.push([index, -1]);
    if (match) pairs.push(match);
  }
  return pairs.concat(tail);
}

// Pairs elements of any gaps: a map from indices of new elements to those of old ones.
function pairAcross(gaps, before, after, likeness) {
  const partners = new Map();
  const gone = gaps.flatMap((gap) => gap.gone), come = gaps.flatMap((gap) => gap.come);
  const places = new Map();
  for (const index of gone) places.set(before[index], [...(places.get(before[index]) || []), index]);
  for (const index of come) {
    const same = places.get(after[index]);
    if (same && same.length) partners.set(index, same.shift());
  }
  const used = new Set(partners.values());
  const likely = [];
  for (const left of gone.filter((index) => !used.has(index))) {
    for (const right of come.filter((index) => !partners.has(index))) {
      const part = likeness(left, right);
      if (part >= LEAST_LIKENESS) likely.push([part, left, right]);
    }
  }
  likely.sort((one, other) => other[0] - one[0]
    || Math.abs(one[1] - one[2]) - Math.abs(other[1] - other[2]) || one[1] - other[1] || one[2] - other[2]);
  for (const [, left, right] of likely) {
    if (used.has(left) || partners.has(right)) continue;
    used.add(left);
    partners.set(right, left);
  }
  return partners;
}

// The part of the values that two records or dictionaries have in common, of those that either of them has.
function likeness(one, other) {
  if (!one || !other) return 0;
  let same = 0;
  for (const text of one) if (other.has(text)) same += 1;
  return same / Math.max(one.size, other.size, 1);
}

class Comparison {
  constructor(facts, archives) {
    this.changes = facts.changes;
    this.old = new Side(archives[0], facts.old);
    this.new = new Side(archives[1], facts.new);
    this.hidden = new Set();
    this.list = new RowList(document.getElementById('tree'), this);
    this.details = document.getElementById('details');
    this.note = document.getElementById('note');
    this.makeFilters();
    const box = document.getElementById('search');
    box.placeholder = 'Search names of objects';
    box.addEventListener('input', () => this.filter());
    document.addEventListener('keydown', (event) => {
      if (event.key === '/' && !event.target.matches('input')) {
        box.focus();
        event.preventDefault();
      }
    });
    this.filter();
  }

  makeFilters() {
    const counts = {added: 0, removed: 0, changed: 0, moved: 0};
    for (const [kind] of this.changes) counts[kind] += 1;
    const views = document.getElementById('views');
    views.replaceChildren(...Object.keys(counts).map((kind) => {
      const button = make('button', {type: 'button', class: kind, 'aria-pressed': 'true', disabled: !counts[kind], onclick: () => {
        if (this.hidden.has(kind)) this.hidden.delete(kind); else this.hidden.add(kind);
        button.setAttribute('aria-pressed', String(!this.hidden.has(kind)));
        this.filter();
      }}, `${MARKS[kind]} ${grouped(counts[kind])} ${kind}`);
      return button;
    }));
    document.getElementById('back').remove();
  }

  filter() {
    const wanted = document.getElementById('search').value.trim().toLowerCase();
    const rows = this.changes.filter(([kind, name, , , former]) => !this.hidden.has(kind)
      && (name.toLowerCase().includes(wanted) || (former || '').toLowerCase().includes(wanted)))
      .map((change) => ({change}));
    this.list.show(rows, -1);
    this.note.textContent = this.changes.length === 0
      ? 'No object differs.' : countText(rows.length, 'object');
    if (rows.length) this.list.select(0);
    else {
      this.details.replaceChildren(make('p', {}, this.changes.length === 0
        ? 'Both sides have the same objects with the same values.'
        : 'No object with this name and these marks differs.'));
    }
  }

  draw({change: [kind, name, oldID, newID, former]}) {
    const side = newID ? this.new : this.old;
    const type = side.archive.type(side.archive.object(newID || oldID)).name;
    return [make('span', {class: 'mark ' + kind}, MARKS[kind] + ' '),
      make('span', {class: 'name'}, escaped(cut(name, 200))), make('span', {class: 'type'}, escaped(cut(type, 80))),
      former ? make('span', {class: 'meta'}, 'from ' + escaped(cut(former, 120))) : ''];
  }

  parts() { return []; }
  follow() {}

  select({change: [kind, name, oldID, newID, former]}) {
    const rows = [];
    const record = (side, id) => {
      if (!id) return null;
      const body = side.archive.object(id);
      const fields = side.archive.fields(body);
      return Array.from({length: fields.count}, (_, index) => fields.at(index));
    };
    const typeText = (side, id) => {
      if (!id) return '';
      const type = side.archive.type(side.archive.object(id));
      return escaped(cut(type.name, 200)) + (type.version ? `, schema version ${type.version}` : '');
    };
    const types = [typeText(this.old, oldID), typeText(this.new, newID)];
    rows.push({depth: 0, name: 'type', old: types[0], new: types[1],
      status: types[0] === types[1] ? 'same' : !types[0] ? 'added' : !types[1] ? 'removed' : 'changed'});
    this.compareNamed(record(this.old, oldID), record(this.new, newID), 0, rows);
    const body = make('tbody', {}, rows.map((row) => this.row(row)));
    const count = rows.filter((row) => row.status !== 'same').length;
    const only = make('input', {type: 'checkbox', id: 'only-changes'});
    only.addEventListener('change', () => body.classList.toggle('only-changes', only.checked));
    this.details.replaceChildren(
      make('h2', {}, make('span', {class: 'mark ' + kind}, MARKS[kind] + ' '), escaped(cut(name, 200))),
      make('p', {}, former ? `Moved from ${escaped(cut(former, 500))}. ` : '', `Old ${oldID ? '#' + oldID : 'absent'}, `
        + `new ${newID ? '#' + newID : 'absent'}; ${countText(count, 'line')} with a difference. `,
      make('label', {class: 'only'}, only, ' only these')),
      make('div', {class: 'scroll'}, make('table', {class: 'sides', 'aria-label': 'Values on both sides'},
        make('thead', {}, make('tr', {}, ['Key', 'Old', 'New'].map((text) => make('th', {scope: 'col'}, text)))), body)));
    this.details.scrollTop = 0;
  }

  row({depth, name, old, new: fresh, status}) {
    const head = make('th', {scope: 'row'}, make('span', {class: 'mark ' + status, 'aria-hidden': 'true'},
      (MARKS[status] || ' ') + ' '), escaped(cut(name, 120)),
    status === 'same' ? '' : make('span', {class: 'spoken'}, ', ' + status));
    head.style.paddingLeft = `min(${8 + 14 * depth}px, 12%)`;
    return make('tr', {class: status}, head, make('td', {class: 'old'}, old), make('td', {class: 'new'}, fresh));
  }

  // Values with names, of records and dictionaries.
  compareNamed(before, after, depth, rows) {
    const nameOf = (side, part) => part.key ? side.signature(part.key) : part.name;
    const known = new Map((before || []).map((part) => [nameOf(this.old, part), part]));
    for (const part of after || []) {
      const key = nameOf(this.new, part);
      const former = known.get(key);
      known.delete(key);
      this.compare(part.name, former ? former.value : null, part.value, depth, rows);
    }
    for (const part of known.values()) this.compare(part.name, part.value, null, depth, rows);
  }

  compare(name, before, after, depth, rows, more = {}) {
    const status = more.status || (!before ? 'added' : !after ? 'removed'
      : this.old.signature(before) === this.new.signature(after) ? 'same' : 'changed');
    rows.push({depth, name, old: this.old.text(before), new: this.new.text(after), status});
    if (rows.length > 20000) return;
    const [left, right] = [this.old.parts(before), this.new.parts(after)];
    const isPair = before && after && kindOf(before.tag) === kindOf(after.tag);
    if (status === 'same' || status === 'moved' || (!isPair && before && after) || !(left || right)) return;
    const kind = kindOf((after || before).tag);
    if (kind === Kind.array || kind === Kind.set) this.compareElements(left || [], right || [], depth + 1, rows);
    else this.compareNamed(left, right, depth + 1, rows);
  }

  compareElements(before, after, depth, rows) {
    const old = before.map((part) => this.old.signature(part.value));
    const fresh = after.map((part) => this.new.signature(part.value));
    const known = [new Map(), new Map()];
    const texts = (place, side, parts, index) => {
      if (!known[place].has(index)) known[place].set(index, side.partTexts(parts[index].value));
      return known[place].get(index);
    };
    const pairs = pairElements(old, fresh, (left, right) =>
      likeness(texts(0, this.old, before, left), texts(1, this.new, after, right)));
    for (const [left, right, isAcross] of pairs) {
      const name = right < 0 ? `[${left}]` : left < 0 || left === right ? `[${right}]` : `[${left}] → [${right}]`;
      const isMoved = isAcross && old[left] === fresh[right];
      this.compare(name, left < 0 ? null : before[left].value, right < 0 ? null : after[right].value, depth, rows,
        isMoved ? {status: 'moved'} : {});
    }
  }
}
