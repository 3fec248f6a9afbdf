// SPDX-License-Identifier: Apache-2.0
// What charts show of a run: rows of values, each of `width` steps that follow each other, with their least, greatest
// and last value. No peak is lost: when rows become too many, the run makes one of two neighbours, and so does this.

const least = (a, b) => (a === null ? b : b === null ? a : Math.min(a, b));
const most = (a, b) => (a === null ? b : b === null ? a : Math.max(a, b));

// Both are numbers, or lists of them: one for each pen.
const both = (a, b, join) => (Array.isArray(a) ? a.map((one, i) => join(one, b[i])) : join(a, b));

export class Past {
  open(first) {
    this.first = first;
    this.width = 1;
    this.steps = [];
    this.last = [];
    this.low = [];
    this.high = [];
  }

  number(step) { return Math.floor((step - this.first) / this.width); }

  // Rows that have the same number become one.
  widen(width) {
    const {steps, last, low, high} = this;
    this.open(this.first);
    this.width = width;
    steps.forEach((step, i) => this.join(step, last[i], low[i], high[i]));
  }

  join(step, last, low, high) {
    const end = this.steps.length - 1;
    if (end < 0 || this.number(this.steps[end]) !== this.number(step)) {
      this.put(end + 1, step, last, low, high);
      return;
    }
    this.put(end, step, last, this.low[end].map((value, c) => both(value, low[c], least)),
      this.high[end].map((value, c) => both(value, high[c], most)));
  }

  put(at, step, last, low, high) {
    this.steps[at] = step;
    this.last[at] = last;
    this.low[at] = low;
    this.high[at] = high;
  }

  // An answer of /run/numbers, whose first row may go on with the last one that is here. Whether something is new.
  take({width, rows = [], low = [], high = []}) {
    if (width > this.width) this.widen(width);
    rows.forEach(([step, ...last], i) => {
      const end = this.steps.length - 1;
      if (end >= 0 && step <= this.steps[end]) return;
      const same = end >= 0 && this.number(this.steps[end]) === this.number(step);
      this.put(same ? end : end + 1, step, last, low[i] ?? last, high[i] ?? last);
    });
    return rows.length > 0;
  }

  // The values of a column; of several worlds, those of a pen.
  line(column, pen = null) {
    const of = (rows) => rows.map((row) => (pen === null ? row[column] : row[column]?.[pen]) ?? null);
    return {y: of(this.last), low: this.width > 1 ? of(this.low) : null, high: this.width > 1 ? of(this.high) : null};
  }
}
