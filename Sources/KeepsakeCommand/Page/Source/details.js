'use strict';

// The panel that shows one object, one value or one part of an archive: its facts, its text and its bytes.

const FIRST_TEXT = 2000, FIRST_LINES = 64;

const factList = (facts) => make('dl', {class: 'facts'}, facts.filter(([, content]) => content !== null).map(
  ([name, content]) => make('div', {}, make('dt', {}, name), make('dd', {}, content))));

class Details {
  // The host knows what an object is called, and goes to one.
  constructor(element, host) {
    this.element = element;
    this.host = host;
  }

  show(title, ...content) {
    this.element.replaceChildren(make('h2', {}, title), ...content.flat().filter(Boolean));
    this.element.scrollTop = 0;
  }

  link(archive, id) {
    return make('button', {type: 'button', class: 'object-link', onclick: () => this.host.goTo(id)},
      '#' + id + ' ' + escaped(cut(this.host.title(id), 200)));
  }

  links(archive, ids) {
    const shown = Array.from(ids.slice(0, 40), (id) => this.link(archive, id));
    if (ids.length > shown.length) shown.push(make('span', {}, `and ${grouped(ids.length - shown.length)} more`));
    return shown.length ? make('div', {class: 'links'}, shown) : 'none';
  }

  showObject(archive, id) {
    const body = archive.object(id), type = archive.type(body);
    const out = new Set();
    archive.forEachReference(body, (target) => out.add(target));
    const back = make('div', {class: 'back-references'});
    this.show(`#${id} ${escaped(cut(type.name, 200))}`,
      factList([
        ...this.host.facts(id),
        ['Type', escaped(cut(type.name, 1000)) + (type.version ? `, schema version ${type.version}` : '')],
        ['Size', countText(body.end - body.start, 'byte')],
        ['Bytes', `${body.start} to ${body.end}, shape ${body.shape}`],
        ['Refers to', this.links(archive, [...out])],
        ['Referred to by', back],
      ]),
      this.bytes(archive, explainObject(archive, body)));
    const fill = () => {
      if (!this.host.references.isComplete) {
        back.textContent = 'reading the references …';
        this.host.whenReferencesAreRead(() => { if (back.isConnected) fill(); });
        return;
      }
      back.replaceChildren(this.links(archive, this.host.references.to(id)));
    };
    fill();
  }

  showValue(archive, names, value) {
    const target = archive.target(value);
    const isText = !value.isNil && [Kind.string, Kind.url].includes(kindOf(value.tag));
    const name = names[names.length - 1];
    this.show(escaped(cut(name, 200)),
      factList([
        ['Path', escaped(cut(names.join(' › '), 2000))],
        ['Type', `${typeName(value.tag, value.isNil)}, tag ${hexadecimal(value.tag)}`],
        ['Size', value.mask ? 'one bit' : countText(value.end - value.start, 'byte')],
        ['Bytes', `${value.start} to ${value.end}` + (value.mask ? `, bit of value ${value.mask}` : '')],
        ['Leads to', target ? this.link(archive, target) : null],
      ]),
      isText ? this.text(archive, value) : make('pre', {class: 'value'}, valueText(archive, value, FIRST_TEXT)),
      this.bytes(archive, explainValue(archive, value, escaped(cut(name, 60)))));
  }

  // A text that is cut, and a way to see more of it.
  text(archive, value) {
    const box = make('div', {class: 'text'});
    const fill = (limit) => {
      const text = stringPrefix(archive, value, limit);
      const isCut = text.length > limit || value.end - value.start > 4 * limit;
      box.replaceChildren(make('pre', {class: 'value'}, valueText(archive, value, limit)));
      if (isCut) {
        box.append(make('p', {class: 'more'}, `The first ${grouped(limit)} characters of `
          + `${grouped(value.end - value.start)} bytes. `,
        make('button', {type: 'button', onclick: () => fill(10 * limit)}, 'Show ten times as many')));
      }
    };
    fill(FIRST_TEXT);
    return box;
  }

  showPart(archive, part) {
    const explainer = new Explainer(archive);
    for (const [start, end, name] of part.fields || []) explainer.put(start, end, name);
    const parts = part.parts
      || Array.from({length: Math.min(part.count || 0, MOST_EXPLAINED)}, (_, index) => part.at(index));
    for (const {start, end, name} of parts) explainer.put(start, end, name);
    this.show(escaped(part.name),
      factList([
        ['Size', countText(part.end - part.start, 'byte')],
        ['Bytes', `${part.start} to ${part.end}`],
      ]),
      this.bytes(archive, explainer.finish(part.start, part.end)));
  }

  // Bytes in hexadecimal, a line or more for each field.
  bytes(archive, fields) {
    // Sixteen bytes leave no room for the names of fields in a narrow panel.
    const perLine = this.element.clientWidth < 640 ? 8 : 16;
    const body = make('tbody', {});
    const lines = this.lines(fields, perLine);
    const more = make('p', {class: 'more'});
    const fill = (count) => {
      let result = lines.next();
      for (let index = 0; index < count && !result.done; index += 1) {
        const {start, end, name} = result.value;
        body.append(make('tr', {},
          make('th', {scope: 'row'}, start.toString(16).padStart(6, '0')),
          make('td', {class: 'hex'}, hexText(archive, start, end)),
          make('td', {class: 'field'}, escaped(name))));
        if (index + 1 < count) result = lines.next();
      }
      more.replaceChildren();
      if (!result.done) more.append(make('button', {type: 'button', onclick: () => fill(8 * count)}, 'Show more bytes'));
    };
    fill(FIRST_LINES);
    return make('section', {class: 'bytes'}, make('h3', {}, 'Bytes'),
      make('table', {'aria-label': 'Bytes and their fields'},
        make('thead', {}, make('tr', {}, make('th', {scope: 'col'}, 'offset'), make('th', {scope: 'col'}, 'bytes'),
          make('th', {scope: 'col'}, 'field'))), body), more);
  }

  * lines(fields, perLine) {
    for (const [start, end, name] of fields) {
      for (let at = start; at < end; at += perLine) {
        yield {start: at, end: Math.min(end, at + perLine), name: at === start ? name : ''};
      }
    }
  }
}
