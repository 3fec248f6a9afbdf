// SPDX-License-Identifier: Apache-2.0
// The visible part of a space. Lengths on the screen are in its own pixels. With several worlds each has a tile of the
// canvas, and all tiles show the same part. In a space of one dimension, places are along x, and steps run down the
// tile, the newest last, as many as fit.

const CLOSEST = 96; // pixels of a place
const GAP = 6;      // pixels between tiles

export class Camera {
  constructor() {
    this.extent = [1, 1];
    this.line = false;  // the space has one dimension
    this.rows = 1;      // steps that a diagram shows
    this.scale = 1;     // pixels of a place
    this.centre = [0, 0];
    this.free = false;  // the centre may be anywhere, as for a followed agent
    this.fitted = true; // adapts to the size of the canvas
    this.canvas = [1, 1];
    this.count = 1;
  }

  // Shows all of another space, or of the same one with another extent.
  show(extent, line) {
    this.extent = extent;
    this.line = line;
    this.rows = 1;
    this.whole();
  }

  // count: of tiles. The whole space stays visible if it was.
  resize(width, height, count) {
    this.canvas = [width, height];
    this.count = count;
    if (this.fitted) this.whole();
    else this.clamp();
  }

  // Returns the box of tile i on the canvas, with the number of columns that makes tiles largest.
  tile(i) {
    const [width, height] = this.canvas;
    let best = null;
    for (let columns = 1; columns <= this.count; columns++) {
      const rows = Math.ceil(this.count / columns);
      const w = Math.floor((width - GAP * (columns - 1)) / columns);
      const h = Math.floor((height - GAP * (rows - 1)) / rows);
      const size = this.line ? Math.min(w, 4 * h) : Math.min(w / this.extent[0], h / this.extent[1]);
      if (!best || size > best.size) best = {size, columns, w: Math.max(w, 1), h: Math.max(h, 1)};
    }
    const {columns, w, h} = best;
    return {x: (i % columns) * (w + GAP), y: Math.floor(i / columns) * (h + GAP), w, h};
  }

  // Returns the scale at which the whole space fits a tile.
  fitting() {
    const {w, h} = this.tile(0), [width, height] = this.extent;
    const scale = this.line ? w / width : Math.min(w / width, h / height);
    return scale >= 6 ? Math.min(Math.floor(scale), CLOSEST) : scale;
  }

  // Shows the whole space.
  whole() {
    this.scale = this.fitting();
    this.centre = [this.extent[0] / 2, this.extent[1] / 2];
    this.fitted = true;
  }

  // Sets the scale, and keeps the place at (x, y) of tile 0 where it is.
  zoom(scale, x, y) {
    const {w, h} = this.tile(0), before = this.scale, least = Math.min(this.fitting(), 1);
    this.scale = Math.min(Math.max(scale, least), CLOSEST);
    const change = 1 / before - 1 / this.scale;
    this.centre[0] += (x - w / 2) * change;
    this.centre[1] += (y - h / 2) * change;
    this.fitted = false;
    this.clamp();
  }

  // Zooms by steps, for wheel and keys. Scales above 1.4 are rounded to whole pixels for each place.
  zoomSteps(steps, x, y) {
    let scale = this.scale * 1.3 ** steps;
    if (scale > 1.4) scale = steps > 0 ? Math.ceil(scale) : Math.floor(scale);
    this.zoom(scale, x, y);
  }

  // Moves the picture by so many pixels; in a line only along x.
  pan(dx, dy) {
    this.centre[0] -= dx / this.scale;
    if (!this.line) this.centre[1] -= dy / this.scale;
    this.fitted = false;
    this.clamp();
  }

  // Moves as little as needed to make a place visible.
  reveal(place) {
    const {w, h} = this.tile(0), size = [w, h];
    for (let axis = 0; axis < (this.line ? 1 : 2); axis++) {
      const half = size[axis] / this.scale / 2;
      if (place[axis] + 1 > this.centre[axis] + half) this.centre[axis] = place[axis] + 1 - half;
      if (place[axis] < this.centre[axis] - half) this.centre[axis] = place[axis] + half;
    }
    this.clamp();
  }

  // Keeps the space within the tile, or centres it if it is smaller.
  clamp() {
    if (this.free) return;
    const {w, h} = this.tile(0), size = [w, h];
    for (let axis = 0; axis < 2; axis++) {
      const half = size[axis] / this.scale / 2, extent = this.extent[axis];
      this.centre[axis] = 2 * half >= extent ? extent / 2
        : Math.min(Math.max(this.centre[axis], half), extent - half);
    }
  }

  // Returns the pixel of a tile at which the space begins; whole numbers, so that places are sharp.
  corner() {
    const {w, h} = this.tile(0);
    return [Math.round(w / 2 - this.centre[0] * this.scale), Math.round(h / 2 - this.centre[1] * this.scale)];
  }

  // Returns the pixels of a step in a diagram.
  rowHeight() {
    return Math.min(Math.max(Math.floor(this.tile(0).h / this.rows), 1), 16);
  }

  // Returns the box of places to request, and the most pixels for it: no more than the screen shows.
  box() {
    const {w, h} = this.tile(0), [left, top] = this.corner(), every = Math.max(1, Math.ceil(1 / this.scale));
    const along = (from, size, extent) => {
      const first = Math.max(0, Math.floor(-from / this.scale));
      const end = Math.min(extent, Math.ceil((size - from) / this.scale));
      const aligned = Math.floor(first / every) * every;
      return [aligned, Math.max(1, Math.min(extent, Math.ceil(end / every) * every) - aligned)];
    };
    const [x, width] = along(left, w, this.extent[0]);
    const pw = Math.min(Math.ceil(width / every), 4096);
    if (this.line) return {x, y: 0, w: width, h: Math.min(h, 4096), pw, ph: Math.min(h, 4096)};
    const [y, height] = along(top, h, this.extent[1]);
    return {x, y, w: width, h: height, pw, ph: Math.min(Math.ceil(height / every), 4096)};
  }

  // Returns the box of a frame in a tile: its corner, and the screen's pixels of each of its own along x and y.
  frame(frame) {
    const [left, top] = this.corner();
    if (this.line) {
      const row = this.rowHeight(), h = this.tile(0).h;
      return {x: left + frame.x * this.scale, y: Math.min(h - frame.height * row, 0),
        sx: this.scale * frame.every, sy: row, w: frame.w * this.scale, h: frame.height * row};
    }
    return {x: left + frame.x * this.scale, y: top + frame.y * this.scale, sx: this.scale * frame.every,
      sy: this.scale * frame.every, w: frame.w * this.scale, h: frame.h * this.scale};
  }

  // Returns the tile and the place at a pixel of the canvas, or null outside of all of them.
  placeAt(px, py) {
    for (let i = 0; i < this.count; i++) {
      const tile = this.tile(i), tx = px - tile.x, ty = py - tile.y;
      if (tx < 0 || ty < 0 || tx >= tile.w || ty >= tile.h) continue;
      const [left, top] = this.corner();
      const x = Math.floor((tx - left) / this.scale), y = this.line ? 0 : Math.floor((ty - top) / this.scale);
      return x < 0 || y < 0 || x >= this.extent[0] || y >= this.extent[1] ? null : {tile: i, x, y};
    }
    return null;
  }
}
