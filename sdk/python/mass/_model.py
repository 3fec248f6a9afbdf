# SPDX-License-Identifier: Apache-2.0
"""Model: a run of a model of the engine."""
import ctypes
import json
import os
import re
import tempfile
import warnings
from collections.abc import Mapping
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple, Union

import numpy

from . import _device, _display, _edges, _measures, _runs, _values
from ._library import (Error, Keys, ModelWarning, Option, Series, UsageError, byref, c_char_p, c_uint64, c_void_p,
                       check, encoded, failure, lib)
from ._progress import Progress

_SLICE = 0.05  # seconds of steps between two looks at Ctrl-C and the progress bar
_FOREVER = 2**40 - 1


def _text(value: Any) -> str:
    """A parameter's value as --set takes it."""
    if isinstance(value, (bool, numpy.bool_)):
        return "1" if value else "0"
    if isinstance(value, (list, tuple, numpy.ndarray)):
        return ",".join(_text(v) for v in value)
    if isinstance(value, (float, numpy.floating)):
        return repr(float(value))
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def _whole(number: Any) -> str:
    """A whole number as an option takes it. Others stay as they are, for the engine to refuse."""
    whole = isinstance(number, (int, float, numpy.number)) and float(number).is_integer()
    return str(int(number)) if whole else str(number)


def _save(path: str, name: str, value: Any) -> None:
    """Writes an array as a file that --load takes. name: what the user calls it."""
    values = _values.plain(name, value)
    if values.dtype.kind not in "biuf":
        raise UsageError(f"{name} has values of {values.dtype}, and needs numbers")
    if values.ndim == 0:
        raise UsageError(f"{name} is one number: give an array with one for each place")
    kind = numpy.uint8 if values.dtype == bool else values.dtype.newbyteorder("<")
    numpy.save(path, values.astype(kind, copy=False))


def launched() -> Tuple[int, int]:
    """The rank and the number of ranks that mpirun or srun has started, as the command sees them; 0 and 1 without."""
    for rank, size in (("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"), ("PMI_RANK", "PMI_SIZE"),
                       ("PMIX_RANK", "SLURM_STEP_NUM_TASKS"), ("PMIX_RANK", "SLURM_NTASKS")):
        if os.environ.get(rank, "").isdigit() and os.environ.get(size, "").isdigit():
            return int(os.environ[rank]), int(os.environ[size])
    return 0, 1


class _Run(_display.Single):
    """The engine's run. It is closed when nothing refers to it: neither its model nor an array of a view."""

    def __init__(self, plugin: Union[None, str, os.PathLike], options: Sequence[Tuple[str, Optional[str]]]):
        self.handle = None
        words = (Option * len(options))(*[(name.encode(), None if value is None else encoded(value))
                                          for name, value in options])
        handle = c_void_p()
        check(lib.open(None if plugin is None else encoded(plugin), words, len(options), byref(handle)))
        self.handle = handle.value
        self.now = lib.look(self.handle).contents
        self.info = json.loads(self._describe().decode("utf-8", "replace"))
        self.attributes = self.info["attributes"]
        self.dimensions = {space["name"]: len(space["size"]) for space in self.info["spaces"]}

    def _describe(self) -> bytes:
        """The description of the model, on all ranks of the run."""
        if self.now.rank > 0:
            return self.serve()
        text = lib.describe(self.handle)
        if self.now.ranks > 1:
            self.tell(text)
        return text

    def tell(self, data: bytes) -> None:
        """On rank 0: ends `serve` of the other ranks, which return the data."""
        check(lib.tell(self.handle, data, len(data)))

    def serve(self) -> Optional[bytes]:
        """On other ranks: does their parts of rank 0's calls. Returns what rank 0 tells; None: the run is over."""
        data, size = c_void_p(), c_uint64()
        check(lib.serve(self.handle, byref(data), byref(size)))
        return ctypes.string_at(data.value, size.value) if data.value else None

    def end(self, close=lib.close) -> None:
        """Closes the run, whatever refers to it. Arrays of a view must not."""
        if self.handle is not None:
            close(self.handle)
            self.handle = None

    def __del__(self):
        self.end()


