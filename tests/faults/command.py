# SPDX-License-Identifier: Apache-2.0
"""Runs mass-engine in a folder, with one of its calls made to fail (shim.h).

MASS_ENGINE is the command, and MASS_FAULT_SHIM the library. MASS_FAULT_SANITIZED says that the command is sanitized:
the library comes before that of the sanitizer, which it asks for memory.
"""
import dataclasses
import json
import os
import signal
import struct
import subprocess
import tempfile

ENGINE = os.environ["MASS_ENGINE"]
SHIM = os.environ["MASS_FAULT_SHIM"]
SANITIZED = bool(os.environ.get("MASS_FAULT_SANITIZED"))
IDENTITY = {"MASS_IDENTITY": "0123456789abcdef" * 2}  # in the files of all runs, which are then the same
SECONDS = 200 if not SANITIZED else 400  # a file is checked for at most 60, or twice that where there are two


@dataclasses.dataclass(frozen=True)
class Fault:
    """Call `number` of a kind: fails with `error`, "once" or from then "on"; or is "short"; or is where the process is
    killed."""
    process: str  # "main", "child" or "rank 1"
    kind: str
    number: int
    error: int
    how: str

    def __str__(self):
        error = f"error {self.error}" if self.kind.startswith("cu") else os.strerror(self.error)
        what = self.how if self.how in ("short", "kill") else f"{error} ({self.how})"
        return f"{self.process}: {self.kind} {self.number}: {what}"


@dataclasses.dataclass
class Outcome:
    status: int  # of exit, or -signal
    hung: bool
    out: str
    err: str
    counts: dict  # kind: (calls, how many of them were chosen)

    def report(self):
        """What --json printed, or None."""
        try:
            return json.loads(self.out)
        except ValueError:
            return None


def _read_counts(path):
    record = struct.Struct("32sQQ")
    with open(path, "rb") as f:
        found = record.iter_unpack(f.read())
    return {name.rstrip(b"\0").decode(): (calls, chosen) for name, calls, chosen in found}


def _environment(folder, process, counts, fault, log):
    loaded = {"LD_PRELOAD": SHIM, "MASS_FAULT_FOLDER": os.path.realpath(folder), "MASS_FAULT_PROCESS": process,
              "MASS_FAULT_COUNTS": counts}
    if SANITIZED:  # HDF5 loses memory when a call fails
        loaded["ASAN_OPTIONS"] = ("abort_on_error=1:detect_leaks=0:allocator_may_return_null=1:handle_segv=0:"
                                  "verify_asan_link_order=0")
    if fault:
        loaded["MASS_FAULT"] = f"{fault.kind} {fault.number} {fault.error} {fault.how}"
    if log:
        loaded["MASS_FAULT_LOG"] = log
    return {**os.environ, **IDENTITY, **loaded}


def run(folder, arguments, fault=None, process="main", log=None):
    """Runs it with `folder` as the working directory; under the shim where there is a fault, a log, or a process whose
    calls are to be counted."""
    with tempfile.NamedTemporaryFile() as counts:
        environment = _environment(folder, fault.process if fault else process, counts.name, fault, log)
        command = subprocess.Popen([ENGINE, *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, start_new_session=True, text=True, errors="backslashreplace",
                                   env=environment)
        hung = False
        try:
            out, err = command.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            hung = True
            os.killpg(command.pid, signal.SIGKILL)
            out, err = command.communicate()
        return Outcome(command.returncode, hung, out, err, _read_counts(counts.name))
