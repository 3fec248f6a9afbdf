# SPDX-License-Identifier: Apache-2.0
"""ProcessModel: a Model in a process of its own, which may crash without this one."""
import os
import signal
import subprocess
import sys
import tempfile
import traceback
import warnings
from collections.abc import Mapping
from multiprocessing.connection import Connection, Pipe
from typing import Any, Dict, List, Optional

import numpy

from . import _display
from ._library import Error, ModelWarning, PluginError, UsageError, lib
from ._model import Model

_START = "import sys; sys.path[:] = {path!r}; from mass._process import serve; serve({file})"


# ---- in the process of the model ----

def _answer(model, way):
    """What a way from the model leads to: attributes, items, calls, and a last item that is set."""
    found = model
    for kind, *words in way:
        if kind == "attribute":
            found = getattr(found, words[0])
        elif kind == "item":
            found = found[words[0]]
        elif kind == "set":
            found[words[0]] = words[1]
            found = None
        else:
            found = found(*words[0], **words[1])
    return dict(found) if isinstance(found, Mapping) and not isinstance(found, dict) else found


def serve(file: int) -> None:
    """Makes a model of the first request and answers the others, until the other side closes the pipe."""
    pipe, model = Connection(file), None
    lib.tell_crashes()
    while True:
        try:
            request = pipe.recv()
        except KeyboardInterrupt:
            continue
        except EOFError:
            os._exit(0)
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            try:
                if model is None:
                    model = Model(*request[0], **request[1])
                    answer = (True, model.info)
                else:
                    answer = (True, _answer(model, request))
            except BaseException as error:  # also KeyboardInterrupt, which the other side wants to know
                error.__traceback__ = None
                answer = (False, error)
        lines = [str(w.message) for w in heard if issubclass(w.category, ModelWarning)]
        try:
            pipe.send((answer, lines))
        except Exception:  # what cannot be sent
            pipe.send(((False, Error(traceback.format_exc())), lines))


# ---- on this side ----

class _RemotePopulation(Mapping):
    """A Population of a ProcessModel."""

    def __init__(self, model: "ProcessModel", info: Dict[str, Any]):
        self._model, self._way = model, [("attribute", "populations"), ("item", info["name"])]
        self.name: str = info["name"]
        self.help: str = info["help"]
        self.names: List[str] = info["attributes"]

    @property
    def count(self) -> int:
        return self._model._ask(*self._way, ("attribute", "count"))

    @property
    def positions(self) -> numpy.ndarray:
        return self._model._ask(*self._way, ("attribute", "positions"))

    def frame(self):
        return self._model._ask(*self._way, ("attribute", "frame"), ("call", (), {}))

    def __getitem__(self, name: str) -> numpy.ndarray:
        return self._model._ask(*self._way, ("item", name))

    def __setitem__(self, name: str, value) -> None:
        self._model._ask(*self._way, ("set", name, value))

    def __contains__(self, name) -> bool:
        return name in self.names

    def __iter__(self):
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"<{self.count} {self.name}: {', '.join(self.names)}>"


def _call(name):
    """A method that the process of the model carries out."""
    def method(self, *args, **options):
        return self._ask(("attribute", name), ("call", args, options))
    method.__name__, method.__doc__ = name, getattr(Model, name).__doc__
    return method


def _value(name):
    """A property that the process of the model knows."""
    return property(lambda self: self._ask(("attribute", name)), doc=getattr(Model, name).__doc__)


class ProcessModel:
    """A Model in a process of its own, with the same arguments and methods but for `view`.

    If its plugin crashes, or ends the process, that is a PluginError with the line that the command prints, and this
    process goes on. Several of them, each stepped by a thread, run side by side. Arrays are sent, and so cost more.
    """

    def __init__(self, *args: Any, **options: Any):
        self._pipe, theirs = Pipe()
        self._said = tempfile.TemporaryFile()
        path = [os.path.dirname(os.path.dirname(os.path.abspath(__file__)))] + sys.path
        try:
            self._process: Optional[subprocess.Popen] = subprocess.Popen(
                [sys.executable, "-c", _START.format(path=path, file=theirs.fileno())], pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL, stderr=self._said, start_new_session=True)
        finally:
            theirs.close()
        self.name = str(args[0]) if args else str(options.get("plugin", options.get("resume", "the model")))
        try:
            self.info: Dict[str, Any] = self._exchange((args, options))
        except BaseException:
            self.close()
            raise
        self.name = self.info["plugin"]

    def _last_line(self) -> str:
        """The engine's last line on standard error, without its name."""
        self._said.seek(0)
        lines = self._said.read().decode("utf-8", "replace").splitlines()
        ours = [line for line in lines if line.startswith("mass-engine: ")]
        return ours[-1][len("mass-engine: "):] if ours else ""

    def _ended(self) -> PluginError:
        """The exception for a process that has ended."""
        status = self._process.wait()
        line = self._last_line()
        how = signal.strsignal(-status) if status < 0 else f"exit status {status}"
        self.close()
        return PluginError(line or f"the process of {self.name} ended: {how}")

    def _exchange(self, request):
        """Sends a request and returns the answer, or raises it. Ctrl-C is passed on, and ends steps there."""
        if self._process is None:
            raise UsageError("the model is closed")
        interrupted = False
        try:
            self._pipe.send(request)
            while True:
                try:
                    (done, answer), lines = self._pipe.recv()
                    break
                except KeyboardInterrupt:
                    interrupted = True
                    self._process.send_signal(signal.SIGINT)
        except (EOFError, ConnectionError, BrokenPipeError):
            raise self._ended() from None
        for line in lines:
            warnings.warn(line, ModelWarning, stacklevel=4)
        if interrupted:
            raise KeyboardInterrupt
        if not done:
            raise answer
        return answer

    def _ask(self, *way):
        return self._exchange(way)

    step, run, log, rows, packed, hash, picture, checkpoint, check = (
        _call(name) for name in ("step", "run", "log", "rows", "packed", "hash", "picture", "checkpoint", "check"))
    now, seed, worlds, first_world, device, parameters, tallies = (
        _value(name) for name in ("now", "seed", "worlds", "first_world", "device", "parameters", "tallies"))

    @property
    def series(self):
        """As Model.series."""
        return _display.frame(self.rows(), self.worlds, self.first_world)

    @property
    def populations(self) -> Dict[str, _RemotePopulation]:
        """As Model.populations."""
        return {info["name"]: _RemotePopulation(self, info) for info in self.info["populations"]}

    def __getitem__(self, name: str) -> numpy.ndarray:
        return self._ask(("item", name))

    def __setitem__(self, name: str, value) -> None:
        self._ask(("set", name, value))

    @property
    def closed(self) -> bool:
        """Whether close() was called, or the process has ended."""
        return self._process is None

    def close(self) -> None:
        """Ends the process."""
        process, self._process = self._process, None
        if process is not None:
            self._pipe.close()
            process.kill()
            process.wait()
            self._said.close()

    def __enter__(self) -> "ProcessModel":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def __del__(self):
        if getattr(self, "_process", None) is not None:
            self.close()

    def __repr__(self) -> str:
        if self._process is None:
            return f"<mass.ProcessModel {self.name}, closed>"
        return "<mass.ProcessModel" + self._ask(("attribute", "__repr__"), ("call", (), {}))[len("<mass.Model"):]

    def _repr_html_(self) -> str:
        if self._process is None:
            return _display.page(repr(self), {}, None)
        return self._ask(("attribute", "_repr_html_"), ("call", (), {}))
