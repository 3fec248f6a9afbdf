# SPDX-License-Identifier: Apache-2.0
"""The mean course of boltzmann is that of a plain program with random numbers of its own:

    course.py ENGINE PLUGIN

People give on their place: 100 worlds of the engine, and 100 runs of the plain program."""
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "../standard"))
import courses  # noqa: E402

SIDE, PEOPLE, STEPS, RUNS, SEEN = 10, 100, 60, 100, (1, 2, 5, 10, 20, 40, 60)
NAMES = ("poor", "richest")


def plain(seed):
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


def main():
    ours = courses.of_engine(sys.argv[1], sys.argv[2], f"--size {SIDE}x{SIDE} --steps {STEPS} --set people={PEOPLE} "
                             "--set to=place", RUNS, 1, NAMES)
    courses.expect_same(ours, [plain(seed) for seed in range(RUNS)], SEEN, NAMES)


main()
