#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what Python costs, compared with the engine itself, on an idle machine:

    tools/python-speed.py BUILD [--size N] [--json FILE]

BUILD is a release build. A C compiler is needed for the first figure. Each figure is the best of several trials, with
its limit. --size is the extent of Heat in the third figure (default 16384, for which 3 GiB of memory are needed). It
ends with status 1 if a limit is not kept.
"""
import argparse
import ctypes
import json
import os
import subprocess
import sys
import tempfile
import time

TRIALS = 5
STEPS = 20000  # calls of a trial

LOOP = """
#include <mass/engine.h>
int loop(mass_engine *run, long calls)
{
    int status = MASS_OK;
    for (long i = 0; status == MASS_OK && i < calls; i++) status = mass_engine_step(run, 1, 0, NULL);
    return status;
}
"""


def seconds(work):
    """The seconds that a call takes."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def best(work, trials=TRIALS):
    """The least seconds of several calls."""
    return min(seconds(work) for _ in range(trials))


def call_cost(mass, build, source):
    """Microseconds that a call of step(1) takes more in Python than in a loop in C."""
    model = mass.Model("life", size=16, seed=1, device="cpu", threads=1)
    with tempfile.TemporaryDirectory() as scratch:
        with open(os.path.join(scratch, "loop.c"), "w", encoding="utf-8") as f:
            f.write(LOOP)
        path = os.path.join(scratch, "loop.so")
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", f"-I{source}/sdk/include", f.name, "-o", path,
                        f"-L{build}/lib", "-lmass"], check=True)
        loop = ctypes.CDLL(path).loop
        loop.argtypes = [ctypes.c_void_p, ctypes.c_long]

        def by_python():
            step = model.step
            for _ in range(STEPS):
                step()

        handle = model._open().handle
        by_python(), loop(handle, STEPS)  # the first steps measure how many threads are fastest
        return 1e6 * (best(by_python) - best(lambda: loop(handle, STEPS))) / STEPS


def command(build, *words):
    """What the command's --json prints."""
    done = subprocess.run([os.path.join(build, "bin/mass-engine"), *words, "--quiet", "--json"], check=True,
                          capture_output=True, text=True)
    return json.loads(done.stdout)


def long_run(mass, build):
    """The speed of m.step(100000) of Life, as a share of the command's."""
    words = ("life", "--size", "256", "--seed", "1", "--device", "cpu", "--threads", "1", "--steps", "100000")

    def trial():
        model = mass.Model("life", size=256, seed=1, device="cpu", threads=1)
        return seconds(lambda: model.step(100000, progress=False))
    both = [(command(build, *words)["seconds"]["run"], trial()) for _ in range(TRIALS)]  # in turns
    return min(own for own, _ in both) / min(other for _, other in both)


def view_cost(mass, size):
    """Milliseconds that a view of Heat takes."""
    model = mass.Model("heat", size=size, seed=1, device="cpu")
    model.step()

    def look():
        with model.view("temperature") as values:
            assert values.size >= size * size
    return 1e3 * best(look)


def sweep_share(mass, build):
    """The speed of a sweep of 1,000 rows with a file of results, as a share of one run of 1,000 worlds."""
    options = {"size": 50, "steps": 200, "seed": 1, "device": "cpu"}
    words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    values = {"vision_max": range(1, 11), "growback": range(1, 5), "endowment_max": range(6, 31)}

    def by_sweep():
        with tempfile.TemporaryDirectory() as scratch:
            mass.sweep("sugarscape", values, file=os.path.join(scratch, "results.h5"), progress=False, **options)
    one = best(lambda: command(build, "sugarscape", *words, "--worlds", "1000"), 2)
    return one / best(by_sweep, 2)


def start_cost(mass):
    """Milliseconds from the call to the first step."""
    def start():
        mass.Model("sugarscape", size=50, seed=1, device="cpu").step()
    return 1e3 * best(start)


def main():
    """Prints each figure with its limit. The exit status is 1 if one is missed."""
    parser = argparse.ArgumentParser(description="Measures what Python costs, compared with the engine itself.")
    parser.add_argument("build")
    parser.add_argument("--size", type=int, default=16384)
    parser.add_argument("--json")
    given = parser.parse_args()
    source, build = os.path.dirname(os.path.dirname(os.path.abspath(__file__))), os.path.abspath(given.build)
    sys.path.insert(0, os.path.join(source, "sdk/python"))
    os.environ["MASS_LIBRARY"] = os.path.join(build, "lib/libmass.so")
    os.environ["MASS_ENGINE"] = os.path.join(build, "bin/mass-engine")
    import mass
    figures = [("step(1) in Python, more than in C", lambda: call_cost(mass, build, source), "us", "at most", 5),
               ("step(100000) of Life 256 x 256, of the command's speed", lambda: long_run(mass, build), "", "at least",
                0.95),
               (f"a view of Heat {given.size} x {given.size}", lambda: view_cost(mass, given.size), "ms", "at most", 1),
               ("a sweep of 1,000 rows, of the speed of 1,000 worlds", lambda: sweep_share(mass, build), "",
                "at least", 0.9),
               ("start of a run", lambda: start_cost(mass), "ms", "at most", 50)]
    found, kept = [], True
    for name, measure, unit, relation, limit in figures:
        value = measure()
        good = value <= limit if relation == "at most" else value >= limit
        kept &= good
        print(f"{name}: {value:.3g} {unit}".rstrip() + f" ({relation} {limit}{', MISSED' if not good else ''})",
              flush=True)
        found.append({"name": name, "value": value, "unit": unit, relation.replace(" ", "_"): limit, "kept": good})
    if given.json:
        with open(given.json, "w", encoding="utf-8") as f:
            json.dump({"load": os.getloadavg(), "figures": found}, f, indent=2)
    sys.exit(0 if kept else 1)


if __name__ == "__main__":
    main()
