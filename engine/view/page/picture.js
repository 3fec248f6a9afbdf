// SPDX-License-Identifier: Apache-2.0
// The picture: requests frames of the visible part, one at a time, and draws the last one.
import {askBytes, Refused, seen, sleep} from './talk.js';
import {byId, fitCanvas, format, make, onLooks, say, withUnit} from './text.js';
import {Camera} from './camera.js';
import {GlPainter} from './paint_gl.js';
import {FlatPainter} from './paint_flat.js';
import {SIDE} from './layout.js';

const HEADER = 44, MANY = 16;    // bytes; most worlds that are shown together
const PEOPLE = 1, RANGE = 2, SPOTS = 4; // flags: numbers of agents, range of colours, colours of agents
const PAUSE = 30, MOVING = 90;   // milliseconds between frames, and between frames while the view moves

const rgb = (text) => [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16));

// Returns a picture's name. The model's own picture may show an attribute that has another picture, too.
const nameOf = ({label, kind}) => (kind === 'model' ? `${label} (model)` : label);

// Parses a frame: see docs/manual.md. `line`: the space has one dimension. Returns null if it is invalid.
export function parseFrame(buffer, line) {
  const view = new DataView(buffer);
  if (buffer.byteLength < HEADER || view.getUint32(0) !== 0x4d534631) return null; // "MSF1"
  const word = (i) => view.getUint32(i, true);
  const frame = {run: word(4), step: Number(view.getBigUint64(8, true)), width: word(16), height: word(20),
    x: word(24), y: word(28), w: word(32), h: word(36), indexed: (word(40) & SPOTS) !== 0, agents: null, range: null};
  const flags = word(40), start = HEADER + (flags & RANGE ? 16 : 0), kinds = flags & (PEOPLE | SPOTS) ? 2 : 1;
  const plane = frame.width * frame.height, worlds = Math.floor((buffer.byteLength - start) / (plane * kinds));
  if (!plane || worlds < 1) return null;
  if (flags & RANGE) frame.range = [view.getFloat64(HEADER, true), view.getFloat64(HEADER + 8, true)];
  const cut = (from) => Array.from({length: worlds},
    (_, i) => new Uint8Array(buffer, start + (from + i) * plane, plane));
  frame.places = cut(0);
  if (kinds === 2) frame.agents = cut(worlds);
  const along = Math.ceil(frame.w / frame.width);
  frame.every = line ? along : Math.max(along, Math.ceil(frame.h / frame.height));
  return frame;
}

export class Picture {
  // on: {frame(frame), moved(), failed(error), newRun()}
  constructor(on) {
    this.on = on;
    this.canvas = byId('picture');
    this.camera = new Camera();
    this.frame = null;
    this.waiting = null; // aborts the request that waits for the next step
    this.wake = null;
    this.session = null; // identifies the current call of follow()
    this.apart = false; // another layer shows the agents
    this.graph = null; // shows the network of the space in place of its picture (graph.js)
    this.turn = 0; // increases whenever something else is to be shown
    this.paint();
    onLooks(byId('stage'), () => this.resize());
    addEventListener('resize', () => this.resize());
  }

  // Chooses how to draw: WebGL 2 if there is any, else a 2-D canvas.
  paint() {
    try {
      if (new URLSearchParams(location.search).has('flat')) throw new Error('asked for');
      this.painter = new GlPainter(this.canvas);
      this.painter.renew = () => { this.painter.palette(this.colours()); this.draw(); };
    } catch {
      this.painter = new FlatPainter(this.canvas);
    }
  }

  colours() { return this.chosen ? this.chosen.colours.map(rgb) : []; }

  // Takes the model of a run, once for each run.
  open(model) {
    const before = this.chosen?.id;
    this.model = model;
    this.ended = false;
    this.frame = null;
    for (const id of ['choose', 'below', 'stage', 'keys-help']) byId(id).hidden = !model.pictures.length;
    byId('empty').hidden = model.pictures.length > 0;
    byId('pictures').replaceChildren(...model.pictures.map((picture) => {
      const option = make('option', '', nameOf(picture));
      option.value = picture.id;
      if (picture.help) option.title = picture.help;
      return option;
    }));
    const all = make('option', '', model.worlds > MANY ? `the first ${MANY}` : 'all');
    all.value = 'all';
    const worlds = Array.from({length: Math.min(model.worlds, 1000)}, (_, i) => {
      const option = make('option', '', String(i));
      option.value = i;
      return option;
    });
    byId('world').replaceChildren(...(model.worlds > 1 ? [all] : []), ...worlds);
    byId('worlds').hidden = model.worlds < 2;
    if (!model.pictures.length) {
      this.chosen = null;
      return;
    }
    if (model.spaces.some(({dimensions}) => dimensions === 1)) all.remove(); // the past of a line is stored for one
                                                                             // world at a time
    this.choose(model.pictures.find((picture) => picture.id === before) ?? model.pictures[0]);
  }

