# SPDX-License-Identifier: Apache-2.0
"""Runs of models of mass-engine in Python, with NumPy arrays.

      import mass
      m = mass.Model("sugarscape", size=(256, 256), seed=1, vision_max=4)
      m.step(100)
      m["sugar"]                                # places: an array [y, x]
      m.populations["ants"]["wealth"]           # agents: an array [agents]
      m.edges["town"]["source"]                 # edges of a network: an array [edges]
      m.tallies["ants"]                         # what the model counts
      m.run(until="steady(ants, 100)", log=["ants", "gini(wealth)"])
      m.series                                  # a pandas.DataFrame, or arrays
      m.picture("now.png")
      m.checkpoint("folder")                    # mass.Model(resume="folder") goes on
      mass.sweep("sugarscape", {"growback": [1, 4]}, repeat=3, steps=100, file="results.h5").frame()
      m.write_run("run.yaml")                   # mass.Model.from_run("run.yaml"), mass-engine --run run.yaml

The same seed gives the same bits as the command mass-engine. `help(mass.Model)` has all of it.

Exceptions: mass.Error has the sentence that the command prints. UsageError, InputError and UnknownName are ValueErrors,
too, and UnknownName is a KeyError. What a run goes on with is a warning, mass.ModelWarning.
"""
from . import _values  # first: it says if there is no NumPy
from ._command import execute, models
from ._device import DeviceArray
from ._edges import Edges
from ._library import (VERSION as __version__, BusyError, DeviceError, Error, InputError, ModelWarning, PluginError,
                       UnknownName, UsageError)
from ._measures import gini
from ._model import Model, Population, Populations, Tallies
from ._process import ProcessModel
from ._runs import read_run, write_run
from ._sweep import Experiment, Sweep, read_sweep, sweep

__all__ = ["Model", "ProcessModel", "Population", "Populations", "Tallies", "Edges", "DeviceArray", "models",
           "read_run", "write_run", "execute", "sweep", "Sweep", "read_sweep", "Experiment", "gini", "Error",
           "UsageError", "UnknownName", "PluginError", "InputError", "DeviceError", "BusyError", "ModelWarning",
           "__version__"]

for _name in __all__[:-1]:
    globals()[_name].__module__ = "mass"  # where its users find it
del _name
