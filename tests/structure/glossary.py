#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/glossary.md has every word once, in alphabetical order, with one sentence. It has the name of each operation of
the plan, as --explain prints it, and so has the manual's table of them: glossary.py SOURCE"""
import os
import re
import sys

source = sys.argv[1]
with open(os.path.join(source, "docs/glossary.md"), encoding="utf-8") as file:
    items = re.findall(r"^- (.*(?:\n  .*)*)", file.read(), flags=re.M)
faults, words = [], []
for item in items:
    found = re.fullmatch(r"\*\*([^*]+)\*\*(?: \(code\))?: (.*)", " ".join(item.split()))
    if not found:
        faults.append(f"not `**word**: sentence` or `**word** (code): sentence`: {item}")
        continue
    words.append(found.group(1))
    sentence = found.group(2)
    if not sentence.endswith(".") or re.search(r"\. [A-Z]", sentence):
        faults.append(f"{words[-1]}: not one sentence")
    if len(sentence.split()) > 35:
        faults.append(f"{words[-1]}: more than 35 words")
for before, after in zip(words, words[1:]):
    if before.lower() >= after.lower():
        faults.append(f"{after} comes after {before}: twice, or not in alphabetical order")

with open(os.path.join(source, "engine/plan/describe.c"), encoding="utf-8") as file:
    operations = re.findall(r'\[MASS_PLAN_[A-Z_]+\] = "([^"]+)"', file.read())
if not operations:
    faults.append("engine/plan/describe.c names no operation")
faults += [f"no word for the operation {name}" for name in operations if name not in words]
with open(os.path.join(source, "docs/manual.md"), encoding="utf-8") as file:
    section = file.read().split("\n## The operations of a step\n")[1].split("\n## ")[0]
named = {name for row in re.findall(r"^\| (`.*?) \|", section, flags=re.M) for name in re.findall(r"`([^`]+)`", row)}
faults += [f"docs/manual.md: no row for the operation {name}" for name in operations if name not in named]

print("\n".join(faults), end="\n" if faults else "", file=sys.stderr)
sys.exit(1 if faults else 0)
