# SPDX-License-Identifier: Apache-2.0
"""The mean courses of wolf-sheep are those of plain programs with random numbers of their own:

    course.py ENGINE PLUGIN

The small case of the field's comparison, all at once and in turn: 100 worlds of the engine, and 100 runs of the plain
program."""
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


def go(draw, one):
    """Takes one animal to one of the places around; returns its place."""
    dx, dy = draw.choice(WAYS)
    x, y = one[0] + dx, one[1] + dy
    if 0 <= x < SIDE and 0 <= y < SIDE:
        one[0], one[1] = x, y
    one[2] -= 1
    return one[0], one[1]


def walk(draw, herd):
    """Returns those on each place."""
    places = {}
    for one in herd:
        places.setdefault(go(draw, one), []).append(one)
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


def live_in_turn(draw, herd, births, eat):
    """Lets one animal after the other go, eat, and starve or have a young one. Returns those alive, and the young."""
    draw.shuffle(herd)
    alive = []
    for one in herd:
        place = go(draw, one)
        one[2] += eat(place)
        alive += live(draw, [one], births)
    return alive


def in_turn(seed):
    """Returns the numbers of sheep, of wolves and of places with grass, at the steps SEEN, of animals in turn."""
    draw = random.Random(seed)
    bare = {(x, y): 0 if draw.random() < 0.5 else draw.randrange(REGROWTH + 1) for x in range(SIDE)
            for y in range(SIDE)}
    sheep, wolves, course = animals(draw, SHEEP, GRASS_ENERGY), animals(draw, WOLVES, SHEEP_ENERGY), {}

    def graze(place):
        if bare[place]:
            return 0
        bare[place] = REGROWTH
        return GRASS_ENERGY

    def hunt(place):
        here = prey.get(place)
        if not here:
            return 0
        here.pop(draw.randrange(len(here)))
        return SHEEP_ENERGY

    for step in range(1, STEPS + 1):
        bare = {place: max(0, left - 1) for place, left in bare.items()}
        sheep = live_in_turn(draw, sheep, LAMBS, graze)
        prey = {}
        for one in sheep:
            prey.setdefault((one[0], one[1]), []).append(one)
        wolves = live_in_turn(draw, wolves, CUBS, hunt)
        sheep = [one for here in prey.values() for one in here]
        if step in SEEN:
            course[step] = (len(sheep), len(wolves), sum(left == 0 for left in bare.values()))
    return course


def at_once(seed):
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


def engine(activation):
    return courses.of_engine(sys.argv[1], sys.argv[2], f"--size {SIDE}x{SIDE} --steps {STEPS} --set sheep={SHEEP} "
                             f"--set wolves={WOLVES} --set regrowth={REGROWTH} --set sheep_births={LAMBS} "
                             f"--set wolf_births={CUBS} --set activation={activation}", RUNS, 5, NAMES)


def main():
    seeds = range(RUNS)
    courses.expect_same(courses.side_by_side(engine("all"), engine("turn")),
                        courses.side_by_side(map(at_once, seeds), map(in_turn, seeds)), SEEN,
                        [*NAMES, *(f"{name} in turn" for name in NAMES)])


main()
