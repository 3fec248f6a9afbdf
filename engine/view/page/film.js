// SPDX-License-Identifier: Apache-2.0
// Records a movie of the picture with all its layers, from one press of the button to the next.
import {byId, duration, say} from './text.js';
import {saveBlob} from './save.js';

const RATE = 30;             // frames a second
const LONGEST = 30 * 60;     // seconds; the movie is kept in memory until it is saved
const BITS = 8e6;            // bits a second
const KINDS = ['video/webm;codecs=vp8', 'video/webm', 'video/mp4']; // VP8 needs the least time of the page

export class Film {
  // name(): name of the file, without its suffix
  constructor(picture, notice, name) {
    Object.assign(this, {picture, notice, name, recorder: null});
    this.kind = globalThis.MediaRecorder && KINDS.find((kind) => MediaRecorder.isTypeSupported(kind));
    byId('film').hidden = !this.kind;
    byId('film').addEventListener('click', () => (this.recorder ? this.end() : this.begin()));
  }

  // Does nothing if the picture has no size.
  begin() {
    const {canvas} = this.picture;
    if (!canvas.width) return;
    this.copy = document.createElement('canvas');
    [this.copy.width, this.copy.height] = [canvas.width & ~1, canvas.height & ~1]; // videos have even sizes
    this.to = this.copy.getContext('2d');
    const parts = [], stream = this.copy.captureStream(RATE);
    this.recorder = new MediaRecorder(stream, {mimeType: this.kind, videoBitsPerSecond: BITS});
    this.recorder.ondataavailable = ({data}) => { if (data.size) parts.push(data); };
    this.recorder.onerror = () => this.end();
    this.recorder.onstop = () => {
      for (const track of stream.getTracks()) track.stop();
      const end = this.kind.includes('mp4') ? 'mp4' : 'webm';
      if (parts.length) saveBlob(`${this.name()}.${end}`, new Blob(parts, {type: this.kind.split(';')[0]}));
      else this.notice('The browser recorded nothing.');
    };
    this.began = performance.now();
    this.frame();
    this.recorder.start(1000);
    byId('film').classList.add('main');
    byId('film').setAttribute('aria-pressed', 'true');
  }

  // Ends the movie, which the browser then saves.
  end() {
    const {recorder} = this;
    this.recorder = null;
    cancelAnimationFrame(this.next);
    if (recorder?.state === 'recording') recorder.stop();
    byId('film').classList.remove('main');
    byId('film').setAttribute('aria-pressed', 'false');
    say(byId('film'), 'Film');
  }

  // Draws a frame. The canvas may have changed its size: it is scaled to the movie's.
  frame() {
    const {picture, copy, to} = this, {canvas} = picture;
    const seconds = (performance.now() - this.began) / 1000;
    const scale = Math.min(copy.width / canvas.width, copy.height / canvas.height);
    const [w, h] = [canvas.width * scale, canvas.height * scale], x = (copy.width - w) / 2, y = (copy.height - h) / 2;
    to.fillStyle = getComputedStyle(byId('stage')).backgroundColor;
    to.fillRect(0, 0, copy.width, copy.height);
    if (canvas.width) for (const layer of [canvas, byId('marks')]) to.drawImage(layer, x, y, w, h);
    say(byId('film'), `Stop film, ${seconds < 1 ? '0 s' : duration(seconds)}`);
    if (seconds > LONGEST) this.end();
    else this.next = requestAnimationFrame(() => { if (this.recorder) this.frame(); });
  }
}
