// SPDX-License-Identifier: Apache-2.0
// Arrows over the picture, for an attribute with a direction: two components, along x and y, or an angle, from x
// towards y. y points down, as everywhere in the picture. Agents with positions may also be shown as points.
import {askJson} from './talk.js';
import {byId, make} from './text.js';
import {within} from './layers.js';

const PAUSE = 150;  // milliseconds between requests
const SPACING = 18; // least pixels between arrows of places
const DOTS = 6;     // the same between points
const MOST = 4096, TILES = 16;
const SMALL = 1 << 16; // places of a space whose agents are shown as points at first
const CLOSE = 6;       // pixels of a place from which on points stand for all marks of agents

// Turns a value into a direction.
const KINDS = {
  pair: ([,, dx, dy]) => [dx, dy ?? 0],
  rad: ([,, angle]) => [Math.cos(angle), Math.sin(angle)],
  deg: ([,, angle]) => [Math.cos(angle * Math.PI / 180), Math.sin(angle * Math.PI / 180)],
};

// Whether a colour "#rrggbb" is nearer to white than to black.
const isLight = (ink) => 0.299 * parseInt(ink.slice(1, 3), 16) + 0.587 * parseInt(ink.slice(3, 5), 16)
  + 0.114 * parseInt(ink.slice(5, 7), 16) > 140;

const unitKind = (unit) => (/^rad/i.test(unit ?? '') ? 'rad' : 'deg');

export class Arrows {
  constructor(picture, redraw) {
    Object.assign(this, {picture, redraw, chosen: null, found: [], whole: false, asking: false, asked: 0,
      again: false});
    byId('arrows').addEventListener('change', () => this.choose(byId('arrows').value));
  }

  // Takes a new run, which may have other attributes.
  open(model) {
    this.model = model;
    this.space = null;
    this.found = [];
    this.chosen = null;
    this.fill();
  }

  // Lists the attributes of the space that is shown, first those that are directions without a choice of unit.
  fill() {
    const space = this.picture.chosen?.space;
    if (!this.model || space === undefined || space === this.space) return;
    const before = byId('arrows').value, select = byId('arrows'), {line} = this.picture;
    this.space = space;
    const here = line ? [] : this.model.arrows.filter((one) => one.space === space);
    const own = here.filter(({angle, components, point}) => !point && (angle || components > 1));
    const other = here.filter(({angle, components, point}) => !point && !angle && components === 1);
    const points = here.filter(({point}) => point);
    const group = make('optgroup');
    group.label = 'a number as an angle';
    for (const one of other) for (const kind of ['deg', 'rad']) group.append(this.option(one, kind));
    const none = make('option', '', 'none');
    none.value = '';
    select.replaceChildren(none, ...points.map((one) => this.option(one, 'point')),
      ...own.map((one) => this.option(one, one.angle ? unitKind(one.unit) : 'pair')),
      ...(other.length ? [group] : []));
    byId('arrows-of').hidden = !here.length;
    const declared = own.find(({heading}) => heading), [nx, ny] = this.picture.camera.extent;
    const apart = points[0] && !declared && nx * ny <= SMALL ? `${points[0].id} point` : '';
    const values = [...select.querySelectorAll('option')].map(({value}) => value);
    const first = declared ? `${declared.id} ${declared.angle ? unitKind(declared.unit) : 'pair'}` : apart;
    select.value = before && values.includes(before) ? before : first;
    this.choose(select.value);
  }

  // Returns an option with the value "ID KIND", for choose.
  option({id, of, name, angle, components}, kind) {
    const unit = kind === 'deg' ? ' in degrees' : ' in radians', some = components > 2 ? '[0, 1]' : '';
    const text = kind === 'point' ? ' as points' : kind === 'pair' ? some : angle ? '' : unit;
    const option = make('option', '', `${kind === 'point' ? of : `${of}.${name}`}${text}`);
    option.value = `${id} ${kind}`;
    return option;
  }

  // value: as of option; '': nothing is shown.
  choose(value) {
    const [id, kind] = value.split(' ');
    this.chosen = value ? {...this.model.arrows.find((one) => one.id === Number(id)), kind} : null;
    this.found = [];
    this.hide();
    this.redraw();
    this.renew();
  }

  // Lets the picture leave out its marks of agents on places, if points show all of them.
  hide() {
    const {chosen, picture} = this;
    if (!this.model || !picture.chosen) return;
    const alone = this.model.agents.filter(({space}) => space === this.space).length === 1;
    const apart = chosen?.kind === 'point' && alone && this.whole && picture.camera.scale >= CLOSE;
    if (picture.apart === apart) return;
    picture.apart = apart;
    picture.look();
  }

