# SPDX-License-Identifier: Apache-2.0
"""How models look in notebooks, and series as tables."""
import base64
import difflib
import html
from typing import Dict, Mapping, TypeVar

import numpy

from ._library import UnknownName


class Nothing:
    """A context that does nothing."""

    def __enter__(self):
        return None

    def __exit__(self, *_):
        pass


class Single:
    """What stands for a run. It can be neither copied nor pickled, since each copy would end the run of the others."""

    def __reduce_ex__(self, protocol):
        raise TypeError("a model can be neither copied nor pickled: write it by its checkpoint(), and open that by "
                        "mass.Model(resume=...)")


def unknown(text, name, names):
    """The exception for a name that is none of `names`, with the most similar one."""
    near = difflib.get_close_matches(str(name), list(names), 1)
    more = f": did you mean {near[0]}?" if near else f"; it has {', '.join(names) or 'none'}"
    return UnknownName(text + more)


Part = TypeVar("Part")


class ByName(Mapping[str, Part]):
    """Parts of a model by their names, such as its populations. `kind` is the word for one of them in messages."""

    kind = ""

    def __init__(self, plugin: str, parts: Dict[str, Part]):
        self._plugin, self._all = plugin, parts

    def __getitem__(self, name: str) -> Part:
        if name not in self._all:
            raise unknown(f"{self._plugin} has no {self.kind} {name}", name, self._all)
        return self._all[name]

    def __contains__(self, name):
        return name in self._all

    def __iter__(self):
        return iter(self._all)

    def __len__(self):
        return len(self._all)

    def __repr__(self):
        return "{" + ", ".join(f"{name!r}: {part!r}" for name, part in self._all.items()) + "}"

    def _ipython_key_completions_(self):
        return list(self._all)


def place_of(info, name):
    """Where a Model has what a name of the model stands for, such as that of an attribute; None: the model has no such
    name. info: that of the model; None: it is being made."""
    if info is None:
        return None
    if any(a["name"] == name and "population" not in a for a in info["attributes"]):
        return f"[{name!r}]"
    for kind in ("populations", "tallies", "parameters"):
        if any(item["name"] == name for item in info[kind]):
            return f".{kind}[{name!r}]"
    if any(network["name"] == name for network in info.get("networks", [])):
        return f".edges[{name!r}]"
    return None


def frame(rows, worlds, first_world):
    """A pandas.DataFrame of rows, or the rows themselves without pandas."""
    try:
        import pandas
    except ImportError:
        return rows
    steps = rows["step"]
    if worlds > 1:
        numbers = numpy.arange(first_world, first_world + worlds)
        index = pandas.MultiIndex.from_product([steps, numbers], names=["step", "world"])
    else:
        index = pandas.Index(steps, name="step")
    columns = {}
    for name, values in rows.items():
        if name == "step":
            continue
        values = values.reshape(len(index), -1)
        for i in range(values.shape[1]):
            columns[name if values.shape[1] == 1 else f"{name}[{i}]"] = values[:, i]
    return pandas.DataFrame(columns, index=index)


def _short(value):
    """A tally in a cell of a table."""
    if isinstance(value, float):
        return f"{value:.6g}"
    text = str(value)
    return text if len(text) <= 80 else text[:77] + "..."


def page(head, tallies, picture):
    """A model as HTML: its picture, and a table of tallies."""
    lines = [f"<div><code>{html.escape(head)}</code>"]
    if picture:
        code = base64.b64encode(picture).decode()
        lines.append('<br><img style="max-width: 400px; image-rendering: pixelated" '
                     f'src="data:image/png;base64,{code}">')
    if tallies:
        cells = [f"<tr><td>{html.escape(name)}</td><td>{html.escape(_short(value))}</td></tr>"
                 for name, value in tallies.items()]
        lines.append("<table>" + "".join(cells) + "</table>")
    return "".join(lines) + "</div>"
