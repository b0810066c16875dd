'use strict';

// The page of one file: its facts, the tree of its objects, sizes and parts.

// With more parts than this, rows stand for groups of this many parts.
const MOST_PARTS = 200000, GROUP = 10000;

class Inspector {
  constructor(facts, archive) {
    this.archive = archive;
    this.state = facts.state ? new SavedState(facts.state) : null;
    this.search = new Search(archive, this.state && this.state.identifiers);
    this.references = new References(archive);
    this.waiting = [];
    this.visited = [];
    this.views = {};
    this.list = new RowList(document.getElementById('tree'), this);
    this.details = new Details(document.getElementById('details'), this);
    this.note = document.getElementById('note');
    this.connect();
    this.showView('tree');
    const first = this.state && this.state.application && this.state.roots.length ? 1 : 0;
    this.list.open(first);
    this.list.select(first);
  }

  connect() {
    for (const button of document.querySelectorAll('#views button')) {
      button.addEventListener('click', () => this.leave(() => this.showView(button.dataset.view)));
    }
    document.getElementById('back').addEventListener('click', () => this.goBack());
    const box = document.getElementById('search');
    box.addEventListener('input', () => this.find(box.value));
    box.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') {
        box.value = '';
        this.find('');
      } else if (event.key === 'ArrowDown' || event.key === 'Enter') {
        this.list.element.focus();
        if (this.list.selected < 0) this.list.select(0);
        event.preventDefault();
      }
    });
    document.addEventListener('keydown', (event) => {
      if (event.target.matches('input')) return;
      if (event.key === '/') {
        box.focus();
        box.select();
        event.preventDefault();
      } else if (event.key === 'Backspace') {
        this.goBack();
        event.preventDefault();
      }
    });
    setTimeout(() => this.readReferences(), 300);
  }

  readReferences() {
    if (this.references.isComplete) return;
    this.references.read(20);
    if (!this.references.isComplete) {
      setTimeout(() => this.readReferences(), 0);
      return;
    }
    for (const body of this.waiting.splice(0)) body();
    this.search.prepare();
  }

  whenReferencesAreRead(body) { this.waiting.push(body); }

  // Views: lists of rows that are kept with what is open and selected in them.

  rowsOf(name) {
    const archive = this.archive;
    switch (name) {
      case 'tree': return this.treeRows();
      case 'list': return this.group(archive.objectCount, (index) => this.objectNode(index + 1), 'objects');
      case 'type': {
        const ids = [];
        for (let id = 1; id <= archive.objectCount; id += 1) {
          if (archive.type(archive.object(id)).name === this.type) ids.push(id);
        }
        return this.group(ids.length, (index) => this.objectNode(ids[index]), 'objects');
      }
      case 'parts': return archiveParts(archive).map((part) => this.partNode(part));
      default: return [];
    }
  }

  treeRows() {
    if (!this.state) return [this.objectNode(this.archive.root, 'root')];
    const rows = this.state.roots.map((row) => this.stateNode(row));
    if (this.state.application) rows.unshift(this.objectNode(this.state.application, 'application'));
    rows.push(this.objectNode(this.archive.root, 'index'));
    return rows;
  }

  showView(name) {
    if (this.view) {
      this.views[this.view] = {
        rows: this.list.rows, selected: this.list.selected, scrollTop: this.list.element.scrollTop,
      };
    }
    this.view = name;
    for (const button of document.querySelectorAll('#views button')) {
      button.setAttribute('aria-pressed', String(button.dataset.view === name));
    }
    const kept = this.views[name];
    if (kept) {
      this.list.show(kept.rows, kept.selected, kept.scrollTop);
      if (kept.selected >= 0) this.select(kept.rows[kept.selected]);
    } else {
      this.list.show(this.rowsOf(name));
    }
    this.note.textContent = name === 'type'
      ? `${countText(this.list.rows.length, 'object')} of the type ${escaped(cut(this.type, 80))}` : '';
  }

  showType(type) {
    this.leave(() => {
      this.type = type;
      delete this.views.type;
      if (this.view === 'type') this.view = null;
      this.showView('type');
      this.list.select(0);
      showPanel('objects');
    });
  }

  // Remembers the row that is selected, for the way back.
  leave(body) {
    const node = this.list.rows[this.list.selected];
    if (node) this.visited.push({view: this.view, node});
    document.getElementById('back').disabled = this.visited.length === 0;
    body();
  }

  goBack() {
    const last = this.visited.pop();
    document.getElementById('back').disabled = this.visited.length === 0;
    if (!last) return;
    this.showView(last.view);
    const index = this.list.rows.indexOf(last.node);
    if (index >= 0) this.list.select(index);
    this.list.element.focus();
  }

  // Goes to an object: in the tree of a state, else in the list by number.
  goTo(id) {
    this.leave(() => {
      showPanel('objects');
      const path = this.state && this.state.pathTo(id);
      if (path && path.length) {
        this.showView('tree');
        let index = -1;
        for (const row of path) {
          index = this.list.rows.findIndex((node, place) => place > index && node.row === row);
          if (row !== path[path.length - 1]) this.list.open(index);
        }
        this.list.select(index);
      } else {
        this.showView('list');
        let index = this.list.rows.findIndex((node) => node.kind === 'object' && node.id === id && !node.depth);
        if (index < 0) {
          index = this.list.rows.findIndex((node) => node.kind === 'group' && !node.depth && id - 1 >= node.from && id - 1 < node.to);
          this.list.open(index);
          index += 1 + (id - 1 - this.list.rows[index].from);
        }
        this.list.select(index);
      }
      this.list.element.focus();
    });
  }

  // Nodes.

  objectNode(id, label = '') {
    return {kind: 'object', id, label, canOpen: true};
  }

  stateNode(row) {
    return {kind: 'object', id: this.state.rows[row][0], row, label: this.state.rows[row][3], canOpen: true};
  }

  valueNode(name, value, names, object, canGroup = true) {
    const target = this.archive.target(value);
    const parts = target ? null : this.archive.children(value);
    return {
      kind: 'value', name, value, names, object, target, canGroup, canOpen: target > 0 || (parts !== null && parts.count > 0),
    };
  }

  partNode(part) {
    return {kind: 'part', part, canOpen: !!(part.parts || part.count || part.object)};
  }

  // Nodes for a number of parts, or for groups of them where there are very many.
  group(count, at, word) {
    if (count <= MOST_PARTS) return Array.from({length: count}, (_, index) => at(index));
    return Array.from({length: Math.ceil(count / GROUP)}, (_, index) => ({
      kind: 'group', from: index * GROUP, to: Math.min(count, (index + 1) * GROUP), at, word, canOpen: true,
    }));
  }

  // The list's delegate.

  parts(node) {
    const archive = this.archive;
    switch (node.kind) {
      case 'group': return Array.from({length: node.to - node.from}, (_, index) => node.at(node.from + index));
      case 'part': {
        const part = node.part;
        if (part.object) return this.parts(this.objectNode(part.object));
        if (part.parts) return part.parts.map((inner) => this.partNode(inner));
        return this.group(part.count, (index) => this.partNode(part.at(index)), part.name);
      }
      case 'object': {
        const fields = archive.fields(archive.object(node.id));
        const values = Array.from({length: fields.count}, (_, index) => {
          const {name, value} = fields.at(index);
          return this.valueNode(name, value, [`#${node.id}`, name], node.id);
        });
        if (node.row === undefined) return values;
        return [...values, ...(this.state.children.get(node.row) || []).map((row) => this.stateNode(row))];
      }
      default: {
        if (node.target) return [this.objectNode(node.target)];
        const parts = archive.children(node.value);
        return this.group(parts.count, (index) => {
          const {name, value} = parts.at(index);
          return this.valueNode(name, value, [...node.names, name], node.object);
        }, 'elements');
      }
    }
  }

  draw(node) {
    const archive = this.archive;
    switch (node.kind) {
      case 'group':
        return [make('span', {class: 'name'}, `${grouped(node.from)} to ${grouped(node.to - 1)}`)];
      case 'part':
        return [make('span', {class: 'name'}, escaped(node.part.name)),
          make('span', {class: 'size'}, countText(node.part.end - node.part.start, 'byte'))];
      case 'object': {
        const body = archive.object(node.id);
        const hint = node.hint === undefined && node.query ? this.hint(node) : node.hint;
        return [make('span', {class: 'number'}, '#' + node.id),
          node.label ? make('span', {class: 'label'}, escaped(cut(node.label, 80))) : '',
          make('span', {class: 'type'}, escaped(cut(archive.type(body).name, 80))),
          hint ? make('span', {class: 'text'}, hint) : make('span', {class: 'size'}, countText(body.end - body.start, 'byte'))];
      }
      default: {
        const kind = kindOf(node.value.tag);
        const tone = node.value.isNil ? 'nil' : kind === Kind.string || kind === Kind.url ? 'text'
          : kind >= Kind.record ? 'meta' : 'scalar';
        const target = node.target
          ? make('span', {class: 'link', role: 'link'}, '→ #' + node.target + ' ' + escaped(cut(this.title(node.target), 200)))
          : make('span', {class: tone}, valueText(archive, node.value));
        // Containers and nil are named by their text already.
        const isNamed = kind >= Kind.record || node.value.isNil;
        return [make('span', {class: 'name'}, escaped(cut(node.name, 80))),
          isNamed ? '' : make('span', {class: 'kind'}, typeName(node.value.tag, false)), target];
      }
    }
  }

  // The first text of an object in which a search has found something.
  hint(node) {
    const archive = this.archive, body = archive.object(node.id);
    const needle = folded(new TextEncoder().encode(node.query));
    // Only the object's own bytes are searched: the next hit may be at the end of the file.
    const own = this.search.haystack ? this.search.haystack.slice(body.start, body.end) : '';
    let found = null;
    for (let at = own.indexOf(needle); !found && at >= 0; at = own.indexOf(needle, at + 1)) {
      found = textAt(archive, body, body.start + at);
    }
    if (!found) found = this.fieldNamed(body, node.query.toLowerCase());
    node.hint = found ? `${escaped(cut(found.name, 60))} = ${valueText(archive, found.value, 80)}` : '';
    return node.hint;
  }

  // The first field whose key has a text; its name and value.
  fieldNamed(body, wanted) {
    const fields = this.archive.fields(body);
    for (let index = 0; index < fields.count; index += 1) {
      const field = fields.at(index);
      if (field.name.toLowerCase().includes(wanted)) return field;
    }
    return null;
  }

  select(node) {
    if (node.kind === 'object') this.details.showObject(this.archive, node.id);
    else if (node.kind === 'value') this.details.showValue(this.archive, node.names, node.value);
    else if (node.kind === 'part' && node.part.object) this.details.showObject(this.archive, node.part.object);
    else if (node.kind === 'part') this.details.showPart(this.archive, node.part);
  }

  follow(node) {
    if (node.kind === 'value' && node.target) this.goTo(node.target);
    else if (node.kind === 'object' && this.view === 'results') this.goTo(node.id);
    else if (node.canOpen) this.list.toggle(this.list.selected);
  }

  // Facts for the panel of details.

  title(id) {
    const identifier = this.state && this.state.identifiers.get(id);
    const type = this.archive.type(this.archive.object(id)).name;
    return identifier ? `${identifier} ${type}` : type;
  }

  facts(id) {
    return this.state ? this.state.facts(this.archive, id) : [];
  }

  // Search.

  find(text) {
    const query = text.trim();
    this.searching = query;
    if (!query) {
      if (this.view === 'results') {
        this.view = null;
        this.showView(this.former || 'tree');
      }
      this.note.textContent = '';
      return;
    }
    if (this.view !== 'results') {
      this.former = this.view;
      showPanel('objects');
      delete this.views.results;
      this.showView('results');
    }
    const begin = performance.now();
    const rows = [];
    const matches = this.search.matches(query);
    const go = () => {
      if (this.searching !== query) return;
      const until = performance.now() + 40;
      let isDone = false;
      while (performance.now() < until && !isDone) {
        for (let turn = 0; turn < 64; turn += 1) {
          const next = matches.next();
          if (next.done) {
            isDone = true;
            break;
          }
          if (next.value) rows.push({...this.objectNode(next.value), query});
        }
      }
      if (isDone || this.list.rows.length === 0) this.list.show(rows.slice(), -1);
      if (isDone && rows.length === 0) {
        this.details.show('Nothing found', make('p', {}, `No object has "${escaped(cut(query, 80))}" in its name, its `
          + 'type, a key or a text.'));
      }
      this.note.textContent = isDone ? countText(rows.length, 'object') + ' found' : `searching, ${grouped(rows.length)} so far`;
      this.searchTime = performance.now() - begin;
      this.isSearching = !isDone;
      if (!isDone) setTimeout(go, 0);
    };
    this.list.show([]);
    this.isSearching = true;
    go();
  }
}

