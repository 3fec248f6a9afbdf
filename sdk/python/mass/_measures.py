# SPDX-License-Identifier: Apache-2.0
"""Measures of an attribute that Python computes for the log, such as gini(wealth)."""
import re

import numpy

from ._library import UsageError


def gini(values):
    """The Gini coefficient of values that are not negative: 0 if all are equal, nearly 1 if one has all."""
    ordered = numpy.sort(numpy.asarray(values, float).ravel())
    total = ordered.sum()
    if len(ordered) == 0 or total == 0:
        return numpy.nan if len(ordered) == 0 else 0.0
    ranks = numpy.arange(1, len(ordered) + 1)
    return float(2 * (ranks * ordered).sum() / (len(ordered) * total) - (len(ordered) + 1) / len(ordered))


MEASURES = {"gini": gini, "mean": numpy.mean, "sum": numpy.sum, "min": numpy.min, "max": numpy.max,
            "std": numpy.std, "median": numpy.median, "count": numpy.size}
_PATTERN = re.compile(r"\s*(?:(\w[\w.]*)\s*=\s*)?(" + "|".join(MEASURES) + r")\(\s*([\w.]+)\s*\)\s*$")


class Measure:
    """One measure of an attribute, for each world."""

    def __init__(self, model, text, match):
        name, self.operation, self.attribute = match.groups()
        self.name = name or f"{self.operation}({self.attribute})"
        self._population, self._column = None, self.attribute
        if "." not in self.attribute and not model.has_places(self.attribute):
            owners = [p for p in model.populations.values() if self.attribute in p]
            if len(owners) > 1:
                names = " or ".join(f"{p.name}.{self.attribute}" for p in owners)
                raise UsageError(f"log {text!r}: several populations have {self.attribute}: write {names}")
            if owners:
                self._population = owners[0]
        elif "." in self.attribute and self.attribute.split(".")[0] in model.populations:
            self._population = model.populations[self.attribute.split(".")[0]]
            self._column = self.attribute.split(".")[1]

    def values(self, model):
        """The measure in each world, as an array."""
        worlds = model.worlds
        if self._population is None:
            values = model[self.attribute]
            parts = values if worlds > 1 else [values]
        else:
            values = self._population[self._column]
            if worlds > 1:
                world = self._population["world"] - model.first_world
                parts = [values[world == w] for w in range(worlds)]
            else:
                parts = [values]
        operation = MEASURES[self.operation]
        empty = self.operation in ("mean", "min", "max", "std", "median")
        return numpy.array([numpy.nan if empty and len(p) == 0 else operation(p) for p in parts], float)


def is_measure(text):
    """Whether the text of a log is a measure, such as "gini(wealth)" or "rich=max(ants.wealth)"."""
    return bool(_PATTERN.match(text))


def split(model, texts):
    """Divides the texts of a log into those that the engine computes, and Measures."""
    own, measures = [], []
    for text in texts:
        match = _PATTERN.match(text)
        if match and match.group(3) is not None:
            measures.append(Measure(model, text, match))
        else:
            own.append(text)
    for measure in measures:
        measure.values(model)  # now, so that a wrong name is found
    return own, measures