class Population(Mapping):
    """The agents of one population: their attributes by name, as arrays in the order of world, place and id.

    `len(ants.names)` is the number of attributes, and `ants.count` that of agents.
    """

    def __init__(self, model: "Model", info: Dict[str, Any]):
        self._model, self._info = model, info
        self.name: str = info["name"]
        self.help: str = info["help"]
        self.names: List[str] = info["attributes"]

    @property
    def count(self) -> int:
        """The number of agents now, in all worlds."""
        return int(_values.find(self._model._open(), f"{self.name}.id").extent[0])

    def __getitem__(self, name: str) -> numpy.ndarray:
        """A copy of an attribute: [agents], or [agents, components]."""
        run = self._model._open()
        return _values.read(run, _values.find(run, f"{self.name}.{name}"))

    def __setitem__(self, name: str, value) -> None:
        """Sets an attribute of all agents: an array of the same shape, or one number for all."""
        run = self._model._open()
        full = f"{self.name}.{name}"
        _values.write(run, full, _values.find(run, full), value)

    def __iter__(self):
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __contains__(self, name) -> bool:
        return name in self.names

    @property
    def positions(self) -> numpy.ndarray:
        """The coordinates of all agents: [agents, axes], x first."""
        size = next(s["size"] for s in self._model.info["spaces"] if s["name"] == self._info["space"])
        place, columns = self["place"], []
        for extent in size:
            columns.append(place % extent)
            place = place // extent
        return numpy.stack(columns, axis=-1)

    def frame(self):
        """All attributes of one component as a pandas.DataFrame, by id."""
        import pandas
        columns = {name: self[name] for name in self.names}
        frame = pandas.DataFrame({name: values for name, values in columns.items() if values.ndim == 1})
        return frame.set_index(["world", "id"] if self._model.worlds > 1 else "id")

    def __repr__(self) -> str:
        return f"<{self.count} {self.name}: {', '.join(self.names)}>"

    def _ipython_key_completions_(self):
        return self.names


class Populations(_display.ByName[Population]):
    """The populations of a model, by name."""

    kind = "population"

    def __init__(self, model: "Model"):
        super().__init__(model.name, {info["name"]: Population(model, info) for info in model.info["populations"]})


class Tallies(Mapping):
    """What a model counts, by name, as of this step.

    A value is a number. It is an array [worlds] with several worlds, [bins] of a histogram, or [worlds, bins]. A tally
    that counts by key gives a dict, or a list of dicts by world. NaN: there is no value.
    """

    def __init__(self, model: "Model"):
        self._model = model
        self._all = {info["name"]: info for info in model.info["tallies"]}

    def __getitem__(self, name: str):
        run, info = self._model._open(), self._all.get(name)
        worlds = self._model.worlds
        if info and "keys" in info:
            keys = [self._keys(run, name, world) for world in range(worlds)]
            return keys if worlds > 1 else keys[0]
        bins = info.get("bins", 0) if info else 0
        values = numpy.empty((worlds, bins or 1))
        status = lib.tally(run.handle, encoded(name), values.ctypes.data, values.size)
        if status:
            raise failure(status, unknown=info is None)
        if info["kind"] == "integer" and info["operation"] != "mean" and numpy.isfinite(values).all():
            values = values.astype(numpy.int64)
        values = values if bins else values[:, 0]
        values = values if worlds > 1 else values[0]
        return values if isinstance(values, numpy.ndarray) else values.item()

    @staticmethod
    def _keys(run: _Run, name: str, world: int) -> Dict[Any, int]:
        """The counts of a world by their keys: numbers, or texts."""
        found = Keys()
        check(lib.keys(run.handle, encoded(name), world, byref(found)))
        keys, counts = found.keys[:found.count], found.counts[:found.count]
        if found.texts is not None:
            texts = ctypes.string_at(found.texts, keys[-1] if keys else 0)
            keys = [texts[first:end].decode("utf-8", "surrogateescape") for first, end in zip([0] + keys, keys)]
        return dict(zip(keys, counts))

    def __iter__(self):
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def __contains__(self, name) -> bool:
        return name in self._all

    def __repr__(self) -> str:
        return repr(dict(self))

    def _ipython_key_completions_(self):
        return list(self._all)


