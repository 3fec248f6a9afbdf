# SPDX-License-Identifier: Apache-2.0
"""The mean course of el-farol is that of a plain program with random numbers of its own:

    course.py ENGINE PLUGIN

The small case of the field's comparison: 100 worlds of the engine, and 25 runs of the plain program."""
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "../standard"))
import courses  # noqa: E402

PEOPLE, STRATEGIES, MEMORY, CROWDED, STEPS, WORLDS, RUNS, SEEN = 100, 10, 5, 0.6, 30, 100, 25, (1, 2, 3, 5, 10, 20, 30)
NAMES = ("attendance", "visits")


class Strategy:
    """Weights of the last weeks, and a constant; what they foretold of the last weeks, the last one first."""

    def __init__(self, draw, past):
        self.weights = [draw.uniform(-1, 1) for _ in range(MEMORY)]
        self.constant = draw.uniform(-1, 1)
        self.foretold = [self.foretell(past[week + 1:]) for week in range(MEMORY)]

    def foretell(self, past):
        return self.constant + sum(weight * share for weight, share in zip(self.weights, past))

    def error(self, past):
        return sum(abs(share - foretold) for share, foretold in zip(past, self.foretold))


def plain(seed):
    """Returns how many are at the bar, and how many visits there were, at the steps SEEN."""
    draw = random.Random(seed)
    past = [draw.random() for _ in range(2 * MEMORY)]
    people = [[Strategy(draw, past) for _ in range(STRATEGIES)] for _ in range(PEOPLE)]
    course, visits = {}, 0
    for step in range(1, STEPS + 1):
        attendance = 0
        for strategies in people:
            best = min(strategies, key=lambda strategy: strategy.error(past))
            for strategy in strategies:
                strategy.foretold = [strategy.foretell(past)] + strategy.foretold[:-1]
            attendance += best.foretold[0] <= CROWDED
        past = [attendance / PEOPLE] + past[:-1]
        visits += attendance
        if step in SEEN:
            course[step] = (attendance, visits)
    return course


def main():
    ours = courses.of_engine(sys.argv[1], sys.argv[2], f"--steps {STEPS} --set people={PEOPLE}", WORLDS, 1, NAMES)
    courses.expect_same(ours, [plain(seed) for seed in range(RUNS)], SEEN, NAMES)


main()
