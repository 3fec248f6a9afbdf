// SPDX-License-Identifier: Apache-2.0
// Charts: lines over steps and bars over bins, with axes and units, on a 2-D canvas.
import {byId, fitCanvas, format, ink, lineColour, make, onLooks, say, withUnit} from './text.js';
import {save} from './save.js';

// Round numbers that cut low..high into about `count` parts.
export function ticks(low, high, count) {
  const rough = (high - low) / Math.max(1, count), power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough * 0.999);
  const all = [];
  if (!(step > 0) || !Number.isFinite(step)) return all;
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++)
    all.push(i === 0 ? 0 : Number((i * step).toPrecision(12)));
  return all;
}

// A range that has a length, for all of the numbers.
function rangeOf(low, high, fromZero) {
  if (!Number.isFinite(low)) return [0, 1];
  if (fromZero || (low > 0 && low < high / 2)) low = Math.min(low, 0);
  if (low === high) return low === 0 ? [0, 1] : [low - Math.abs(low) / 10, high + Math.abs(high) / 10];
  return [low, high + (high - low) / 20];
}

// A chart of its own, in `parent`. kind: 'lines' or 'bars'.
export class Chart {
  constructor(parent, {name, unit, help, kind, xLabel}) {
    Object.assign(this, {name, unit: unit ?? '', kind, xLabel});
    this.figure = make('figure', 'chart');
    this.figure.dataset.name = name;
    const head = make('div', 'head'), title = make('h3', '', name);
    this.now = make('span', 'now');
    const csv = make('button', 'small', 'CSV');
    csv.type = 'button';
    csv.setAttribute('aria-label', `Save ${name} as a CSV file`);
    csv.addEventListener('click', () => save(`${name}.csv`, 'text/csv', this.csv()));
    head.append(title, this.now, csv);
    this.canvas = make('canvas');
    this.canvas.setAttribute('role', 'img');
    this.lines = make('div', 'lines');
    this.figure.append(head, this.canvas, this.lines);
    if (help) this.figure.append(make('figcaption', '', help));
    parent.append(this.figure);
    this.series = [];
    this.pointer = null;
    this.canvas.addEventListener('pointermove', (event) => { this.pointer = event.offsetX; this.draw(); });
    this.canvas.addEventListener('pointerleave', () => { this.pointer = null; this.draw(); });
    onLooks(this.canvas, () => this.draw());
  }

  // x: numbers that rise, of bars their count + 1 edges; series: [{label, y}], with y as long as x, or one shorter.
  set(x, series) {
    const names = series.map(({label}) => label).join('\n');
    if (series.length > 1 && names !== this.names)
      this.lines.replaceChildren(...series.map(({label}, i) => {
        const part = make('span'), sample = make('i');
        sample.style.background = lineColour(i);
        part.append(sample, label);
        return part;
      }));
    this.names = names;
    this.x = x;
    this.series = series;
    this.draw();
  }

