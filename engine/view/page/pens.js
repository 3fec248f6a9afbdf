// SPDX-License-Identifier: Apache-2.0
// What the lines of charts are: of one world, a line for each tally that a chart has; of several, the mean of all, the
// band from the lowest to the highest, and worlds as thin lines where the chart has one tally. The user may put
// further tallies into a chart.
import {make, named} from './text.js';

const MEAN = 0, LOWEST = 1, HIGHEST = 2; // pens behind those of worlds

// The lines of the columns, as Chart.set takes them. labels: of columns.
export function linesOf(past, columns, labels) {
  const worlds = past.last[past.last.length - 1]?.[columns[0]]?.length ?? 0, alone = columns.length === 1;
  if (!worlds) return columns.map((c, i) => ({label: alone ? '' : labels[i], ...past.line(c)}));
  const shown = worlds - 3;
  const world = (w) => ({label: `world ${w}`, thin: true, ...past.line(columns[0], w)});
  const single = alone ? Array.from({length: shown}, (_, w) => world(w)) : [];
  return [...columns.map((c, i) => {
    const lowest = past.line(c, shown + LOWEST), highest = past.line(c, shown + HIGHEST);
    return {label: alone ? 'mean' : labels[i], ...past.line(c, shown + MEAN), strong: alone,
      band: {low: lowest.low ?? lowest.y, high: highest.high ?? highest.y}};
  }), ...single];
}

// What stands in a chart's head: a list of tallies that may be put into it. changed(columns) is told of each choice.
export class Pens {
  constructor(chart, own, names, changed) {
    this.own = own;
    this.names = names;
    this.columns = [own];
    this.changed = changed;
    this.list = make('select', 'small');
    this.list.setAttribute('aria-label', `Put another tally into the chart of ${names[own]}`);
    this.list.title = 'Put another tally into this chart';
    this.list.addEventListener('change', () => this.add(Number(this.list.value)));
    this.chips = make('div', 'pens');
    if (names.length > 1) chart.addTools(this.list, this.chips);
    this.renew();
  }

  add(column) {
    if (!this.columns.includes(column)) this.columns.push(column);
    this.renew();
    this.changed(this.columns);
  }

  remove(column) {
    this.columns = this.columns.filter((c) => c !== column);
    this.renew();
    this.changed(this.columns);
  }

  renew() {
    const option = (text, value) => {
      const one = make('option', '', text);
      one.value = value;
      return one;
    };
    const others = this.names.map((_, c) => c).filter((c) => !this.columns.includes(c));
    this.list.replaceChildren(option('+', ''), ...others.map((c) => option(this.names[c], c)));
    this.list.value = '';
    this.chips.replaceChildren(...this.columns.filter((c) => c !== this.own).map((c) => {
      const chip = make('button', 'small');
      chip.type = 'button';
      chip.append(named(this.names[c]), ' \u00d7');
      chip.setAttribute('aria-label', `Take ${this.names[c]} out of the chart of ${this.names[this.own]}`);
      chip.addEventListener('click', () => this.remove(c));
      return chip;
    }));
  }
}
