# SPDX-License-Identifier: Apache-2.0
"""RemoteModel: what is common to models that another process computes."""
from collections.abc import Mapping
from contextlib import contextmanager
from typing import Any, Dict, Iterator, List

import numpy

from . import _display, _edges
from ._model import Model, Parameters


def answer_of(model, way):
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


class RemoteColumns(Mapping):
    """Columns of agents or edges, which `way` leads to from a RemoteModel."""

    def __init__(self, model: "RemoteModel", way: List, name: str, names: List[str]):
        self._model, self._way = model, way
        self.name, self.names = name, names

    @property
    def count(self) -> int:
        return self._model._ask(*self._way, ("attribute", "count"))

    def frame(self):
        return self._model._ask(*self._way, ("attribute", "frame"), ("call", (), {}))

    def __getitem__(self, name: str) -> numpy.ndarray:
        return self._model._ask(*self._way, ("item", name))

    def __contains__(self, name) -> bool:
        return name in self.names

    def __iter__(self):
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return self._model._ask(*self._way, ("attribute", "__repr__"), ("call", (), {}))


class RemotePopulation(RemoteColumns):
    """A Population of a RemoteModel."""

    def __init__(self, model: "RemoteModel", info: Dict[str, Any]):
        super().__init__(model, [("attribute", "populations"), ("item", info["name"])], info["name"],
                         info["attributes"])
        self.help: str = info["help"]

    @property
    def positions(self) -> numpy.ndarray:
        return self._model._ask(*self._way, ("attribute", "positions"))

    def __setitem__(self, name: str, value) -> None:
        self._model._ask(*self._way, ("set", name, value))


class RemoteEdges(RemoteColumns):
    """The Edges of a RemoteModel."""

    def __init__(self, model: "RemoteModel", info: Dict[str, Any]):
        super().__init__(model, [("attribute", "edges"), ("item", info["name"])], info["name"], _edges.names_of(info))
        self.directed: bool = info["directed"]
        self.changes: bool = info["changes"]
        self.nodes: int = info["nodes"]

    @property
    def node_names(self) -> List[str]:
        return self._model._ask(*self._way, ("attribute", "node_names"))

    def part(self, name: str, first: int, count: int) -> numpy.ndarray:
        return self._model._ask(*self._way, ("attribute", "part"), ("call", (name, first, count), {}))


def _call(name):
    """A method that the process of the model carries out."""
    def method(self, *args, **options):
        return self._ask(("attribute", name), ("call", args, options))
    method.__name__, method.__doc__ = name, getattr(Model, name).__doc__
    return method


def _value(name):
    """A property that the process of the model knows."""
    return property(lambda self: self._ask(("attribute", name)), doc=getattr(Model, name).__doc__)


class RemoteModel(_display.Single):
    """The methods of a Model, each of which asks by `_exchange`, which a subclass has, as it has `closed` and
    `close`."""

    info: Dict[str, Any]

    def _exchange(self, request):
        """Sends a request, and returns its answer, or raises the exception that it ended with."""
        raise NotImplementedError

    def _ask(self, *way):
        """Asks for what a way from the model leads to: attributes, items and calls."""
        return self._exchange(way)

    step, run, log, rows, packed, hash, picture, checkpoint, check, write_run, has_places = (
        _call(name) for name in ("step", "run", "log", "rows", "packed", "hash", "picture", "checkpoint", "check",
                                 "write_run", "has_places"))
    now, seed, worlds, first_world, device, tallies = (
        _value(name) for name in ("now", "seed", "worlds", "first_world", "device", "tallies"))

    @property
    def parameters(self) -> Parameters:
        """As Model.parameters."""
        return Parameters(self._ask(("attribute", "parameters")))

    @property
    def series(self):
        """As Model.series."""
        return _display.frame(self.rows(), self.worlds, self.first_world)

    @property
    def populations(self) -> Dict[str, RemotePopulation]:
        """As Model.populations."""
        return {info["name"]: RemotePopulation(self, info) for info in self.info["populations"]}

    @property
    def edges(self) -> _edges.Networks:
        """As Model.edges."""
        return _edges.Networks(self.info["plugin"], {info["name"]: RemoteEdges(self, info)
                                                     for info in self.info.get("networks", [])})

    def __getitem__(self, name: str) -> numpy.ndarray:
        return self._ask(("item", name))

    def __setitem__(self, name: str, value) -> None:
        self._ask(("set", name, value))

    @contextmanager
    def view(self, name: str) -> Iterator[numpy.ndarray]:
        """As Model.view, of a copy."""
        values = self[name]
        values.flags.writeable = False
        yield values

    def __iter__(self):
        raise TypeError("a model has no order: m.info lists its attributes")

    def _ipython_key_completions_(self):
        return [a["name"] for a in self.info["attributes"] if "population" not in a]

    def __enter__(self):
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def __repr__(self) -> str:
        return self._ask(("attribute", "__repr__"), ("call", (), {}))

    def _repr_html_(self) -> str:
        return self._ask(("attribute", "_repr_html_"), ("call", (), {}))