  csv() {
    const quote = (text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const names = this.series.map(({label}) => label || this.name), bars = this.kind === 'bars';
    const rows = [[...(bars ? ['low', 'high'] : [this.xLabel]), ...names].map(quote).join(',')];
    for (let i = 0; i < (this.x?.length ?? 0) - (bars ? 1 : 0); i++) {
      const at = bars ? [this.x[i], this.x[i + 1]] : [this.x[i]];
      rows.push([...at, ...this.series.map(({y}) => y[i] ?? '')].join(','));
    }
    return rows.join('\n') + '\n';
  }

  draw() {
    if (!this.x || !fitCanvas(this.canvas)) return;
    const to = this.canvas.getContext('2d'), ratio = window.devicePixelRatio || 1;
    to.setTransform(ratio, 0, 0, ratio, 0, 0);
    const width = this.canvas.width / ratio, height = this.canvas.height / ratio;
    to.clearRect(0, 0, width, height);
    to.font = '11px system-ui, sans-serif';
    const plot = this.axes(to, width, height);
    if (this.kind === 'bars') this.drawBars(to, plot);
    else this.drawLines(to, plot);
    this.tell(to, plot);
  }

  axes(to, width, height) {
    let low = Infinity, high = -Infinity;
    for (const {y} of this.series) for (const value of y) {
      if (value === null || !Number.isFinite(value)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    [low, high] = rangeOf(low, high, this.kind === 'bars');
    const top = 6, bottom = height - 30, marks = ticks(low, high, Math.max(2, (bottom - top) / 28));
    const widths = marks.map((m) => to.measureText(format(m, 4)).width);
    const left = Math.ceil(Math.max(24, ...widths)) + 10, right = width - 10;
    let first = this.x[0] ?? 0, last = this.x[this.x.length - 1] ?? 1;
    if (last === first) last = first + 1;
    const plot = {left, right, top, bottom, first, last, low, high,
      px: (x) => left + (x - first) / (last - first) * (right - left),
      py: (y) => bottom - (y - low) / (high - low) * (bottom - top)};
    to.lineWidth = 1;
    to.strokeStyle = ink('line');
    to.fillStyle = ink('quiet');
    to.textAlign = 'right';
    to.textBaseline = 'middle';
    for (const mark of marks) {
      const y = Math.round(plot.py(mark)) + 0.5;
      to.beginPath();
      to.moveTo(left, y);
      to.lineTo(right, y);
      to.stroke();
      to.fillText(format(mark, 4), left - 5, y);
    }
    this.xAxis(to, plot);
    return plot;
  }

  xAxis(to, {left, right, bottom, first, last, px}) {
    to.textBaseline = 'top';
    to.textAlign = 'center';
    let free = left - 20;
    for (const mark of ticks(first, last, Math.max(1, (right - left) / 80))) {
      if (this.xLabel === 'step' && !Number.isInteger(mark)) continue;
      const text = format(mark, 5), half = to.measureText(text).width / 2, x = Math.min(px(mark), right - half + 8);
      if (x - half < free) continue;
      to.fillText(text, x, bottom + 3);
      free = x + half + 8;
      to.beginPath();
      to.moveTo(px(mark), bottom);
      to.lineTo(px(mark), bottom + 3);
      to.stroke();
    }
    to.textAlign = 'right';
    to.textBaseline = 'bottom';
    to.fillText(this.xLabel, right, bottom + 30);
    if (this.unit && this.kind === 'lines') {
      to.textAlign = 'left';
      to.fillText(`in ${this.unit}`, 2, bottom + 30);
    }
  }

  drawLines(to, {px, py}) {
    to.lineWidth = 1.75;
    to.lineJoin = 'round';
    this.series.forEach(({y}, i) => {
      to.strokeStyle = to.fillStyle = lineColour(i);
      to.beginPath();
      let pen = false;
      for (let k = 0; k < y.length; k++) {
        const good = y[k] !== null && Number.isFinite(y[k]);
        if (good && pen) to.lineTo(px(this.x[k]), py(y[k]));
        else if (good) to.moveTo(px(this.x[k]), py(y[k]));
        pen = good;
      }
      to.stroke();
      const last = y.length - 1;
      if (last >= 0 && Number.isFinite(y[last] ?? NaN)) {
        to.beginPath();
        to.arc(px(this.x[last]), py(y[last]), 2.5, 0, 7);
        to.fill();
      }
    });
  }

  // Bars that are thinner than a pixel become the largest of those that share one.
  drawBars(to, {px, py, bottom}) {
    const {y} = this.series[0] ?? {y: []};
    to.fillStyle = lineColour(0);
    let column = -1, peak = bottom;
    for (let i = 0; i < y.length; i++) {
      const from = px(this.x[i]), end = px(this.x[i + 1]), top = py(y[i] ?? 0);
      if (end - from >= 2) {
        to.fillRect(from, top, end - from - (end - from > 4 ? 1 : 0), bottom - top);
        continue;
      }
      if (Math.floor(from) !== column) [column, peak] = [Math.floor(from), top];
      peak = Math.min(peak, top);
      to.fillRect(column, peak, 1, bottom - peak);
    }
  }

  // The newest numbers in words, or those under the pointer.
  tell(to, {px, left, right, top, bottom}) {
    const bars = this.kind === 'bars', end = this.x.length - (bars ? 2 : 1);
    if (end < 0) return;
    let i = end;
    if (this.pointer !== null && this.pointer >= left - 5 && this.pointer <= right + 5) {
      const middle = (k) => (bars ? (px(this.x[k]) + px(this.x[k + 1])) / 2 : px(this.x[k]));
      for (let k = 0; k <= end; k++)
        if (Math.abs(middle(k) - this.pointer) < Math.abs(middle(i) - this.pointer)) i = k;
      to.strokeStyle = ink('quiet');
      to.lineWidth = 1;
      to.beginPath();
      to.moveTo(middle(i), top);
      to.lineTo(middle(i), bottom);
      to.stroke();
    } else if (bars) {
      say(this.now, '');
      this.summary();
      return;
    }
    const digits = this.series.length > 1 ? 3 : 6;
    const values = this.series.slice(0, 4).map(({y}) => format(y[i], digits)).join(', ') +
      (this.series.length > 4 ? ', \u2026' : '');
    const where = bars ? `${format(this.x[i], 4)} to ${format(this.x[i + 1], 4)}: `
      : i === end ? '' : `step ${format(this.x[i])}: `;
    say(this.now, where + withUnit(values, bars ? '' : this.unit));
    this.summary();
  }

  summary() {
    const [{y} = {y: []}] = this.series;
    const numbers = y.filter((value) => value !== null && Number.isFinite(value));
    if (!numbers.length) return;
    const low = numbers.reduce((a, b) => Math.min(a, b)), high = numbers.reduce((a, b) => Math.max(a, b));
    const bars = this.kind === 'bars';
    const between = `between ${format(low)} and ${withUnit(format(high), bars ? '' : this.unit)}`;
    const text = `${this.name}: ${numbers.length} ${bars ? 'bins' : 'points'} ${between}`;
    if (this.canvas.getAttribute('aria-label') !== text) this.canvas.setAttribute('aria-label', text);
  }
}

export const clearCharts = (id) => byId(id).replaceChildren();
