'use strict';

// The sizes of types and keys as rectangles whose areas are in proportion, and as a table.

const MOST_RECTANGLES = 60;

// Lays rectangles out in a place, the largest first, as near to squares as rows of them allow.
function squarified(items, place) {
  const total = items.reduce((sum, item) => sum + item.size, 0);
  const found = [];
  let {x, y, width, height} = place;
  const scale = total > 0 ? (width * height) / total : 0;
  let rest = items.filter((item) => item.size > 0);
  while (rest.length) {
    const side = Math.min(width, height);
    let row = [], sum = 0, worst = Infinity;
    for (const item of rest) {
      const next = sum + item.size * scale;
      const sizes = [...row, item].map((one) => one.size * scale);
      const shape = Math.max(...sizes.map((size) =>
        Math.max((side * side * size) / (next * next), (next * next) / (side * side * size))));
      if (shape > worst) break;
      [row, sum, worst] = [[...row, item], next, shape];
    }
    const thickness = side > 0 ? sum / side : 0;
    let at = 0;
    for (const item of row) {
      const length = thickness > 0 ? (item.size * scale) / thickness : 0;
      found.push(width >= height
        ? {item, x, y: y + at, width: thickness, height: length}
        : {item, x: x + at, y, width: length, height: thickness});
      at += length;
    }
    if (width >= height) [x, width] = [x + thickness, width - thickness];
    else [y, height] = [y + thickness, height - thickness];
    rest = rest.slice(row.length);
  }
  return found;
}

// The largest items, and one for all others.
function largest(items, count) {
  const sorted = [...items].sort((one, other) => other.size - one.size);
  if (sorted.length <= count) return sorted;
  const rest = sorted.slice(count - 1);
  return [...sorted.slice(0, count - 1),
    {name: `${grouped(rest.length)} others`, size: rest.reduce((sum, item) => sum + item.size, 0), parts: []}];
}

function showSizes(element, sizes, showType) {
  const types = sizes.types.map((type) => ({
    name: type.type || 'no type', size: type.byteCount, count: type.objectCount, type: type.type,
    parts: type.keys.map((key) => ({name: key.name, size: key.byteCount, count: key.valueCount})),
  }));
  const names = sizes.byteCount - sizes.objectByteCount;
  const map = make('div', {class: 'treemap', 'aria-hidden': 'true'});
  const draw = () => {
    const width = map.clientWidth, height = map.clientHeight;
    if (!width) return;
    map.replaceChildren();
    const all = largest([...types, {name: 'names and directories', size: names, parts: []}], MOST_RECTANGLES);
    squarified(all, {x: 0, y: 0, width, height}).forEach((box, index) => {
      const inner = {x: 0, y: 0, width: box.width - 2, height: box.height - 20};
      const tile = make('div', {class: 'tile', title: `${escaped(cut(box.item.name, 200))}: ${countText(box.item.size, 'byte')}`},
        make('span', {class: 'tile-name'}, escaped(cut(
          // Where a name has no room, its module is left out.
          box.width < 8 * box.item.name.length ? box.item.name.replace(/^[\w.]*\.(?=\w)/, '') : box.item.name, 60))));
      tile.style.setProperty('--hue', String((index * 47 + 210) % 360));
      place(tile, box);
      if (inner.width > 60 && inner.height > 24) {
        for (const part of squarified(largest(box.item.parts, 24), inner)) {
          const cell = make('div', {class: 'cell', title: `${escaped(cut(part.item.name, 200))}: ${countText(part.item.size, 'byte')}`},
            part.width > 40 && part.height > 14 ? escaped(cut(part.item.name, 40)) : '');
          place(cell, {...part, y: part.y + 18});
          tile.append(cell);
        }
      }
      if (box.item.type) tile.addEventListener('click', () => showType(box.item.type));
      map.append(tile);
    });
  };
  const place = (box, at) => {
    box.style.left = at.x + 'px';
    box.style.top = at.y + 'px';
    box.style.width = Math.max(0, at.width) + 'px';
    box.style.height = Math.max(0, at.height) + 'px';
  };
  element.replaceChildren(
    make('p', {}, `${countText(sizes.byteCount, 'byte')}, of which ${grouped(sizes.objectByteCount)} are in objects and `
      + `${grouped(names)} in names and directories.`),
    map, sizeTable(types, sizes.byteCount, showType));
  new ResizeObserver(draw).observe(map);
}

function sizeTable(types, total, showType) {
  const body = make('tbody', {});
  const shown = largest(types, 200);
  for (const type of shown) {
    const keys = make('ul', {class: 'keys'}, largest(type.parts, 50).map((key) =>
      make('li', {}, `${escaped(cut(key.name, 200))}: ${countText(key.size, 'byte')}` + (key.count ? `, ${grouped(key.count)}×` : ''))));
    body.append(make('tr', {},
      make('th', {scope: 'row'}, type.type
        ? make('button', {type: 'button', class: 'object-link', onclick: () => showType(type.type)}, escaped(cut(type.name, 200)))
        : escaped(type.name)),
      make('td', {}, type.count ? grouped(type.count) : ''), make('td', {}, grouped(type.size)),
      make('td', {class: 'share'}, total ? (100 * type.size / total).toFixed(1) + ' %' : ''),
      make('td', {class: 'wide'}, type.parts.length
        ? make('details', {}, make('summary', {}, countText(type.parts.length, 'key')), keys) : '')));
  }
  return make('div', {class: 'scroll'}, make('table', {class: 'sizes'}, make('thead', {}, make('tr', {},
    ['Type', 'Objects', 'Bytes', 'Share', 'Keys'].map((name) =>
      make('th', {scope: 'col', class: name === 'Share' ? 'share' : null}, name)))), body));
}
