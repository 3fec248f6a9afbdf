# SPDX-License-Identifier: Apache-2.0
"""Makes the calls of a run fail, one run for each, and looks at what is left:
every_call.py [--sample N] [--only PATTERN] [--each] SCENARIO...

Whatever fails and however, the command ends by itself, with a status and a line that say so. Every file is whole or
absent. The resumed run, or the repeated command, ends as a run that nothing disturbed. With --sample, the program takes
N calls of the process and N of its children, the same ones each time. With --only, it takes the calls whose line
matches the pattern. Such a line is "main: pwrite 12: No space left on device (once)". With --each, it tries every call
in every way. Prints how many runs of which kind there were, and every one that was wrong.
"""
import argparse
import collections
import concurrent.futures
import errno
import os
import random
import re
import shutil
import signal
import sys
import tempfile

import command
import scenarios
import whole
from command import Fault

# (error, how, of how many calls one is tried so)
WRITING = [(errno.ENOSPC, "once", 1), (errno.ENOSPC, "on", 1), (errno.EIO, "once", 3), (errno.EINTR, "once", 3),
           (0, "short", 3)]
READING = [(errno.EIO, "once", 1), (errno.EIO, "on", 5), (errno.EINTR, "once", 5), (0, "short", 5)]
WAYS = {  # kind: how its calls fail
    "write": WRITING, "pwrite": WRITING, "read": READING, "pread": READING,
    "open_to_write": [(errno.EMFILE, "once", 1), (errno.ENOSPC, "on", 1), (errno.EACCES, "on", 1)],
    "open_to_read": [(errno.EMFILE, "once", 1), (errno.EIO, "on", 1)],
    "close": [(errno.EIO, "once", 1)],
    "fsync": [(errno.EIO, "once", 1), (errno.EIO, "on", 1)],
    "ftruncate": [(errno.EIO, "once", 1)],
    "fallocate": [(errno.ENOSPC, "once", 1), (errno.EOPNOTSUPP, "on", 1)],
    "rename": [(errno.EIO, "once", 1), (errno.ENOSPC, "on", 1)],
    "link": [(errno.EIO, "once", 1), (errno.EPERM, "on", 1)],
    "unlink": [(errno.EIO, "once", 1), (errno.EROFS, "on", 1)],
    "mkdir": [(errno.ENOSPC, "once", 1)],
    "copy_file_range": [(errno.EIO, "once", 1), (errno.EXDEV, "on", 1), (errno.ENOSPC, "once", 1), (0, "short", 1)],
    "lock": [(errno.ENOLCK, "on", 1)],
    "malloc": [(errno.ENOMEM, "once", 1), (errno.ENOMEM, "on", 3)],
    "library_malloc": [(errno.ENOMEM, "once", 32), (errno.ENOMEM, "on", 64)],  # of thousands that are alike
    "mmap": [(errno.ENOMEM, "once", 1)],
    "getrandom": [(errno.ENOSYS, "on", 1)],
    "pthread_create": [(errno.EAGAIN, "once", 1), (errno.EAGAIN, "on", 1)],
    "fork": [(errno.EAGAIN, "once", 1), (errno.EAGAIN, "on", 1)],
    "any": [(0, "kill", 1)],
}
# Of the CUDA driver's, which the library for these counts instead: out of memory, and a launch that failed.
CUDA_WAYS = [(2, "once", 1), (719, "on", 1)]
# What is said of a file that is damaged or another's. Every file of a scenario is whole and its own, so that nothing
# that fails may lead to one of these.
OF_DAMAGE = re.compile("damaged|skipped|not a whole file|is not an HDF5 file|not a checkpoint|out of its place|"
                       "move it away|was not written by|was not made by|belongs to another|not a picture|"
                       "says of no run|is there: ")
LOCK = ".mass-engine.lock"
WORKERS = 2
SKIPPED = 77
# What the C library says when it has no memory to load a library or to start a thread, and ends the program with 127.
OF_C_LIBRARY = re.compile("^(cannot allocate memory for thread-local data.*|out of memory)$", re.MULTILINE)


