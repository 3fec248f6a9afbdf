#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The files of engine/ and kernels/ do not include each other in circles of more than two: circles.py SOURCE

A header and the source file of its name are one file here. Each file of device code is one of its own."""
import os
import re
import sys


def sources(folder):
    for path, _, names in os.walk(folder):
        yield from (os.path.join(path, name) for name in names if re.search(r"\.(c|h|cu|cuh)$", name))


def stem(path):
    return path if path.endswith((".cu", ".cuh")) else os.path.splitext(path)[0]


def included(path):
    """Yields the project's files that a file includes, from its folder, engine/ or kernels/."""
    with open(path, encoding="utf-8") as file:
        for name in re.findall(r'^\s*#\s*include\s*"([^"]+)"', file.read(), re.M):
            places = (os.path.join(folder, name) for folder in (os.path.dirname(path), "engine", "kernels"))
            yield from (os.path.normpath(place) for place in places if os.path.exists(place))


def circles(uses):
    """Returns the strongly connected components of more than one file (Tarjan 1972)."""
    number, lowest, waiting, found = {}, {}, [], []

    def visit(file):
        number[file] = lowest[file] = len(number)
        waiting.append(file)
        for other in sorted(uses.get(file, ())):
            if other not in number:
                visit(other)
                lowest[file] = min(lowest[file], lowest[other])
            elif other in waiting:
                lowest[file] = min(lowest[file], number[other])
        if lowest[file] == number[file]:
            at = waiting.index(file)
            found.append(sorted(waiting[at:]))
            del waiting[at:]

    for file in sorted(uses):
        if file not in number:
            visit(file)
    return [circle for circle in found if len(circle) > 1]


def main():
    os.chdir(sys.argv[1])
    uses = {}
    for path in [*sources("engine"), *sources("kernels")]:
        uses.setdefault(stem(path), set()).update(stem(other) for other in included(path))
    wrong = [circle for circle in circles(uses) if len(circle) > 2]
    for circle in wrong:
        print("these files include each other in a circle: " + ", ".join(circle), file=sys.stderr)
    sys.exit(bool(wrong))


main()
