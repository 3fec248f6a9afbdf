// SPDX-License-Identifier: Apache-2.0
// What lies over the picture besides the place in sight: each layer draws itself, from the newest frame on.

// layers: {draw(to, ratio)}; place.mark calls them.
export class Layers {
  constructor() { this.list = []; }

  add(layer) { this.list.push(layer); }

  draw(to, ratio) { for (const layer of this.list) layer.draw(to, ratio); }
}

// Draws within a tile alone.
export function within(to, tile, draw) {
  to.save();
  to.beginPath();
  to.rect(tile.x, tile.y, tile.w, tile.h);
  to.clip();
  draw();
  to.restore();
}

// A line that is seen on any colour.
export function outlined(to, ratio, width, path, colour = '#fff') {
  for (const [ink, more] of [['#000', 2], [colour, 0]]) {
    to.strokeStyle = ink;
    to.lineWidth = (width + more) * ratio;
    to.beginPath();
    path();
    to.stroke();
  }
}
