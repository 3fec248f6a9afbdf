# SPDX-License-Identifier: Apache-2.0
"""Sweeps: the command runs many rows of parameters, and its file of results becomes arrays."""
import json
import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any, Dict, Iterable, Iterator, List, Optional, Tuple, Union

import numpy

from . import _display, _measures, _runs, _values
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
        names, lines = names + ["repeat"], [line + [str(_values.whole(repeat, "worlds of a row"))] for line in lines]
    return "\n".join(",".join(line) for line in [names] + lines) + "\n"


# ---- the sweep ----

def _without_table(text: str, path: str, ranges: bool) -> str:
    """A message without the name of the table that was made. Row i of the sweep is line i + 2 there."""
    def place(found):
        """The name of a line for the reader of the message."""
        line = int(found.group(1))
        return "the parameters" if line == 1 else "the values" if ranges else f"row {line - 2}"
    text = re.sub(re.escape(path) + r", line (\d+)", place, text)
    text = text.replace(" is given by --set, too", " is given as an argument, too")
    return text.replace(path, "the sweep").replace("--results ", "")


# ---- results ----

class _Part:
    """The series of a file of results, which are read when they are asked for."""

    def __init__(self, file, path: Path, columns: Dict[str, numpy.ndarray], keep: bool):
        self.numbers = columns["number"]
        self._path, self._kept = os.path.abspath(path), None
        names = file["sweep"].attrs.get("coordinates", b"")
        names = names.decode() if isinstance(names, bytes) else names
        self.coordinates = [name for name in names.split() if name in columns and name not in _OWN]
        if keep:
            self._kept = self._all(file)

    @staticmethod
    def _sets(file) -> Dict[str, Any]:
        """The data sets of the series, and of their steps."""
        sets = {name: data for name, data in file["series"].items()} if "series" in file else {}
        return {name: data for name, data in sets.items() if name == "step" or data.ndim > 1}

    def _all(self, file) -> Dict[str, numpy.ndarray]:
        """The values of all data sets."""
        return {name: data[...] for name, data in self._sets(file).items()}

    def _look(self, what):
        """What a function makes of the data sets by name."""
        if self._kept is not None:
            return what(self._kept)
        try:
            with _h5py().File(self._path, "r") as f:
                return what(self._sets(f))
        except OSError as error:
            raise InputError(f"{self._path} cannot be read any more: {error}") from None

    def names(self) -> List[str]:
        """The names of the series, without their steps."""
        return self._look(lambda sets: [name for name in sets if name != "step"])

    def steps(self) -> numpy.ndarray:
        """The steps of the rows; none if the file has no series."""
        return self._look(lambda sets: sets["step"][...] if sets else numpy.empty(0, numpy.int64))

    def values(self, name: str, steps: int) -> numpy.ndarray:
        """A series of the worlds that the file had when it was opened, with NaN up to `steps` rows."""
        found = self._look(lambda sets: sets[name][:len(self.numbers), :steps])
        more = [(0, 0), (0, steps - found.shape[1])] + [(0, 0)] * (found.ndim - 2)
        return numpy.pad(found, more, constant_values=numpy.nan) if found.shape[1] < steps else found


class Sweep(Mapping):
    """The results of a sweep: columns by name, as arrays with a value for each world.

    The columns number, row, world, seed and step come first, then the parameters, and what the model counts. A column
    of bins has the shape [worlds, bins]. What `log` has logged is in `rows` and `series`.
    """

    def __init__(self, columns: Dict[str, numpy.ndarray], total: int, file: Optional[str], parts: Sequence[_Part]):
        self._columns, self._parts = columns, parts
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

    def rows(self, *names: str) -> Dict[str, numpy.ndarray]:
        """The series of `log` as arrays by name: step [rows], and each series [worlds, rows] or [worlds, rows, bins].

        After the end of a world that ends before others, and where there is no value, they have NaN. They are read from
        the file. names: only these series; by default all
        """
        steps = max((part.steps() for part in self._parts), key=len, default=numpy.empty(0, numpy.int64))
        known = [name for name in self._parts[0].names() if all(name in part.names() for part in self._parts)]
        for name in names:
            if name not in known:
                raise _display.unknown(f"the sweep has no series {name}", name, known)
        order = numpy.argsort(numpy.concatenate([part.numbers for part in self._parts]), kind="stable")
        out = {"step": steps}
        for name in names or known:
            out[name] = numpy.concatenate([part.values(name, len(steps)) for part in self._parts])[order]
        return out

    @property
    def series(self):
        """The series of `log`: a pandas.DataFrame by number and step, with the parameters of each world. Without
        pandas, the dict of rows()."""
        rows = self.rows()
        try:
            import pandas
        except ImportError:
            return rows
        steps, columns = rows.pop("step"), {}
        index = pandas.MultiIndex.from_product([self._columns["number"], steps], names=["number", "step"])
        for name in self._parts[0].coordinates:
            columns[name] = numpy.repeat(self._columns[name], len(steps))
        for name, values in rows.items():
            values = values.reshape(len(index), -1)
            for i in range(values.shape[1]):
                columns[name if values.shape[1] == 1 else f"{name}[{i}]"] = values[:, i]
        frame, last = pandas.DataFrame(columns, index=index), numpy.repeat(self._columns["step"], len(steps))
        return frame[index.get_level_values("step").to_numpy() <= last]  # no rows after the end of a world

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
        over = self._parts[0].coordinates
        found = [name for name in self._columns if name not in _OWN and name not in over]
        return f"<mass.Sweep of {self.done}{of} worlds over {', '.join(over)}: {', '.join(found)}>"

    def _repr_html_(self) -> str:
        return self.frame()._repr_html_()

    def _ipython_key_completions_(self):
        return list(self._columns)


