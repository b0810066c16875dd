'use strict';

// Makes an element with its attributes and its content. Text becomes text, never markup.
function make(name, attributes = {}, ...content) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === 'onclick') element.addEventListener('click', value);
    else element.setAttribute(key, value === true ? '' : String(value));
  }
  element.append(...content.flat().filter((part) => part !== null && part !== undefined));
  return element;
}

// A list of any number of rows, of which only those in sight are elements. It is a tree for readers of the screen:
// rows have levels, and those with parts open and close.
class RowList {
  // The delegate draws a row (`draw`), makes the parts of one (`parts`), and hears of a selection (`select`) and of
  // the key that follows a reference (`follow`).
  constructor(element, delegate) {
    this.element = element;
    this.delegate = delegate;
    this.rows = [];
    this.selected = -1;
    this.spacer = make('div', {class: 'spacer', role: 'none'});
    this.shown = new Map();
    element.replaceChildren(this.spacer);
    element.addEventListener('scroll', () => this.draw(), {passive: true});
    element.addEventListener('keydown', (event) => this.press(event));
    element.addEventListener('click', (event) => this.click(event));
    new ResizeObserver(() => {
      // Rows are higher on narrow screens.
      this.height = 0;
      this.redraw();
    }).observe(element);
  }

  get rowHeight() {
    if (!this.height) this.height = parseFloat(getComputedStyle(this.element).getPropertyValue('--row')) || 28;
    return this.height;
  }

  show(rows, selected = -1, scrollTop = 0) {
    this.rows = rows;
    this.selected = selected;
    this.forget();
    this.element.scrollTop = scrollTop;
    this.draw();
  }

  forget() {
    for (const row of this.shown.values()) row.remove();
    this.shown.clear();
  }

  draw() {
    const height = this.rowHeight;
    this.spacer.style.height = height * this.rows.length + 'px';
    const first = Math.max(0, Math.floor(this.element.scrollTop / height) - 8);
    const last = Math.min(this.rows.length, Math.ceil((this.element.scrollTop + this.element.clientHeight) / height) + 8);
    for (const [index, row] of this.shown) {
      if (index < first || index >= last) {
        row.remove();
        this.shown.delete(index);
      }
    }
    for (let index = first; index < last; index += 1) {
      if (!this.shown.has(index)) this.shown.set(index, this.spacer.appendChild(this.makeRow(index)));
    }
    const active = this.shown.get(this.selected);
    if (active) this.element.setAttribute('aria-activedescendant', active.id);
    else this.element.removeAttribute('aria-activedescendant');
  }

  makeRow(index) {
    const node = this.rows[index];
    const depth = node.depth || 0;
    const canOpen = node.canOpen === true;
    const row = make('div', {
      class: 'row', role: 'treeitem', id: `${this.element.id}-row-${index}`, 'data-index': index,
      'aria-level': depth + 1, 'aria-selected': index === this.selected ? 'true' : 'false',
      'aria-setsize': node.siblings || this.rows.length, 'aria-posinset': (node.place ?? index) + 1,
      'aria-expanded': canOpen ? String(!!node.isOpen) : null,
    });
    row.style.top = index * this.rowHeight + 'px';
    // However deep a row is, most of the width is for its text.
    row.style.paddingLeft = `min(${6 + 16 * depth}px, 40%)`;
    row.append(make('span', {class: canOpen ? 'arrow' : 'arrow leaf', 'aria-hidden': 'true'},
      canOpen ? (node.isOpen ? '▾' : '▸') : ''));
    row.append(...this.delegate.draw(node));
    return row;
  }

  redrawRow(index) {
    const row = this.shown.get(index);
    if (!row) return;
    const fresh = this.makeRow(index);
    row.replaceWith(fresh);
    this.shown.set(index, fresh);
  }

  select(index, isQuiet = false) {
    if (index < 0 || index >= this.rows.length) return;
    const former = this.selected;
    this.selected = index;
    this.redrawRow(former);
    this.bringIntoSight(index);
    this.draw();
    this.redrawRow(index);
    if (!isQuiet) this.delegate.select(this.rows[index]);
  }

  bringIntoSight(index) {
    const top = index * this.rowHeight, element = this.element;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + this.rowHeight > element.scrollTop + element.clientHeight) {
      element.scrollTop = top + this.rowHeight - element.clientHeight;
    }
  }

  open(index) {
    const node = this.rows[index];
    if (!node || !node.canOpen || node.isOpen) return;
    const parts = this.delegate.parts(node);
    const depth = (node.depth || 0) + 1;
    parts.forEach((part, place) => Object.assign(part, {depth, place, siblings: parts.length}));
    node.isOpen = true;
    this.rows = this.rows.slice(0, index + 1).concat(parts, this.rows.slice(index + 1));
    this.redraw();
  }

  close(index) {
    const node = this.rows[index];
    if (!node || !node.isOpen) return;
    const depth = node.depth || 0;
    let end = index + 1;
    while (end < this.rows.length && this.rows[end].depth > depth) end += 1;
    node.isOpen = false;
    if (this.selected > index) this.selected = this.selected < end ? index : this.selected - (end - index - 1);
    this.rows = this.rows.slice(0, index + 1).concat(this.rows.slice(end));
    this.redraw();
  }

  redraw() {
    this.forget();
    this.draw();
  }

  toggle(index) {
    const node = this.rows[index];
    if (node.isOpen) return this.close(index);
    const count = this.rows.length;
    this.open(index);
    if (this.selected > index) this.selected += this.rows.length - count;
    this.redraw();
    return undefined;
  }

  parent(index) {
    const depth = this.rows[index].depth || 0;
    let at = index - 1;
    while (at >= 0 && (this.rows[at].depth || 0) >= depth) at -= 1;
    return at;
  }

  click(event) {
    const row = event.target.closest('.row');
    if (!row) return;
    const index = Number(row.dataset.index);
    if (event.target.closest('.link')) {
      this.select(index, true);
      this.delegate.follow(this.rows[index]);
    } else if (event.target.closest('.arrow') && this.rows[index].canOpen) {
      this.toggle(index);
    } else {
      this.select(index);
    }
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const index = this.selected;
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.rowHeight) - 1);
    const node = this.rows[index];
    switch (event.key) {
      case 'ArrowDown': this.select(Math.min(this.rows.length - 1, index + 1)); break;
      case 'ArrowUp': this.select(Math.max(0, index - 1)); break;
      case 'PageDown': this.select(Math.min(this.rows.length - 1, Math.max(0, index) + page)); break;
      case 'PageUp': this.select(Math.max(0, index - page)); break;
      case 'Home': this.select(0); break;
      case 'End': this.select(this.rows.length - 1); break;
      case 'ArrowRight':
        if (!node) return;
        if (node.canOpen && !node.isOpen) this.open(index);
        else if (node.isOpen) this.select(index + 1);
        break;
      case 'ArrowLeft':
        if (!node) return;
        if (node.isOpen) this.close(index);
        else if (this.parent(index) >= 0) this.select(this.parent(index));
        break;
      case ' ':
        if (node && node.canOpen) this.toggle(index);
        break;
      case 'Enter':
        if (node) this.delegate.follow(node);
        break;
      default: return;
    }
    event.preventDefault();
  }
}
