#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles the sources of a build folder without making code: warnings.py BUILD-FOLDER. It needs clang and -Werror. It
leaves out the sources of the fuzz harnesses, which are compiled with the same warnings, and sources that the build
makes and has not made yet."""
import json
import os
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor


def arguments(entry):
    words = shlex.split(entry["command"])
    at = words.index("-o")
    return [w for w in words[:at] + words[at + 2:] if w != "-c"] + ["-fsyntax-only"]


def is_fuzzed(entry):
    return " -fsanitize=fuzzer-no-link" in entry["command"]


def complaint(entry):
    done = subprocess.run(arguments(entry), cwd=entry["directory"], capture_output=True, text=True)
    return done.stdout + done.stderr if done.returncode else ""


with open(os.path.join(sys.argv[1], "compile_commands.json"), encoding="utf-8") as f:
    entries = [e for e in json.load(f) if e["file"].endswith(".c") and os.path.exists(e["file"])]
fuzzed = {e["file"] for e in entries if is_fuzzed(e)}
left = {shlex.join(arguments(e)): e for e in entries if e["file"] not in fuzzed}
with ThreadPoolExecutor(os.cpu_count()) as pool:
    failures = [text for text in pool.map(complaint, left.values()) if text]
if not left or failures:
    sys.exit("".join(failures) or "nothing to compile")
