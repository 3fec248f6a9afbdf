# SPDX-License-Identifier: Apache-2.0
"""The mean courses of boltzmann are those of plain programs with random numbers of their own:

    course.py ENGINE PLUGIN

People give on their place, all at once and in turn: 100 worlds of the engine, and 100 runs of the plain program."""
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "../standard"))
import courses  # noqa: E402

SIDE, PEOPLE, STEPS, RUNS, SEEN = 10, 100, 100, 100, (1, 2, 5, 10, 20, 40, 60, 100)
NAMES = ("poor", "richest")


def at_once(seed):
    """Returns how many have nothing, and what the richest has, at the steps SEEN."""
    draw = random.Random(seed)
    at = [(draw.randrange(SIDE), draw.randrange(SIDE)) for _ in range(PEOPLE)]
    wealth, course = [1] * PEOPLE, {}
    for step in range(1, STEPS + 1):
        here = {}
        for i, (x, y) in enumerate(at):
            at[i] = (x + draw.choice((-1, 0, 1))) % SIDE, (y + draw.choice((-1, 0, 1))) % SIDE
            here.setdefault(at[i], []).append(i)
        for giver in [i for i in range(PEOPLE) if wealth[i]]:
            wealth[giver] -= 1
            wealth[draw.choice(here[at[giver]])] += 1
        if step in SEEN:
            course[step] = (wealth.count(0), max(wealth))
    return course


def in_turn(seed):
    """Returns the same of people who act one after the other, and give to another one on their place."""
    draw = random.Random(seed)
    at, here = [None] * PEOPLE, {(x, y): set() for x in range(SIDE) for y in range(SIDE)}
    wealth, order, course = [1] * PEOPLE, list(range(PEOPLE)), {}
    for i in order:
        at[i] = draw.randrange(SIDE), draw.randrange(SIDE)
        here[at[i]].add(i)
    for step in range(1, STEPS + 1):
        draw.shuffle(order)
        for i in order:
            x, y = at[i]
            here[at[i]].remove(i)
            at[i] = (x + draw.choice((-1, 0, 1))) % SIDE, (y + draw.choice((-1, 0, 1))) % SIDE
            others = here[at[i]]
            if wealth[i] and others:
                wealth[i] -= 1
                wealth[draw.choice(list(others))] += 1
            others.add(i)
        if step in SEEN:
            course[step] = (wealth.count(0), max(wealth))
    return course


def engine(activation):
    return courses.of_engine(sys.argv[1], sys.argv[2], f"--size {SIDE}x{SIDE} --steps {STEPS} --set people={PEOPLE} "
                             f"--set to=place --set activation={activation}", RUNS, 1, NAMES)


def main():
    seeds = range(RUNS)
    courses.expect_same(courses.side_by_side(engine("all"), engine("turn")),
                        courses.side_by_side(map(at_once, seeds), map(in_turn, seeds)), SEEN,
                        [*NAMES, *(f"{name} in turn" for name in NAMES)])


main()
