'use strict';

// Values as text. Plain values have the text that `keepsake inspect --json` prints.

// Characters that steer a display: controls, separators of lines, and marks that turn the direction of text.
const STEERING = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/gu;
const escaped = (text) => text.replace(STEERING, (character) =>
  character === '\n' ? '\\n' : character === '\t' ? '\\t' : character === '\r' ? '\\r'
    : '\\u{' + character.codePointAt(0).toString(16) + '}');

// At most so many characters of a text; the rest is counted.
function cut(text, limit) {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  const end = last >= 0xd800 && last < 0xdc00 ? limit - 1 : limit;
  return text.slice(0, end) + '…';
}

const quoted = (text, limit) => '"' + escaped(cut(text, limit).replace(/["\\]/g, '\\$&')) + '"';

// A floating-point number in the form of Swift: the shortest digits that read back as the same number.
function floatingText(number, digits, largestPlain) {
  if (Number.isNaN(number)) return 'nan';
  if (!Number.isFinite(number)) return number < 0 ? '-inf' : 'inf';
  const sign = number < 0 || Object.is(number, -0) ? '-' : '';
  if (number === 0) return sign + '0.0';
  let [mantissa, exponent] = digits.replace(/^-/, '').split('e');
  exponent = Number(exponent);
  mantissa = mantissa.replace('.', '').replace(/0+$/, '') || '0';
  if (exponent < -4 || Math.abs(number) > largestPlain) {
    const tail = Math.abs(exponent) < 10 ? '0' + Math.abs(exponent) : String(Math.abs(exponent));
    const fraction = mantissa.length > 1 ? '.' + mantissa.slice(1) : '';
    return sign + mantissa[0] + fraction + 'e' + (exponent < 0 ? '-' : '+') + tail;
  }
  if (exponent < 0) return sign + '0.' + '0'.repeat(-exponent - 1) + mantissa;
  const whole = mantissa.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return sign + whole + '.' + (mantissa.slice(exponent + 1) || '0');
}

const doubleText = (number) => floatingText(number, number.toExponential(), 2 ** 53);

function floatText(number) {
  for (let count = 1; count <= 9; count += 1) {
    const digits = number.toExponential(count - 1);
    if (Math.fround(Number(digits)) === number) return floatingText(number, digits, 2 ** 24);
  }
  return floatingText(number, number.toExponential(), 2 ** 24);
}

function halfValue(bits) {
  const sign = bits >> 15 ? -1 : 1, exponent = (bits >> 10) & 31, fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return exponent === 0 ? sign * 2 ** -24 * fraction : sign * 2 ** (exponent - 25) * (1024 + fraction);
}

function dateText(seconds) {
  const milliseconds = (seconds + 978307200) * 1000;
  const isPlain = seconds >= -63114076800 && seconds < 252423993600;
  if (!isPlain) return doubleText(seconds) + ' s after 2001';
  const whole = new Date((Math.floor(seconds) + 978307200) * 1000).toISOString().slice(0, 19);
  return Number.isInteger(milliseconds) && Number.isInteger(seconds) ? whole + 'Z'
    : whole + 'Z, ' + doubleText(seconds) + ' s after 2001';
}

function integerText(archive, value) {
  const size = sizeOf(value.tag), isSigned = kindOf(value.tag) === Kind.signed;
  let number = 0n;
  for (let index = size - 1; index >= 0; index -= 1) {
    number = (number << 8n) | BigInt(archive.u8(value.start + index));
  }
  return String(isSigned ? BigInt.asIntN(8 * size, number) : number);
}

function hexText(archive, start, end) {
  let text = '';
  for (let at = start; at < end; at += 1) text += (at > start ? ' ' : '') + archive.u8(at).toString(16).padStart(2, '0');
  return text;
}

function uuidText(archive, value) {
  const digits = hexText(archive, value.start, value.end).replaceAll(' ', '').toUpperCase();
  return [[0, 8], [8, 12], [12, 16], [16, 20], [20, 32]].map(([a, b]) => digits.slice(a, b)).join('-');
}

// The characters of a string, at most so many of them; long strings are not decoded as a whole.
function stringPrefix(archive, value, limit) {
  let end = Math.min(value.end, value.start + 4 * limit);
  while (end > value.start && end < value.end && (archive.u8(end) & 0xc0) === 0x80) end -= 1;
  const text = archive.text(value.start, end);
  return end < value.end ? text + '…' : text;
}

// A value in one line; long contents are cut.
function valueText(archive, value, limit = 120) {
  if (value.isNil) return 'nil';
  switch (kindOf(value.tag)) {
    case Kind.bool: return String(archive.isTrue(value));
    case Kind.signed:
    case Kind.unsigned: return integerText(archive, value);
    case Kind.floating:
      if (sizeOf(value.tag) === 8) return doubleText(archive.view.getFloat64(value.start, true));
      if (sizeOf(value.tag) === 4) return floatText(archive.view.getFloat32(value.start, true));
      return floatText(halfValue(archive.u16(value.start)));
    case Kind.string: return quoted(stringPrefix(archive, value, limit), limit);
    case Kind.url: return '<' + escaped(cut(stringPrefix(archive, value, limit), limit)) + '>';
    case Kind.bytes: {
      const count = value.end - value.start;
      const shown = hexText(archive, value.start, Math.min(value.end, value.start + 16));
      return countText(count, 'byte') + (count ? ' ' + shown : '') + (count > 16 ? ' …' : '');
    }
    case Kind.date: return dateText(archive.view.getFloat64(value.start, true));
    case Kind.uuid: return uuidText(archive, value);
    case Kind.reference: {
      const target = archive.target(value);
      return target ? 'object #' + target : 'no object';
    }
    case Kind.conditional: {
      const target = archive.target(value);
      return target ? 'object #' + target + ', conditionally' : 'no object';
    }
    case Kind.record: {
      const name = archive.type(archive.record(value)).name;
      return (name ? escaped(cut(name, limit)) : 'record') + ' of ' + countText(archive.children(value).count, 'value');
    }
    case Kind.enumeration: {
      const record = archive.record(value);
      const key = archive.shapes[record.shape].caseKey;
      const count = archive.children(value).count;
      return '.' + escaped(cut(archive.keys[key].name, limit)) + (count ? ' with ' + countText(count, 'value') : '');
    }
    case Kind.array:
    case Kind.set: {
      const parts = archive.children(value);
      if (!parts) return 'an array of an unknown form';
      return (kindOf(value.tag) === Kind.set ? 'set' : 'array') + ' of ' + countText(parts.count, 'element');
    }
    case Kind.dictionary: {
      const parts = archive.children(value);
      return parts ? 'dictionary of ' + countText(parts.count, 'entry', 'entries') : 'a dictionary of an unknown form';
    }
    default: return countText(value.end - value.start, 'byte') + ' of an unknown kind';
  }
}

const grouped = (number) => String(number).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
const countText = (count, one, many = one + 's') => grouped(count) + ' ' + (count === 1 ? one : many);
