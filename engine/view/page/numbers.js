// SPDX-License-Identifier: Apache-2.0
// The run's numbers: the clock at the top, charts of tallies, bars of bins, tables of keys, the log.
import {byId, duration, format, make, named, say} from './text.js';
import {Chart, clearCharts} from './chart.js';
import {Past} from './past.js';
import {linesOf, Pens} from './pens.js';
import {Bars} from './bars.js';
import {save} from './save.js';

const LINES = 500; // of the log

export class Numbers {
  constructor() {
    this.past = new Past();
    this.added = new Map(); // names of the tallies that the user has added to a chart, by the chart's own name
  }

  // Takes a new run: makes its charts and tables.
  open(model) {
    this.model = model;
    this.past.open(model.first_step);
    const sizes = model.populations.map((one) => ({...one, help: 'how many there are'}));
    this.columns = [...model.tallies, ...sizes];
    this.logged ??= 0;
    for (const id of ['charts', 'bars', 'tables']) clearCharts(id);
    byId('tallies').hidden = !this.columns.length;
    byId('bins').hidden = !model.bins.length;
    byId('keyed').hidden = !model.keys.length;
    this.charts = this.columns.map((column) => new Chart(byId('charts'), {...column, kind: 'lines', xLabel: 'step'}));
    const names = this.columns.map(({name}) => name);
    this.pens = this.charts.map((chart, i) => new Pens(chart, i, names, (columns) => {
      this.added.set(names[i], columns.slice(1).map((c) => names[c]));
      this.show(i);
    }));
    this.pens.forEach((pens, i) => this.added.get(names[i])?.forEach((name) => {
      if (names.includes(name)) pens.add(names.indexOf(name));
    }));
    this.charts.forEach((_, i) => this.show(i));
    const bars = (bin) => new Chart(byId('bars'), {...bin, kind: 'bars', xLabel: bin.unit || 'value'});
    this.bars = model.bins.map((bin) => new Bars(bars(bin), bin));
    this.tables = model.keys.map((key) => this.table(key));
  }

  // Shows or hides chart i, at its position.
  place(i, there) {
    const {figure} = this.charts[i];
    if (!there) figure.remove();
    else if (!figure.isConnected) {
      const next = this.charts.slice(i + 1).find((chart) => chart.figure.isConnected);
      byId('charts').insertBefore(figure, next?.figure ?? null);
    }
  }

  // Updates chart i. A tally of values outside of a histogram is shown once it counts something.
  show(i) {
    const {columns} = this.pens[i], {past} = this, units = columns.map((c) => this.columns[c].unit);
    if (this.columns[i].outside) this.place(i, past.high.some((row) => [row[i]].flat().some((n) => n > 0)));
    this.charts[i].unit = units.every((unit) => unit === units[0]) ? units[0] ?? '' : '';
    if (!past.steps.length) return;
    this.charts[i].set(past.steps, linesOf(past, columns, columns.map((c) => this.columns[c].name)));
  }

  // Adds an empty table of keys to the page, and returns what showKeys fills.
  table({name, help}) {
    const part = make('figure'), head = make('div', 'head'), scroll = make('div', 'scroll'), table = make('table');
    const csv = make('button', 'small', 'CSV');
    csv.type = 'button';
    csv.setAttribute('aria-label', `Save ${name} as a CSV file`);
    const title = make('h3'), tools = make('span', 'tools');
    title.append(named(name));
    tools.append(csv);
    head.append(title, tools);
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

  // Shows the world of bins and keys; null: there is only one world.
  of(world) {
    for (const id of ['bins-world', 'keyed-world']) say(byId(id), world === null ? '' : ` of world ${world}`);
  }

  // Takes an answer of /run/numbers.
  take(answer) {
    this.clock(answer);
    if (this.past.take(answer)) this.charts.forEach((_, i) => this.show(i));
    (answer.bins ?? []).forEach((counts, i) => this.bars[i]?.show(counts));
    (answer.keys ?? []).forEach((pairs, i) => this.showKeys(this.tables[i], pairs));
    this.log(answer.log ?? []);
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

  // Shows state, step, speed and remaining time.
  clock({step, state, rate, left, last_step: last, counts}) {
    const {first_step: first} = this.model, whole = last !== null && last > first;
    say(byId('state'), state);
    say(byId('step'), format(step) + (whole ? ` of ${format(last)}` : ''));
    say(byId('rate'), state === 'running' && rate > 0 ? `${format(rate, 4)} steps/s` : '-');
    say(byId('tallies-steps'), counts === 1 ? '' : counts ? `of every ${format(counts)} steps` : 'of some steps');
    say(byId('left'), state === 'ended' ? 'nothing' : duration(left));
    byId('progress').hidden = !whole;
    if (whole) byId('progress').value = Math.min(1, (step - first) / (last - first));
    document.title = `${step} \u00b7 ${this.model.title || this.model.model}`;
  }

  // Appends lines with numbers above the last one, and keeps LINES. Scrolls down only if the end was visible.
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
