# SPDX-License-Identifier: Apache-2.0
"""Sweeps: the command runs many rows of parameters, and its file of results becomes arrays."""
import json
import os
import re
import tempfile
from collections.abc import Mapping
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

import numpy

from . import _display, _runs
from ._command import run_command
from ._library import Error, InputError, UsageError

Path = Union[str, os.PathLike]
_OWN = ("number", "row", "world", "seed", "step")


def _h5py():
    """The package h5py, which reads the results."""
    try:
        import h5py
    except ImportError:
        raise ImportError("sweeps need h5py to read their results: install python3-h5py, or run pip install h5py") \
            from None
    return h5py


# ---- the table ----

def _word(name: str, value: Any) -> str:
    """One value of a field."""
    if isinstance(value, (bool, numpy.bool_)):
        return str(int(value))
    if isinstance(value, (list, tuple, numpy.ndarray)):
        return "[" + "; ".join(_word(name, v) for v in value) + "]"
    if isinstance(value, (int, numpy.integer)):
        return str(int(value))
    if isinstance(value, (float, numpy.floating)):
        if not numpy.isfinite(value):
            raise UsageError(f"{name} is {value}, and a sweep has finite numbers")
        return repr(float(value))
    text = os.fspath(value) if isinstance(value, os.PathLike) else str(value)
    if re.search(r'[,;"\n\r\[\]]|\.\.', text) or text != text.strip() or not text:
        raise UsageError(f"{name}: the text {text!r} cannot be in a sweep")
    return text


def _field(name: str, values: Any, design: Optional[str]) -> str:
    """All values of a parameter as a field of the table."""
    if isinstance(values, tuple) and design is not None:
        if len(values) != 2:
            raise UsageError(f"{name}: a range of a design is a tuple of two numbers, as in (0.0, 1.0)")
        whole = all(isinstance(v, (int, numpy.integer)) and not isinstance(v, bool) for v in values)
        low, high = (int(v) if whole else float(v) for v in values)
        return f"{low!r}..{high!r}"
    if isinstance(values, str):
        return '"' + values + '"' if re.search(r"[,;]", values) and '"' not in values else values
    if isinstance(values, Iterable):
        words = [_word(name, v) for v in values]
        if not words:
            raise UsageError(f"{name} has no values")
        return "; ".join(words)
    return _word(name, values)


def _rows_of(values: Any) -> Optional[List[Dict[str, Any]]]:
    """Explicit rows: a list of dicts or a pandas table; None if the values are a dict by parameter."""
    if hasattr(values, "to_dict") and hasattr(values, "columns"):
        return values.to_dict("records")
    return None if isinstance(values, Mapping) else [dict(row) for row in values]


def _table(values: Any, design: Optional[str], repeat: int) -> str:
    """The table that the command reads."""
    rows = _rows_of(values)
    if rows is None:
        names, lines = list(values), [[_field(name, v, design) for name, v in values.items()]]
    else:
        if not rows:
            raise UsageError("a sweep without rows")
        if design is not None:
            raise UsageError("a design draws its rows: give a dict of ranges")
        names = list(rows[0])
        if any(list(row) != names for row in rows):
            raise UsageError("the rows of a sweep have to name the same parameters in the same order")
        lines = [[_word(name, row[name]) for name in names] for row in rows]
    if not names:
        raise UsageError("a sweep over no parameters")
    if repeat != 1:
        names, lines = names + ["repeat"], [line + [str(int(repeat))] for line in lines]
    return "\n".join(",".join(line) for line in [names] + lines) + "\n"


# ---- the sweep ----

def _without_table(text: str, path: str, ranges: bool) -> str:
    """A message without the name of the table that was made. Row i of the sweep is line i + 2 there."""
    def place(found):
        line = int(found.group(1))
        return "the parameters" if line == 1 else "the values" if ranges else f"row {line - 2}"
    text = re.sub(re.escape(path) + r", line (\d+)", place, text)
    return text.replace(path, "the sweep").replace("--results ", "")


# ---- results ----

