// SPDX-License-Identifier: Apache-2.0
// One place: its values and its agents. It is the place under the pointer, or the pinned one.
import {askJson} from './talk.js';
import {byId, format, ink, make, named, say, withUnit} from './text.js';

const REST = 60, AGAIN = 250; // milliseconds that a pointer rests, and between requests

// Returns one or several values as text, with their names if they have some.
export const words = (value, names = []) => [value].flat().map((one, i) =>
  (names[i] ? `${names[i]} (${format(one)})` : format(one))).join(', ');

export class Place {
  constructor(picture) {
    this.picture = picture;
    this.pinned = this.hovered = null;
    this.asking = false;
    this.asked = 0;
  }

  get at() { return this.pinned ?? this.hovered; }

  hover(at) {
    this.hovered = at;
    if (!this.pinned) this.soon(REST);
    this.mark();
  }

  // Pins a place, or unpins it if it is pinned already; null unpins.
  pin(at) {
    const {pinned} = this;
    const again = at && pinned && at.x === pinned.x && at.y === pinned.y && at.tile === pinned.tile;
    this.pinned = again ? null : at;
    this.soon(0);
    this.mark();
  }

  // Pins the place in the middle, or moves the pinned one, by keys.
  step(dx, dy) {
    const {camera, graph, space} = this.picture;
    if (graph) {
      const next = (this.pinned?.x ?? 0) + dx + dy;
      this.pinned = {tile: 0, x: Math.min(Math.max(next, 0), space.extent[0] - 1), y: 0};
      this.soon(0);
      return;
    }
    const [x, y] = camera.centre.map(Math.floor), from = this.pinned ?? {tile: 0, x, y};
    const within = (value, extent) => Math.min(Math.max(value, 0), extent - 1);
    this.pinned = {tile: from.tile, x: within(from.x + dx, camera.extent[0]),
      y: camera.line ? 0 : within(from.y + dy, camera.extent[1])};
    camera.reveal([this.pinned.x, this.pinned.y]);
    this.soon(0);
  }

  // Requests the place again, as the state has changed.
  renew() {
    if (this.at) this.soon(Math.max(0, this.asked + AGAIN - performance.now()));
  }

  // Forgets the place: another run may have other places.
  forget() {
    this.pinned = this.hovered = null;
    byId('place').hidden = true;
    this.mark();
  }

