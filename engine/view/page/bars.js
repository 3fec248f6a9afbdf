// SPDX-License-Identifier: Apache-2.0
// Bins as bars. Empty bins at both ends are left out.

const SPARE = 0.05; // part of the shown bins that is added on either side

export class Bars {
  // bin: {low, high, count}, as the model declares it.
  constructor(chart, {low, high, count, names = []}) {
    Object.assign(this, {chart, from: low ?? 0, end: high ?? count, count, names, first: 0, last: 0});
  }

  // Shows counts. If there are more bins than counts, each count is of several neighbouring bins, the last of fewer.
  show(counts) {
    if (!counts.length) return;
    const {from, end, count, names} = this, each = Math.ceil(count / counts.length);
    const edge = (i) => from + (end - from) * Math.min(i * each / count, 1);
    const edges = Array.from({length: counts.length + 1}, (_, i) => edge(i));
    this.follow(counts);
    const all = names.length === counts.length && names.some(Boolean) ? names : null;
    const {first, last} = this, series = (y) => [{label: 'count', y}];
    this.chart.set(edges.slice(first, last + 1), series(counts.slice(first, last)), {
      whole: {x: edges, series: series(counts), words: all},
      words: all?.slice(first, last) ?? null,
    });
  }

  // Chooses the bins to show. Keeps the present choice while most of it is needed, so that the axis does not jump.
  follow(counts) {
    const least = counts.findIndex((n) => n > 0), most = counts.findLastIndex((n) => n > 0) + 1;
    if (least < 0) {
      this.first = 0;
      this.last = counts.length;
      return;
    }
    const within = this.first <= least && most <= this.last, {length} = counts;
    if (within && 2 * (most - least) > this.last - this.first && this.last <= length) return;
    const spare = Math.max(1, Math.round((most - least) * SPARE));
    this.first = Math.max(0, least - spare);
    this.last = Math.min(length, most + spare);
  }
}
