# SPDX-License-Identifier: Apache-2.0
"""ProcessModel: a Model in a process of its own, which may crash without this one."""
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import warnings
from multiprocessing.connection import Connection, Pipe
from typing import Any, Optional

from . import _display
from ._library import Error, ModelWarning, PluginError, UsageError, lib
from ._model import Model
from ._remote import RemoteModel, answer_of

_START = "import sys; sys.path[:] = {path!r}; from mass._process import serve; serve({file})"


_GRACE = 5  # seconds in which a process ends by itself after the other side has gone


# ---- in the process of the model ----

def _end_without(file: int) -> None:
    """Ends this process some time after the other side of the pipe has gone, whatever steps it is in."""
    look = select.poll()
    look.register(file, select.POLLRDHUP)
    look.poll()
    time.sleep(_GRACE)
    os._exit(1)


def serve_pipe(pipe: Connection, make, end) -> None:
    """Answers the first request with the description of the model that `make` makes of it, and the others from the
    model. Calls `end` when the other side closes the pipe, or without a model after the first answer."""
    model = None
    threading.Thread(target=_end_without, args=(pipe.fileno(),), daemon=True).start()
    while True:
        try:
            request = pipe.recv()
        except KeyboardInterrupt:
            continue
        except EOFError:
            end(model)
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            try:
                if model is None:
                    model = make(request)
                    answer = (True, (model.info, os.getpid()))
                else:
                    answer = (True, answer_of(model, request))
            except BaseException as error:  # also KeyboardInterrupt, which the other side wants to know
                error.__traceback__ = None
                answer = (False, error)
        lines = [str(w.message) for w in heard if issubclass(w.category, ModelWarning)]
        try:
            pipe.send((answer, lines))
        except Exception:  # what cannot be sent
            pipe.send(((False, Error(traceback.format_exc())), lines))


def serve(file: int) -> None:
    """Makes a model of the first request and answers the others, until the other side closes the pipe."""
    lib.tell_crashes()
    serve_pipe(Connection(file), lambda request: Model(*request[0], **{"ranks": 1, **request[1]}),
               lambda model: os._exit(0))


# ---- on this side ----

def paths() -> list:
    """Where a process of a model looks for modules: as this one."""
    return [os.path.dirname(os.path.dirname(os.path.abspath(__file__)))] + sys.path


class ProcessModel(RemoteModel):
    """A Model in a process of its own, with the same arguments and methods; a view is a copy.

    If its plugin crashes, or ends the process, that is a PluginError with the line that the command prints, and this
    process goes on. Several of them, each stepped by a thread, run side by side. Arrays are sent, and so cost more.
    """

    def __init__(self, *args: Any, **options: Any):
        self.name = str(args[0]) if args else str(options.get("plugin", options.get("resume", "the model")))
        self._process: Optional[subprocess.Popen] = None
        self._owner = os.getpid()
        self._said = tempfile.TemporaryFile()
        try:
            self._pipe = self._start(args, options)
            self.info, self._number = self._exchange((args, options))
        except BaseException:
            self.close()
            raise
        self.name = self.info["plugin"]

    def _start(self, args, options) -> Connection:
        """Starts the process. Returns the pipe to it."""
        pipe, theirs = Pipe()
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _START.format(path=paths(), file=theirs.fileno())], pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL, stderr=self._said, start_new_session=True)
        finally:
            theirs.close()
        self._number = self._process.pid
        return pipe

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
        if os.getpid() != self._owner:  # its answers would come to either process
            raise Error("the run belongs to the process that this one is a copy of: open it again here")
        interrupted = False
        try:
            self._pipe.send(request)
            while True:
                try:
                    (done, answer), lines = self._pipe.recv()
                    break
                except KeyboardInterrupt:
                    interrupted = True
                    os.kill(self._number, signal.SIGINT)
        except (EOFError, ConnectionError, BrokenPipeError):
            raise self._ended() from None
        for line in lines:
            warnings.warn(line, ModelWarning, stacklevel=4)
        if interrupted:
            raise KeyboardInterrupt
        if not done:
            raise answer
        return answer

    @property
    def closed(self) -> bool:
        """Whether close() was called, or the process has ended."""
        return self._process is None

    def _stop(self, process: subprocess.Popen) -> None:
        """Ends the process, whose pipe is closed."""
        process.kill()
        process.wait()

    def close(self) -> None:
        """Ends the process."""
        process, self._process = self._process, None
        if process is not None:
            if getattr(self, "_pipe", None) is not None:
                self._pipe.close()
            self._stop(process)
        self._said.close()

    def __del__(self):
        if getattr(self, "_process", None) is not None:
            self.close()

    def __repr__(self) -> str:
        if self._process is None:
            return f"<mass.{type(self).__name__} {self.name}, closed>"
        return f"<mass.{type(self).__name__}" + super().__repr__()[len("<mass.Model"):]

    def _repr_html_(self) -> str:
        if self._process is None:
            return _display.page(repr(self), {}, None)
        return super()._repr_html_()
