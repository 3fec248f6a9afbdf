# SPDX-License-Identifier: Apache-2.0
"""Runs every model on a device and compares its state with what table.txt says that it was:

    python3 tests/hashes/hashes.py build/release cpu|paranoid|cuda|ranks|ranks-cuda|ranks-nccl [ROW...]
    python3 tests/hashes/hashes.py build/release print

Each row is run with several numbers of threads and partitions, or of ranks, on CPUs, and partitions. Whatever differs
is named, with a command that repeats the run. ROW, as in `life` or `12`, chooses rows by their model or number;
--sample takes one of each model, and one that is resumed. Of ranks it takes one of each model that ships, in two ways;
of paranoid, one of each such model, as tests/models runs the others there.

`print` prints the table as the CPU has it, and changes no file. Where results were changed on purpose, or rows added,
whose hashes may be written as `?` at first, put it in the place of the old one and look at the difference:

    python3 tests/hashes/hashes.py build/release print >/tmp/table.txt && mv /tmp/table.txt tests/hashes/table.txt
"""
import argparse
import collections
import concurrent.futures
import dataclasses
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
TABLE = os.path.join(HERE, "table.txt")
# Folders of plugins in a build. Nearly all plugins of the command's tests are broken, and need no row.
MODELS = ["lib/mass/plugins", "tests/models/plugins", "tests/hashes/plugins"]
BROKEN = ["tests/command/plugins/bad"]
WAYS = {"cpu": ["--threads 1 --partitions 1", "--threads 3 --partitions 3"],
        "paranoid": ["--threads 1 --partitions 3"],
        "cuda": ["--partitions 1", "--partitions 2", "--no-graph --no-block --no-bits"],
        "ranks": [f"--threads 1 --comm mpi --ranks {ranks} --partitions {partitions}{shares}"
                  for ranks, partitions, shares in
                  ((2, 1, ""), (3, 2, " --shares 1,4,2"), (1, 3, ""), (2, 3, " --shares 5,1"), (3, 1, ""), (4, 1, ""),
                   (4, 2, " --shares 1,1,9,1"), (7, 1, " --shares 3,1,4,1,5,9,2"), (16, 1, ""))],
        "ranks-cuda": ["--comm mpi --ranks 2", "--comm mpi --ranks 3 --partitions 2 --shares 1,4,2",
                       "--comm mpi --ranks 7"],
        "ranks-nccl": ["--comm nccl --ranks 2", "--comm nccl --ranks 2 --no-overlap --partitions 2 --shares 5,1"]}
