// SPDX-License-Identifier: Apache-2.0
// Text and elements. Text from models and files becomes text nodes, never markup.

export const byId = (id) => document.getElementById(id);

// Makes an element with an optional class and text.
export function make(tag, name = '', text = '') {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text !== '') element.textContent = text;
  return element;
}

// Returns a name that can break after dots and underscores.
export function named(text) {
  const part = document.createDocumentFragment();
  String(text).split(/(?<=[._])/).forEach((piece, i) => part.append(...(i ? [make('wbr')] : []), piece));
  return part;
}

// Sets a text only if it differs, to avoid new layout and repeated reading by screen readers.
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// Formats a number for people: groups of thousands, few digits after the point, powers of ten for long numbers.
export function format(value, digits = 6) {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'number') return String(value);
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e12))
    return value.toExponential(Math.min(3, digits - 1)).replace(/\.?0+e/, 'e');
  const round = Number.isInteger(value) ? value : Number(value.toPrecision(digits));
  const [whole, part] = String(round).split('.');
  return whole.replace(/\B(?=(\d{3})+$)/g, '\u202f') + (part ? `.${part}` : '');
}

export const withUnit = (text, unit) => (unit ? `${text}\u00a0${unit}` : text);

// Formats a time for people, in two units at most; '-' if it is not known.
export function duration(seconds) {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return '-';
  const s = Math.round(seconds);
  if (s < 1) return 'less than 1 s';
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${s % 60} s`;
  if (s < 86400) return `${Math.floor(s / 3600)} h ${Math.floor(s / 60) % 60} min`;
  return `${Math.floor(s / 86400)} d ${Math.floor(s / 3600) % 24} h`;
}

// Returns the current value of a colour of the style sheet.
export const ink = (name) => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();

// Eight colours that people with any colour vision can tell apart (Okabe and Ito, 2008), the faintest last. The darkest
// is the page's colour of text.
const lines = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', 'ink', '#b8a800'];
const onDark = {'#0072b2': '#4aa3df', '#d55e00': '#f07d33', '#009e73': '#2cc295'};
export function lineColour(i) {
  const colour = lines[i % lines.length];
  if (colour === 'ink') return ink('ink');
  return matchMedia('(prefers-color-scheme: dark)').matches ? onDark[colour] ?? colour : colour;
}

// Calls redraw when the size of the element or the system's colours change.
export function onLooks(element, redraw) {
  new ResizeObserver(redraw).observe(element);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
}

// Gives a canvas the pixels that it has on the screen. Returns false if it has no size.
export function fitCanvas(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const width = Math.round(canvas.clientWidth * ratio), height = Math.round(canvas.clientHeight * ratio);
  if (!width || !height) return false;
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  return true;
}
