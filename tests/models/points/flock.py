#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does steps of boids in NumPy, with floats and in the same order, and compares every bit.

Usage: flock.py ENGINE PLUGIN-FOLDER"""
import glob
import os
import subprocess
import sys
import tempfile

import h5py
import numpy

SIZE, CELL, STEPS = 6, 5.0, 8
F = numpy.float32
LENGTH = F(SIZE * CELL)


def states(folder):
    """Returns positions and headings at each step, by id."""
    found = []
    for path in sorted(glob.glob(os.path.join(folder, "*.h5"))):
        with h5py.File(path) as file:
            agents = file["agents/birds"]
            order = numpy.argsort(agents["id"][:])
            found.append((agents["position"][:][order], agents["heading"][:][order]))
    return found


def way(d):
    """Returns the shorter way round."""
    return numpy.where(d >= LENGTH / 2, d - LENGTH, numpy.where(d < -LENGTH / 2, d + LENGTH, d)).astype(F)


def wrap(v):
    if 0 <= v < LENGTH:
        return v
    v = F(v - F(numpy.floor(F(v / LENGTH)) * LENGTH))
    return v if 0 <= v < LENGTH else F(0)


def offset(there, here):
    by = there - here
    return by - SIZE if 2 * by >= SIZE else by + SIZE if 2 * by < -SIZE else by


def step(position, heading):
    """Returns the next state. Birds come in the order of a search: by cell, along y and x, and by id."""
    cell = numpy.minimum((position.astype(float) / CELL).astype(int), SIZE - 1)
    after, turned = position.copy(), heading.copy()
    for i in range(len(position)):
        away = way(position - position[i])
        square = (away[:, 0] * away[:, 0]).astype(F) + (away[:, 1] * away[:, 1]).astype(F)
        near = []
        for j in numpy.nonzero(square <= F(5) * F(5))[0]:
            by = [offset(cell[j][a], cell[i][a]) for a in (0, 1)]
            if j != i and max(map(abs, by)) <= 1:
                near.append((by[1], by[0], j))
        sums = {name: numpy.zeros(2, F) for name in ("to", "apart", "along")}
        for _, _, j in sorted(near):
            sums["to"] = (sums["to"] + away[j]).astype(F)
            sums["along"] = (sums["along"] + heading[j]).astype(F)
            if square[j] < F(1):
                sums["apart"] = (sums["apart"] - away[j]).astype(F)
        share = F(max(len(near), 1))
        v = (heading[i] + (sums["to"] * F(0.03) + sums["apart"] * F(0.015) + sums["along"] * F(0.05)) / share).astype(F)
        length = numpy.sqrt(F(F(v[0] * v[0]) + F(v[1] * v[1])))
        if length > 0:
            turned[i] = v / length
        after[i] = [wrap(F(position[i][a] + turned[i][a])) for a in (0, 1)]
    return after, turned


def main(engine, plugins):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([engine, "--plugin", os.path.join(plugins, "boids.so"), "--size", f"{SIZE}x{SIZE}", "--seed",
                        "3",
                        "--set", "birds=150", "--steps", str(STEPS), "--checkpoint", folder, "--checkpoint-every", "1",
                        "--keep", "0", "--quiet"],
                       check=True)
        found = states(folder)
    assert len(found) >= STEPS, f"{len(found)} checkpoints"
    for k in range(1, len(found)):
        position, heading = step(*found[k - 1])
        assert (position == found[k][0]).all(), f"positions differ after {k} steps"
        assert (heading == found[k][1]).all(), f"headings differ after {k} steps"


main(*sys.argv[1:])