// The tree of a saved state (Spec/restoration.md, 1): a row is an array of the number of its record, the place of its
// parent or -1, its role and its identifier.
class SavedState {
  constructor(state) {
    this.rows = state.rows;
    this.application = state.application || 0;
    this.leftOut = state.leftOut;
    this.identifiers = new Map();
    this.places = new Map();
    this.children = new Map();
    this.roots = [];
    state.rows.forEach((row, place) => {
      this.identifiers.set(row[0], row[3]);
      this.places.set(row[0], place);
      if (row[1] < 0) this.roots.push(place);
      else if (this.children.has(row[1])) this.children.get(row[1]).push(place);
      else this.children.set(row[1], [place]);
    });
  }

  // The places of the rows from the root to an object.
  pathTo(id) {
    const path = [];
    for (let row = this.places.get(id); row !== undefined && row >= 0; row = this.rows[row][1]) path.unshift(row);
    return path;
  }

  facts(archive, id) {
    if (id === this.application) return [['Restore', "The application decodes this record when its objects exist."]];
    if (id === archive.root) {
      return [['Restore', 'This is the index: it lists every object with its path, its role and its parent. '
        + `A restore takes ${countText(this.rows.length, 'row')}`
        + (this.leftOut ? ` and leaves out ${grouped(this.leftOut)} that no save writes.` : '.')]];
    }
    const place = this.places.get(id);
    if (place === undefined) return [['Restore', 'No row of the index leads here, so a restore ignores this object.']];
    const path = this.pathTo(id).map((row) => this.rows[row][3]);
    return [['Restoration path', escaped(cut(path.join(' › '), 2000))], ['Role', ROLES[this.rows[place][2]]],
      ['Restore', this.restore(archive, id)]];
  }

