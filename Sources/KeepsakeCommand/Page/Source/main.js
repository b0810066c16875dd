'use strict';

// The beginning: reads what the command has put into the page, and shows it.

function archiveIn(id) {
  const element = document.getElementById(id);
  if (!element) return null;
  const bytes = bytesOf(element.textContent.trim());
  element.remove();
  return new Archive(bytes);
}

// The bytes of base 64; browsers of 2025 have a function for it, which takes a tenth of the time.
function bytesOf(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  return bytes;
}

// What can be read without a key comes first, then what the key has opened.
function fileFacts(facts) {
  const found = [];
  const sealed = facts.sealed, opened = facts.opened, archive = facts.archive;
  if (sealed) {
    found.push(['Sealed file', `${countText(sealed.fileSize, 'byte')}, format ${sealed.formatVersion}, suite ${sealed.suite}, `
      + `${countText(sealed.chunkCount, 'chunk')} of ${grouped(sealed.chunkSize)} bytes`],
    ['Key slots', make('ol', {start: 0, class: 'slots'}, sealed.slots.map((slot) => make('li', {}, escaped(slot))))],
    ['Signature', !sealed.isSigned ? 'not signed' : opened && opened.signer ? `signed by ${escaped(opened.signer)}`
      : 'signed; the signature was not verified'],
    ['Identity', sealed.fileID],
    ['State of', sealed.application ? escaped(sealed.application) + (sealed.session ? `, session ${escaped(sealed.session)}` : '') : null],
    ['Public metadata', sealed.publicMetadata ? `${escaped(cut(sealed.publicMetadata, 200))} (base 64)` : null]);
  }
  if (opened) {
    found.push(['Opened by', `slot ${opened.openedBySlot}, ${escaped(opened.openedBy)}`],
      ['Content', `${countText(opened.plaintextLength, 'byte')}, generation ${opened.generation}`
        + (opened.creator ? `, written by ${escaped(cut(opened.creator, 200))}` : '')]);
  }
  if (archive) {
    found.push(['Archive', `${countText(archive.byteCount, 'byte')}, ${countText(archive.objectCount, 'object')}, root #${archive.root}`],
      ['Bundle version', archive.bundleVersion === undefined ? null : escaped(cut(archive.bundleVersion, 200))],
      ['Interface idiom', archive.userInterfaceIdiom === undefined ? null : String(archive.userInterfaceIdiom)],
      ['Written', archive.timestamp === undefined ? null : escaped(archive.timestamp)],
      ['On', archive.systemVersion === undefined ? null : escaped(cut(archive.systemVersion, 200))]);
  } else {
    found.push(opened ? ['Archive', 'The content is not an archive.']
      : ['Content', 'The file was not opened, so this page shows its header alone.']);
  }
  if (facts.verdict) found.push(['Verdict', escaped(facts.verdict)]);
  if (facts.state) {
    const left = facts.state.leftOut;
    found.push(['Saved state', `${countText(facts.state.rows.length, 'object')} that a restore looks for`
      + (left ? `; it leaves out ${grouped(left)} others` : '')]);
  }
  return found;
}

// The file in a line.
function inShort(facts) {
  const sealed = facts.sealed;
  const parts = sealed ? ['Sealed file', countText(sealed.slots.length, 'key slot'),
    !sealed.isSigned ? 'not signed' : facts.opened && facts.opened.signer ? 'signed' : 'signature not verified']
    : ['Archive, not sealed'];
  if (facts.archive) parts.push(countText(facts.archive.objectCount, 'object'));
  if (facts.verdict) parts.push(facts.verdict === 'sound' ? 'sound' : 'see the verdict');
  return parts.join(', ');
}

function showPanel(name) {
  for (const tab of document.querySelectorAll('[role=tab]')) {
    const isShown = tab.dataset.panel === name;
    tab.setAttribute('aria-selected', String(isShown));
    tab.tabIndex = isShown ? 0 : -1;
    document.getElementById('panel-' + tab.dataset.panel).hidden = !isShown;
  }
}

function begin() {
  const source = document.getElementById('facts');
  const facts = JSON.parse(source.textContent);
  source.remove();
  const title = document.getElementById('title'), about = document.getElementById('about');
  const tabs = [...document.querySelectorAll('[role=tab]')];
  tabs.forEach((tab, index) => {
    tab.addEventListener('click', () => showPanel(tab.dataset.panel));
    tab.addEventListener('keydown', (event) => {
      if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
      const shown = tabs.filter((one) => !one.hidden);
      const place = shown.indexOf(tabs[index]) + (event.key === 'ArrowRight' ? 1 : shown.length - 1);
      const next = shown[place % shown.length];
      showPanel(next.dataset.panel);
      next.focus();
    });
  });
  if (facts.changes) {
    const archives = [archiveIn('archive-old'), archiveIn('archive-new')];
    title.textContent = 'Two archives, side by side';
    about.replaceChildren(...[['Old', facts.old], ['New', facts.new]].map(([name, side]) =>
      make('section', {}, make('h3', {}, `${name}: ${escaped(cut(side.file, 300))}`), factList(fileFacts(side)))));
    document.getElementById('about-line').textContent =
      `Old: ${escaped(cut(facts.old.file, 100))}, new: ${escaped(cut(facts.new.file, 100))}`;
    document.querySelector('[role=tablist]').hidden = true;
    window.comparison = new Comparison(facts, archives);
  } else {
    title.textContent = escaped(cut(facts.file, 300));
    about.replaceChildren(factList(fileFacts(facts)));
    document.getElementById('about-line').textContent = inShort(facts);
    const archive = archiveIn('archive');
    if (archive) {
      window.inspector = new Inspector(facts, archive);
      showSizes(document.getElementById('panel-sizes'), facts.sizes, (type) => window.inspector.showType(type));
    } else {
      for (const name of ['#search-box', '#panel-objects', '[role=tablist]', 'main']) {
        document.querySelector(name).hidden = true;
      }
    }
  }
  // On a narrow screen, or for two files, the facts would push the objects out of sight.
  if (facts.archive || facts.changes) {
    document.getElementById('about-box').open = !facts.changes && !window.matchMedia('(max-width: 800px)').matches;
  }
  document.title = title.textContent + ' – Keepsake';
  window.readyAfter = performance.now();
}

begin();