class Sweep(Mapping):
    """The results of a sweep: columns by name, as arrays with a value for each world.

    The columns number, row, world, seed and step come first, then the parameters, and what the model counts. A column
    of bins has the shape [worlds, bins].
    """

    def __init__(self, columns: Dict[str, numpy.ndarray], total: int, file: Optional[str]):
        self._columns = columns
        self.total: int = total  # worlds of the whole sweep
        self.file: Optional[str] = file

    @property
    def done(self) -> int:
        """The number of worlds that have ended."""
        return len(self._columns["number"])

    def frame(self):
        """A pandas.DataFrame with a row for each world. Bins become columns NAME[0], NAME[1] and so on."""
        import pandas
        columns = {}
        for name, values in self._columns.items():
            if values.ndim == 1:
                columns[name] = values
            else:
                columns.update({f"{name}[{i}]": values[:, i] for i in range(values.shape[1])})
        return pandas.DataFrame(columns).set_index("number")

    def __getitem__(self, name: str) -> numpy.ndarray:
        if name not in self._columns:
            raise _display.unknown(f"the sweep has no column {name}", name, self._columns)
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        of = "" if self.done == self.total else f" of {self.total}"
        return f"<mass.Sweep of {self.done}{of} worlds: {', '.join(n for n in self._columns if n not in _OWN)}>"

    def _repr_html_(self) -> str:
        return self.frame()._repr_html_()

    def _ipython_key_completions_(self):
        return list(self._columns)


def _read(path: Path) -> Tuple[Dict[str, numpy.ndarray], int]:
    """The columns of one file, and the number of worlds of its sweep or part."""
    h5py = _h5py()
    try:
        with h5py.File(path, "r") as f:
            group, columns = f["sweep"], {}
            order = [name for name in _OWN] + sorted(set(group) - set(_OWN))
            for name in order:
                data = group[name]
                if data.attrs.get("NAME", b"").startswith(b"This is a netCDF dimension"):
                    continue
                columns[name] = data.asstr()[...] if h5py.check_string_dtype(data.dtype) else data[...]
            return columns, int(f.attrs["total"])
    except (OSError, KeyError) as error:
        raise InputError(f"{os.fspath(path)} is not a file of results of a sweep: {error}") from None


def read_sweep(*paths: Path) -> Sweep:
    """Reads the file of --results of a sweep, also one that has not ended, or the files of all its parts."""
    if not paths:
        raise UsageError("read_sweep needs the path of a file")
    parts = [_read(path) for path in paths]
    names = [name for name in parts[0][0] if all(name in columns for columns, _ in parts)]
    columns = {name: numpy.concatenate([columns[name] for columns, _ in parts]) for name in names}
    order = numpy.argsort(columns["number"], kind="stable")
    return Sweep({name: values[order] for name, values in columns.items()}, sum(total for _, total in parts),
                 os.fspath(paths[0]) if len(paths) == 1 else None)


def sweep(plugin: Union[str, os.PathLike, Mapping, None], values: Any, *, file: Optional[Path] = None,
          design: Optional[str] = None, repeat: int = 1, steps: Optional[int] = None, until: Optional[str] = None,
          size: Any = None, seed: Optional[int] = None, first_world: Optional[int] = None,
          device: Optional[str] = None, threads: Optional[int] = None, ranks: Optional[int] = None,
          load: Optional[Dict[str, Path]] = None, params: Optional[Path] = None,
          tally: Optional[Dict[str, str]] = None, part: Optional[Tuple[int, int]] = None, replace: bool = False,
          progress: Optional[bool] = None, set: Optional[Dict[str, Any]] = None, **parameters: Any) -> Sweep:
    """Runs a model for many rows of parameters, and returns the results: see help(mass.Sweep).

        s = mass.sweep("sugarscape", {"vision_max": range(1, 5), "growback": [1, 4]}, repeat=3, steps=200,
                       size=50, seed=1, file="sweep.h5")
        s.frame().groupby("vision_max").ants.mean()

    plugin: the name of a model or a path, or a dict of a run as read_run returns
    values: a dict from parameters to their values: every combination is a row. Or explicit rows: a list of dicts, or a
    pandas table. Columns "seed", "steps" and "size" are those of the run
    design: "random:100", "latin:100" or "sobol:128" draws rows in place of all combinations; a range is then a tuple:
    (1, 10) of whole numbers, (0.0, 1.0) of reals
    repeat: worlds of each row, with other random numbers
    file: the file of results, .h5. If the sweep is ended in any way, the same call goes on with the rows that it lacks
    replace: replaces a file of another sweep
    part: (i, n) runs the i-th of n parts of the rows, from 1
    All others: as options of the command, and as those of Model. Other arguments are parameters of all rows.
    """
    _h5py()
    entries: Dict[str, Any] = dict(plugin) if isinstance(plugin, Mapping) else {"plugin": plugin}
    entries = _runs.plain(entries)
    own = {"steps": steps, "until": until, "size": size, "seed": seed, "first-world": first_world, "device": device,
           "threads": threads, "ranks": ranks, "load": load, "params": params, "tally": tally}
    entries.update(_runs.plain(own))
    common = {**entries.get("set", {}), **_runs.plain({"set": {**(set or {}), **parameters}})["set"]}
    if common:
        entries["set"] = common
    table = _table(values, design, repeat)
    with tempfile.TemporaryDirectory() as scratch:
        entries["sweep"] = os.path.join(scratch, "sweep.csv")
        entries["results"] = os.path.abspath(file) if file is not None else os.path.join(scratch, "results.h5")
        if design is not None:
            entries["design"] = design
        if part is not None:
            entries["sweep-part"] = f"{part[0]}/{part[1]}"
        if replace:
            entries["force"] = True
        with open(entries["sweep"], "w", encoding="utf-8") as f:
            f.write(table)
        run = os.path.join(scratch, "run.json")
        _runs.write_run(run, entries)
        try:
            run_command(["--run", run], progress)
        except Error as error:
            raise type(error)(_without_table(str(error), entries["sweep"], isinstance(values, Mapping))) from None
        found = read_sweep(entries["results"])
        found.file = os.fspath(file) if file is not None else None
        return found


