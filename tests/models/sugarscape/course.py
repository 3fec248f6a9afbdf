# SPDX-License-Identifier: Apache-2.0
"""The mean course of sugarscape in turn is that of a plain program with random numbers of its own:

    course.py ENGINE PLUGIN

The book's 400 ants on 50x50 places: 100 worlds of the engine, and 30 runs of the plain program."""
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "../standard"))
import courses  # noqa: E402

SIDE, ANTS, SIGHT, MOST, STEPS, WORLDS, RUNS, SEEN = 50, 400, 6, 4, 150, 100, 30, (1, 3, 10, 30, 60, 100, 150)
NAMES = ("ants", "sugar", "wealth")


def height(x, y):
    """Returns the sugar that a place can hold: two hills with terraces of equal area."""
    def square_to(at, quarters):
        away = abs(4 * at / SIDE - quarters)
        return min(away, 4 - away) ** 2
    near = min(square_to(x, 3) + square_to(y, 1), square_to(x, 1) + square_to(y, 3))
    return min(MOST, int((MOST + 1) * max(0, 1 - near / 2)))


HEIGHTS = [height(p % SIDE, p // SIDE) for p in range(SIDE * SIDE)]
# The four places at each distance from a place.
AROUND = [[[(y * SIDE + (x + far) % SIDE), (y * SIDE + (x - far) % SIDE), ((y + far) % SIDE * SIDE + x),
            ((y - far) % SIDE * SIDE + x)] for far in range(1, SIGHT + 1)] for y in range(SIDE) for x in range(SIDE)]


def plain(seed):
    """Returns the ants, the sugar on the places and the wealth of all ants at the steps SEEN."""
    draw = random.Random(seed)
    sugar, course = HEIGHTS[:], {}
    taken = [False] * SIDE * SIDE
    ants = [[p, draw.randint(1, SIGHT), draw.randint(1, 4), draw.randint(5, 25)]
            for p in draw.sample(range(SIDE * SIDE), ANTS)]
    for ant in ants:
        taken[ant[0]] = True
    for step in range(1, STEPS + 1):
        sugar = [now + (now < most) for now, most in zip(sugar, HEIGHTS)]
        draw.shuffle(ants)
        for ant in ants:
            place, vision, metabolism, wealth = ant
            best, to = sugar[place], [place]
            for four in AROUND[place][:vision]:
                if best == MOST:
                    break
                for p in four:
                    if sugar[p] > best and not taken[p]:
                        best, to = sugar[p], [p]
                    elif sugar[p] == best and not taken[p] and to[0] in four:
                        to.append(p)
            taken[place] = False
            ant[0] = place = to[0] if len(to) == 1 else draw.choice(to)
            ant[3] = wealth + best - metabolism
            sugar[place] = 0
            taken[place] = ant[3] > 0
        ants = [ant for ant in ants if ant[3] > 0]
        if step in SEEN:
            course[step] = (len(ants), sum(sugar), sum(ant[3] for ant in ants))
    return course


def main():
    ours = courses.of_engine(sys.argv[1], sys.argv[2], f"--size {SIDE}x{SIDE} --steps {STEPS} --set ants={ANTS} "
                             "--set activation=turn", WORLDS, 1, NAMES)
    courses.expect_same(ours, [plain(seed) for seed in range(RUNS)], SEEN, NAMES)


main()
