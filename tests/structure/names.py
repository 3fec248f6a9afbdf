#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Old names of files and identifiers do not come back: names.py SOURCE

Each line of names.txt has an old name and the name to use. That of a file is a path without its ending, that of an
identifier a pattern."""
import os
import re
import sys

source = sys.argv[1]
files, identifiers = {}, []
with open(os.path.join(os.path.dirname(os.path.realpath(__file__)), "names.txt"), encoding="utf-8") as f:
    for line in f:
        if not line.strip() or line.startswith("#"):
            continue
        old, new = line.split()
        if "/" in old:
            files[old] = new
        else:
            identifiers.append((old, new))
pattern = re.compile(r"\b(?:" + "|".join(f"(?P<g{i}>{old})" for i, (old, _) in enumerate(identifiers)) + r")\b")

failed = False
for folder in ["engine", "kernels", "sdk", "plugins", "tools", "tests"]:
    for at, _, names in os.walk(os.path.join(source, folder)):
        for name in names:
            path = os.path.join(at, name)
            stem, ending = os.path.splitext(os.path.relpath(path, source))
            if stem in files:
                failed = True
                print(f"{stem}{ending}: this file's name is {files[stem]}{ending}")
            if ending not in (".c", ".h", ".cu", ".cuh"):
                continue
            with open(path, encoding="utf-8", errors="replace") as f:
                for number, line in enumerate(f, 1):
                    for found in pattern.finditer(line):
                        failed = True
                        new = identifiers[int(found.lastgroup[1:])][1]
                        print(f"{stem}{ending}:{number}: {found.group()} is called {new}")
sys.exit(1 if failed else 0)
