# SPDX-License-Identifier: Apache-2.0
"""The mean course of wolf-sheep is that of a plain program with random numbers of its own:

    course.py ENGINE PLUGIN

The small case of the field's comparison: 100 worlds of the engine, and 100 runs of the plain program."""
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "../standard"))
import courses  # noqa: E402

SIDE, STEPS, RUNS, SEEN = 25, 100, 100, (5, 10, 20, 40, 60, 80, 100)
SHEEP, WOLVES, GRASS_ENERGY, SHEEP_ENERGY, REGROWTH, LAMBS, CUBS = 60, 40, 5, 13, 20, 0.2, 0.1
WAYS = [(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy]
NAMES = ("sheep", "wolves", "grass")


def animals(draw, count, energy):
    """[x, y, energy] of each."""
    return [[draw.randrange(SIDE), draw.randrange(SIDE), draw.random() * 2 * energy] for _ in range(count)]


def walk(draw, herd):
    """Returns those on each place."""
    places = {}
    for one in herd:
        dx, dy = draw.choice(WAYS)
        x, y = one[0] + dx, one[1] + dy
        if 0 <= x < SIDE and 0 <= y < SIDE:
            one[0], one[1] = x, y
        one[2] -= 1
        places.setdefault((one[0], one[1]), []).append(one)
    return places


def live(draw, herd, births):
    """Returns those who have not starved, and their young ones."""
    alive = [one for one in herd if one[2] >= 0]
    young = []
    for one in alive:
        if draw.random() < births:
            one[2] /= 2
            young.append(list(one))
    return alive + young


def plain(seed):
    """Returns the numbers of sheep, of wolves and of places with grass, at the steps SEEN."""
    draw = random.Random(seed)
    bare = [[0 if draw.random() < 0.5 else draw.randrange(REGROWTH + 1) for _ in range(SIDE)] for _ in range(SIDE)]
    sheep, wolves, course = animals(draw, SHEEP, GRASS_ENERGY), animals(draw, WOLVES, SHEEP_ENERGY), {}
    for step in range(1, STEPS + 1):
        prey, hunters = walk(draw, sheep), walk(draw, wolves)
        bare = [[max(0, left - 1) for left in row] for row in bare]
        left = []
        for place in prey:
            here = prey[place]
            for wolf in hunters.get(place, ()):
                if here:
                    here.pop()
                    wolf[2] += SHEEP_ENERGY
            if here and bare[place[1]][place[0]] == 0:
                bare[place[1]][place[0]] = REGROWTH
                here[0][2] += GRASS_ENERGY
            left += here
        sheep, wolves = live(draw, left, LAMBS), live(draw, wolves, CUBS)
        if step in SEEN:
            course[step] = (len(sheep), len(wolves), sum(row.count(0) for row in bare))
    return course


def main():
    ours = courses.of_engine(sys.argv[1], sys.argv[2], f"--size {SIDE}x{SIDE} --steps {STEPS} --set sheep={SHEEP} "
                             f"--set wolves={WOLVES} --set regrowth={REGROWTH} --set sheep_births={LAMBS} "
                             f"--set wolf_births={CUBS}", RUNS, 5, NAMES)
    courses.expect_same(ours, [plain(seed) for seed in range(RUNS)], SEEN, NAMES)


main()
