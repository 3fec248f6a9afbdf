#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Faults that are planted in kernels/cpu/turn_slabs.c are found by its test.

    planted.py plant SOURCE COPY    writes a copy of the source in which MASS_PLANTED=N selects fault N
    planted.py run PROGRAM          runs the test of that copy: it passes without a fault, and fails with each
"""
import os
import subprocess
import sys

# An expression of the source, which is there once, and the one that the fault has in its place.
FAULTS = [
    ("layer - f->axis.reach", "layer - f->axis.reach + 1"),  # an agent does not wait for those of the last layer
    ("layer + f->axis.reach", "layer + f->axis.reach - 1"),
    ("f->at[0] - f->axis.reach", "f->at[0] - f->axis.reach + 1"),  # the same along x
    ("f->at[0] + f->axis.reach + 1", "f->at[0] + f->axis.reach"),
    ("f->at[1] - f->axis.reach", "f->at[1] - f->axis.reach + 1"),  # the same along y, in three dimensions
    ("f->at[1] + f->axis.reach", "f->at[1] + f->axis.reach - 1"),
    ("wraps && low < 0", "0"),  # an agent does not look over the edge of a torus
    ("wraps && high > size", "0"),
    ("(y >= 0 && y < size) || l->torus >> 1 & 1", "y >= 0 && y < size"),
    ("rank + 1", "rank"),  # it does not wait for the last of those that it found
    ("low == near ? wait_for(s, slab, LOW) : -1", "-1"),  # it does not wait at one of its cuts
    ("first < 0 && high == near", "0"),
    ("acted >= waits", "acted + 1 >= waits"),
]
SELECTION = """
static int planted;

__attribute__((constructor)) static void select_fault(void)
{
    const char *number = getenv("MASS_PLANTED");
    planted = number ? atoi(number) : 0;
}
"""
SECONDS = 120


def plant(source, copy):
    """Writes the copy."""
    text = open(source).read()
    for number, (old, new) in enumerate(FAULTS, 1):
        if text.count(old) != 1:
            sys.exit(f"planted.py: {source} has '{old}' {text.count(old)} times, and should have it once")
        text = text.replace(old, f"(planted == {number} ? ({new}) : (@{number}@))")
    for number, (old, _) in enumerate(FAULTS, 1):
        text = text.replace(f"@{number}@", old)
    last = text.rindex("#include")
    line = text.index("\n", last) + 1
    text = text[:line] + SELECTION + text[line:]
    with open(copy, "w") as out:
        out.write(text)


def is_found(program, number):
    """Returns whether the test fails with a fault."""
    environment = dict(os.environ, MASS_PLANTED=str(number))
    try:
        return subprocess.run([program, "--jobs", "1"], env=environment, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, timeout=SECONDS, check=False).returncode != 0
    except subprocess.TimeoutExpired:
        return True


def run(program):
    """Exits with a line if the test does not find a fault, or finds one where none is."""
    if is_found(program, 0):
        sys.exit("planted.py: the test fails without a planted fault")
    unseen = [FAULTS[number - 1] for number in range(1, len(FAULTS) + 1) if not is_found(program, number)]
    for old, new in unseen:
        print(f"planted.py: '{new}' in place of '{old}' is not found", file=sys.stderr)
    sys.exit(1 if unseen else 0)


if __name__ == "__main__":
    if sys.argv[1:2] == ["plant"] and len(sys.argv) == 4:
        plant(sys.argv[2], sys.argv[3])
    elif sys.argv[1:2] == ["run"] and len(sys.argv) == 3:
        run(sys.argv[2])
    else:
        sys.exit(__doc__)
