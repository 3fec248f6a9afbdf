// SPDX-License-Identifier: Apache-2.0
// A network in place of the picture: a small one with its nodes and edges, a large one with the nodes by degree and the
// edges by the nodes that they join. Nodes have the colours of the picture.
import {askJson} from './talk.js';
import {byId, format, ink, make} from './text.js';
import {outlined, within} from './layers.js';
import {Layout, SIDE} from './layout.js';

const SMALL = 2000;             // nodes of a network that is shown as one at first
const PAUSE = 500, SLICE = 12;  // milliseconds between requests; and of a part of the layout's work
const HEADS = 800;              // most edges with arrowheads
const NEAR = 10, LABEL = 60;    // pixels to a node that is pointed at; between nodes that all have their names

export class Graph {
  constructor(picture, place) {
    Object.assign(this, {picture, place, network: null, answer: null, layout: null, asking: false, asked: 0});
    byId('shown-as').addEventListener('change', () => {
      this.choose(byId('shown-as').value);
      this.wanted = this.network?.name ?? null;
    });
  }

  // Takes a new run, which may have other networks.
  open(model) {
    this.model = model;
    this.space = null;
    this.fill();
  }

  // Lists the networks of the space that is shown. What the user chose stays, also in a restarted run.
  fill() {
    const {picture} = this, space = picture.chosen?.space;
    if (!this.model || space === undefined || space === this.space) return;
    this.space = space;
    const here = this.model.networks.filter((one) => one.space === space), select = byId('shown-as');
    const steps = make('option', '', 'its steps');
    steps.value = '';
    select.replaceChildren(steps, ...here.map(({id, name}) => {
      const option = make('option', '', `network ${name}`);
      option.value = id;
      return option;
    }));
    byId('shown-as-of').hidden = !here.length;
    const {wanted} = this, small = here.find(({nodes}) => nodes <= SMALL);
    const first = wanted === null ? null : here.find(({name}) => name === wanted) ?? small;
    select.value = first?.id ?? '';
    this.choose(select.value);
  }

  // value: the id of a network; '': the picture of the space.
  choose(value) {
    this.network = value === '' ? null : this.model.networks.find(({id}) => id === Number(value));
    this.answer = this.layout = null;
    if (this.network || this.picture.graph) this.picture.showAs(this.network ? this : null);
    if (this.network) this.ask();
  }

