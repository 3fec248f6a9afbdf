#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of the documents are complete. The manual has the operations of --explain, and the plugin guide has the
entries of callbacks and the phases of schedules: reference.py SOURCE"""
import glob
import os
import re
import sys

source = sys.argv[1]
faults = []


def text_of(path):
    with open(os.path.join(source, path), encoding="utf-8") as file:
        return file.read()


def rows_of(path, heading):
    """Returns the words in code in the first columns of the tables below a heading, up to the next heading."""
    section = re.split(rf"^##+ {re.escape(heading)}\n", text_of(path), flags=re.M)[1]
    section = re.split(r"^##+ ", section, flags=re.M)[0]
    firsts = re.findall(r"^\| (`.*?) \|", section, flags=re.M)
    return {re.match(r"\w+", word).group() for row in firsts for word in re.findall(r"`(\w[^`]*)`", row)}


def compare(path, heading, what, wanted):
    if not wanted:
        faults.append(f"the source names no {what}")
    rows = rows_of(path, heading)
    faults.extend(f"{path}, {heading}: no row for the {what} {word}" for word in sorted(wanted - rows))


compare("docs/manual.md", "The operations of a step", "operation",
        set(re.findall(r'\[MASS_PLAN_[A-Z_]+\] = "([^"]+)"', text_of("engine/plan/describe.c"))))
lists = re.findall(r"^#define MASS_ENTRIES_OF_\w+ (?:[^\n]*\\\n)*[^\n]*", text_of("sdk/include/mass/impl/entries.h"),
                   flags=re.M)
compare("docs/plugin-guide.md", "Entries", "entry",
        {word for line in lists for text in re.findall(r'"([^"]*)"', line) for word in re.findall(r"[A-Z_]{4,}", text)})
headers = [text_of(path) for path in glob.glob(os.path.join(source, "sdk/include/mass/*.h"))]
compare("docs/plugin-guide.md", "Callbacks and schedules", "phase",
        {word for text in headers for word in re.findall(r"^#define MASS_PHASE_([A-Z_]+)\(", text, flags=re.M)} -
        {"START", "STEP", "MANAGE", "DECIDE"}) # which say what the right word is

print("\n".join(faults), end="\n" if faults else "", file=sys.stderr)
sys.exit(1 if faults else 0)
