# SPDX-License-Identifier: Apache-2.0
"""The mean courses of schelling are those of plain programs with random numbers of their own:

    course.py ENGINE PLUGIN

The small case of the field's comparison, all at once and in turn: 40 worlds of the engine, and 40 runs of the plain
program."""
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "../standard"))
import courses  # noqa: E402

SIDE, HOUSEHOLDS, NEEDS, TRIES, WITHIN, STEPS, RUNS, SEEN = 40, 1000, 3, 3, 4, 12, 40, (1, 2, 3, 4, 6, 8, 12)
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


def settle(draw):
    """Returns the kinds of the households, by their places."""
    return {place: draw.randrange(2)
            for place in draw.sample([(x, y) for y in range(SIDE) for x in range(SIDE)], HOUSEHOLDS)}


def look(kinds, place):
    """Returns 1 if a household is unhappy, else 0, its neighbours of its own kind, and all of them."""
    x, y = place
    near = [kinds.get((x + dx, y + dy)) for dx, dy in AROUND]
    same = near.count(kinds[place])
    return int(same < NEEDS), same, len(AROUND) - near.count(None)


def at_once(seed):
    """Returns how many are unhappy, and sums over all of neighbours alike and of neighbours, at the steps SEEN."""
    draw = random.Random(seed)
    kinds, course = settle(draw), {}
    for step in range(1, STEPS + 1):
        looks = {place: look(kinds, place) for place in kinds}
        course[step] = tuple(sum(values) for values in zip(*looks.values()))
        unhappy = [place for place, (wants, _, _) in looks.items() if wants]
        for _ in range(TRIES):
            unhappy = move(draw, kinds, unhappy)
    return course


def in_turn(seed):
    """Returns the same of households that move one after the other, to a free place up to WITHIN away."""
    draw = random.Random(seed)
    kinds, course = settle(draw), {}
    for step in range(1, STEPS + 1):
        seen = (0, 0, 0)
        order = list(kinds)
        draw.shuffle(order)
        for place in order:
            found = look(kinds, place)
            seen = tuple(a + b for a, b in zip(seen, found))
            if found[0]:
                x, y = place
                free = [(i, j) for i in range(max(0, x - WITHIN), min(SIDE, x + WITHIN + 1))
                        for j in range(max(0, y - WITHIN), min(SIDE, y + WITHIN + 1)) if (i, j) not in kinds]
                if free:
                    kinds[draw.choice(free)] = kinds.pop(place)
        course[step] = seen
    return course


def engine(activation):
    return courses.of_engine(sys.argv[1], sys.argv[2], f"--size {SIDE}x{SIDE} --steps {STEPS} --set needs={NEEDS} "
                             f"--set households={HOUSEHOLDS} --set within={WITHIN} --set activation={activation}", RUNS,
                             1, NAMES)


def main():
    seeds = range(RUNS)
    courses.expect_same(courses.side_by_side(engine("all"), engine("turn")),
                        courses.side_by_side(map(at_once, seeds), map(in_turn, seeds)), SEEN,
                        [*NAMES, *(f"{name} in turn" for name in NAMES)])


main()
