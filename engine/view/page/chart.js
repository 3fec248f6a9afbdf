// SPDX-License-Identifier: Apache-2.0
// Charts: lines over steps and bars over bins, with axes and units, on a 2-D canvas.
import {byId, fitCanvas, format, ink, lineColour, make, named, onLooks, say, withUnit} from './text.js';
import {save} from './save.js';

// Returns round numbers that divide low..high into about `count` parts; none if low is high or one is not finite.
export function ticks(low, high, count) {
  const rough = (high - low) / Math.max(1, count), power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough * 0.999);
  const all = [];
  if (!(step > 0) || !Number.isFinite(step)) return all;
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++)
    all.push(i === 0 ? 0 : Number((i * step).toPrecision(12)));
  return all;
}

// Returns a range of nonzero length that includes low and high; [0, 1] without values. fromZero: it also includes 0, if
// low is above.
function rangeOf(low, high, fromZero) {
  if (!Number.isFinite(low)) return [0, 1];
  if (fromZero || (low > 0 && low < high / 2)) low = Math.min(low, 0);
  if (low === high) return low === 0 ? [0, 1] : [low - Math.abs(low) / 10, high + Math.abs(high) / 10];
  return [low, high + (high - low) / 20];
}

// A chart, which adds itself to `parent`. kind: 'lines' or 'bars'.
export class Chart {
  constructor(parent, {name, unit, help, kind, xLabel}) {
    Object.assign(this, {name, unit: unit ?? '', kind, xLabel});
    this.figure = make('figure', 'chart');
    this.figure.dataset.name = name;
    this.figure.chart = this;
    const head = make('div', 'head'), title = make('h3');
    title.append(named(name));
    this.now = make('span', 'now');
    const csv = make('button', 'small', 'CSV');
    csv.type = 'button';
    csv.setAttribute('aria-label', `Save ${name} as a CSV file`);
    csv.addEventListener('click', () => save(`${name}.csv`, 'text/csv', this.csv()));
    head.append(title, this.now);
    this.canvas = make('canvas');
    this.canvas.setAttribute('role', 'img');
    this.lines = make('div', 'lines');
    this.tools = make('span', 'tools');
    this.tools.append(csv);
    head.append(this.tools);
    this.figure.append(head, this.canvas, this.lines);
    if (help) this.figure.append(make('figcaption', '', help));
    parent.append(this.figure);
    this.series = [];
    this.samples = []; // colours in the legend, one for each line
    this.pointer = null;
    this.canvas.addEventListener('pointermove', (event) => { this.pointer = event.offsetX; this.draw(); });
    this.canvas.addEventListener('pointerleave', () => { this.pointer = null; this.draw(); });
    onLooks(this.canvas, () => this.draw());
  }

  // Adds a button to the head, and what it opens below the picture.
  addTools(tool, below) {
    this.tools.prepend(tool);
    this.figure.insertBefore(below, this.lines.nextSibling);
  }

  // Sets what the chart shows. x: ascending numbers; for bars their count + 1 edges. series: [{label, y, low, high,
  // band: {low, high}, strong, thin}]. y is as long as x, or one shorter for bars. All but label and y may be left out;
  // low and high may be null. The argument whole has the data for a file, if it differs from what is shown. The
  // argument words has the names of bars.
  set(x, series, {whole = null, words = null} = {}) {
    const names = series.map(({label}) => label).join('\n');
    if (names !== this.names) this.lines.replaceChildren(...this.legend(series));
    Object.assign(this, {names, x, series, whole, words});
    this.draw();
  }

  // Returns the parts of the legend, and sets this.samples. A single line without a band has none.
  legend(series) {
    this.samples = [];
    if (series.length < 2 && !series[0]?.band) return [];
    const sample = (style, label) => {
      const part = make('span'), colour = make('i', style);
      part.append(colour, named(label));
      return [part, colour];
    };
    const parts = series.map((one) => {
      const [part, colour] = sample(one.thin ? 'thin' : '', one.label);
      this.samples.push(colour);
      return part;
    });
    if (series[0].band) parts.splice(1, 0, sample('band', 'lowest to highest')[0]);
    return parts;
  }

  // Paints the legend in the colours of the lines, which change with the system's colours.
  paintLegend() {
    this.samples.forEach((colour, i) => { colour.style.background = this.colour(this.series[i], i); });
  }

  colour({strong}, i) { return strong ? ink('ink') : lineColour(this.series?.[0]?.strong ? i - 1 : i); }