  get space() { return this.model.spaces[this.chosen.space]; }
  get line() { return this.space.dimensions === 1; }
  get worlds() {
    const choice = byId('world').value;
    if (choice === 'all') return {first: 0, count: Math.min(this.model.worlds, MANY)};
    return {first: Number(choice) || 0, count: 1};
  }
  get slice() { return Number(byId('slice').value) || 0; }

  // Shows another picture.
  choose(picture) {
    if (this.chosen?.space !== picture.space) this.graph = null;
    this.chosen = picture;
    byId('pictures').value = picture.id;
    const {space, graph} = this, sight = [space.name, ...space.extent, graph ? 'graph' : ''].join(' ');
    if (this.sight !== sight) { // else keeps the visible part, also in a restarted run
      this.sight = sight;
      if (graph) this.camera.show([SIDE, SIDE], false);
      else this.camera.show(space.extent, space.dimensions === 1);
      const layers = space.dimensions === 3 ? space.extent[2] : 1;
      byId('slices').hidden = layers < 2;
      byId('slice').max = layers - 1;
      byId('slice').value = Math.floor(layers / 2);
    }
    byId('people').hidden = !picture.agents;
    this.painter.palette(this.colours());
    this.frame = null;
    this.range = [picture.low, picture.high];
    this.legend();
    this.resize();
    this.look();
  }

  // Shows a network of the space, or with null its places.
  showAs(graph) {
    this.graph = graph;
    if (this.chosen) this.choose(this.chosen);
  }

  // Returns the tile and the place at a pixel of the canvas, or null.
  placeAt(x, y) { return this.graph ? this.graph.placeAt(x, y) : this.camera.placeAt(x, y); }

  // Requests what is to be shown now, after a change.
  look() {
    say(byId('layer'), this.slice);
    this.canvas.dataset.wanted = ++this.turn;
    this.waiting?.abort();
    this.wake?.();
    this.draw();
  }

  // Requests a frame after the camera has moved.
  moved() {
    this.look();
    this.on.moved();
  }

  resize() {
    if (!this.model || !fitCanvas(this.canvas)) return;
    fitCanvas(byId('marks'));
    this.camera.resize(this.canvas.width, this.canvas.height, this.model.pictures.length ? this.worlds.count : 1);
    this.look();
    this.on.moved();
  }

  // Returns the query of a frame of the visible part.
  question() {
    const box = this.graph?.box ?? this.camera.box(), {first, count} = this.worlds;
    return {picture: this.chosen.id, world: first, count: count > 1 ? count : null, ...box, slice: this.slice,
      agents: byId('agents').checked && !byId('people').hidden && !this.apart ? 1 : 0, run: this.model.run};
  }

  // Requests frames until the run ends or another run is opened.
  async follow() {
    const session = this.session = {}, {run} = this.model, here = () => this.session === session && !this.ended;
    let shown = -1, last = 0;
    while (here() && this.chosen) {
      await seen();
      if (!this.canvas.clientWidth) {
        await sleep(100);
        continue;
      }
      const rest = last + (shown === this.turn ? PAUSE : MOVING) - performance.now();
      if (rest > 0) await sleep(rest);
      const turn = this.turn, fresh = shown !== turn || !this.frame, query = this.question();
      if (!fresh) query.after = this.frame.step;
      this.waiting = fresh ? null : new AbortController();
      try {
        const bytes = await askBytes('frame', query, this.waiting?.signal);
        last = performance.now();
        if (bytes && here()) this.take(parseFrame(bytes, this.line), query, turn);
        if (bytes) shown = turn;
      } catch (error) {
        if (error.name === 'AbortError') continue;
        if (!here()) return;
        shown = turn; // does not request again what cannot be shown
        this.on.failed(error);
        await this.rest(error instanceof Refused ? 2000 : 1000);
      } finally {
        this.waiting = null;
      }
    }
  }

