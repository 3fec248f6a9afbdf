// SPDX-License-Identifier: Apache-2.0
// Drawing places with the mouse, a finger or the key d, while the run is paused. Each stroke is events of the run.
import {order} from './talk.js';
import {byId} from './text.js';
import {within} from './layers.js';

const SEND = 100;   // milliseconds between orders while the pointer moves
const AT_ONCE = 2000; // most places in an order
const WIDEST = 50;    // most places across the brush

// Returns the places of a line, including both ends.
export function line([x, y], [toX, toY]) {
  const steps = Math.max(Math.abs(toX - x), Math.abs(toY - y)), places = [];
  for (let i = 0; i <= steps; i++)
    places.push([Math.round(x + (toX - x) * (steps && i / steps)), Math.round(y + (toY - y) * (steps && i / steps))]);
  return places;
}

export class Draw {
  // on: {notice(text), drawn(answer)}
  constructor(picture, place, on) {
    Object.assign(this, {picture, place, on, brush: null, paused: false, stroke: null, busy: false, sending: []});
    this.waiting = new Map(); // places to send, by world and place
    const stage = byId('stage'), capture = {capture: true};
    stage.addEventListener('pointerdown', (event) => this.down(event), capture);
    stage.addEventListener('pointermove', (event) => this.move(event), capture);
    for (const type of ['pointerup', 'pointercancel']) stage.addEventListener(type, (event) => this.up(event), capture);
    picture.canvas.addEventListener('keydown', (event) => this.key(event));
    byId('draw').addEventListener('change', () => this.look());
    byId('draw-value').addEventListener('input', () => this.value()); // reports a wrong value
    byId('brush').addEventListener('submit', (event) => event.preventDefault());
  }

  open(model) {
    this.model = model;
    this.brush = null;
    this.stroke = null;
    this.waiting.clear();
    byId('draw').checked = false;
    this.renew();
  }

  // Takes an answer of /run/numbers.
  take({state}) {
    this.paused = state === 'paused';
    this.look();
  }

  // Adapts to the picture that is shown: its attribute is drawn.
  renew() {
    const {model, picture} = this, {chosen} = picture;
    const attribute = chosen?.label.replace(/\[\d+\]$/, '');
    const brush = model?.control && chosen && !picture.line
      ? (model.brushes ?? []).find((one) => one.attribute === attribute) : null;
    byId('brush').hidden = !brush;
    if (!brush || (this.brush?.label === chosen.label && this.brush.run === model.run)) return;
    const {least, most, real} = brush, input = byId('draw-value');
    this.brush = {...brush, label: chosen.label, run: model.run};
    input.min = least ?? '';
    input.max = most ?? '';
    input.step = real ? 'any' : '1';
    input.value = most !== null && most < 1e6 ? most : Math.max(1, least ?? 1);
    const bounds = least !== null && most !== null ? `, ${least} to ${most}` : '';
    input.title = `the value of ${chosen.label}${bounds}`;
    this.look();
  }

  get active() { return byId('draw').checked && this.paused && !byId('brush').hidden; }

  // Enables drawing only while the run is paused.
  look() {
    const {canvas} = this.picture;
    byId('draw').disabled = !this.paused;
    for (const id of ['draw-value', 'draw-size']) byId(id).disabled = !this.active;
    byId('draw-label').title = this.paused ? 'The mouse, a finger, or the key d, draws places'
      : 'Pause the run to draw places';
    byId('draw-label').classList.toggle('off', !this.paused);
    canvas.classList.toggle('drawing', this.active);
  }

  // Returns the value to draw; null, with a message, if it is wrong.
  value() {
    const input = byId('draw-value'), number = Number(input.value);
    if (input.value !== '' && input.checkValidity() && Number.isFinite(number)) return number;
    this.on.notice(`The value to draw is ${input.title.replace(/^the value of /, 'one of ') || 'a number'}.`);
    return null;
  }

  // Returns the tile and place under the pointer; null: none.
  at(event) {
    const {canvas, camera} = this.picture, box = canvas.getBoundingClientRect(), ratio = canvas.width / box.width;
    return camera.placeAt((event.clientX - box.left) * ratio, (event.clientY - box.top) * ratio);
  }

  // ---- a stroke ----