# What the C library and the sanitizers say of a program that frees memory twice, or writes beside it.
MISUSE = re.compile(r"ERROR: \w+Sanitizer|runtime error: |double free|corrupted|(free|malloc|realloc)\(\): invalid")
STACK = re.compile(r"((?:^ +#\d+ .*\n)+)", re.MULTILINE)
WHERE_A_THREAD_BEGAN = re.compile(r"^Thread T\d+ .*created by .*\n(?: +#\d+ .*\n)+", re.MULTILINE)


def is_of_hdf5(words):
    """Whether the address sanitizer speaks of memory that HDF5 frees and that HDF5 uses. When it gets no memory, 1.10
    uses names of properties that it has freed (H5P_close). It also frees links that it has not filled yet
    (H5G__link_release_table). That is a double free if such a link was freed before. The first frame of a stack that
    is not the sanitizer's says who it is."""
    words = WHERE_A_THREAD_BEGAN.sub("", words)
    stacks = [[line for line in stack.splitlines() if "libsanitizer" not in line] for stack in STACK.findall(words)]
    return stacks and all(stack and "libhdf5" in stack[0] for stack in stacks)


def misuses_memory(outcome, fault):
    """Without the sanitizer, nobody knows whose memory a library's was."""
    of_library = fault.kind == "library_malloc" and ("Sanitizer" not in outcome.err or is_of_hdf5(outcome.err))
    return MISUSE.search(outcome.err) and not of_library


def statuses_of(fault):
    """The exit statuses that the manual has for it, besides 0: of the run, of a file that the user named, of memory. 2
    is also that of a file in the way which cannot be read, so that nobody knows whose it is: it stays."""
    if fault.kind == "library_malloc":
        return (1, 2, 3, 4, 5, 127, -signal.SIGSEGV, -signal.SIGABRT, -signal.SIGBUS)
    if fault.kind in ("malloc", "mmap") or fault.kind.startswith("cu"):
        return (1, 5)
    if fault.kind in ("open_to_write", "mkdir", "lock") or fault.error == errno.EACCES:
        return (1, 2)
    return (1, 2, 4) if fault.kind in ("read", "pread", "open_to_read", "close") else (1,)


class Undisturbed:
    """What a scenario ends with, and what it had before."""

    def __init__(self, scenario):
        self.scenario = scenario
        self.template = tempfile.mkdtemp()
        scenario.prepare(self.template)
        self.before = {path: whole.read(os.path.join(self.template, path)) for path in whole.files(self.template)}
        with Copy(self) as folder:
            self.outcome = command.run(folder, scenario.run)
            if self.outcome.status != 0:
                sys.exit(f"{scenario.name} fails undisturbed: {self.outcome.err}")
            self.files = {path: whole.read(os.path.join(folder, path)) for path in whole.files(folder)}
            self.result = result_of(self, folder, self.outcome)

    def counts(self, process):
        with Copy(self) as folder:
            return command.run(folder, self.scenario.run, process=process).counts


class Copy:
    """A folder of its own for one run, as it is before the scenario."""

    def __init__(self, undisturbed):
        self.undisturbed = undisturbed

    def __enter__(self):
        self.folder = tempfile.mkdtemp()
        return shutil.copytree(self.undisturbed.template, self.folder, dirs_exist_ok=True)

    def __exit__(self, *unused):
        shutil.rmtree(self.folder)


def result_of(undisturbed, folder, outcome):
    """What counts of how a run ended: its state and tallies, its series, fields, texts and pictures."""
    report = outcome.report()
    result = {"report": outcome.out if report is None else (report["state_hash"], report["tallies"], report["steps"])}
    for path in whole.files(folder):
        if path in undisturbed.before or whole.CHECKPOINT.fullmatch(os.path.basename(path)):
            continue
        full = os.path.join(folder, path)
        result[path] = whole.contents(full) if path.endswith(".h5") else whole.read(full)
    return result


