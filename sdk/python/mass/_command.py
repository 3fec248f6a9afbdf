# SPDX-License-Identifier: Apache-2.0
"""The command mass-engine, in a process of its own: its lines as warnings, and its exit status as an exception."""
import ctypes
import json
import os
import re
import signal
import subprocess
import tempfile
import warnings
from collections.abc import Mapping
from typing import Any, Dict, Optional, Sequence, Union

from . import _runs
from ._library import (BAD_INPUT, BAD_PLUGIN, BAD_USAGE, NO_DEVICE, DeviceError, Error, InputError, ModelWarning,
                       PluginError, UsageError, lib)
from ._progress import Progress

_CLASSES = {BAD_USAGE: UsageError, BAD_PLUGIN: PluginError, BAD_INPUT: InputError, NO_DEVICE: DeviceError}
_INTERRUPTED = 130


def _path() -> str:
    """The path of the command that belongs to the library."""
    given = os.environ.get("MASS_ENGINE")
    if given:
        return given
    folder = os.path.realpath(lib.path)
    while os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
        path = os.path.join(folder, "bin", "mass-engine")
        if os.access(path, os.X_OK):
            return path
    return "mass-engine"


def _prepare() -> None:
    """Ends the command if this process ends first. It runs in the new process."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


class _Lines:
    """The lines of the command: a progress bar of worlds, and the others, of which the last one may be the error."""

    def __init__(self, progress: Optional[bool]):
        self._progress, self._done = progress, 0
        self._bar: Optional[Progress] = None
        self.others = []

    def take(self, line: bytes) -> None:
        """Takes a line."""
        text = line.decode("utf-8", "replace").rstrip("\n")
        text = text[len("mass-engine: "):] if text.startswith("mass-engine: ") else text
        found = re.search(r" has (\d+) of (\d+) worlds?$", text)
        if found:
            self._bar = self._bar or Progress(int(found.group(2)), self._progress, "worlds")
            self._bar.add(int(found.group(1)) - self._done)
            self._done = int(found.group(1))
        elif not text.endswith("goes on from there"):
            self.others.append(text)

    def end(self) -> None:
        """Leaves the bar."""
        if self._bar:
            self._bar.end()


def run_command(words: Sequence[str], progress: Optional[bool] = None) -> str:
    """Runs the command with these words, and returns its standard output. Ctrl-C is passed on."""
    lines, interrupted = _Lines(progress), False
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen([_path(), *words], stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE,
                                   start_new_session=True, preexec_fn=_prepare)
        try:
            while True:
                try:
                    line = process.stderr.readline()
                except KeyboardInterrupt:
                    interrupted = True
                    process.send_signal(signal.SIGINT)
                    continue
                if not line:
                    break
                lines.take(line)
            status = process.wait()
        finally:
            lines.end()
            process.stderr.close()
            if process.poll() is None:
                process.kill()
                process.wait()
        error = lines.others.pop() if status not in (0, _INTERRUPTED) and lines.others else ""
        for text in lines.others if not error else [t for t in lines.others if t != error and "trying again" not in t]:
            warnings.warn(text, ModelWarning, stacklevel=3)
        if interrupted or status == _INTERRUPTED:
            raise KeyboardInterrupt
        if status:
            raise _CLASSES.get(status, Error)(error or f"mass-engine ended with status {status}")
        out.seek(0)
        return out.read().decode("utf-8", "replace")


def models() -> Dict[str, str]:
    """The models that are found by name, and what each is."""
    listed = json.loads(run_command(["--list", "--json"]))
    return {model["plugin"]: model["help"] for model in listed if model["usable"] and not model["shadowed"]}


def execute(run: Union[str, os.PathLike, Mapping], **options: Any) -> Dict[str, Any]:
    """Executes a run in processes of the command, and returns what its --json prints: tallies, state_hash and so on.

        mass.execute({"plugin": "life", "size": 4096, "steps": 1000, "seed": 1}, ranks=4, checkpoint="out")
        m = mass.Model(resume="out")

    run: a file of a run, or a dict as read_run returns. options: those of the command, which override the run's, also
    those of its output, and ranks. Ctrl-C ends it after a last checkpoint, if it writes some.
    """
    entries = {**(_runs.plain(run) if isinstance(run, Mapping) else _runs.read_run(run)), **_runs.plain(options)}
    entries.update({"json": True, "quiet": True})
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "run.json")
        _runs.write_run(path, entries)
        try:
            return json.loads(run_command(["--run", path]))
        except Error as error:
            raise type(error)(_runs.without_file(str(error), path)) from None
