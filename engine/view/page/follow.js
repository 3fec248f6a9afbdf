// SPDX-License-Identifier: Apache-2.0
// Follows an agent: keeps the picture centred on it and shows its values, until the user stops that or the agent is
// gone.
import {askJson} from './talk.js';
import {byId, format, make, say, withUnit} from './text.js';
import {outlined, within} from './layers.js';
import {words} from './place.js';

const PAUSE = 100;  // milliseconds between requests
const CLOSER = 4;   // factor to zoom in by, if the whole space is shown at first
const MIDDLE = 0.02; // of a place; smaller moves do not move the picture

export class Follow {
  constructor(picture, place) {
    Object.assign(this, {picture, place, agent: null, at: null, asking: false, asked: 0});
    byId('let-go').addEventListener('click', () => this.letGo());
    picture.canvas.addEventListener('keydown', (event) => this.key(event));
    // The table is rebuilt with every step, so a button may be gone before a click ends. Acts on the press.
    byId('residents').addEventListener('pointerdown', (event) => {
      if (event.pointerType === 'mouse') this.pressed(event);
    });
    byId('residents').addEventListener('click', (event) => this.pressed(event));
  }

  // f follows the first agent of the place that is shown; Escape stops following.
  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const first = this.place.agents?.[0], tile = this.place.at?.tile;
    if (event.key === 'Escape') this.letGo();
    if (event.key === 'f' && first && tile !== undefined)
      this.begin({population: first.population, id: String(first.id), world: this.picture.worlds.first + tile});
  }

  // Takes another run, which has other agents.
  open(model) {
    this.model = model;
    this.letGo();
  }

  pressed(event) {
    const {population, id, world} = event.target.closest('button.follow')?.dataset ?? {};
    if (id !== undefined) this.begin({population, id, world: Number(world)});
  }

  // agent: {population, id, world}, with the name of the population.
  begin(agent) {
    const {population, id, world} = this.agent ?? {};
    if (population === agent.population && id === agent.id && world === agent.world && !this.gone) return;
    const index = this.model.agents.findIndex(({population}) => population === agent.population);
    if (index < 0) return;
    this.letGo();
    this.place.pin(null);
    this.agent = {...agent, index};
    const {picture} = this, {camera} = picture;
    camera.free = !picture.line;
    if (camera.fitted && !picture.line) camera.scale = Math.min(Math.max(camera.scale * CLOSER, 4), 32);
    camera.fitted = false;
    this.ask();
  }

  // Stops following. The visible part stays, moved into the space.
  letGo() {
    if (!this.agent) return;
    this.agent = this.at = null;
    clearTimeout(this.timer);
    this.picture.camera.free = false;
    this.picture.camera.clamp();
    byId('agent').hidden = true;
    if (this.picture.chosen) this.picture.moved();
  }

  // Requests the agent's values: there is a new frame.
  renew() {
    if (!this.agent || this.gone) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), Math.max(0, this.asked + PAUSE - performance.now()));
  }

  async ask() {
    const {agent} = this;
    if (!agent) return;
    if (this.asking) {
      this.renew();
      return;
    }
    this.asking = true;
    this.asked = performance.now();
    try {
      const {index, id, world} = agent;
      const answer = await askJson('agent', {population: index, id, world});
      if (answer && answer.run === this.model.run && this.agent === agent) this.take(answer);
    } catch { /* the requests for numbers report failures */ } finally {
      this.asking = false;
    }
  }

  get gone() { return this.agent?.gone ?? false; }

  // Shows the agent's values, or that it is gone.
  take(answer) {
    const {agent, picture} = this, name = `${agent.population} ${agent.id}`;
    const of = this.model.worlds > 1 ? `, world ${agent.world}` : '';
    byId('agent').hidden = false;
    if (!answer.there) {
      agent.gone = true;
      const last = this.at ? `; it was last seen at ${this.where()} at step ${format(this.at.step)}` : '';
      say(byId('agent-title'), `${name}${of} is no longer there at step ${format(answer.step)}${last}`);
      picture.camera.free = false;
      this.place.mark();
      return;
    }
    this.at = answer;
    say(byId('agent-title'), `${name}${of} at ${this.where()}, step ${format(answer.step)}`);
    this.values(answer.attributes);
    this.centre(answer);
  }

  // Returns the agent's place as text.
  where() {
    const {dimensions} = this.model.spaces[this.model.agents[this.agent.index].space];
    return `(${[this.at.x, this.at.y, this.at.z].slice(0, dimensions).join(', ')})`;
  }

  values(attributes) {
    byId('agent-values').replaceChildren(...attributes.map(({name, value, unit, words: names}) => {
      const row = make('tr'), head = make('th', '', name);
      head.scope = 'row';
      row.append(head, make('td', '', withUnit(words(value, names), unit)));
      return row;
    }));
  }

  // Centres the picture on the agent, if it shows the agent's space.
  centre({x, y, z, at}) {
    const {picture} = this, {camera} = picture, space = this.model.agents[this.agent.index].space;
    if (!picture.chosen || picture.chosen.space !== space || picture.graph) return;
    const [px, py] = at ?? [x, y], to = [px + 0.5, picture.line ? camera.centre[1] : py + 0.5];
    const layer = picture.space.dimensions === 3 && picture.slice !== z;
    if (layer) byId('slice').value = z;
    if (!layer && Math.hypot(to[0] - camera.centre[0], to[1] - camera.centre[1]) <= MIDDLE) {
      this.place.mark();
      return;
    }
    camera.centre = to;
    camera.clamp();
    picture.moved();
  }

  // Draws a ring around the agent, and dots on agents nearby. A box shows the places of its reach.
  draw(to, ratio) {
    const {agent, at, picture} = this, {camera} = picture;
    if (!agent || !at || agent.gone || picture.chosen?.space !== this.model.agents[agent.index].space) return;
    const tile = agent.world - picture.worlds.first;
    if (tile < 0 || tile >= picture.worlds.count || picture.line) return;
    const box = camera.tile(tile), [left, top] = camera.corner(), {scale} = camera;
    const pixel = ([px, py]) => [box.x + left + (px + 0.5) * scale, box.y + top + (py + 0.5) * scale];
    const [x, y] = pixel(at.at ?? [at.x, at.y]), circle = 2 * Math.PI;
    const radius = at.at ? 7 * ratio : Math.max(scale * 0.75, 7 * ratio);
    within(to, box, () => {
      outlined(to, ratio, 2, () => to.arc(x, y, radius, 0, circle));
      for (const [nx, ny] of (at.near ?? []).map(pixel))
        outlined(to, ratio, 1, () => to.arc(nx, ny, 3.5 * ratio, 0, circle), '#fd5');
      if (!at.at) return;
      const side = (2 * at.reach + 1) * scale, [cx, cy] = pixel([at.x - at.reach - 0.5, at.y - at.reach - 0.5]);
      outlined(to, ratio, 1, () => to.rect(cx, cy, side, side));
    });
  }
}
