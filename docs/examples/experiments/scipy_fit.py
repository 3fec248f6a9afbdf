# SPDX-License-Identifier: Apache-2.0
"""Fits the endowment of Sugarscape's ants to a number of survivors by scipy's differential evolution."""
import sys

import mass
import numpy
import scipy.optimize

folder = sys.argv[1] if len(sys.argv) > 1 else "."
experiment = mass.Experiment("sugarscape", size=40, steps=40, seed=1, repeat=2, file=f"{folder}/fit.jsonl")


def distance(x):
    """How far the survivors are from 150, for all points [parameters, points] that scipy asks for at once."""
    points = [{"endowment_max": round(most), "metabolism_max": round(hunger)} for most, hunger in numpy.atleast_2d(x.T)]
    return numpy.abs(experiment.run(points)["ants"].mean(axis=1) - 150)


found = scipy.optimize.differential_evolution(distance, [(5, 60), (1, 5)], vectorized=True, updating="deferred",
                                              popsize=4, maxiter=4, seed=1, polish=False)
print(f"endowment_max {round(found.x[0])}, metabolism_max {round(found.x[1])}: {found.fun:.1f} from 150 ants")
print(f"{experiment.worlds} worlds")
