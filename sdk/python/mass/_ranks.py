# SPDX-License-Identifier: Apache-2.0
"""Models over several ranks: RankModel, in processes that a launcher started, and LaunchedModel, which starts them."""
import atexit
import os
import pickle
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from multiprocessing.connection import Connection
from typing import Any, List, Optional

from . import _display, _values
from ._library import DeviceError, Error, UsageError, lib
from ._model import Model, launched
from ._process import ProcessModel, paths, serve_pipe
from ._remote import RemoteModel, answer_of

_START = "import sys; sys.path[:] = {path!r}; from mass._ranks import serve; serve({folder!r})"
_GRACE = 10  # seconds in which ranks end by themselves

# What mpirun needs here, as the command sets it for --ranks: more ranks than cores, no binding, messages in memory.
_MPIRUN = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
           "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none",
           "OMPI_MCA_orte_execute_quiet": "1", "OMPI_MCA_plm": "isolated", "OMPI_MCA_pml": "ob1",
           "OMPI_MCA_btl": "self,vader", "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
           "PRTE_ALLOW_RUN_AS_ROOT": "1", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
           "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe", "PRTE_MCA_hwloc_default_binding_policy": "none"}


def _own(args, options) -> Model:
    """This rank's Model: on rank 0 the run, on others their part of it."""
    model = object.__new__(Model)
    model.__init__(*args, **options)
    return model


# ---- all ranks call alike ----

_open: List["RankModel"] = []
_failed = False


def _end() -> None:
    """Ends all models and the connection, at the end of this rank's program."""
    if _failed:
        return
    for model in list(_open):
        model.close()
    lib.disconnect()


def _watch_exceptions() -> None:
    """An exception that ends this rank's program ends all ranks: they would wait for it."""
    before = sys.excepthook

    def hook(kind, error, trace):
        """Prints the exception, and ends all ranks with status 1."""
        global _failed
        _failed = True
        if launched()[0] > 0:
            time.sleep(1)  # rank 0 has mostly the same, and ends this rank meanwhile
        if not isinstance(error, Error) or str(error):
            before(kind, error, trace)
        sys.stderr.flush()
        lib.abandon(1)
    sys.excepthook = hook


def _prepare() -> None:
    """Prepares the process, once."""
    if not hasattr(_prepare, "done"):
        _prepare.done = True
        atexit.register(_end)
        _watch_exceptions()


def _show(value: Any) -> str:
    """An argument of a call, for the comparison of ranks."""
    if isinstance(value, (bool, int, float, str, type(None), os.PathLike)):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_show(v) for v in value) + "]"
    return f"array{getattr(value, 'shape', '')}" if hasattr(value, "dtype") else type(value).__name__


def _name(way) -> str:
    """A call as a person writes it."""
    text = "m"
    for kind, *words in way:
        if kind == "attribute":
            text += f".{words[0]}"
        elif kind == "item":
            text += f"[{words[0]!r}]"
        elif kind == "set":
            text += f"[{words[0]!r}] = {_show(words[1])}"
        else:
            text += "(" + ", ".join([_show(v) for v in words[0]] +
                                    [f"{name}={_show(v)}" for name, v in words[1].items()]) + ")"
    return text


class RankModel(RemoteModel):
    """A Model that the processes of mpirun or srun share. All of them make it and call its methods alike, and all get
    the same values. What is set, and the files that are read, are those of rank 0; files are written once.

    `m.rank` and `m.ranks` tell the processes apart, as in `if m.rank == 0: print(...)`. A model lives until close() or
    the end of the program. An exception that ends the program of a rank ends all ranks.
    """

    def __init__(self, *args: Any, **options: Any):
        _prepare()
        self.rank, self.ranks = launched()
        self._model: Optional[Model] = _own(args, options)
        self.info = self._model.info
        self.name: str = self.info["plugin"]
        _open.append(self)

    def _answer(self, request):
        """What rank 0 answers, to all ranks."""
        try:
            answer = (True, answer_of(self._model, request))
        except Exception as error:
            error.__traceback__ = None
            answer = (False, error)
        try:
            text = pickle.dumps((_name(request), answer))
        except Exception:
            text = pickle.dumps((_name(request), (False, Error("the result cannot be sent to the other ranks"))))
        self._model._run.tell(text)
        return answer

    def _hear(self, request):
        """What another rank gets of it."""
        text, name = self._model._run.serve(), _name(request)
        if text is None:
            raise UsageError(f"rank {self.rank} calls {name}, and rank 0 has closed the model: all ranks call alike")
        theirs, answer = pickle.loads(text)
        if theirs != name:
            raise UsageError(f"rank {self.rank} calls {name}, and rank 0 {theirs}: all ranks of a model call alike; "
                             "with ranks=1 each has a model of its own")
        return answer

    def _exchange(self, request):
        """The answer to a call that all ranks make alike: rank 0 has it, and the others hear it."""
        if self._model is None:
            raise UsageError("the model is closed")
        done, answer = self._answer(request) if self.rank == 0 else self._hear(request)
        if not done:
            raise answer
        return answer

    @property
    def closed(self) -> bool:
        """Whether close() was called."""
        return self._model is None

    def close(self) -> None:
        """Ends the run on all ranks. A closed model may be closed again."""
        if self._model is not None:
            _open.remove(self)
            run = self._model._run
            self._model.close()
            run.end()  # all ranks at the same place, whatever still refers to it
        self._model = None

    def __repr__(self) -> str:
        if self._model is None:
            return f"<mass.Model {self.name}, closed>"
        return super().__repr__()[:-1] + f", over {self.ranks} ranks>"

    def _repr_html_(self) -> str:
        return _display.page(repr(self), {}, None) if self._model is None else super()._repr_html_()