class Parameters(Mapping):
    """The parameters of a run and their values, which are fixed."""

    def __init__(self, values: Mapping):
        self._values = dict(values)

    def __getitem__(self, name: str):
        if name not in self._values:
            raise _display.unknown(f"there is no parameter {name}", name, self._values)
        return self._values[name]

    def __setitem__(self, name: str, value) -> None:
        raise UsageError(f"a run keeps its parameters: open another model with {name}={value!r}")

    def __iter__(self):
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other) -> bool:
        return isinstance(other, Mapping) and self._values == dict(other)

    def __repr__(self) -> str:
        return repr(self._values)

    def _ipython_key_completions_(self):
        return list(self._values)


class Model(_display.Single):
    """A run of a model, from step 0 or from a checkpoint.

        m = mass.Model("sugarscape", size=(256, 256), seed=1, vision_max=4)
        m.step(100)
        m["sugar"]                        # an array [y, x]
        m.populations["ants"]["wealth"]   # an array [agents]
        m.tallies["ants"]                 # a number

    plugin: the name of a model, or a path to its file. All other arguments have the names of the command's options:

    size: extents along x, y and z: (256, 256), 256 or "256x256". Arrays have the shape (y, x)
    seed: a whole number; by default a drawn one, which is m.seed then
    worlds: the number of independent worlds; arrays have a first axis for them
    first_world: the number of the first of them, for its random numbers
    device: "cpu", "cuda", "cuda:1", "paranoid"; by default a GPU if there is one
    threads: CPU threads at most; by default one for each core
    partitions: parts that each space is cut into
    load: a dict of starting values of places: files, or arrays
    params: a YAML or JSON file with parameters
    tally: a dict of tallies that the model does not have: {"rich": "max(ants.wealth)"}
    resume: a checkpoint or a folder of them, in place of plugin, size, seed and parameters
    ranks: 4 starts four processes here, which divide the run. In processes of mpirun or srun, all share the model
    and call alike, unless ranks is 1
    comm_timeout: seconds that ranks wait for each other, 600 by default; 0: for ever
    run: a file of a run, or a dict as read_run returns; see from_run
    strict: faults of the model are exceptions, and not warnings
    set: a dict of parameters with names that are taken above

    Any other argument is a parameter of the model. `m.info` describes the model.
    """

    def __new__(cls, *args: Any, ranks: Optional[int] = None, **options: Any):
        size = launched()[1]
        if cls is not Model or ranks == 1 or (ranks is None and size == 1):
            return super().__new__(cls)
        from . import _ranks  # which needs this module
        if ranks is not None and _values.whole(ranks, "ranks") < 1:
            raise UsageError(f"{ranks} ranks: it has to be at least 1")
        return _ranks.LaunchedModel(*args, ranks=ranks, **options) if size == 1 else \
            _ranks.RankModel(*args, ranks=ranks or size, **options)

    def __init__(self, plugin: Union[str, os.PathLike, None] = None, *,
                 size: Union[None, int, str, Sequence[int]] = None, seed: Optional[int] = None,
                 worlds: Optional[int] = None, first_world: Optional[int] = None, device: Optional[str] = None,
                 threads: Optional[int] = None, partitions: Optional[int] = None,
                 load: Optional[Dict[str, Any]] = None, params: Union[None, str, os.PathLike] = None,
                 tally: Optional[Dict[str, str]] = None,
                 resume: Union[None, str, os.PathLike] = None, strict: bool = False, fuse: Optional[int] = None,
                 ranks: Optional[int] = None, comm_timeout: Optional[int] = None,
                 run: Union[None, str, os.PathLike, Mapping] = None,
                 set: Optional[Dict[str, Any]] = None, **parameters: Any):
        self._run: Optional[_Run] = None
        if plugin is None and resume is None and run is None:
            raise UsageError("which model? Give its name, as in mass.Model(\"life\"), or resume=FOLDER; mass.models() "
                             "has the names")
        options: List[Tuple[str, Optional[str]]] = []
        if size is not None:
            options.append(("size", size if isinstance(size, str) else
                            "x".join(_whole(n) for n in numpy.atleast_1d(size))))
        for name, value in (("seed", seed), ("worlds", worlds), ("first-world", first_world), ("device", device),
                            ("threads", threads), ("partitions", partitions), ("params", params),
                            ("resume", resume), ("fuse", fuse), ("ranks", ranks),
                            ("comm-timeout", comm_timeout)):
            if value is not None:
                options.append((name, _text(value)))
        if strict:
            options.append(("strict", None))
        given = {**_runs.named("set", set, "values of parameters"), **parameters}
        options += [("set", f"{name}={_text(value)}") for name, value in given.items()]
        self._tally = _runs.named("tally", tally, "reductions, such as \"sum(health)\"")
        options += [("tally", f"{name}={text}") for name, text in self._tally.items()]
        loaded = _runs.named("load", load, "arrays or paths of files")
        self._arrays = [name for name, value in loaded.items() if not isinstance(value, (str, os.PathLike))]
        arrays: Dict[str, str] = {}  # their files, and what the user has in their place
        own = ""
        with tempfile.TemporaryDirectory() if loaded or run is not None else _display.Nothing() as scratch:
            if isinstance(run, Mapping):
                entries, run = run, os.path.join(scratch, "run.json")
                own = run
                _runs.write_run(run, entries)
            if run is not None:
                options.insert(0, ("run", _text(run)))
            self._file: Dict[str, Any] = {} if run is None else _runs.read_run(run)
            for number, (name, value) in enumerate(loaded.items()):
                if not isinstance(value, (str, os.PathLike)):
                    path = os.path.join(scratch, f"{number}.npy")
                    _save(path, f"load[{json.dumps(name)}]", value)
                    arrays[path] = f"load[{json.dumps(name)}]"
                    value = path
                options.append(("load", f"{name}={os.fspath(value)}"))
            try:
                self._run = _Run(plugin, options)
            except Error as error:
                text = _runs.without_file(str(error), own) if own else str(error)
                for path, words in arrays.items():
                    text = re.sub(f"--load '([^']*)={re.escape(path)}'", r'load={"\1": ...}', text)
                    text = text.replace(path, words)
                raise type(error)(text) from None
        self._step, self._now = lib.step, self._run.now
        self.info: Dict[str, Any] = self._run.info
        self._measures: List[_measures.Measure] = []
        self._measured: List[Tuple[int, List[numpy.ndarray]]] = []
        self._every = 0
        self._logged: List[str] = []
        self._warn()
        if self._run.now.rank == 0 and ("log" in self._file or "log-every" in self._file):
            self.log(self._file.get("log", []), int(self._file.get("log-every", 1)))

    @classmethod
    def from_run(cls, run: Union[str, os.PathLike, Mapping], **options: Any) -> "Model":
        """The run of a file, which mass-engine --run takes, or of a dict as read_run returns.

            m = mass.Model.from_run("run.yaml", seed=2)
            m.run()                           # to the steps of the file, or until its condition holds

        options: as those of Model; they override those of the file. Series of the file are logged. Its options for
        files that the command writes, for views and for ranks are left out.
        """
        return cls(run=run, **options)

    def write_run(self, path: Union[str, os.PathLike], **options: Any) -> None:
        """Writes a file of this run, .yaml or .json, for the command's --run and from_run.

        It has the model, parameters that were given, size, seed, worlds, tallies and series. Its steps are those of the
        file that this run is from, or else the steps done. Values that were set since are not in it.

        options: further ones of the command, such as steps=1000, checkpoint="folder" or log_every=10.
        """
        if self._arrays:
            raise UsageError(f"the model began with an array of {self._arrays[0]}, and a file of a run has none: save "
                             "it as .npy, and give load the path")
        found = c_void_p()
        check(lib.run_of(self._open().handle, byref(found)))
        entries = json.loads(_runs.text_of(found))
        steps = self._file.get("steps", self.now)
        entries.update({"steps": steps} if steps else {})
        entries.update({name: self._file[name] for name in ("until", "tally") if name in self._file})
        if self._tally:
            entries["tally"] = {**entries.get("tally", {}), **self._tally}
        if self._logged:
            entries.update({"log": self._logged, "log-every": self._every})
        _runs.write_run(path, {**entries, **_runs.plain(options)})

    # ---- what it is ----

    @property
    def name(self) -> str:
        """The name of the plugin."""
        return self.info["plugin"]

    @property
    def seed(self) -> int:
        """The seed. The same one gives the same run."""
        return self.info["seed"]

    @property
    def worlds(self) -> int:
        """The number of worlds."""
        return self.info["worlds"]

    @property
    def first_world(self) -> int:
        """The number of the first world."""
        return self.info["first_world"]

    @property
    def device(self) -> str:
        """Where the steps are computed: "cpu" or "cuda:0"."""
        return self.info["device"]

    @property
    def parameters(self) -> Parameters:
        """The parameters and their values, which are fixed."""
        return Parameters({p["name"]: p["value"] for p in self.info["parameters"]})

    def __getattr__(self, name: str):
        found = _display.place_of(self.__dict__.get("info"), name)
        more = f": it is m{found}" if found else ""
        raise AttributeError(f"a Model has no attribute {name}{more}")

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_"):
            found = _display.place_of(self.__dict__.get("info"), name)
            if found == f".parameters[{name!r}]":
                raise AttributeError(f"a run keeps its parameters: open another model with {name}={value!r}")
            if found:
                raise AttributeError(f"a Model has no attribute {name}: it is m{found}")
        super().__setattr__(name, value)

    @property
    def closed(self) -> bool:
        """Whether close() was called."""
        return self._run is None

    def _open(self) -> _Run:
        """The run. Raises ValueError if it is closed."""
        if self._run is None:
            raise UsageError("the model is closed")
        return self._run

    def _warn(self) -> None:
        """Warns of what the engine has to say."""
        run = self._run
        while run is not None and run.now.messages:
            message = lib.message(run.handle)
            if message is None:
                return
            warnings.warn(message.decode("utf-8", "replace"), ModelWarning, stacklevel=3)

    def close(self) -> None:
        """Ends the run and frees its memory, once no array of a view is left. A closed model may be closed again."""
        self._run = None

    def __enter__(self) -> "Model":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    # ---- steps ----

    @property
    def now(self) -> int:
        """The number of steps done."""
        self._open()
        return self._now.step

    def step(self, steps: int = 1, progress: Optional[bool] = None) -> None:
        """Takes steps. Ctrl-C ends it after a complete step.

        progress: True shows a progress bar, False none. By default one is shown to people if it takes over a second.
        """
        run = self._run
        if run is None:
            raise UsageError("the model is closed")
        if steps == 1 and not self._measures:
            status = self._step(run.handle, 1, 0.0, None)
            if status:
                raise failure(status)
            if run.now.messages:
                self._warn()
            return
        self._take(_values.whole(steps, "steps"), progress)

    def _take(self, steps: int, progress: Optional[bool]) -> int:
        """Takes steps in slices of time, with the measures of the log. Returns how many."""
        run = self._open()
        if steps < 0:
            raise UsageError(f"{steps} steps: a run goes forwards only")
        first = run.now.step
        last = first + steps
        bar = Progress(None if steps >= _FOREVER - first else steps, progress)
        taken = c_uint64()
        try:
            while run.now.step < last and not run.now.held:
                end = last
                if self._measures:
                    end = min(last, run.now.step - run.now.step % self._every + self._every)
                status = self._step(run.handle, end - run.now.step, _SLICE, byref(taken))
                bar.add(taken.value)
                if run.now.messages:
                    self._warn()
                if status:
                    raise failure(status)
                if self._measures and run.now.step % self._every == 0:
                    self._measure()
        finally:
            bar.end()
        return run.now.step - first

    def run(self, steps: Optional[int] = None, *, until: Optional[str] = None,
            log: Union[None, str, Iterable[str]] = None, every: int = 1, progress: Optional[bool] = None) -> int:
        """Takes steps until a condition holds, or so many. Returns their number.

        until: an expression over tallies, such as "population < 100" or "steady(ants, 100)"
        log: what goes into m.series: tallies, "NAME=EXPRESSION", or a measure of an attribute, such as "gini(wealth)",
        "mean(wealth)", and "rich=max(ants.wealth)". The rows before are dropped
        every: the steps from row to row

        Without steps and until, it goes on to the model's usual last step, or as the file of from_run says.
        """
        run = self._open()
        steps = None if steps is None else _values.whole(steps, "steps")
        if log is not None:
            self.log(log, every)
        if steps is None and until is None:
            until = self._file.get("until")
            steps = max(0, int(float(self._file.get("steps", self.info["steps"]))) - run.now.step)
        elif steps is None:
            steps = _FOREVER - run.now.step
        if until is None:
            return self._take(steps, progress)
        check(lib.until(run.handle, encoded(until)))
        try:
            return self._take(steps, progress)
        finally:
            lib.until(run.handle, None)

    # ---- series ----

    def log(self, series: Union[str, Iterable[str]], every: int = 1) -> None:
        """Logs series from now on, a row at each step that is a multiple of `every`. Drops the rows so far."""
        texts = [series] if isinstance(series, str) else list(series)
        every = _values.whole(every, "steps from row to row")
        if every < 1:
            raise UsageError(f"a row every {every} steps: it has to be at least 1")
        run = self._open()
        own, measures = _measures.split(self, texts)
        if own or self.info["logs"]:
            words = (c_char_p * max(1, len(own)))(*[encoded(text) for text in own])
            check(lib.log(run.handle, words, len(own), every))
        else:
            check(lib.log(run.handle, None, 0, 0))
        self._engine_logs = bool(own or self.info["logs"])
        self._measures, self._measured, self._every = measures, [], every
        self._logged = own  # a measure has no place in a file of a run
        if measures and run.now.step % every == 0:
            self._measure()

    def _measure(self) -> None:
        """Adds a row of measures."""
        step = self._run.now.step
        if not self._measured or self._measured[-1][0] < step:
            self._measured.append((step, [measure.values(self) for measure in self._measures]))

    def rows(self) -> Dict[str, numpy.ndarray]:
        """The series as arrays by name: step [rows], and each series as [rows], [rows, worlds] or [..., bins]."""
        run, out = self._open(), {}
        if self._every == 0:
            return {"step": numpy.empty(0, numpy.int64)}
        series = Series()
        check(lib.series_of(run.handle, byref(series)))
        if self._engine_logs and series.rows:
            steps = numpy.ctypeslib.as_array(series.steps, (series.rows,)).astype(numpy.int64)
            values = numpy.ctypeslib.as_array(series.values, (series.rows, series.row_values))
        else:
            steps = numpy.array([step for step, _ in self._measured], numpy.int64)
            values = numpy.empty((len(steps), series.row_values))
        out["step"] = steps
        for i in range(series.column_count if self._engine_logs else 0):
            column = series.columns[i]
            first, width = column.first, self.worlds * column.length
            part = values[:, first:first + width].copy().reshape(len(steps), self.worlds, column.length)
            part = part if column.length > 1 else part[:, :, 0]
            out[column.name.decode()] = part if self.worlds > 1 else part[:, 0]
        for i, measure in enumerate(self._measures):
            part = numpy.array([row[i] for _, row in self._measured]).reshape(-1, self.worlds)
            out[measure.name] = part if self.worlds > 1 else part[:, 0]
        return out

    @property
    def series(self):
        """What log() has logged: a pandas.DataFrame by step (and world), or without pandas a dict of arrays."""
        return _display.frame(self.rows(), self.worlds, self.first_world)

    # ---- places, agents, tallies ----

    @property
    def populations(self) -> Populations:
        """The populations of agents, by name."""
        self._open()
        return Populations(self)

    @property
    def edges(self) -> _edges.Networks:
        """The edges of networks, by the name of the network or set."""
        self._open()
        return _edges.Networks(self.name, {info["name"]: _edges.Edges(self, info)
                                           for info in self.info.get("networks", [])})

    @property
    def tallies(self) -> Tallies:
        """What the model counts, by name."""
        self._open()
        return Tallies(self)

    def has_places(self, name: str) -> bool:
        """Whether places have an attribute of this name."""
        return any(a["name"] == name and "population" not in a for a in self.info["attributes"])

    def __getitem__(self, name: str) -> numpy.ndarray:
        """A copy of an attribute of places, [y, x] in two dimensions; "SPACE.NAME" if there are several spaces."""
        run = self._open()
        return _values.read(run, _values.find(run, name))

    def __setitem__(self, name: str, value) -> None:
        """Sets an attribute of all places: an array of the same shape, or one number for all."""
        run = self._open()
        _values.write(run, name, _values.find(run, name), value)

    def view(self, name: str) -> _values.OpenView:
        """The values of places without a copy, to read in a with statement:

            with m.view("sugar") as sugar:
                print(sugar.max())

        In the block, what would change the model raises BufferError. Use the array in the block only: after it, its
        values are undefined. Bits, agents, several partitions and GPUs give a copy, which nothing changes.
        """
        return _values.OpenView(self._open(), name)

    def device_view(self, name: str) -> _device.OpenDeviceView:
        """The values of places in the memory of the run's device, for packages that compute there:

            with m.device_view("temperature") as values:
                print(torch.from_dlpack(values).mean())

        See help(mass.DeviceArray). As with view, nothing changes the model in the block, and arrays are for the block
        only. Its end waits for the GPU. DeviceError for values of bits or agents, and in several partitions.
        """
        return _device.OpenDeviceView(self._open(), name)

    def packed(self, name: str) -> numpy.ndarray:
        """A copy of an attribute of bits, as it is stored: eight places in a byte along x, the lowest bit first."""
        run = self._open()
        return _values.read_packed(run, _values.find(run, name))

    def hash(self) -> str:
        """The hash of the whole state, which the command prints, too."""
        text = ctypes.create_string_buffer(33)
        check(lib.hash(self._open().handle, text))
        return text.value.decode()

    def __iter__(self):
        raise TypeError("a Model has no order: m.info lists its attributes")

    def _ipython_key_completions_(self):
        return [a["name"] for a in self.info["attributes"] if "population" not in a]

    # ---- files ----

    def picture(self, path: Union[None, str, os.PathLike] = None, *, slice: int = -1,
                replace: bool = False) -> Optional[bytes]:
        """Writes a picture of the first world as PNG. Without a path, returns the bytes of such a file.

        slice: the layer of three dimensions; -1: the middle one. replace: replaces files of other programs, too.
        """
        run = self._open()
        if path is not None:
            check(lib.picture(run.handle, encoded(path), slice, replace))
            return None
        with tempfile.TemporaryDirectory() as scratch:
            file = os.path.join(scratch, "picture.png")
            check(lib.picture(run.handle, encoded(file), slice, False))
            with open(file, "rb") as f:
                return f.read()

    def checkpoint(self, folder: Union[str, os.PathLike], *, replace: bool = False) -> str:
        """Writes a checkpoint into a folder and returns its path. The command and mass.Model(resume=...) go on from it.

        replace: replaces files of another run there.
        """
        run = self._open()
        check(lib.checkpoint(run.handle, encoded(folder), replace))
        return os.path.join(os.fspath(folder), f"ckpt-{run.now.step:012d}.h5")

    def check(self) -> None:
        """Checks what the command checks at the end of a run: that rules keep to the ranges of attributes."""
        check(lib.check(self._open().handle))

    # ---- display ----

    def __repr__(self) -> str:
        if self._run is None:
            return f"<mass.Model {self.name}, closed>"
        size = "x".join(str(n) for n in self.info["spaces"][0]["size"])
        worlds = f", {self.worlds} worlds" if self.worlds > 1 else ""
        return f"<mass.Model {self.name} {size}{worlds}, step {self.now}, seed {self.seed}, on {self.device}>"

    def _repr_html_(self) -> str:
        picture = None
        if self._run is not None and self.info["picture"]:
            try:
                picture = self.picture()
            except Error:
                pass
        return _display.page(repr(self), dict(self.tallies) if self._run is not None else {}, picture)
