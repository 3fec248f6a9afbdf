// SPDX-License-Identifier: Apache-2.0
// What the run counts: the clock on top, charts of tallies, bars of bins, tables of keys, the log.
import {byId, duration, format, make, say} from './text.js';
import {Chart, clearCharts} from './chart.js';
import {save} from './save.js';

const POINTS = 4000, LINES = 500; // of a chart, of the log

export class Numbers {
  open(model) {
    this.model = model;
    this.steps = [];
    this.rows = [];
    this.logged ??= 0;
    for (const id of ['charts', 'bars', 'tables']) clearCharts(id);
    byId('tallies').hidden = !model.tallies.length;
    byId('bins').hidden = !model.bins.length;
    byId('keyed').hidden = !model.keys.length;
    this.charts = model.tallies.map((tally) => new Chart(byId('charts'), {...tally, kind: 'lines', xLabel: 'step'}));
    this.bars = model.bins.map((bin) => new Chart(byId('bars'), {...bin, kind: 'bars', xLabel: bin.unit || 'value'}));
    this.tables = model.keys.map((key) => this.table(key));
  }

  table({name, help}) {
    const part = make('figure'), head = make('div', 'head'), scroll = make('div', 'scroll'), table = make('table');
    const csv = make('button', 'small', 'CSV');
    csv.type = 'button';
    csv.setAttribute('aria-label', `Save ${name} as a CSV file`);
    head.append(make('h3', '', name), csv);
    scroll.tabIndex = 0;
    scroll.append(table);
    part.append(head, scroll);
    if (help) part.append(make('figcaption', '', help));
    byId('tables').append(part);
    const kept = {table, pairs: []};
    csv.addEventListener('click', () => save(`${name}.csv`, 'text/csv', 'key,count\n' +
      kept.pairs.map(([key, count]) => `"${String(key).replaceAll('"', '""')}",${count}\n`).join('')));
    return kept;
  }

  // The world that bins and keys are of; null: there is but one.
  of(world) {
    for (const id of ['bins-world', 'keyed-world']) say(byId(id), world === null ? '' : ` of world ${world}`);
  }

  // An answer of /run/numbers.
  take(answer) {
    this.clock(answer);
    for (const [step, ...values] of answer.rows ?? []) {
      if (this.steps.length && step <= this.steps[this.steps.length - 1]) continue;
      this.steps.push(step);
      this.rows.push(values);
    }
    while (this.steps.length > POINTS) { // every second one, but the last stays
      const odd = (this.steps.length - 1) % 2;
      this.steps = this.steps.filter((_, i) => i % 2 === odd);
      this.rows = this.rows.filter((_, i) => i % 2 === odd);
    }
    if (answer.rows?.length) this.charts.forEach((chart, i) => chart.set(this.steps, this.lines(i)));
    (answer.bins ?? []).forEach((counts, i) => this.showBins(this.bars[i], this.model.bins[i], counts));
    (answer.keys ?? []).forEach((pairs, i) => this.showKeys(this.tables[i], pairs));
    this.log(answer.log ?? []);
  }

  // The lines of tally i: one, or one a world.
  lines(i) {
    const last = this.rows[this.rows.length - 1]?.[i];
    if (!Array.isArray(last)) return [{label: '', y: this.rows.map((row) => row[i])}];
    return last.map((_, world) => ({label: `world ${world}`, y: this.rows.map((row) => row[i]?.[world] ?? null)}));
  }

  // Of more bins than are sent, so many neighbours are one number, the last ones fewer.
  showBins(chart, {low, high, count}, counts) {
    if (!chart || !counts.length) return;
    const from = low ?? 0, end = high ?? count, each = Math.ceil(count / counts.length);
    chart.set(Array.from({length: counts.length + 1}, (_, i) => from + (end - from) * Math.min(i * each / count, 1)),
      [{label: 'count', y: counts}]);
  }

  showKeys(kept, pairs) {
    if (!kept) return;
    kept.pairs = pairs;
    const head = make('tr');
    head.append(make('th', '', 'key'), make('th', 'number', 'count'));
    kept.table.replaceChildren(head, ...pairs.map(([key, count]) => {
      const row = make('tr');
      row.append(make('td', '', String(key)), make('td', 'number', format(count)));
      return row;
    }));
  }

  clock({step, state, rate, left}) {
    const {first_step: first, last_step: last} = this.model, whole = last !== null && last > first;
    say(byId('state'), state);
    say(byId('step'), format(step) + (whole ? ` of ${format(last)}` : ''));
    say(byId('rate'), Number.isFinite(rate) ? `${format(rate, 4)} steps/s` : '-');
    say(byId('left'), state === 'ended' ? 'nothing' : duration(left));
    byId('progress').hidden = !whole;
    if (whole) byId('progress').value = Math.min(1, (step - first) / (last - first));
    document.title = `${step} \u00b7 ${this.model.title || this.model.model}`;
  }

  log(lines) {
    const list = byId('log');
    byId('said').hidden &&= !lines.length;
    const below = list.scrollTop + list.clientHeight >= list.scrollHeight - 4;
    for (const {n, text} of lines) {
      if (n <= this.logged) continue;
      this.logged = n;
      list.append(make('li', '', text));
    }
    while (list.children.length > LINES) list.firstChild.remove();
    if (lines.length && below) list.scrollTop = list.scrollHeight;
  }
}