# ---- ranks that are started ----

def serve(folder: str) -> None:
    """The program of a rank that LaunchedModel starts. Rank 0 answers the requests of the other side."""
    lib.tell_crashes()
    with open(os.path.join(folder, "request"), "rb") as f:
        args, options = pickle.load(f)
    if launched()[0] > 0:
        try:
            run = _own(args, options)._run
            while run.serve() is not None:
                pass
            run.end()
        except Error:
            pass  # rank 0 has it, too
        lib.disconnect()
        os._exit(0)

    def end(model):
        """Ends the run on all ranks, and this process."""
        if model is not None:
            model._run.end()
        lib.disconnect()
        os._exit(0)
    side = socket.socket(socket.AF_UNIX)
    side.connect(os.path.join(folder, "side"))

    def make(_request):
        """Makes the model, and removes the folder that rank 0 and the others have read."""
        model = _own(args, options)
        shutil.rmtree(folder, ignore_errors=True)  # which all ranks have read by now
        return model
    serve_pipe(Connection(side.detach()), make, end)


class LaunchedModel(ProcessModel):
    """A Model over ranks of this host, which mpirun starts: what Model(..., ranks=4) makes. It has the methods of a
    ProcessModel. Ctrl-C ends steps, and the model stays."""

    def __init__(self, *args: Any, ranks: int, **options: Any):
        self.ranks = _values.whole(ranks, "ranks")
        super().__init__(*args, ranks=self.ranks, comm_timeout=options.pop("comm_timeout", None) or 0, **options)

    def _start(self, args, options) -> Connection:
        """Starts the ranks by mpirun. Returns the connection to rank 0, once it has called back."""
        self._folder = tempfile.mkdtemp(prefix="mass-")
        with socket.socket(socket.AF_UNIX) as door:
            door.bind(os.path.join(self._folder, "side"))
            door.listen(1)
            door.settimeout(0.1)
            with open(os.path.join(self._folder, "request"), "wb") as f:
                pickle.dump((args, options), f)
            try:
                self._process = subprocess.Popen(
                    ["mpirun", "-n", str(self.ranks), sys.executable, "-c",
                     _START.format(path=paths(), folder=self._folder)],
                    stdin=subprocess.DEVNULL, stderr=self._said, start_new_session=True, env={**os.environ, **_MPIRUN})
            except FileNotFoundError:
                raise DeviceError(f"ranks={self.ranks} needs mpirun, which is not in PATH: install openmpi-bin") \
                    from None
            while True:
                try:
                    side = door.accept()[0]
                    break
                except socket.timeout:
                    if self._process.poll() is not None:
                        raise self._ended() from None
        self._number = self._process.pid
        side.settimeout(None)
        return Connection(side.detach())

    def _stop(self, process: subprocess.Popen) -> None:
        """Lets the ranks end, which see that the pipe is closed; or ends their launcher, which ends them."""
        try:
            process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def close(self) -> None:
        """Ends the ranks."""
        super().close()
        if getattr(self, "_folder", None):
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def __repr__(self) -> str:
        text = super().__repr__().replace("<mass.LaunchedModel", "<mass.Model")
        return text if self._process is None else f"{text[:-1]}, over {self.ranks} ranks>"
