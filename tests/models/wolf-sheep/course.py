# SPDX-License-Identifier: Apache-2.0
"""The mean course of wolf-sheep is that of a plain program with random numbers of its own:

    course.py ENGINE PLUGIN

The small case of the field's comparison: 100 worlds of the engine, and 100 runs of the plain program."""
import math
import random
import subprocess
import sys
import tempfile

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
    """Returns how many sheep, wolves and places with grass there are at the steps SEEN."""
    draw = random.Random(seed)
    bare = [[0 if draw.random() < 0.5 else draw.randrange(REGROWTH + 1) for _ in range(SIDE)] for _ in range(SIDE)]
    sheep, wolves, course = animals(draw, SHEEP, GRASS_ENERGY), animals(draw, WOLVES, SHEEP_ENERGY), []
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
            course.append((len(sheep), len(wolves), sum(row.count(0) for row in bare)))
    return course


def engine(command, plugin):
    """The same of all worlds of one run."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([command, "--plugin", plugin, "--size", f"{SIDE}x{SIDE}", "--steps", str(STEPS), "--seed", "1",
                        "--worlds", str(RUNS), "--set", f"sheep={SHEEP}", "--set", f"wolves={WOLVES}", "--set",
                        f"regrowth={REGROWTH}", "--set", f"sheep_births={LAMBS}", "--set", f"wolf_births={CUBS}",
                        "--device", "cpu", "--quiet", "--series", f"{folder}/series.csv", "--log-every", "5"]
                       + [word for name in NAMES for word in ("--log", name)], check=True, stdout=subprocess.DEVNULL)
        with open(f"{folder}/series.csv", encoding="utf-8") as file:
            names, *rows = [line.rstrip("\n").split(",") for line in file]
    column = {name: names.index(name) for name in names}
    runs = [[] for _ in range(RUNS)]
    for row in rows:
        if int(row[column["step"]]) in SEEN:
            runs[int(row[column["world"]])].append(tuple(int(row[column[name]]) for name in NAMES))
    return runs


def mean_and_square(values):
    """The mean, and the square of its standard error."""
    mean = sum(values) / len(values)
    return mean, sum((v - mean) ** 2 for v in values) / (len(values) - 1) / len(values)


def main():
    theirs, ours = [plain(seed) for seed in range(RUNS)], engine(*sys.argv[1:3])
    wrong = 0
    for at, step in enumerate(SEEN):
        for kind, name in enumerate(NAMES):
            mean, square = mean_and_square([run[at][kind] for run in ours])
            other, its = mean_and_square([run[at][kind] for run in theirs])
            error = math.sqrt(square + its)
            if abs(mean - other) > 4 * error:
                print(f"step {step}: {mean:.1f} {name}, and {other:.1f} of a plain program, at an error of {error:.1f}")
                wrong += 1
            if "--show" in sys.argv:
                print(f"step {step}: {name} {mean:.2f} {other:.2f}, apart {(mean - other) / error:.2f} errors")
    sys.exit(wrong > 0)


main()
