// SPDX-License-Identifier: Apache-2.0
// The lines of charts. With one world, a line for each tally in the chart. With several, the mean of all worlds and the
// band from the lowest to the highest, and thin lines for worlds if the chart has one tally. The user may add tallies
// to a chart.
import {make, named} from './text.js';

const MEAN = 0, LOWEST = 1, HIGHEST = 2; // pens after those of worlds

// Returns the lines of the columns, in the form of Chart.set. labels: of the columns.
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

// The list of tallies in a chart's head, which the user may add to it. changed(columns) is called for each choice.
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

  // Calls changed() even if the chart has the column.
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

  // Shows the list of tallies to add, and buttons to remove added ones.
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
