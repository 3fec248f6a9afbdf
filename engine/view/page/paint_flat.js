// SPDX-License-Identifier: Apache-2.0
// Draws frames on a 2-D canvas, without WebGL. Does what paint_gl.js does, but mixes no colours at edges of places.

export class FlatPainter {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext('2d');
    this.sheet = document.createElement('canvas');
    this.colours = [];
  }

  palette(colours) { this.colours = colours; }

  begin() { this.context.clearRect(0, 0, this.canvas.width, this.canvas.height); }

  draw(frame, i, tile, lies, ink) {
    const to = this.context;
    to.save();
    to.beginPath();
    to.rect(tile.x, tile.y, tile.w, tile.h);
    to.clip();
    to.imageSmoothingEnabled = false;
    this.spread(frame, (k) => this.colours[frame.places[i][k]] ?? [255, 255, 255]);
    const x = tile.x + lies.x, y = tile.y + lies.y, w = frame.width * lies.sx, h = frame.height * lies.sy;
    to.beginPath();
    to.rect(x, y, lies.w, lies.h); // the last pixels may extend beyond the space
    to.clip();
    to.drawImage(this.sheet, x, y, w, h);
    if (frame.agents) this.people(frame, frame.agents[i], x, y, lies, ink);
    to.restore();
  }

  // Draws the agents of a world: smaller squares, or whole pixels if there is no space for these.
  people(frame, agents, x, y, lies, ink) {
    const everybody = Math.max(1, frame.every * frame.every / 2);
    const colour = (k) => {
      if (!agents[k]) return [0, 0, 0, 0];
      if (frame.indexed) return this.colours[agents[k]] ?? [255, 255, 255];
      return [...ink, 255 * Math.min(Math.max(agents[k] / everybody, 0.35), 1)];
    };
    const mx = Math.floor(lies.sx / 4), my = Math.floor(lies.sy / 4);
    if (!mx && !my) {
      this.spread(frame, colour);
      this.context.drawImage(this.sheet, x, y, frame.width * lies.sx, frame.height * lies.sy);
      return;
    }
    for (let k = 0; k < agents.length; k++) {
      if (!agents[k]) continue;
      const [r, g, b, a = 255] = colour(k);
      this.context.fillStyle = `rgba(${r},${g},${b},${a / 255})`;
      this.context.fillRect(x + (k % frame.width) * lies.sx + mx, y + Math.floor(k / frame.width) * lies.sy + my,
        lies.sx - 2 * mx, lies.sy - 2 * my);
    }
  }

  // Writes a frame's pixels, one by one, to a canvas of its size.
  spread(frame, colour) {
    this.sheet.width = frame.width;
    this.sheet.height = frame.height;
    const pixels = new ImageData(frame.width, frame.height);
    for (let k = 0; k < frame.width * frame.height; k++) {
      const [r, g, b, a = 255] = colour(k);
      pixels.data.set([r, g, b, a], 4 * k);
    }
    this.sheet.getContext('2d').putImageData(pixels, 0, 0);
  }
}
