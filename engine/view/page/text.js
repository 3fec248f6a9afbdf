// SPDX-License-Identifier: Apache-2.0
// Text and elements. All that a model or a file says becomes text here, never markup.

export const byId = (id) => document.getElementById(id);

// A new element with a class and a text, both optional.
export function make(tag, name = '', text = '') {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text !== '') element.textContent = text;
  return element;
}

// A name that breaks behind dots and underscores, where it has to.
export function named(text) {
  const part = document.createDocumentFragment();
  String(text).split(/(?<=[._])/).forEach((piece, i) => part.append(...(i ? [make('wbr')] : []), piece));
  return part;
}

// Sets a text only where it differs, so that nothing is laid out anew and nothing is read out twice.
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// A number for people: thousands apart, few digits where there is a point, powers of ten where it is long.
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

export function duration(seconds) {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return '-';
  const s = Math.round(seconds);
  if (s < 1) return 'less than 1 s';
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${s % 60} s`;
  if (s < 86400) return `${Math.floor(s / 3600)} h ${Math.floor(s / 60) % 60} min`;
  return `${Math.floor(s / 86400)} d ${Math.floor(s / 3600) % 24} h`;
}

// A colour of the page's, as the style sheet has it now.
export const ink = (name) => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();

// Eight colours that people with any sight of colours tell apart (Okabe and Ito, 2008), the faintest ones last. The
// darkest follows the page.
const lines = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', 'ink', '#b8a800'];
const onDark = {'#0072b2': '#4aa3df', '#d55e00': '#f07d33', '#009e73': '#2cc295'};
export function lineColour(i) {
  const colour = lines[i % lines.length];
  if (colour === 'ink') return ink('ink');
  return matchMedia('(prefers-color-scheme: dark)').matches ? onDark[colour] ?? colour : colour;
}

// Calls back when the window, the system's colours or the size of an element change.
export function onLooks(element, redraw) {
  new ResizeObserver(redraw).observe(element);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
}

// The pixels of a canvas as the screen has them; false where it has no size.
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
