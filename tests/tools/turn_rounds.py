# SPDX-License-Identifier: Apache-2.0
"""What turn-rounds prints is what plain loops over all earlier agents come to:

    turn_rounds.py TURN_ROUNDS"""
import subprocess
import sys

SIZE, RADII, PERCENTS = 64, (0, 1, 2, 3, 6, 12), (1, 5, 10, 20, 40, 80)
ALL = 2 ** 64 - 1


def shuffled(count):
    """Returns the numbers of all places in the order of the first run: by SplitMix64 from 1 on."""
    state, places = 1, list(range(count))
    for i in range(count - 1, 0, -1):
        state = (state + 0x9e3779b97f4a7c15) & ALL
        z = ((state ^ state >> 30) * 0xbf58476d1ce4e5b9) & ALL
        z = ((z ^ z >> 27) * 0x94d049bb133111eb) & ALL
        other = (z ^ z >> 31) % (i + 1)
        places[i], places[other] = places[other], places[i]
    return places


def away(a, b):
    """Returns how far apart two coordinates are on a torus."""
    return min(abs(a - b), SIZE - abs(a - b))


def rounds(places, reach):
    """Returns the longest chain of agents of which each is near an earlier one."""
    acted = []
    for place in places:
        y, x = divmod(place, SIZE)
        waits = [r for other, r in acted if away(x, other[0]) <= reach and away(y, other[1]) <= reach]
        acted.append(((x, y), max(waits, default=0) + 1))
    return max(r for _, r in acted)


def main():
    printed = subprocess.run([sys.argv[1], str(SIZE), "1"], check=True, capture_output=True, text=True).stdout
    header, *rows = [line.split() for line in printed.splitlines()]
    order = shuffled(SIZE * SIZE)
    expected = [["density", *map(str, RADII)]]
    for percent in PERCENTS[:4]:  # the others take long
        first = order[:SIZE * SIZE * percent // 100]
        expected.append([str(percent), *(f"{rounds(first, 2 * radius):.1f}" for radius in RADII)])
    if [header, *rows[:4]] != expected or [row[0] for row in rows] != [str(percent) for percent in PERCENTS]:
        sys.exit(f"turn-rounds printed\n{printed}and not\n" + "\n".join(" ".join(row) for row in expected))


main()
