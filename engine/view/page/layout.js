// SPDX-License-Identifier: Apache-2.0
// Places nodes so that joined ones are near each other, after T. Fruchterman and E. Reingold, "Graph Drawing by
// Force-directed Placement" (1991). The same network has the same layout in every browser.

export const SIDE = 1000;   // the square in which nodes are
const HOT = 0.08, COLD = 0.0015, COOLING = 0.985; // most that a node moves in a round, of the side
const AGAIN = 0.02;         // the same after edges have changed
const GRAVITY = 3;          // pull to the middle, which keeps parts without edges in sight

export class Layout {
  constructor(nodes) {
    this.x = new Float64Array(nodes);
    this.y = new Float64Array(nodes);
    this.dx = new Float64Array(nodes);
    this.dy = new Float64Array(nodes);
    this.heat = HOT;
    for (let i = 0; i < nodes; i++) { // on a circle, by number: a ring is one at once
      this.x[i] = Math.cos(2 * Math.PI * i / nodes) / 2;
      this.y[i] = Math.sin(2 * Math.PI * i / nodes) / 2;
    }
    this.fit();
  }

  // Takes new edges, [source, node, source, node...].
  join(edges) {
    this.edges = edges;
    this.heat = Math.max(this.heat, AGAIN);
  }

  get rests() { return this.heat < COLD; }

  // Moves all nodes for some milliseconds, or until they rest. There have to be edges (join).
  run(milliseconds) {
    const end = performance.now() + milliseconds;
    do {
      this.round();
      this.heat *= COOLING;
    } while (!this.rests && performance.now() < end);
    this.fit();
  }

  // Moves each node once, at most as far as the heat allows.
  round() {
    const {x, y, dx, dy, edges} = this, n = x.length, k = 1 / Math.sqrt(n), away = k * k;
    dx.fill(0);
    dy.fill(0);
    for (let i = 0; i < n; i++)
      for (let j = 0; j < i; j++) {
        const ax = x[i] - x[j], ay = y[i] - y[j], by = away / (ax * ax + ay * ay + 1e-9);
        dx[i] += ax * by;
        dy[i] += ay * by;
        dx[j] -= ax * by;
        dy[j] -= ay * by;
      }
    for (let e = 0; e < edges.length; e += 2) {
      const i = edges[e], j = edges[e + 1], ax = x[i] - x[j], ay = y[i] - y[j], by = Math.hypot(ax, ay) / k;
      dx[i] -= ax * by;
      dy[i] -= ay * by;
      dx[j] += ax * by;
      dy[j] += ay * by;
    }
    for (let i = 0; i < n; i++) {
      dx[i] -= x[i] * GRAVITY;
      dy[i] -= y[i] * GRAVITY;
      const by = Math.min(1, this.heat / (Math.hypot(dx[i], dy[i]) + 1e-9));
      x[i] += dx[i] * by;
      y[i] += dy[i] * by;
    }
  }

  // Sets where the nodes are in the square.
  fit() {
    const {x, y} = this, range = (list) => list.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [0, 0]);
    const [left, right] = range(x), [top, bottom] = range(y), size = Math.max(right - left, bottom - top, 1e-6);
    this.scale = 0.92 * SIDE / size;
    this.from = [(left + right) / 2, (top + bottom) / 2];
  }

  // Returns where node i is in the square.
  at(i) {
    return [SIDE / 2 + (this.x[i] - this.from[0]) * this.scale, SIDE / 2 + (this.y[i] - this.from[1]) * this.scale];
  }
}