  // Requests new values: there is a new frame, or another part of the space is visible.
  renew() {
    this.fill();
    this.hide();
    if (!this.chosen) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), Math.max(0, this.asked + PAUSE - performance.now()));
  }

  // Requests the arrows of all visible worlds, one request at a time.
  async ask() {
    const {chosen, picture} = this;
    if (!chosen || !picture.chosen || picture.chosen.space !== chosen.space) return;
    if (this.asking) {
      this.again = true;
      return;
    }
    this.asking = true;
    this.again = false;
    this.asked = performance.now();
    try {
      const {first, count} = picture.worlds, box = picture.camera.box(), tile = picture.camera.tile(0), found = [];
      const ratio = window.devicePixelRatio || 1, apart = chosen.kind === 'point' ? DOTS : SPACING;
      const room = tile.w * tile.h / (apart * ratio) ** 2;
      const most = Math.max(1, Math.min(MOST, Math.floor(room)));
      const {x, y, w, h} = box;
      for (let i = 0; i < Math.min(count, TILES); i++) {
        const answer = await askJson('arrows', {attribute: chosen.id, world: first + i, x, y, w, h,
          slice: picture.slice, most});
        found.push(answer?.run === this.model.run ? answer.arrows : []);
      }
      if (this.chosen === chosen) {
        this.found = found;
        this.whole = found.every(({length}) => 2 * length < most); // of more, an answer may have a part
        this.hide();
      }
      this.redraw();
    } catch { /* the requests for numbers report failures */ } finally {
      this.asking = false;
      if (this.again) this.renew();
    }
  }

  draw(to, ratio) {
    const {chosen, picture} = this;
    if (!chosen || picture.chosen?.space !== chosen.space || picture.line) return;
    if (chosen.kind === 'point') {
      this.found.forEach((points, i) => within(to, picture.camera.tile(i), () => this.points(to, ratio, i, points)));
      return;
    }
    const lengths = () => this.found.flat().map(KINDS[chosen.kind]).map(([dx, dy]) => Math.hypot(dx, dy));
    const longest = chosen.kind === 'pair' ? Math.max(...lengths(), 0) : 1;
    if (!(longest > 0)) return;
    this.found.forEach((arrows, i) => within(to, picture.camera.tile(i),
      () => this.tile(to, ratio, i, arrows, longest)));
  }

  // Returns the layers in which a tile's marks are drawn, for each colour of the population: first a rim of all marks
  // of the colour, then these. Points and the declared arrows have the colours of the legend, others are white.
  layers(marks) {
    const {of, point, heading, components} = this.chosen, {legend} = this.picture.chosen;
    const own = (point || heading) && legend?.find(({population}) => population === of)?.colours;
    const inks = own || ['#ffffff'], at = components > 1 ? 4 : 3;
    return inks.flatMap((ink, i) => {
      const some = inks.length > 1 ? marks.filter((mark) => (mark[at] ?? 0) === i) : marks;
      return [{ink: isLight(ink) ? '#000' : '#fff', rim: true, some}, {ink, rim: false, some}];
    });
  }

  // Draws a tile's points.
  points(to, ratio, index, points) {
    const {camera} = this.picture, {x: tileX, y: tileY} = camera.tile(index), [left, top] = camera.corner();
    const radius = Math.min(Math.max(camera.scale * 0.08, 1.2 * ratio), 3 * ratio);
    for (const {ink, rim, some} of this.layers(points)) {
      const size = rim ? radius + ratio : radius;
      to.fillStyle = ink;
      to.beginPath();
      for (const [x, y] of some) {
        const cx = tileX + left + (x + 0.5) * camera.scale, cy = tileY + top + (y + 0.5) * camera.scale;
        to.moveTo(cx + size, cy);
        to.arc(cx, cy, size, 0, 2 * Math.PI);
      }
      to.fill();
    }
  }

  // Draws a tile's arrows. longest: of all tiles' arrows.
  tile(to, ratio, index, arrows, longest) {
    const {camera} = this.picture, {x: tileX, y: tileY} = camera.tile(index), [left, top] = camera.corner();
    const length = Math.max(camera.scale * 0.9, 14 * ratio) / longest, direction = KINDS[this.chosen.kind];
    to.lineCap = 'round';
    for (const {ink, rim, some} of this.layers(arrows)) {
      to.strokeStyle = ink;
      to.lineWidth = (rim ? 3 : 1.4) * ratio;
      to.beginPath();
      for (const arrow of some) {
        const [x, y] = arrow, [dx, dy] = direction(arrow).map((part) => part * length);
        const size = Math.hypot(dx, dy);
        if (!(size >= ratio)) continue;
        const cx = tileX + left + (x + 0.5) * camera.scale, cy = tileY + top + (y + 0.5) * camera.scale;
        const tip = [cx + dx / 2, cy + dy / 2], head = Math.min(size * 0.4, 6 * ratio), turn = Math.atan2(dy, dx);
        to.moveTo(cx - dx / 2, cy - dy / 2);
        to.lineTo(...tip);
        for (const side of [-0.5, 0.5]) {
          to.moveTo(...tip);
          to.lineTo(tip[0] - head * Math.cos(turn + side), tip[1] - head * Math.sin(turn + side));
        }
      }
      to.stroke();
    }
  }
}
