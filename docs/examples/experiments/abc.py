# SPDX-License-Identifier: Apache-2.0
"""Which growback of sugar explains an observed number of ants? Approximate Bayesian computation by rejection."""
import sys

import mass
import numpy

observed = 180                                    # ants after 60 steps
folder = sys.argv[1] if len(sys.argv) > 1 else "."

# The prior: 64 points of a Latin hypercube. The same call goes on if it is ended.
draws = mass.sweep("sugarscape", {"growback": (1, 4), "vision_max": (1, 10)}, design="latin:64", size=40, steps=60,
                   seed=1, file=f"{folder}/prior.h5")

# The posterior: the quarter of the draws that comes closest.
distance = numpy.abs(draws["ants"] - observed)
accepted = distance <= numpy.quantile(distance, 0.25)
for name in ("growback", "vision_max"):
    values = draws[name][accepted]
    print(f"{name}: {values.mean():.2f}, between {values.min()} and {values.max()}")
print(f"{accepted.sum()} of {draws.done} draws, at most {distance[accepted].max():.0f} ants away")
