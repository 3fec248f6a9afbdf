# SPDX-License-Identifier: Apache-2.0
"""Runs that lose power at any moment, in every state that their disk may be in then:
power_loss.py [--sample N] SCENARIO...

A run's calls on files are logged; disk.py says what may be left after each of them. A checkpoint is announced when it
is on disk with its name. In every such state the run resumes from the newest announced checkpoint or from a newer one.
It ends as a run that never stopped, and so do its series. If none was announced, the run may have to be started again.
Temporary files may stay, since the record of who wrote them may be lost, too. With --sample, the program takes N
states, the same ones each time. Prints how many there were, and every one that was wrong. Some state has to be wrong if
the log is read without its fsyncs: else this would show nothing.
"""
import argparse
import concurrent.futures
import hashlib
import os
import random
import shutil
import sys
import tempfile

import command
import scenarios
import whole
from disk import Disk, build, records
from every_call import Copy, Undisturbed, result_of

MORE = 32  # states without order, for every call
WORKERS = 2


def newest(names, folder):
    """The step of the newest checkpoint there, or None."""
    steps = [int(os.path.basename(path)[5:17]) for path in names
             if os.path.dirname(path) == folder and whole.CHECKPOINT.fullmatch(os.path.basename(path))]
    return max(steps, default=None)


def digest(state, announced):
    """Of what matters: of a temporary file, that it is there."""
    parts = [(path, whole.is_temporary(path) or content) for path, content in sorted(state.items())]
    return hashlib.sha256(repr((announced, parts)).encode()).digest()


def states_of(undisturbed, syncs=True):
    """(call, state, step of the newest announced checkpoint): all that differ, and the number of calls."""
    scenario, generator, found = undisturbed.scenario, random.Random(undisturbed.scenario.name), {}
    with Copy(undisturbed) as folder, tempfile.NamedTemporaryFile() as log:
        disk = Disk(os.path.realpath(folder))
        announced = newest(disk.names(), scenario.folder)
        outcome = command.run(folder, scenario.run, log=log.name)
        if outcome.status != 0:
            sys.exit(f"{scenario.name} fails undisturbed: {outcome.err}")
        calls = list(records(log.name))
        for number, (what, fields, data) in enumerate(calls, 1):
            if syncs or what != "sync":
                disk.take(what, fields, data)
            if what == "syncdir":
                announced = newest(disk.sure_names, scenario.folder)
            for state in disk.states(generator, MORE):
                found.setdefault(digest(state, announced), (number, state, announced))
    return list(found.values()), len(calls)


def problems_of(undisturbed, state, announced):
    scenario = undisturbed.scenario
    folder = tempfile.mkdtemp()
    try:
        build(state, folder)
        if announced is not None:
            older = command.run(folder, [*scenarios.RESUME, "--steps", str(announced - 1)])
            if older.status != 2:
                return [f"told to end before step {announced}, which was announced, it ends with {older.status}: "
                        f"{older.err}"]
        outcome = command.run(folder, scenario.again) if newest(state, scenario.folder) is not None else None
        if announced is None and (outcome is None or outcome.status != 0):
            for path in whole.files(folder):  # as a user would who starts anew
                if path.endswith((".csv", ".jsonl")) and path not in undisturbed.before:
                    os.unlink(os.path.join(folder, path))
            outcome = command.run(folder, scenario.run)
        if outcome is None or outcome.status != 0:
            return [f"it ends with {outcome and outcome.status}: {outcome and outcome.err}"]
        result = result_of(undisturbed, folder, outcome)
        for path in [path for path in result if whole.is_temporary(path)]:
            del result[path]
        return [f"it ends with another {name}" for name in sorted({*result, *undisturbed.result})
                if result.get(name) != undisturbed.result.get(name)]
    finally:
        shutil.rmtree(folder)


def sampled(states, count):
    return states if count is None else random.Random(1).sample(states, min(count, len(states)))


def is_blind(undisturbed, pool):
    """Whether no state is wrong without fsync, among some of the last ones."""
    states, _ = states_of(undisturbed, syncs=False)
    return not any(pool.map(lambda s: problems_of(undisturbed, *s[1:]), sampled(states[-200:], 12)))


def try_scenario(scenario, sample, pool):
    undisturbed = Undisturbed(scenario)
    states, calls = states_of(undisturbed)
    chosen = sampled(states, sample)
    wrong = 0
    results = pool.map(lambda s: problems_of(undisturbed, *s[1:]), chosen)
    for (number, state, announced), problems in zip(chosen, results):
        wrong += len(problems) > 0
        for problem in problems:
            print(f"{scenario.name}: call {number}, {announced} announced, left were",
                  {path: content and len(content) for path, content in state.items()}, problem.strip(), flush=True)
    if is_blind(undisturbed, pool):
        print(f"{scenario.name}: without fsync nothing is lost, so that this shows nothing")
        wrong += 1
    shutil.rmtree(undisturbed.template)
    print(f"{scenario.name}: {len(chosen)} of {len(states)} states after {calls} calls, {wrong} wrong", flush=True)
    return wrong, len(chosen)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sample", type=int)
    parser.add_argument("scenarios", nargs="+")
    options = parser.parse_args()
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        results = [try_scenario(s, options.sample, pool) for s in scenarios.ALL if s.name in options.scenarios]
    wrong, states = (sum(column) for column in zip(*results))
    print(f"{states} states, {wrong} wrong")
    return 1 if wrong or not states else 0


if __name__ == "__main__":
    sys.exit(main())
