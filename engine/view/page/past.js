// SPDX-License-Identifier: Apache-2.0
// The rows that charts show. A row is of `width` consecutive steps, with their least, greatest and last value. If rows
// become too many, the run joins each two neighbours, and so does this class: no peak is lost.

const least = (a, b) => (a === null ? b : b === null ? a : Math.min(a, b));
const most = (a, b) => (a === null ? b : b === null ? a : Math.max(a, b));

// Joins two numbers, or two lists of them with one for each pen.
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

  // Joins the rows that get the same number.
  widen(width) {
    const {steps, last, low, high} = this;
    this.open(this.first);
    this.width = width;
    steps.forEach((step, i) => this.join(step, last[i], low[i], high[i]));
  }

  // Appends a row, or joins it to the last one if both have the same number.
  join(step, last, low, high) {
    const end = this.steps.length - 1;
    if (end < 0 || this.number(this.steps[end]) !== this.number(step)) {
      this.put(end + 1, step, last, low, high);
      return;
    }
    this.put(end, step, last, this.low[end].map((value, c) => both(value, low[c], least)),
      this.high[end].map((value, c) => both(value, high[c], most)));
  }

  // Sets row `at`.
  put(at, step, last, low, high) {
    this.steps[at] = step;
    this.last[at] = last;
    this.low[at] = low;
    this.high[at] = high;
  }

  // Takes an answer of /run/numbers, whose first row may continue the last one here. Returns whether the answer
  // has rows.
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

  // Returns {y, low, high}, the values of a column; with several worlds, those of a pen. low and high are null if rows
  // are of one step.
  line(column, pen = null) {
    const of = (rows) => rows.map((row) => (pen === null ? row[column] : row[column]?.[pen]) ?? null);
    return {y: of(this.last), low: this.width > 1 ? of(this.low) : null, high: this.width > 1 ? of(this.high) : null};
  }
}
