# SPDX-License-Identifier: Apache-2.0
"""Fits a Gaussian process of scikit-learn to a sweep, and asks for the point that it knows least of."""
import mass
import numpy
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, WhiteKernel

options = {"size": 40, "steps": 40, "seed": 1}
first = mass.sweep("sugarscape", {"growback": (1, 4), "vision_max": (1, 10)}, design="sobol:16", **options)
points = numpy.stack([first["growback"], first["vision_max"]], axis=1).astype(float)
ants = first["ants"].astype(float)
candidates = numpy.array([(g, v) for g in range(1, 5) for v in range(1, 11)], float)
experiment = mass.Experiment("sugarscape", **options)

for _ in range(4):
    model = GaussianProcessRegressor(RBF([1.0, 3.0]) + WhiteKernel(0.1), normalize_y=True, random_state=1)
    model.fit(points, ants)
    _, deviation = model.predict(candidates, return_std=True)
    ask = candidates[deviation.argmax()]
    told = experiment.run({"growback": int(ask[0]), "vision_max": int(ask[1])})["ants"][0, 0]
    points, ants = numpy.vstack([points, ask]), numpy.append(ants, told)
print(f"{len(ants)} points; with growback 4 and vision 10 about {model.predict([[4, 10]])[0]:.0f} ants")