  // How a restore finds the object, and whether it decodes the record (Spec/restoration.md, 5).
  restore(archive, id) {
    const row = this.stored(archive, id);
    const sentences = [this.origin(archive, id, row.className && escaped(cut(row.className, 80)))];
    sentences.push(row.flags & 1
      ? 'Its state was not saved, only its place, so it decodes nothing.'
      : 'It decodes this record if its type or a superclass of it has the name that was saved.');
    if (row.flags & 2) sentences.push('The record was kept from the archive before.');
    return sentences.join(' ');
  }

  origin(archive, id, className) {
    const role = this.rows[this.places.get(id)][2];
    if (role === 2) return 'A restore looks for it among the views of its owner.';
    if (role === 3) {
      return 'A restore looks for it among the registered objects'
        + (className ? `, and else the restoration class ${className} makes it.` : '.');
    }
    if (className) return `A restore asks only the restoration class ${className} for it.`;
    const template = escaped(cut(this.template(archive, id), 80));
    return 'A restore asks the application for it, and then looks for the node that its parent has at this path'
      + (template ? `; if there is none, the template ${template} is instantiated.` : '.');
  }

  template(archive, id) {
    let name = '';
    archive.forEachField(archive.object(id), (slot, value) => {
      const key = archive.keys[slot.key];
      if (key.space === 1 && key.name === 'template' && key.scope === null && !value.isNil
        && kindOf(value.tag) === Kind.string) name = archive.text(value.start, value.end);
    });
    return name;
  }

  // The flags and the restoration class of a record, from the columns of the index.
  stored(archive, id) {
    if (!this.columns) {
      this.columns = {};
      archive.forEachField(archive.object(archive.root), (slot, value) => {
        if (!value.isNil && kindOf(value.tag) === Kind.array) this.columns[archive.keyName(slot.key)] = archive.array(value);
      });
    }
    const found = this.columns, objects = found.objects;
    const isAt = (index) => objects && index < objects.count && archive.target(objects.at(index)) === id;
    // Only where a restore leaves rows out is the place another one in the columns.
    let index = this.places.get(id);
    if (!isAt(index)) {
      index = 0;
      while (objects && index < objects.count && !isAt(index)) index += 1;
    }
    const number = (name) => found[name] && found[name].count > index
      ? Number(integerText(archive, found[name].at(index))) : 0;
    const classNumber = number('restorationClasses');
    const name = classNumber && found.restorationClassNames && found.restorationClassNames.at(classNumber - 1);
    return {flags: number('flags'), className: name ? archive.text(name.start, name.end) : ''};
  }
}

const ROLES = ['node', 'node that its parent presents', 'view', 'registered object'];
