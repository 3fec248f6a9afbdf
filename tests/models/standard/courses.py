# SPDX-License-Identifier: Apache-2.0
"""Compares mean courses of the engine with those of plain programs that have random numbers of their own."""
import math
import subprocess
import sys
import tempfile


def of_engine(command, plugin, options, runs, every, names):
    """Returns, for each of several worlds of one run, a dictionary from steps to the values of the tallies."""
    with tempfile.TemporaryDirectory() as folder:
        series = f"{folder}/series.csv"
        subprocess.run([command, "--plugin", plugin, *options.split(), "--seed", "1", "--worlds", str(runs), "--device",
                        "cpu", "--quiet", "--series", series, "--log-every", str(every)]
                       + [word for name in names for word in ("--log", name)], check=True, stdout=subprocess.DEVNULL)
        with open(series, encoding="utf-8") as file:
            columns, *rows = [line.rstrip("\n").split(",") for line in file]
    at = {column: i for i, column in enumerate(columns)}
    courses = [{} for _ in range(runs)]
    for row in rows:
        if all(row[at[name]] for name in names):
            courses[int(row[at["world"]])][int(row[at["step"]])] = [float(row[at[name]]) for name in names]
    return courses


def side_by_side(some, others):
    """Returns courses that have the values of two at each step of the second."""
    return [{step: (*one[step], *other[step]) for step in other} for one, other in zip(some, others)]


def mean_and_square(values):
    """The mean, and the square of its standard error."""
    mean = sum(values) / len(values)
    return mean, sum((v - mean) ** 2 for v in values) / (len(values) - 1) / len(values)


def expect_same(ours, theirs, steps, names):
    """Exits with 1 if means of the courses differ by more than four of their standard errors at any of the steps. With
    the option --show, it prints them all."""
    wrong = 0
    for step in steps:
        for kind, name in enumerate(names):
            mean, square = mean_and_square([course[step][kind] for course in ours])
            other, its = mean_and_square([course[step][kind] for course in theirs])
            error = math.sqrt(square + its)
            if abs(mean - other) > 4 * error:
                print(f"step {step}: {name} is {mean:.4g}, and {other:.4g} in a plain program, with an error of "
                      f"{error:.2g}")
                wrong += 1
            if "--show" in sys.argv:
                print(f"step {step}: {name} {mean:.5g} {other:.5g}, error {error:.3g}")
    sys.exit(wrong > 0)
