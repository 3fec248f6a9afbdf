// SPDX-License-Identifier: Apache-2.0
// Mouse, fingers and keys on the picture: they move the camera and choose a place.
import {byId} from './text.js';

// place: see place.js.
export function listen(picture, place) {
  const {canvas, camera} = picture, down = new Map();
  let turned = 0; // wheel clicks that have not been applied: touchpads send many small parts of a click
  let start = null, dragged = false, pinch = null; // where a finger touched, and whether it has moved since

  const at = (event) => {
    const box = canvas.getBoundingClientRect(), ratio = canvas.width / box.width;
    return [(event.clientX - box.left) * ratio, (event.clientY - box.top) * ratio];
  };
  // Returns the position of the canvas's pixel in its tile: all tiles show the same part.
  const inTile = ([x, y]) => {
    for (let i = 0; i < camera.count; i++) {
      const tile = camera.tile(i);
      if (x >= tile.x && x < tile.x + tile.w && y >= tile.y && y < tile.y + tile.h) return [x - tile.x, y - tile.y];
    }
    const tile = camera.tile(0);
    return [tile.w / 2, tile.h / 2];
  };
  const middle = () => {
    const tile = camera.tile(0);
    return [tile.w / 2, tile.h / 2];
  };

  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    turned += event.deltaMode === 0 ? event.deltaY / 100 : event.deltaY / 3;
    const where = inTile(at(event));
    if (event.ctrlKey) camera.zoom(camera.scale * Math.exp(-event.deltaY / 100), ...where); // pinching a touchpad
    else if (Math.abs(turned) < 0.5) return;
    else camera.zoomSteps(-Math.max(-3, Math.min(3, turned)), ...where);
    turned = 0;
    picture.moved();
  }, {passive: false});

  const hold = () => {
    const points = [...down.values()];
    if (points.length < 2) return null;
    const [[ax, ay], [bx, by]] = points;
    return {distance: Math.hypot(ax - bx, ay - by), x: (ax + bx) / 2, y: (ay + by) / 2};
  };

  canvas.addEventListener('pointerdown', (event) => {
    if (event.button > 0) return;
    canvas.setPointerCapture(event.pointerId);
    down.set(event.pointerId, at(event));
    if (down.size === 1) [start, dragged] = [at(event), false];
    pinch = hold();
  });
  canvas.addEventListener('pointermove', (event) => {
    const now = at(event), before = down.get(event.pointerId);
    if (!before) {
      place.hover(picture.placeAt(...now));
      return;
    }
    down.set(event.pointerId, now);
    if (down.size === 1) {
      const from = dragged ? before : start;
      dragged ||= Math.hypot(now[0] - from[0], now[1] - from[1]) >= 4 * (window.devicePixelRatio || 1);
      if (!dragged) return; // it is a click so far
      canvas.classList.add('moving');
      camera.pan(now[0] - from[0], now[1] - from[1]);
    } else {
      const held = hold();
      dragged = true;
      if (pinch && held.distance > 0) {
        camera.pan(held.x - pinch.x, held.y - pinch.y);
        camera.zoom(camera.scale * held.distance / pinch.distance, ...inTile([held.x, held.y]));
      }
      pinch = held;
    }
    picture.moved();
  });
  const up = (event) => {
    if (!down.delete(event.pointerId)) return;
    pinch = hold();
    if (down.size) return;
    canvas.classList.remove('moving');
    if (event.type === 'pointerup' && !dragged) place.pin(picture.placeAt(...at(event)));
  };
  canvas.addEventListener('pointerup', up);
  canvas.addEventListener('pointercancel', up);
  canvas.addEventListener('pointerleave', () => place.hover(null));

  const zoom = (steps) => camera.zoomSteps(steps, ...middle());
  const trueSize = () => camera.zoom(1, ...middle());
  const arrows = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
  canvas.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const arrow = arrows[event.key], {w, h} = camera.tile(0);
    if (arrow && event.shiftKey) place.step(...arrow);
    else if (arrow) camera.pan(-arrow[0] * w / 8, -arrow[1] * h / 8);
    else if (event.key === '+' || event.key === '=') zoom(1);
    else if (event.key === '-' || event.key === '_') zoom(-1);
    else if (event.key === '0') camera.whole();
    else if (event.key === '1') trueSize();
    else if (event.key === 'Enter') place.step(0, 0);
    else if (event.key === 'Escape') place.pin(null);
    else return;
    event.preventDefault();
    picture.moved();
  });

  const button = (id, act) => byId(id).addEventListener('click', () => { act(); picture.moved(); });
  button('closer', () => zoom(2));
  button('farther', () => zoom(-2));
  button('whole', () => camera.whole());
  button('true-size', trueSize);
  byId('pictures').addEventListener('change', (event) => {
    picture.choose(picture.model.pictures.find(({id}) => String(id) === event.target.value));
    place.renew();
  });
  byId('world').addEventListener('change', () => { place.pin(null); picture.frame = null; picture.resize(); });
  byId('agents').addEventListener('change', () => picture.look());
  byId('slice').addEventListener('input', () => { picture.moved(); place.renew(); });
  byId('choose').addEventListener('submit', (event) => event.preventDefault());
}