def _read(path: Path, keep: bool) -> Tuple[Dict[str, numpy.ndarray], int, _Part]:
    """The columns of one file, the number of worlds of its sweep or part, and its series. keep: reads them now."""
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
            return columns, int(f.attrs["total"]), _Part(f, path, columns, keep)
    except FileNotFoundError:
        raise InputError(f"there is no file {os.fspath(path)}") from None
    except (OSError, KeyError) as error:
        raise InputError(f"{os.fspath(path)} is not a file of results of a sweep: {error}") from None


def read_sweep(*paths: Path) -> Sweep:
    """Reads the file of --results of a sweep, also one that has not ended, or the files of all its parts."""
    return _read_all(paths, False)


def _read_all(paths: Sequence[Path], keep: bool) -> Sweep:
    """The results of all files. keep: reads the series now, as the files will go."""
    if not paths:
        raise UsageError("read_sweep needs the path of a file")
    parts = [_read(path, keep) for path in paths]
    names = [name for name in parts[0][0] if all(name in columns for columns, _, _ in parts)]
    columns = {name: numpy.concatenate([columns[name] for columns, _, _ in parts]) for name in names}
    order = numpy.argsort(columns["number"], kind="stable")
    return Sweep({name: values[order] for name, values in columns.items()}, sum(total for _, total, _ in parts),
                 os.fspath(paths[0]) if len(paths) == 1 else None, [part for _, _, part in parts])


def sweep(plugin: Union[str, os.PathLike, Mapping, None], values: Any, *, file: Optional[Path] = None,
          design: Optional[str] = None, repeat: int = 1, steps: Optional[int] = None, until: Optional[str] = None,
          size: Any = None, seed: Optional[int] = None, first_world: Optional[int] = None,
          device: Optional[str] = None, threads: Optional[int] = None, ranks: Optional[int] = None,
          load: Optional[Dict[str, Path]] = None, params: Optional[Path] = None,
          tally: Optional[Dict[str, str]] = None, log: Union[None, str, Iterable[str]] = None, every: int = 1,
          part: Optional[Tuple[int, int]] = None, replace: bool = False, progress: Optional[bool] = None,
          set: Optional[Dict[str, Any]] = None, **parameters: Any) -> Sweep:
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
    log, every: series of each world, "ants" or "NAME=EXPRESSION" as in Model.run but without its measures, and the
    steps from row to row: see Sweep.rows and Sweep.series
    part: (i, n) runs the i-th of n parts of the rows, from 1
    All others: as options of the command, and as those of Model. Other arguments are parameters of all rows.
    """
    _h5py()
    if not isinstance(replace, bool):
        raise UsageError(f"replace={replace!r} is neither True nor False, which say whether a file of another sweep is "
                         f"replaced; a parameter of that name is set={{\"replace\": {replace!r}}}")
    entries: Dict[str, Any] = dict(plugin) if isinstance(plugin, Mapping) else {"plugin": plugin}
    entries = _runs.plain(entries)
    own = {"steps": steps, "until": until, "size": size, "seed": seed, "first-world": first_world, "device": device,
           "threads": threads, "ranks": ranks, "load": _runs.named("load", load, "paths of files") or None,
           "params": params, "tally": _runs.named("tally", tally, "reductions, such as \"sum(health)\"") or None}
    if log is not None:
        own["log"] = [log] if isinstance(log, str) else list(log)
        own["log-every"] = every
    entries.update(_runs.plain(own))
    given = {**_runs.named("set", set, "values of parameters"), **parameters}
    common = {**entries.get("set", {}), **_runs.plain({"set": given})["set"]}
    if common:
        entries["set"] = common
    table = _table(values, design, repeat)
    with tempfile.TemporaryDirectory() as scratch:
        entries["sweep"] = os.path.join(scratch, "sweep.csv")
        entries["results"] = os.path.abspath(file) if file is not None else os.path.join(scratch, "results.h5")
        if design is not None:
            entries["design"] = design
        if part is not None:
            if not isinstance(part, Sequence) or len(part) != 2:
                raise UsageError(f"part {part!r} is no (i, n), as in (1, 3) for the first of three parts")
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
            text = _runs.without_file(str(error), run)
            text = _without_table(text, entries["sweep"], isinstance(values, Mapping))
            measures = [t for t in own.get("log", []) if _measures.is_measure(t)] if text.startswith("--log") else []
            if measures:
                text = (f"{measures[0]} is a measure that Python computes in Model.run, and the command runs a sweep: "
                        "log a tally, as in tally={\"rich\": \"max(ants.wealth)\"}, log=[\"rich\"]")
            raise type(error)(text) from None
        found = _read_all([entries["results"]], file is None)
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
        self._plugin, self._options, self._repeat = plugin, options, _values.whole(repeat, "worlds of a point")
        self._seed = _values.whole(seed, "is the seed")
        self._file = None if file is None else os.fspath(file)
        self.worlds = 0  # so far
        self._known: Dict[str, Dict[str, Any]] = {}
        if "log" in options:
            raise UsageError("an Experiment has what the model counts at the end: use mass.sweep for series")
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