  // Requests the place after a time.
  soon(milliseconds) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), milliseconds);
  }

  // Requests the place, unless a request is under way: then a little later. Without a place, hides its table.
  async ask() {
    const {at, picture} = this;
    if (!at || !picture.chosen) {
      byId('place').hidden = true;
      return;
    }
    if (this.asking) {
      this.soon(REST);
      return;
    }
    this.asking = true;
    this.asked = performance.now();
    const world = picture.worlds.first + at.tile, z = picture.slice;
    try {
      const answer = await askJson('place', {space: picture.chosen.space, world, x: at.x, y: at.y, z});
      if (answer && this.at === at) this.show(at, world, z, answer);
    } catch { /* the requests for numbers report failures */ } finally {
      this.asking = false;
    }
  }

  show(at, world, z, answer) {
    const {space, model} = this.picture, where = [at.x, at.y, z].slice(0, space.dimensions);
    const of = model.worlds > 1 ? `, world ${world}` : '', kept = this.pinned ? ', kept' : '';
    say(byId('place-title'), `${space.name} (${where.join(', ')})${of} at step ${format(answer.step)}${kept}`);
    byId('place-values').replaceChildren(...answer.attributes.map(({name, value, unit, words: names}) => {
      const row = make('tr'), head = make('th');
      head.append(named(name));
      head.scope = 'row';
      row.append(head, make('td', '', withUnit(words(value, names), unit)));
      return row;
    }));
    this.residents(answer);
    byId('place').hidden = false;
  }

  // Makes a table for each population.
  residents({residents = [], more = 0}) {
    this.agents = residents;
    const parts = [], populations = new Map();
    for (const one of residents)
      populations.set(one.population, [...populations.get(one.population) ?? [], one]);
    for (const [name, agents] of populations) {
      const table = make('table'), head = make('tr');
      for (const title of [name, ...agents[0].attributes.map((a) => withUnit(a.name, a.unit && `(${a.unit})`))]) {
        const cell = make('th', 'number', title);
        cell.scope = 'col';
        head.append(cell);
      }
      table.append(head, ...agents.map((agent) => {
        const row = make('tr');
        const cells = [String(agent.id), ...agent.attributes.map((a) => words(a.value, a.words))];
        row.append(...cells.map((text) => make('td', 'number', text)), this.followCell(agent));
        return row;
      }));
      parts.push(table);
    }
    if (more > 0) parts.push(make('p', 'quiet', `and ${format(more)} more`));
    byId('residents').replaceChildren(...parts);
  }

  // Returns a cell with a button that follows the agent (follow.js).
  followCell({population, id}) {
    const cell = make('td'), button = make('button', 'small follow', 'Follow');
    button.type = 'button';
    button.setAttribute('aria-label', `Follow ${population} ${id}`);
    Object.assign(button.dataset, {population, id, world: this.picture.worlds.first + (this.at?.tile ?? 0)});
    cell.append(button);
    return cell;
  }

  // Draws the names of the worlds, a frame around the place, and the layers.
  mark() {
    const marks = byId('marks'), to = marks.getContext('2d'), {picture} = this, {camera} = picture;
    to.clearRect(0, 0, marks.width, marks.height);
    if (!picture.chosen) return;
    const ratio = window.devicePixelRatio || 1, {first, count} = picture.worlds;
    to.font = `${12 * ratio}px sans-serif`;
    to.textBaseline = 'top';
    for (let i = 0; i < count; i++) this.edge(to, camera.tile(i), ratio);
    for (let i = 0; count > 1 && i < count; i++) {
      const tile = camera.tile(i), text = `world ${first + i}`;
      to.fillStyle = ink('card');
      to.globalAlpha = 0.85;
      to.fillRect(tile.x, tile.y, to.measureText(text).width + 8 * ratio, 18 * ratio);
      to.globalAlpha = 1;
      to.fillStyle = ink('ink');
      to.fillText(text, tile.x + 4 * ratio, tile.y + 3 * ratio);
    }
    if (this.at && this.at.tile < count) this.frame(to, this.at, ratio);
    this.layers?.draw(to, ratio);
  }

  // Draws the edge of the space, whose colours may be those of the page.
  edge(to, tile, ratio) {
    const {camera} = this.picture, [left, top] = camera.corner(), [width, height] = camera.extent;
    if (camera.line) return;
    to.save();
    to.beginPath();
    to.rect(tile.x, tile.y, tile.w, tile.h);
    to.clip();
    to.strokeStyle = ink('line');
    to.lineWidth = ratio;
    to.strokeRect(tile.x + left - ratio / 2, tile.y + top - ratio / 2, width * camera.scale + ratio,
      height * camera.scale + ratio);
    to.restore();
  }

  // Draws a frame around a place.
  frame(to, at, ratio) {
    const {camera} = this.picture, tile = camera.tile(at.tile), [left, top] = camera.corner();
    const row = camera.line ? camera.rowHeight() : camera.scale;
    const height = camera.line ? Math.min(camera.rows * row, tile.h) : Math.max(row, 5 * ratio);
    const size = [Math.max(camera.scale, 5 * ratio), height];
    const x = tile.x + left + (at.x + 0.5) * camera.scale - size[0] / 2;
    const y = camera.line ? tile.y : tile.y + top + (at.y + 0.5) * row - size[1] / 2;
    to.save();
    to.beginPath();
    to.rect(tile.x, tile.y, tile.w, tile.h);
    to.clip();
    for (const [colour, width] of [['#000', 4], ['#fff', 2]]) {
      to.strokeStyle = colour;
      to.lineWidth = width * ratio;
      to.strokeRect(x, y, size[0], size[1]);
    }
    to.restore();
  }
}
