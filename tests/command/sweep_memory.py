# SPDX-License-Identifier: Apache-2.0
"""The memory of a sweep to one file does not grow with its rows: sweep_memory.py COMMAND

It compares the most that any process of a sweep of 1,000 rows takes with that of 10,000. Says nothing when they are
alike.
"""
import os
import subprocess
import sys
import tempfile

COMMAND = sys.argv[1]
MORE = 8  # MiB that 9,000 rows may take: the table itself, and groups that a busy machine made smaller in the first


def peak(rows, folder):
    """The most memory of a process of the sweep, in MiB. Its results have to be whole."""
    table, results = f"{folder}/{rows}.csv", f"{folder}/{rows}.h5"
    with open(table, "w", encoding="utf-8") as file:
        file.write("vision_max,growback\n" + "".join(f"{1 + i % 10},{1 + i // 10 % 4}\n" for i in range(rows)))
    sweep = subprocess.Popen([COMMAND, "sugarscape", "--sweep", table, "--results", results, "--size", "10", "--steps",
                              "20", "--seed", "1", "--device", "cpu", "--quiet", "--json"], stdout=subprocess.PIPE)
    said = sweep.stdout.read().decode()
    _, status, usage = os.wait4(sweep.pid, 0)  # of the process, and of those that it has waited for
    if status or f'"done": {rows}' not in said:
        sys.exit(f"sweep_memory: the sweep of {rows} rows ended with {status}: {said}")
    sweep.stdout.close()
    sweep.returncode = 0
    return usage.ru_maxrss / 1024


with tempfile.TemporaryDirectory() as scratch:
    few, many = peak(1000, scratch), peak(10000, scratch)
if many > few + MORE:
    sys.exit(f"sweep_memory: 1,000 rows took {few:.1f} MiB, and 10,000 rows {many:.1f} MiB")