  // Returns the data as the text of a CSV file.
  csv() {
    const quote = (text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const bars = this.kind === 'bars', {x, series} = this.whole ?? this;
    const columns = series.flatMap(({label, y, low, high}) => {
      const name = label || this.name;
      return [[name, y], ...(low && high ? [[`${name} lowest`, low], [`${name} highest`, high]] : [])];
    });
    const names = columns.map(([name]) => name);
    const words = this.whole?.words, named = words ? ['name'] : [];
    const rows = [[...(bars ? ['low', 'high'] : [this.xLabel]), ...named, ...names].map(quote).join(',')];
    for (let i = 0; i < (x?.length ?? 0) - (bars ? 1 : 0); i++) {
      const at = bars ? [x[i], x[i + 1]] : [x[i]];
      const word = words ? [quote(words[i] ?? '')] : [];
      rows.push([...at, ...word, ...columns.map(([, values]) => values[i] ?? '')].join(','));
    }
    return rows.join('\n') + '\n';
  }

  draw() {
    if (!this.x || !fitCanvas(this.canvas)) return;
    this.paintLegend();
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

  // Draws the axes. Returns the plot's box and its mapping from values to pixels.
  axes(to, width, height) {
    let low = Infinity, high = -Infinity;
    for (const one of this.series) for (const values of [one.y, one.low, one.high, one.band?.low, one.band?.high])
      for (const value of values ?? []) {
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

  // Writes the names of bars, and returns whether they fit. The caller writes numbers if not.
  barNames(to, {left, right, bottom, px}) {
    const {words, x} = this, room = (right - left) / Math.max(1, words?.length ?? 0);
    if (!words?.every((word) => word && to.measureText(word).width < room)) return false;
    words.forEach((word, i) => to.fillText(word, (px(x[i]) + px(x[i + 1])) / 2, bottom + 3));
    return true;
  }

  xAxis(to, {left, right, bottom, first, last, px}) {
    to.textBaseline = 'top';
    to.textAlign = 'center';
    if (this.barNames(to, {left, right, bottom, px})) return;
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

  drawLines(to, plot) {
    this.series.forEach((one, i) => { if (one.band) this.drawBand(to, plot, one, i); });
    for (const thin of [true, false])
      this.series.forEach((one, i) => { if (Boolean(one.thin) === thin) this.drawLine(to, plot, one, i); });
  }

  drawBand(to, {px, py}, {band: {low, high}}, i) {
    to.fillStyle = lineColour(i);
    to.globalAlpha = 0.15;
    for (let k = 0; k < low.length; k++) { // ranges of rows that have values
      const from = k;
      while (k < low.length && Number.isFinite(low[k] ?? NaN)) k++;
      if (k === from) continue;
      to.beginPath();
      for (let n = from; n < k; n++) to.lineTo(px(this.x[n]), py(high[n]));
      for (let n = k - 1; n >= from; n--) to.lineTo(px(this.x[n]), py(low[n]));
      to.fill();
    }
    to.globalAlpha = 1;
  }

  // Draws a line. If several values share a pixel, it covers them all, and goes on from the last one.
  drawLine(to, {px, py}, one, i) {
    const {y} = one, low = one.low ?? y, high = one.high ?? y, good = (k) => Number.isFinite(y[k] ?? NaN);
    to.lineWidth = one.thin ? 1 : 1.75;
    to.globalAlpha = one.thin ? 0.6 : 1;
    to.lineJoin = 'round';
    to.strokeStyle = to.fillStyle = this.colour(one, i);
    to.beginPath();
    for (let k = 0, pen = false; k < y.length; k++) {
      if (!good(k)) {
        if (Number.isFinite(low[k] ?? NaN)) { // only some of the row's steps have a value
          to.moveTo(px(this.x[k]), py(low[k]));
          to.lineTo(px(this.x[k]), py(high[k]));
        }
        pen = false;
        continue;
      }
      const column = Math.round(px(this.x[k]));
      let least = low[k] ?? y[k], most = high[k] ?? y[k];
      if (pen) to.lineTo(px(this.x[k]), py(most));
      else to.moveTo(px(this.x[k]), py(most));
      while (good(k + 1) && Math.round(px(this.x[k + 1])) === column) {
        k++;
        least = Math.min(least, low[k] ?? y[k]);
        most = Math.max(most, high[k] ?? y[k]);
      }
      to.lineTo(px(this.x[k]), py(most));
      to.lineTo(px(this.x[k]), py(least));
      to.lineTo(px(this.x[k]), py(y[k]));
      pen = true;
    }
    to.stroke();
    const last = y.length - 1;
    if (last >= 0 && good(last)) {
      to.beginPath();
      to.arc(px(this.x[last]), py(y[last]), one.thin ? 1.5 : 2.5, 0, 7);
      to.fill();
    }
    to.globalAlpha = 1;
  }

  // Draws bars. If several thin bars share a pixel, draws the largest of them.
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

  // Writes the newest values, or those under the pointer.
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
    const main = this.series.filter(({thin}) => !thin), digits = main.length > 1 ? 3 : 6;
    const values = main.slice(0, 4).map((one) => this.wordsOf(one, i, digits)).join(', ') +
      (main.length > 4 ? ', \u2026' : '');
    const where = bars ? `${this.words?.[i] ?? `${format(this.x[i], 4)} to ${format(this.x[i + 1], 4)}`}: `
      : i === end ? '' : `step ${format(this.x[i])}: `;
    say(this.now, where + withUnit(values, bars ? '' : this.unit));
    this.summary();
  }

  // Returns a value as text, with the least and the greatest of its row if they differ and a pointer is on the chart.
  wordsOf({y, low, high, band}, i, digits) {
    const [from, end] = [band?.low ?? low, band?.high ?? high], whole = format(y[i], digits);
    if (!from || from[i] === end[i] || this.pointer === null) return whole;
    return `${whole} (${format(from[i], digits)} to ${format(end[i], digits)})`;
  }

  // Describes the chart for screen readers.
  summary() {
    const [{y} = {y: []}] = this.series, {low, high} = this.series[0] ?? {};
    this.showSummary([...y, ...(low ?? []), ...(high ?? [])], y.length);
  }

  // all: values, null for none; without any, the description stays. count: of points or bins.
  showSummary(all, count) {
    const numbers = all.filter((value) => value !== null && Number.isFinite(value));
    if (!numbers.length) return;
    const low = numbers.reduce((a, b) => Math.min(a, b)), high = numbers.reduce((a, b) => Math.max(a, b));
    const bars = this.kind === 'bars';
    const between = `between ${format(low)} and ${withUnit(format(high), bars ? '' : this.unit)}`;
    const text = `${this.name}: ${count} ${bars ? 'bins' : 'points'} ${between}`;
    if (this.canvas.getAttribute('aria-label') !== text) this.canvas.setAttribute('aria-label', text);
  }
}

export const clearCharts = (id) => byId(id).replaceChildren();