  down(event) {
    if (!this.active || event.button > 0 || event.target !== this.picture.canvas) return;
    event.stopPropagation();
    if (this.stroke) { // a second finger moves the picture
      this.stroke = null;
      return;
    }
    const at = this.at(event), value = this.value();
    if (!at || value === null) return;
    this.picture.canvas.setPointerCapture(event.pointerId);
    this.stroke = {pointer: event.pointerId, tile: at.tile, value, last: [at.x, at.y]};
    this.paint([[at.x, at.y]]);
  }

  move(event) {
    const {stroke} = this;
    if (!stroke || event.pointerId !== stroke.pointer) return;
    event.stopPropagation();
    const at = this.at(event);
    if (!at || at.tile !== stroke.tile) return;
    this.paint(line(stroke.last, [at.x, at.y]));
    stroke.last = [at.x, at.y];
  }

  up(event) {
    const {stroke} = this;
    if (!stroke || event.pointerId !== stroke.pointer) return;
    event.stopPropagation();
    this.stroke = null;
    this.send();
  }

  // Draws, on the key d, the pinned place or the one in the middle.
  key(event) {
    if (event.key !== 'd' || event.ctrlKey || event.altKey || event.metaKey || !this.active) return;
    const {camera} = this.picture, pinned = this.place.pinned, value = this.value();
    const [x, y] = pinned ? [pinned.x, pinned.y] : camera.centre.map(Math.floor);
    if (value === null) return;
    this.stroke = {tile: pinned?.tile ?? 0, value};
    this.paint([[x, y]]);
    this.stroke = null;
    event.preventDefault();
  }

  // Adds the places under the brush of this.stroke to those to send, and sends some unless it is busy.
  paint(places) {
    const {stroke, waiting} = this, [width, height] = this.picture.camera.extent, {slice} = this.picture;
    const size = Math.min(Math.max(Math.round(Number(byId('draw-size').value)) || 1, 1), WIDEST);
    const low = -Math.floor((size - 1) / 2);
    const world = this.picture.worlds.first + stroke.tile;
    for (const [x, y] of places) {
      for (let dy = low; dy < low + size; dy++) {
        for (let dx = low; dx < low + size; dx++) {
          const at = [x + dx, y + dy, slice];
          if (at[0] < 0 || at[1] < 0 || at[0] >= width || at[1] >= height) continue;
          waiting.set(`${world} ${at}`, {world, at, tile: stroke.tile, value: stroke.value, label: this.brush.label});
        }
      }
    }
    this.place.mark();
    if (!this.busy) this.send();
  }

  // Sends the waiting places, in orders of one world and value each, one order at a time. If
  // one fails, drops all that wait.
  async send() {
    if (this.busy || !this.waiting.size) return;
    const all = [...this.waiting.values()], {world, value, label} = all[0];
    const alike = all.filter((one) => one.world === world && one.value === value && one.label === label);
    const batch = alike.slice(0, AT_ONCE);
    for (const one of batch) this.waiting.delete(`${one.world} ${one.at}`);
    this.sending = batch;
    this.busy = true;
    try {
      const places = batch.map(({at}) => at).sort((a, b) => a[1] - b[1] || a[0] - b[0]);
      this.on.drawn(await order({do: 'draw', attribute: label, world, value, places}));
    } catch (error) {
      this.waiting.clear();
      this.on.notice(error instanceof TypeError ? 'The run does not answer.' : `The run says: ${error.message}`);
    }
    this.sending = [];
    setTimeout(() => { this.busy = false; this.send(); }, this.waiting.size ? SEND : 0);
    this.place.mark();
  }

  // Draws the places that the run does not have yet.
  draw(to) {
    const {camera} = this.picture, [left, top] = camera.corner(), {slice} = this.picture;
    to.fillStyle = '#ff4081';
    to.globalAlpha = 0.7;
    for (const {at, tile} of [...this.waiting.values(), ...this.sending]) {
      if (at[2] !== slice || tile >= camera.count) continue;
      const box = camera.tile(tile), size = Math.max(camera.scale, 1);
      const x = box.x + left + at[0] * camera.scale, y = box.y + top + at[1] * camera.scale;
      within(to, box, () => to.fillRect(x, y, size, size));
    }
    to.globalAlpha = 1;
  }
}