# ---- what has to be so ----

def problems_of_words(outcome, fault, undisturbed):
    """A run that fails says so once and last; one that goes on may say that, and ends as ever. Libraries that get no
    memory may say so too, and may crash; the command then still says a line."""
    if outcome.hung:
        return ["it hangs"]
    if fault.how == "kill":
        return []
    found = ["it misuses memory"] if misuses_memory(outcome, fault) else []
    lines = outcome.err.splitlines()
    if fault.kind == "library_malloc":
        lines = [line for line in lines if line.startswith("mass-engine: ")]
        if outcome.status == 127 and OF_C_LIBRARY.search(outcome.err):
            lines = [line for line in lines if line.endswith("; the run goes on")] + ["mass-engine: "]
    failures = [line for line in lines if not line.endswith(("; the run goes on", "and its rows wait",
                                                                       "see that no other run writes there"))]
    if OF_DAMAGE.search(outcome.err):
        found.append("it calls a whole file damaged, or another's")
    if outcome.status not in (0, *statuses_of(fault)):
        found.append(f"its status is {outcome.status}")
    if any(not line.startswith("mass-engine: ") for line in lines):
        found.append("a line does not begin with mass-engine:")
    if len(failures) != (outcome.status != 0):
        found.append(f"status {outcome.status} comes with {len(failures)} lines about it")
    report = outcome.report()
    own = fault.process in ("main", "rank 0")
    if outcome.status == 0 and own and result_of_report(outcome) != undisturbed.result["report"]:
        found.append("it ends otherwise")
    expected = undisturbed.outcome.report()
    if report is not None and report["steps"] == expected["steps"] and report["state_hash"] != expected["state_hash"]:
        found.append("its state is another")
    return found


def result_of_report(outcome):
    report = outcome.report()
    return outcome.out if report is None else (report["state_hash"], report["tallies"], report["steps"])


def problems_of_files(folder, fault, undisturbed):
    """A process that is ended, also by a library, may leave temporary files. One that cannot take or read a lock may
    leave the lock's file. The next process removes them."""
    found = []
    for path in whole.files(folder):
        if os.path.basename(path) == LOCK:
            continue
        if whole.is_temporary(path) and path not in undisturbed.files:
            by_others = fault.process.startswith("rank")  # which end a rank as it is
            if fault.kind not in ("unlink", "library_malloc") and fault.how != "kill" and not by_others:
                found.append(f"{path} is left")
            continue
        full = os.path.join(folder, path)
        if path.endswith(".png") and fault.process == "child" and fault.kind == "library_malloc":
            problem = whole.problem_of_png(full)  # gnuplot draws without what it found no memory for, as a font
        else:
            problem = whole.problem(full, undisturbed.files.get(path), undisturbed.before.get(path))
        if problem:
            found.append(f"{path}: {problem}")
    gone = [path for path in undisturbed.before if not os.path.exists(os.path.join(folder, path))]
    return found + [f"{path} is gone" for path in gone if not whole.CHECKPOINT.fullmatch(os.path.basename(path))]


def has_checkpoint(scenario, folder):
    at = os.path.join(folder, scenario.folder)
    return scenario.folder and os.path.isdir(at) and any(map(whole.CHECKPOINT.fullmatch, os.listdir(at)))


def missing_fields(outcome):
    """Names of the fields that a run said it could not write, and of their index."""
    steps = re.findall(r"fields of step (\d+): .*; the run goes on", outcome.err)
    return {name for step in steps for name in (f"fields/fields-{int(step):012}.h5", "fields/fields.xmf")}


