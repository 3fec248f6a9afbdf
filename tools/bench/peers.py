#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Life by the array libraries of this Python, for mass-bench.

    peers.py DEVICE          finds JAX, CuPy and torch for the device, cpu or cuda:N
    peers.py DEVICE SIZE     and measures the cells a second of each at SIZE x SIZE

Prints one JSON object: for each library {"version": V}, with "cells_per_s": R if a size was given, or {"missing":
why}. A rate is the median of five runs after a warm-up, each of as many steps as take SHORTEST seconds. A library
has a rate only if it computes the same cells as the loop of `plain`.
"""
import json
import os
import random
import sys
import time

SHORTEST = 0.2  # least seconds of steps that are measured
RUNS = 5
CHECKED = 24, 8  # extent, steps


def plain(rows, steps):
    """The rule, cell by cell."""
    n = len(rows)
    for _ in range(steps):
        around = lambda y, x: sum(rows[(y + dy) % n][(x + dx) % n] for dy in (-1, 0, 1) for dx in (-1, 0, 1)
                                  if dy or dx)
        rows = [[int(around(y, x) == 3 or (around(y, x) == 2 and rows[y][x])) for x in range(n)] for y in range(n)]
    return rows


class Jax:
    """Shifted arrays, jitted: many steps in one call."""

    def __init__(self, device):
        kind, _, number = device.partition(":")
        if kind == "cpu":
            os.environ["JAX_PLATFORMS"] = "cpu"
        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
        import jax
        self.jax, self.version = jax, jax.__version__
        self.device = jax.devices("cpu" if kind == "cpu" else "gpu")[int(number or 0)]
        jnp = jax.numpy

        def step(_, b):
            around = sum(jnp.roll(b, (dy, dx), (0, 1)) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx)
            return ((around == 3) | ((around == 2) & (b == 1))).astype(jnp.uint8)

        self.run = jax.jit(lambda b, steps: jax.lax.fori_loop(0, steps, step, b))

    def take(self, cells):
        return self.jax.device_put(cells, self.device)

    def advance(self, cells, steps):
        return self.run(cells, steps).block_until_ready()

    def give(self, cells):
        return [[int(v) for v in row] for row in cells]


class Cupy:
    """A kernel with a thread for each cell."""

    CODE = r"""
extern "C" __global__ void step(const unsigned char *now, unsigned char *next, int n)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n) return;
    const int left = x ? x - 1 : n - 1, right = x + 1 < n ? x + 1 : 0;
    const unsigned char *row = now + (size_t)y * n;
    const unsigned char *above = now + (size_t)(y ? y - 1 : n - 1) * n;
    const unsigned char *below = now + (size_t)(y + 1 < n ? y + 1 : 0) * n;
    const int around = above[left] + above[x] + above[right] + row[left] + row[right] + below[left] + below[x] +
                       below[right];
    next[(size_t)y * n + x] = around == 3 || (around == 2 && row[x]);
}
"""

    def __init__(self, device):
        import cupy
        kind, _, number = device.partition(":")
        if kind == "cpu":
            raise ImportError("it has no CPU")
        self.cupy, self.version = cupy, cupy.__version__
        cupy.cuda.Device(int(number or 0)).use()
        self.kernel = cupy.RawKernel(self.CODE, "step")

    def take(self, cells):
        return self.cupy.asarray(cells)

    def advance(self, cells, steps):
        n = cells.shape[0]
        now, next_ = cells, self.cupy.empty_like(cells)
        for _ in range(steps):
            self.kernel(((n + 31) // 32, (n + 7) // 8), (32, 8), (now, next_, self.cupy.int32(n)))
            now, next_ = next_, now if now is not cells else self.cupy.empty_like(cells)
        self.cupy.cuda.Device().synchronize()
        return now

    def give(self, cells):
        return [[int(v) for v in row] for row in self.cupy.asnumpy(cells)]


class Torch:
    """A convolution of halves on a GPU, of floats on a CPU."""

    def __init__(self, device):
        import torch
        if device != "cpu" and not torch.cuda.is_available():
            raise ImportError("it finds no GPU")
        self.torch, self.version, self.device = torch, torch.__version__, device
        self.type = torch.float32 if device == "cpu" else torch.float16
        self.weights = torch.ones(1, 1, 3, 3, device=device, dtype=self.type)

    def take(self, cells):
        return self.torch.tensor(cells, device=self.device).to(self.type)[None, None]

    def advance(self, cells, steps):
        functional = self.torch.nn.functional
        with self.torch.no_grad():
            for _ in range(steps):
                all_nine = functional.conv2d(functional.pad(cells, (1, 1, 1, 1), mode="circular"), self.weights)
                around = all_nine - cells
                cells = ((around == 3) | ((around == 2) & (cells == 1))).to(self.type)
        if self.device != "cpu":
            self.torch.cuda.synchronize()
        return cells

    def give(self, cells):
        return [[int(v) for v in row] for row in cells[0, 0].cpu().tolist()]


def check(peer):
    """Raises ArithmeticError if a peer computes other cells than the plain loop."""
    import numpy
    extent, steps = CHECKED
    draw = random.Random(1)
    rows = [[int(draw.random() < 0.35) for _ in range(extent)] for _ in range(extent)]
    cells = peer.take(numpy.array(rows, dtype=numpy.uint8))
    if peer.give(peer.advance(cells, steps)) != plain(rows, steps):
        raise ArithmeticError("it computes other cells")


def measure(peer, size):
    """The cells a second of a peer: the median of several runs of one soup."""
    import numpy
    soup = numpy.random.default_rng(1).random((size, size), dtype=numpy.float32) < 0.25
    cells = peer.take(soup.astype(numpy.uint8))
    steps, seconds, rates = 1, 0.0, []
    while True:  # the first run of each number of steps also warms up
        peer.advance(cells, steps)
        began = time.perf_counter()
        peer.advance(cells, steps)
        seconds = time.perf_counter() - began
        if seconds >= SHORTEST:
            break
        steps = max(2 * steps, int(1.2 * steps * SHORTEST / max(seconds, 1e-6)))
    for _ in range(RUNS):
        began = time.perf_counter()
        peer.advance(cells, steps)
        rates.append(size * size * steps / (time.perf_counter() - began))
    return sorted(rates)[RUNS // 2]


def main(device, size=None):
    """Prints one JSON object: for each peer its version and speed, or why it is missing."""
    answer = {}
    for name, kind in (("jax", Jax), ("cupy", Cupy), ("torch", Torch)):
        try:
            peer = kind(device)
            answer[name] = {"version": peer.version}
            if size:
                check(peer)
                answer[name]["cells_per_s"] = measure(peer, int(size))
        except Exception as problem:  # if one fails for any reason, the others are measured
            answer[name] = {"missing": (str(problem).splitlines() or [type(problem).__name__])[0][:200]}
    print(json.dumps(answer))


if __name__ == "__main__":
    main(*sys.argv[1:])
