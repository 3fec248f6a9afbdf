# SPDX-License-Identifier: Apache-2.0
"""The edges of networks as arrays."""
import ctypes
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Dict, List

import numpy

from . import _display, _values
from ._library import Nodes, check, encoded, lib

if TYPE_CHECKING:
    from ._model import Model


def names_of(info: Dict[str, Any]) -> List[str]:
    """The columns of a network's edges, from its description."""
    return ["source", "target", *info["attributes"]] + (["world", "id"] if info["changes"] else [])


class Edges(Mapping):
    """The edges of a network, or of a further set: their columns by name, as arrays.

        town = m.edges["town"]
        town["source"], town["target"]    # the numbers of the nodes that each edge joins
        town["weight"]                    # an attribute of edges

    Edges that change also have `world` and `id`, and are in the order of world, target and id. The others are the same
    in all worlds. Directed ones are in the order of target and source. If they are undirected, source is the lower
    node, and the order is that of source and target.

    `len(town.names)` is the number of columns, and `town.count` that of edges.
    """

    def __init__(self, model: "Model", info: Dict[str, Any]):
        self._model = model
        self.name: str = info["name"]
        self.directed: bool = info["directed"]
        self.changes: bool = info["changes"]
        self.nodes: int = info["nodes"]
        self.names = names_of(info)

    def _find(self, name: str):
        run = self._model._open()
        return run, _values.find(run, f"{self.name}.edges.{name}")

    @property
    def count(self) -> int:
        """The number of edges now, in all worlds if they change. An undirected edge counts once."""
        return int(self._find("source")[1].extent[0])

    @property
    def node_names(self) -> List[str]:
        """The names of the nodes, if the file names them by text: node i has name i. Else an empty list."""
        found = Nodes()
        check(lib.node_names(self._model._open().handle, encoded(self.name), ctypes.byref(found)))
        if not found.count:
            return []
        last = found.texts + found.first[found.count - 1]
        texts = ctypes.string_at(found.texts, last - found.texts + len(ctypes.string_at(last)))
        return texts.decode("utf-8", "surrogateescape").split("\0")

    def __getitem__(self, name: str) -> numpy.ndarray:
        """A copy of a column: [edges]."""
        values = _values.read(*self._find(name))
        return values.astype(numpy.uint32) if name == "target" and self.changes else values

    def part(self, name: str, first: int, count: int) -> numpy.ndarray:
        """A copy of a column for some edges, from number `first` on. It reads just these if the edges do not change."""
        run, array = self._find(name)
        first, count = _values.whole(first, "is the first edge"), _values.whole(count, "edges")
        if not self.changes:
            return _values.read_part(run, array, first, count)
        if first < 0 or count < 0 or first + count > array.extent[0]:
            raise _values.UsageError(f"{count} edges from number {first} on: {self.name} has {array.extent[0]}")
        return self[name][first:first + count]

    def frame(self):
        """All columns as a pandas.DataFrame, which networkx.from_pandas_edgelist takes."""
        import pandas
        return pandas.DataFrame({name: self[name] for name in self.names})

    def __iter__(self):
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __contains__(self, name) -> bool:
        return name in self.names

    def __repr__(self) -> str:
        return f"<{self.count} edges of {self.name}: {', '.join(self.names)}>"

    def _ipython_key_completions_(self):
        return self.names


class Networks(_display.ByName):
    """The edges of a model by the names of their networks or sets."""

    kind = "network"
