// SPDX-License-Identifier: Apache-2.0
// Draws frames by WebGL 2, with a texture of indices, one of agents and one of 256 colours. A place is a square with
// sharp edges. A pixel of the screen that an edge crosses gets a mixed colour.

const vertices = `#version 300 es
uniform vec4 rectangle; // in clip coordinates: x, y, width, height
uniform vec2 texels;
out vec2 at;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  gl_Position = vec4(rectangle.xy + corner * rectangle.zw, 0, 1);
  at = corner * texels;
}`;

const fragments = `#version 300 es
precision highp float;
precision highp usampler2D;
uniform usampler2D frame, agents;
uniform sampler2D palette;
uniform vec2 pixels;      // of the screen, for one of the frame's
uniform int people;       // 0: none, 1: how many, 2: the colour's index
uniform float everybody;  // as many agents fill a pixel of the frame
uniform vec3 ink;
in vec2 at;
out vec4 colour;

vec3 look(ivec2 p) {
  ivec2 q = clamp(p, ivec2(0), textureSize(frame, 0) - 1);
  vec3 here = texelFetch(palette, ivec2(texelFetch(frame, q, 0).r, 0), 0).rgb;
  if (people == 0) return here;
  uint found = texelFetch(agents, q, 0).r;
  vec2 inside = floor((at - vec2(p)) * pixels), margin = floor(pixels / 4.0);
  if (found == 0u || any(lessThan(inside, margin)) || any(greaterThanEqual(inside, ceil(pixels - margin))))
    return here;
  if (people == 2) return texelFetch(palette, ivec2(found, 0), 0).rgb;
  return mix(here, ink, clamp(float(found) / everybody, 0.35, 1.0));
}

void main() {
  vec2 low = at - 0.5 / pixels, high = at + 0.5 / pixels;
  ivec2 a = ivec2(floor(low + 0.02)), b = ivec2(floor(high - 0.02));
  vec2 part = vec2(b.x > a.x ? (high.x - float(b.x)) * pixels.x : 0.0,
                   b.y > a.y ? (high.y - float(b.y)) * pixels.y : 0.0);
  if (a == b) { colour = vec4(look(a), 1); return; }
  vec3 above = mix(look(a), look(ivec2(b.x, a.y)), part.x), below = mix(look(ivec2(a.x, b.y)), look(b), part.x);
  colour = vec4(mix(above, below, part.y), 1);
}`;

// Throws, with the compiler's words, if the source is wrong.
function compile(gl, kind, source) {
  const shader = gl.createShader(kind);
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
  return shader;
}

export class GlPainter {
  // Throws if there is no WebGL 2.
  constructor(canvas) {
    const gl = canvas.getContext('webgl2', {alpha: true, antialias: false, preserveDrawingBuffer: true});
    if (!gl) throw new Error('no WebGL 2');
    this.gl = gl;
    this.start();
    canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
    canvas.addEventListener('webglcontextrestored', () => { this.start(); this.renew?.(); });
  }

  start() {
    const gl = this.gl, program = gl.createProgram();
    gl.attachShader(program, compile(gl, gl.VERTEX_SHADER, vertices));
    gl.attachShader(program, compile(gl, gl.FRAGMENT_SHADER, fragments));
    gl.linkProgram(program);
    gl.useProgram(program);
    this.at = {};
    for (const name of ['rectangle', 'texels', 'frame', 'agents', 'palette', 'pixels', 'people', 'everybody', 'ink'])
      this.at[name] = gl.getUniformLocation(program, name);
    gl.uniform1i(this.at.frame, 0);
    gl.uniform1i(this.at.agents, 1);
    gl.uniform1i(this.at.palette, 2);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    this.textures = [0, 1, 2].map((unit) => this.texture(unit));
    this.shown = null;
  }

  // Returns a new texture of one byte, 0, and binds it to a unit.
  texture(unit) {
    const gl = this.gl, texture = gl.createTexture();
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    for (const [name, value] of [[gl.TEXTURE_MIN_FILTER, gl.NEAREST], [gl.TEXTURE_MAG_FILTER, gl.NEAREST],
      [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE]])
      gl.texParameteri(gl.TEXTURE_2D, name, value);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R8UI, 1, 1, 0, gl.RED_INTEGER, gl.UNSIGNED_BYTE, new Uint8Array(1));
    return texture;
  }

  // Loads bytes into a texture.
  bytes(unit, width, height, bytes) {
    const gl = this.gl;
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R8UI, width, height, 0, gl.RED_INTEGER, gl.UNSIGNED_BYTE, bytes);
  }

  // colours: [[r, g, b], ...], at most 256
  palette(colours) {
    const gl = this.gl, all = new Uint8Array(1024).fill(255);
    colours.forEach((rgb, i) => all.set(rgb, 4 * i));
    gl.activeTexture(gl.TEXTURE2);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, all);
  }

  begin() {
    const gl = this.gl;
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.disable(gl.SCISSOR_TEST);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.enable(gl.SCISSOR_TEST);
  }

  // Draws world `i` of a frame into a tile of the canvas. lies: the result of Camera.frame.
  draw(frame, i, tile, lies, ink) {
    const gl = this.gl, height = gl.drawingBufferHeight, width = gl.drawingBufferWidth;
    this.bytes(0, frame.width, frame.height, frame.places[i]);
    const people = frame.agents ? (frame.indexed ? 2 : 1) : 0;
    if (people) this.bytes(1, frame.width, frame.height, frame.agents[i]);
    gl.scissor(tile.x, height - tile.y - tile.h, tile.w, tile.h);
    const x = tile.x + lies.x, y = tile.y + lies.y;
    gl.uniform4f(this.at.rectangle, 2 * x / width - 1, 1 - 2 * y / height, 2 * lies.w / width, -2 * lies.h / height);
    gl.uniform2f(this.at.texels, lies.w / lies.sx, lies.h / lies.sy);
    gl.uniform2f(this.at.pixels, Math.max(lies.sx, 1), Math.max(lies.sy, 1));
    gl.uniform1i(this.at.people, people);
    gl.uniform1f(this.at.everybody, Math.min(255, Math.max(1, frame.every * frame.every / 2)));
    gl.uniform3f(this.at.ink, ink[0] / 255, ink[1] / 255, ink[2] / 255);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }
}