class Experiment:
    """A model as a function of its parameters, for optimisers that ask for points and are told what came out.

        e = mass.Experiment("sugarscape", steps=100, size=50, seed=1, repeat=4, file="search.jsonl")
        found = e.run([{"growback": 1}, {"growback": 2}])      # both at once, each in 4 worlds
        found["ants"]                                          # an array [points, worlds]

    Each call has worlds with other random numbers. With a file, each call is recorded. If the search is ended and begun
    again, calls with the same points are answered from the file, so that it goes on where it was.

    options: those of sweep.
    """

    def __init__(self, plugin: Union[str, os.PathLike, Mapping], *, file: Optional[Path] = None, repeat: int = 1,
                 seed: int = 0, **options: Any):
        self._plugin, self._options, self._repeat, self._seed = plugin, options, int(repeat), int(seed)
        self._file = None if file is None else os.fspath(file)
        self.worlds = 0  # so far
        self._known: Dict[str, Dict[str, Any]] = {}
        if self._repeat < 1:
            raise UsageError(f"{repeat} worlds for each point: it has to be at least 1")
        if self._file is not None and os.path.exists(self._file):
            self._load()

    def _key(self, points: List[Dict[str, Any]]) -> str:
        """What the results of a call depend on."""
        plugin = dict(self._plugin) if isinstance(self._plugin, Mapping) else str(self._plugin)
        return json.dumps([_runs._value(v) for v in (
            plugin, {name: v for name, v in self._options.items() if name not in ("progress", "device", "threads")},
            self._repeat, self._seed, self.worlds, points) if v is not None], sort_keys=True)

    def _load(self) -> None:
        """Reads the calls that the file has. A last line that is not whole is left out, and cut off."""
        whole = 0
        with open(self._file, "rb") as f:
            for line in f:
                try:
                    key, columns = json.loads(line)
                    self._known[key] = columns
                except ValueError:
                    if not line.endswith(b"\n"):
                        break
                    raise InputError(f"{self._file} is not a file of an experiment") from None
                whole += len(line)
        if whole < os.path.getsize(self._file):
            os.truncate(self._file, whole)

    def _record(self, key: str, columns: Dict[str, Any]) -> None:
        """Adds a call to the file, and brings it to disk."""
        with open(self._file, "ab") as f:
            f.write((json.dumps([key, columns]) + "\n").encode())
            f.flush()
            os.fsync(f.fileno())

    def run(self, points: Union[Mapping, Iterable[Mapping]]) -> Dict[str, numpy.ndarray]:
        """Runs the model at all points at once. Returns arrays by column, [points, worlds], with further axes of bins.

        points: dicts of parameters, or one of them
        """
        rows = [dict(points)] if isinstance(points, Mapping) else [dict(point) for point in points]
        rows = [{name: _runs._value(v) for name, v in row.items()} for row in rows]
        key = self._key(rows)
        columns = self._known.get(key)
        if columns is None:
            found = sweep(self._plugin, rows, repeat=self._repeat, seed=self._seed,
                          first_world=self._options.get("first_world", 0) + self.worlds,
                          **{name: v for name, v in self._options.items() if name != "first_world"})
            columns = {name: values.tolist() for name, values in found.items()}
            if self._file is not None:
                self._record(key, columns)
        self.worlds += len(rows) * self._repeat
        arrays = {name: numpy.asarray(values) for name, values in columns.items()}
        return {name: v.reshape((len(rows), self._repeat) + v.shape[1:]) for name, v in arrays.items()}

    def __repr__(self) -> str:
        return f"<mass.Experiment {self._plugin}, {self.worlds} worlds so far>"