def problems_of_going_on(folder, undisturbed, forgiven):
    """Where a checkpoint is left, the run goes on from there; else it is started again, with all that it left."""
    scenario = undisturbed.scenario
    resumes = has_checkpoint(scenario, folder)
    outcome = command.run(folder, scenario.again if resumes else scenario.run)
    if outcome.status != 0 or outcome.err:
        return [f"{'resumed' if resumes else 'repeated'}, it ends with {outcome.status}: {outcome.err.strip()}"]
    result = result_of(undisturbed, folder, outcome)
    return [f"{'resumed' if resumes else 'repeated'}, it ends with another {name}"
            for name in sorted({*result, *undisturbed.result} - forgiven)
            if result.get(name) != undisturbed.result.get(name)]


def try_fault(undisturbed, fault):
    with Copy(undisturbed) as folder:
        outcome = command.run(folder, undisturbed.scenario.run, fault)
        found = problems_of_words(outcome, fault, undisturbed) + problems_of_files(folder, fault, undisturbed)
        if not outcome.hung:
            found += problems_of_going_on(folder, undisturbed, missing_fields(outcome))
        hit = outcome.counts[fault.kind][1] > 0
    words = [f"{undisturbed.scenario.name}: {fault}: {what}" for what in found]
    return hit, words + [f"    {line}" for line in outcome.err.splitlines()[:4] if found]


# ---- which calls ----

def faults_of(undisturbed, process, each):
    """Of a rank, not those that MPI's library makes: what becomes of it then is up to it."""
    counts = undisturbed.counts(process)
    if process.startswith("rank"):
        counts = {kind: n for kind, n in counts.items() if kind not in ("library_malloc", "pthread_create")}
    return [Fault(process, kind, number, error, how) for kind, (calls, _) in counts.items()
            for error, how, every in WAYS.get(kind, CUDA_WAYS) for number in range(1, calls + 1, 1 if each else every)]


def sampled(faults, count, seed):
    """Of each kind as many, as far as there are some."""
    order = random.Random(seed).sample(faults, len(faults))
    ranks = collections.Counter()

    def rank(fault):
        ranks[fault.kind] += 1
        return ranks[fault.kind]
    return [fault for _, fault in sorted(((rank(f), f) for f in order), key=lambda pair: pair[0])][:count]


def try_scenario(scenario, options, pool):
    undisturbed = Undisturbed(scenario)
    faults = []
    for process in scenario.processes:
        found = [fault for fault in faults_of(undisturbed, process, options.each) if options.only.search(str(fault))]
        faults += found if options.sample is None else sampled(found, options.sample, f"{scenario.name} {process}")
    wrong, tried, missed = 0, collections.Counter(), 0
    for fault, (hit, words) in zip(faults, pool.map(lambda f: try_fault(undisturbed, f), faults)):
        tried[f"{fault.process} {fault.kind}"] += 1
        missed += not hit
        wrong += len(words) > 0
        if words:
            print("\n".join(words), flush=True)
    shutil.rmtree(undisturbed.template)
    print(f"{scenario.name}: {len(faults)} runs, {wrong} wrong, {missed} without their fault:",
          ", ".join(f"{count} {name}" for name, count in tried.items()), flush=True)
    # The calls of a run are not always as many: a plugin is tried for as many steps as there is time.
    if missed > len(faults) // 2:
        print(f"{scenario.name}: too many runs without their fault")
        wrong += 1
    return wrong, len(faults)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sample", type=int)
    parser.add_argument("--only", type=re.compile, default=re.compile(""))
    parser.add_argument("--each", action="store_true")
    parser.add_argument("scenarios", nargs="*",
                        default=[s.name for s in scenarios.ALL if s.processes == ("main", "child") and
                                 not s.name.startswith("cuda-")])
    options = parser.parse_args()
    absence = next(filter(None, map(scenarios.absence, options.scenarios)), None)
    if absence:
        print(f"Skipped: {absence}")
        return SKIPPED
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        results = [try_scenario(s, options, pool) for s in scenarios.ALL if s.name in options.scenarios]
    wrong, runs = (sum(column) for column in zip(*results))
    print(f"{runs} runs, {wrong} wrong")
    return 1 if wrong or not runs else 0


if __name__ == "__main__":
    sys.exit(main())