  // There is a new frame: edges that change are requested again, and so are those that did not come.
  renew() {
    this.fill();
    if (!this.network || (this.answer && !this.network.changes)) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), Math.max(0, this.asked + PAUSE - performance.now()));
  }

  async ask() {
    const {network, picture} = this, world = picture.worlds.first;
    if (this.asking || !network) return;
    this.asking = true;
    this.asked = performance.now();
    try {
      const answer = await askJson('edges', {network: network.id, world});
      if (network === this.network && answer?.run === this.model.run) this.take(answer, world);
    } catch { /* the requests for numbers report failures */ } finally {
      this.asking = false;
      if (network !== this.network || world !== picture.worlds.first) this.ask();
    }
  }

  // Shows an answer. A small network gets a new layout at first and for another world; a large one has none.
  take(answer, world) {
    if (!answer.edges) this.layout = null;
    else if (!this.layout || this.world !== world) this.layout = new Layout(answer.nodes);
    this.world = world;
    this.answer = answer;
    this.layout?.join(answer.edges);
    this.picture.draw();
    this.work();
  }

  // Moves the nodes a little, draws them, and goes on until they rest.
  work() {
    cancelAnimationFrame(this.next);
    if (!this.layout || this.layout.rests) {
      byId('stage').dataset.layout = this.layout ? 'rests' : '';
      this.place.mark();
      return;
    }
    this.next = requestAnimationFrame(() => {
      this.layout?.run(SLICE);
      this.place.mark();
      this.work();
    });
  }

  // The part of the space that a frame must have: the nodes, in the last step.
  get box() {
    const {nodes} = this.network;
    return {x: 0, y: 0, w: nodes, h: 1, pw: Math.min(nodes, SMALL), ph: 1};
  }

  get words() {
    if (!this.answer) return '';
    const {nodes, count, edges} = this.answer, kind = this.network.directed ? 'directed edges' : 'edges';
    const how = edges ? '' : ': too many to draw each';
    return `${format(nodes)} nodes, ${format(count)} ${kind}${how}`;
  }

  // Returns the pixel of a node.
  pixel(i) {
    const {camera} = this.picture, [left, top] = camera.corner(), [x, y] = this.layout.at(i);
    return [left + x * camera.scale, top + y * camera.scale];
  }

  // Returns the node at a pixel of the canvas as a place, or null.
  placeAt(px, py) {
    if (!this.layout) return null;
    let best = null, least = (NEAR * (window.devicePixelRatio || 1) + this.radius(1)) ** 2;
    for (let i = 0; i < this.answer.nodes; i++) {
      const [x, y] = this.pixel(i), distance = (x - px) ** 2 + (y - py) ** 2;
      if (distance < least) [best, least] = [i, distance];
    }
    return best === null ? null : {tile: 0, x: best, y: 0};
  }

  // Returns pixels between nodes that fill the square evenly, and of a node's radius.
  get spacing() { return SIDE * this.picture.camera.scale / Math.sqrt(this.answer.nodes); }
  radius(ratio) { return Math.min(Math.max(this.spacing * 0.16, 2 * ratio), 9 * ratio); }

  draw(to, ratio) {
    const {picture} = this;
    if (picture.graph !== this) return;
    const tile = picture.camera.tile(0);
    to.fillStyle = ink('stage');
    to.fillRect(0, 0, to.canvas.width, to.canvas.height);
    if (!this.answer) return;
    within(to, tile, () => (this.layout ? this.small(to, ratio) : this.large(to, ratio, tile)));
  }

  // ---- a small network ----

  small(to, ratio) {
    this.edges(to, ratio);
    this.nodes(to, ratio);
    const at = this.place.at?.tile === 0 ? this.place.at.x : -1;
    if (at >= 0 && at < this.answer.nodes) {
      const [x, y] = this.pixel(at), radius = this.radius(ratio) + 3 * ratio;
      outlined(to, ratio, 2, () => to.arc(x, y, radius, 0, 2 * Math.PI));
    }
    this.names(to, ratio, at);
  }

  edges(to, ratio) {
    const {edges} = this.answer, heads = this.network.directed && edges.length <= 2 * HEADS;
    const head = this.radius(ratio) + 4 * ratio;
    to.strokeStyle = ink('quiet');
    to.globalAlpha = Math.max(0.15, Math.min(0.7, 600 / edges.length));
    to.lineWidth = ratio;
    to.beginPath();
    for (let e = 0; e < edges.length; e += 2) {
      const [ax, ay] = this.pixel(edges[e]), [bx, by] = this.pixel(edges[e + 1]);
      to.moveTo(ax, ay);
      to.lineTo(bx, by);
      const length = Math.hypot(bx - ax, by - ay);
      if (!heads || length < 2 * head) continue;
      const turn = Math.atan2(by - ay, bx - ax), tip = [bx - Math.cos(turn) * this.radius(ratio),
        by - Math.sin(turn) * this.radius(ratio)];
      for (const side of [-0.45, 0.45]) {
        to.moveTo(...tip);
        to.lineTo(tip[0] - 5 * ratio * Math.cos(turn + side), tip[1] - 5 * ratio * Math.sin(turn + side));
      }
    }
    to.stroke();
    to.globalAlpha = 1;
  }

  // Draws the nodes in the colours of the last step.
  nodes(to, ratio) {
    const {picture} = this, {frame} = picture, colours = picture.chosen.colours, radius = this.radius(ratio);
    const known = frame?.width === this.answer.nodes, from = known ? frame.width * (frame.height - 1) : 0;
    to.strokeStyle = ink('ink');
    to.lineWidth = Math.min(ratio, radius / 3);
    for (let i = 0; i < this.answer.nodes; i++) {
      to.fillStyle = known ? colours[frame.places[0][from + i]] ?? '#fff' : ink('quiet');
      to.beginPath();
      to.arc(...this.pixel(i), radius, 0, 2 * Math.PI);
      to.fill();
      to.stroke();
    }
  }

  // Writes the names of nodes, or their numbers: of all if there is room, else of the one that is pointed at.
  names(to, ratio, at) {
    const all = this.spacing >= LABEL * ratio, {names} = this.answer, radius = this.radius(ratio);
    to.font = `${11 * ratio}px sans-serif`;
    to.textBaseline = 'middle';
    for (let i = all ? 0 : at; i >= 0 && i < (all ? this.answer.nodes : at + 1); i++) {
      const [x, y] = this.pixel(i), text = names[i] ?? String(i);
      to.lineWidth = 3 * ratio;
      to.strokeStyle = ink('stage');
      to.strokeText(text, x + radius + 3 * ratio, y);
      to.fillStyle = ink('ink');
      to.fillText(text, x + radius + 3 * ratio, y);
    }
  }

  // ---- a large one ----

  large(to, ratio, {x, y, w, h}) {
    const margin = 46 * ratio, across = w > h, cell = across ? [w / 2, h] : [w, h / 2];
    const size = [cell[0] - 1.5 * margin, cell[1] - 1.5 * margin];
    if (size[0] < margin || size[1] < margin) return;
    to.font = `${12 * ratio}px sans-serif`;
    this.bars(to, ratio, x + margin, y + margin / 2, ...size);
    const side = Math.min(...size);
    this.matrix(to, ratio, x + margin + (across ? cell[0] : 0), y + margin / 2 + (across ? 0 : cell[1]), side);
  }

  text(to, words, x, y, align = 'center') {
    to.fillStyle = ink('ink');
    to.textAlign = align;
    to.textBaseline = 'middle';
    to.fillText(words, x, y);
    to.textAlign = 'left';
  }

  // Draws the nodes of each class of degrees as a bar, on a scale of powers of ten.
  bars(to, ratio, x, y, w, h) {
    const {degrees} = this.answer, most = Math.log10(Math.max(...degrees.map(([, nodes]) => nodes)) + 1);
    const step = w / degrees.length;
    degrees.forEach(([least, nodes], i) => {
      const height = h * Math.log10(nodes + 1) / most;
      to.fillStyle = ink('strong');
      to.fillRect(x + i * step + ratio, y + h - height, Math.max(step - 2 * ratio, ratio), height);
      if (i % Math.ceil(degrees.length * 34 * ratio / w) === 0)
        this.text(to, format(least), x + (i + 0.5) * step, y + h + 9 * ratio);
    });
    this.text(to, 'edges that come into a node, from', x + w / 2, y + h + 25 * ratio);
    for (let power = 0; power <= most; power++)
      this.text(to, format(10 ** power), x - 4 * ratio, y + h - h * Math.log10(10 ** power + 1) / most, 'right');
  }

  // Draws how many edges go from each block of nodes to each other one: darker means more, by their logarithm.
  matrix(to, ratio, x, y, side) {
    const {matrix, blocks, nodes} = this.answer, most = Math.log(Math.max(...matrix) + 1) || 1, cell = side / blocks;
    to.fillStyle = ink('card');
    to.fillRect(x, y, side, side);
    to.fillStyle = ink('ink');
    matrix.forEach((count, i) => {
      to.globalAlpha = Math.log(count + 1) / most;
      to.fillRect(x + (i % blocks) * cell, y + Math.floor(i / blocks) * cell, cell, cell);
    });
    to.globalAlpha = 1;
    const [first, last] = ['0', format(nodes - 1)], below = y + side + 9 * ratio, left = x - 4 * ratio;
    this.text(to, first, x, below, 'left');
    this.text(to, 'from node', x + side / 2, below);
    this.text(to, last, x + side, below, 'right');
    this.text(to, first, left, y + 6 * ratio, 'right');
    this.text(to, 'to', left, y + side / 2, 'right');
    this.text(to, last, left, y + side - 6 * ratio, 'right');
  }
}