# The first way is a torus with two slabs that are neighbours on both sides.
SAMPLE_OF_WAYS = {"ranks": 2, "ranks-cuda": 2, "ranks-nccl": 2}
DEVICES = {"ranks": "cpu", "ranks-cuda": "cuda", "ranks-nccl": "cuda"}  # if it has another name
LETTERS = {"cpu": "c", "paranoid": "p", "cuda": "g", "ranks": "c", "ranks-cuda": "g", "ranks-nccl": "g"}
# Runs at the same time. Those on a GPU mostly wait for its driver to start.
WORKERS = {"cpu": 2, "paranoid": 2, "cuda": 8, "ranks": max(2, len(os.sched_getaffinity(0)) // 4), "ranks-cuda": 4,
           "ranks-nccl": 4}
SKIPPED = 77
SECONDS = 300


@dataclasses.dataclass(frozen=True)
class Row:
    number: int
    where: str  # letters of devices, and - for a device that it is not for
    expected: str  # state_hash and results
    model: str
    options: tuple


def read_table():
    """Returns its rows, and all of its lines, in which a row is None."""
    rows, lines = [], []
    with open(TABLE, encoding="utf-8") as f:
        for line in f:
            is_row = line.strip() and not line.startswith("#")
            lines.append(None if is_row else line)
            if is_row:
                where, state, results, model, *options = shlex.split(line)
                rows.append(Row(len(rows) + 1, where, f"{state} {results}", model, tuple(options)))
    return rows, lines


class Build:
    """The contents of a build folder."""

    def __init__(self, folder):
        self.folder = os.path.realpath(folder)
        self.engine = os.path.join(self.folder, "bin/mass-engine")
        self.path = ":".join(os.path.join(self.folder, at) for at in MODELS + BROKEN)

    def models(self, folders):
        return {name[:-len(".so")] for at in folders for name in os.listdir(os.path.join(self.folder, at))}

    def run(self, arguments):
        """Runs the engine next to the table, since rows name files there."""
        return subprocess.run([self.engine, *arguments], cwd=HERE, env={**os.environ, "MASS_PLUGIN_PATH": self.path},
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="backslashreplace",
                              timeout=SECONDS)

    def command(self, arguments):
        return f"cd {HERE} && MASS_PLUGIN_PATH={self.path} {shlex.join([self.engine, *arguments])}"

    def absence(self, device):
        """Returns why there is no such device, or None."""
        where = ["--ranks", "2"] if device in DEVICES else []
        where += ["--comm", "nccl"] if device == "ranks-nccl" else []
        where += ["--device", DEVICES.get(device, device)]
        trial = self.run(["life", "--steps", "0", "--quiet", *where])
        reasons = ("there is no usable GPU", "there is no CUDA in this build", "was built without device code",
                   "there is no MPI in this build", "--comm nccl: the ranks' GPUs cannot be linked",
                   "needs mpirun, which is not in PATH")
        return trial.stderr.strip() if trial.returncode == 5 and any(r in trial.stderr for r in reasons) else None


def results_of(report):
    """Returns eight digits for all tallies and agents of the report: also reductions, which no state has."""
    said = json.dumps([report["steps"], report.get("held"), report["tallies"], report.get("agents")], sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()[:8]


def arguments_of(row, device, way, scratch):
    """Returns the arguments of a row. A resumed run would write to the folder of its file, so it gets another."""
    folder = ["--checkpoint", scratch] if "--resume" in row.options else []
    return [row.model, *row.options, "--device", DEVICES.get(device, device), *way.split(), *folder, "--quiet"]


def outcome_of(build, row, device, way):
    """Returns the hashes of a row, or the error."""
    try:
        with tempfile.TemporaryDirectory() as scratch:
            ended = build.run([*arguments_of(row, device, way, scratch), "--json"])
    except subprocess.TimeoutExpired:
        return f"nothing within {SECONDS} s"
    if ended.returncode != 0:
        return f"status {ended.returncode}: {ended.stderr.strip()}"
    report = json.loads(ended.stdout)
    return f"{report['state_hash']} {results_of(report)}"


def impossible(outcome):
    """Returns why a model cannot be divided among so many ranks, or None."""
    cut = re.fullmatch(r"status 2: (?:mass-engine: the checkpoint is of another build of .*\n)?mass-engine: .*?(\d+) "
                       r"ranks \(--ranks\) with --partitions (\d+) each cut space \S+ more often than it has rows, "
                       r"of which there are (\d+)", outcome)
    if cut and int(cut[1]) * int(cut[2]) > int(cut[3]):
        return "has fewer rows than slabs"
    if re.search(r"has a word of more than \d+ bytes, which is as much as a piece holds", outcome):
        return "has words that do not fit into a rank's part of a piece"
    return None


def compare(build, rows, device, ways):
    runs = [(row, way) for row in rows if LETTERS[device] in row.where for way in ways]
    wrong, left_out = 0, collections.defaultdict(list)
    with concurrent.futures.ThreadPoolExecutor(WORKERS[device]) as pool:
        outcomes = pool.map(lambda run: outcome_of(build, run[0], device, run[1]), runs)
        for (row, way), outcome in zip(runs, outcomes):
            if outcome == row.expected:
                continue
            if device in DEVICES and impossible(outcome):
                left_out[impossible(outcome), way].append(str(row.number))
                continue
            wrong += 1
            print(f"row {row.number}, {row.model}: {outcome}, and not {row.expected}\n"
                  f"    {build.command(arguments_of(row, device, way, '/tmp/resumed'))}", flush=True)
    for (why, way), numbers in left_out.items():
        print(f"left out, as the model {why}, with {way}: rows {' '.join(numbers)}")
    return wrong, len(runs) - sum(map(len, left_out.values()))


def print_table(build, rows, lines):
    with concurrent.futures.ThreadPoolExecutor(WORKERS["cpu"]) as pool:
        outcomes = list(pool.map(lambda row: outcome_of(build, row, "cpu", WAYS["cpu"][0]), rows))
    made = zip(rows, outcomes)
    for line in lines:
        if line is not None:
            sys.stdout.write(line)
            continue
        row, outcome = next(made)
        if len(outcome) != len("0" * 32 + " " + "0" * 8):
            sys.exit(f"{row.model} {shlex.join(row.options)}: {outcome}")
        print(row.where, outcome, row.model, shlex.join(row.options))


def chosen(build, rows, options):
    """Returns the rows to run, and the ways to run them."""
    ways = WAYS[options.what]
    if options.rows:
        return [row for row in rows if row.model in options.rows or str(row.number) in options.rows], ways
    if not options.sample or os.environ.get("MASS_TEST_EXTENDED"):
        return rows, ways
    if options.what in DEVICES or options.what == "paranoid":
        shipped = build.models(MODELS[:1])
        rows = [row for row in rows if row.model in shipped and "--resume" not in row.options]
    sample = {(row.model, "--resume" in row.options): row for row in reversed(rows)}
    return list(sample.values()), ways[:SAMPLE_OF_WAYS.get(options.what)]


def main():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    parser.add_argument("--sample", action="store_true")
    parser.add_argument("build")
    parser.add_argument("what", choices=[*WAYS, "print"])
    parser.add_argument("rows", nargs="*", metavar="ROW")
    options = parser.parse_args()
    build = Build(options.build)
    rows, lines = read_table()
    if options.what == "print":
        return print_table(build, rows, lines)
    absent = build.absence(options.what)
    if absent:
        print(f"Skipped: {absent}")
        return SKIPPED
    missing = build.models(MODELS) - {row.model for row in rows}
    if missing:
        print(f"table.txt has no row for {', '.join(sorted(missing))}")
    rows, ways = chosen(build, rows, options)
    wrong, runs = compare(build, rows, options.what, ways)
    if options.what in DEVICES:
        print(f"{runs} runs were compared")
    if wrong or not runs:
        print(f"{wrong} of {runs} runs came to another result")
    return 1 if wrong or missing or not runs else 0


if __name__ == "__main__":
    sys.exit(main())
