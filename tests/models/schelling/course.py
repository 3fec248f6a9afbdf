# SPDX-License-Identifier: Apache-2.0
"""The mean course of schelling is that of a plain program with random numbers of its own:

    course.py ENGINE PLUGIN

The small case of the field's comparison: 40 worlds of the engine, and 40 runs of the plain program."""
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "../standard"))
import courses  # noqa: E402

SIDE, HOUSEHOLDS, NEEDS, TRIES, STEPS, RUNS, SEEN = 40, 1000, 3, 3, 12, 40, (1, 2, 3, 4, 6, 8, 12)
NAMES = ("unhappy", "alike", "neighbours")
AROUND = [(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy]


def move(draw, kinds, movers):
    """Each draws a free place; one of those who draw the same gets it. Returns those who got none."""
    free = [(x, y) for y in range(SIDE) for x in range(SIDE) if (x, y) not in kinds]
    asked = {}
    for mover in movers:
        asked.setdefault(draw.choice(free), []).append(mover)
    left = []
    for place, who in asked.items():
        chosen = draw.randrange(len(who))
        kinds[place] = kinds.pop(who[chosen])
        left += who[:chosen] + who[chosen + 1:]
    return left


def plain(seed):
    """Returns how many are unhappy, and sums over all of neighbours alike and of neighbours, at the steps SEEN."""
    draw = random.Random(seed)
    kinds = {place: draw.randrange(2)
             for place in draw.sample([(x, y) for y in range(SIDE) for x in range(SIDE)], HOUSEHOLDS)}
    course = {}
    for step in range(1, STEPS + 1):
        unhappy, alike, neighbours = [], 0, 0
        for (x, y), kind in kinds.items():
            near = [kinds.get((x + dx, y + dy)) for dx, dy in AROUND]
            same = near.count(kind)
            alike += same
            neighbours += len(AROUND) - near.count(None)
            if same < NEEDS:
                unhappy.append((x, y))
        course[step] = (len(unhappy), alike, neighbours)
        for _ in range(TRIES):
            unhappy = move(draw, kinds, unhappy)
    return course


def main():
    ours = courses.of_engine(sys.argv[1], sys.argv[2], f"--size {SIDE}x{SIDE} --steps {STEPS} --set needs={NEEDS} "
                             f"--set households={HOUSEHOLDS}", RUNS, 1, NAMES)
    courses.expect_same(ours, [plain(seed) for seed in range(RUNS)], SEEN, NAMES)


main()
