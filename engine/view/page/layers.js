// SPDX-License-Identifier: Apache-2.0
// Layers over the picture. Each draws itself, again for every new frame.

// layers: {draw(to, ratio)}; called by place.mark.
export class Layers {
  constructor() { this.list = []; }

  add(layer) { this.list.push(layer); }

  draw(to, ratio) { for (const layer of this.list) layer.draw(to, ratio); }
}

// Draws, clipped to a tile.
export function within(to, tile, draw) {
  to.save();
  to.beginPath();
  to.rect(tile.x, tile.y, tile.w, tile.h);
  to.clip();
  draw();
  to.restore();
}

// Strokes a path that is visible on any colour. path(): adds it; it is called twice.
export function outlined(to, ratio, width, path, colour = '#fff') {
  for (const [ink, more] of [['#000', 2], [colour, 0]]) {
    to.strokeStyle = ink;
    to.lineWidth = (width + more) * ratio;
    to.beginPath();
    path();
    to.stroke();
  }
}