  // Waits for a time, or until something else is to be shown.
  rest(milliseconds) {
    return Promise.race([sleep(milliseconds), new Promise((resolve) => { this.wake = resolve; })]);
  }

  // Shows a frame, unless it is of another picture, world or run. turn: the value of this.turn when `query` was sent.
  // frame null: throws Refused.
  take(frame, query, turn) {
    if (!frame) throw new Refused(200, 'a picture of no sense');
    if (frame.run !== query.run) {
      this.on.newRun();
      return;
    }
    if (query.picture !== this.chosen.id || query.world !== this.worlds.first) return; // the frame has the colours of
                                                                                       // another picture
    this.frame = frame;
    this.canvas.dataset.shown = turn;
    if (this.camera.line) this.camera.rows = frame.height;
    if (frame.range && frame.range.join() !== this.range.join()) {
      this.range = frame.range;
      this.legend();
    }
    this.draw();
    this.on.frame(frame);
  }

  draw() {
    if (!this.model || !this.canvas.width) return;
    this.painter.begin();
    const {count} = this.worlds, frame = this.frame;
    if (frame) {
      const lies = this.camera.frame(frame);
      for (let i = 0; !this.graph && i < Math.min(count, frame.places.length); i++)
        this.painter.draw(frame, i, this.camera.tile(i), lies, [255, 64, 129]);
      this.canvas.dataset.step = frame.step;
      this.canvas.dataset.row = this.camera.line ? lies.sy : lies.sy / frame.every;
      const top = this.camera.line ? lies.y : this.camera.corner()[1];
      this.canvas.dataset.lies = [this.camera.corner()[0], top, this.camera.scale, frame.every].join(' ');
      say(byId('range'), this.words(frame));
      this.canvas.setAttribute('aria-label', `${nameOf(this.chosen)} at step ${frame.step}`);
    }
  }

  // Describes the visible part in words.
  words(frame) {
    if (this.graph) return this.graph.words;
    const {camera} = this, {w, h} = camera.tile(0), words = [];
    const range = (name, axis, size) => {
      const half = size / camera.scale / 2, extent = camera.extent[axis];
      const low = Math.max(0, Math.floor(camera.centre[axis] - half));
      const high = Math.min(extent, Math.ceil(camera.centre[axis] + half));
      return `${name} ${format(low)} to ${format(high - 1)}`;
    };
    words.push(range('x', 0, w));
    if (camera.line) words.push(`the last ${format(Math.min(frame.height, h))} steps, the newest at the bottom`);
    else words.push(range('y', 1, h));
    if (this.space.dimensions === 3) words.push(`z ${this.slice}`);
    const every = frame.every;
    const block = camera.line ? format(every) : `${format(every)} \u00d7 ${format(every)}`;
    words.push(every > 1 ? `a pixel shows ${block} places` : `a place is ${format(camera.scale, 3)} pixels`);
    return words.join(', ');
  }

  // Returns a sample of a colour.
  dot(colour) {
    const dot = make('canvas', 'dot'), to = dot.getContext('2d');
    dot.width = dot.height = 1;
    to.fillStyle = colour;
    to.fillRect(0, 0, 1, 1);
    return dot;
  }

  // Shows the meaning of the colours.
  legend() {
    const {colours, unit, last = colours.length - 1, legend = [], help} = this.chosen, [low, high] = this.range;
    const parts = [];
    for (const [value, name, colour] of this.chosen.names ?? []) {
      const part = make('span');
      part.append(this.dot(colour), name);
      part.title = format(value);
      parts.push(part);
    }
    const ramp = colours.slice(0, last + 1);
    if (!parts.length && low !== null && high !== null && new Set(ramp).size > 1) {
      const part = make('span'), bar = make('canvas', 'ramp');
      bar.width = ramp.length;
      bar.height = 1;
      const to = bar.getContext('2d');
      ramp.forEach((colour, i) => {
        to.fillStyle = colour;
        to.fillRect(i, 0, 1, 1);
      });
      bar.setAttribute('role', 'img');
      bar.setAttribute('aria-label', 'colours');
      part.append(format(low), bar, withUnit(format(high), unit));
      parts.push(part);
    }
    for (const {population, colours: dots} of legend) {
      const part = make('span');
      part.append(...dots.map((colour) => this.dot(colour)));
      part.append(population);
      parts.push(part);
    }
    if (help) parts.push(make('span', 'quiet', help));
    byId('legend').replaceChildren(...parts);
  }
}
