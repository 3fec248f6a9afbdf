# SPDX-License-Identifier: Apache-2.0
"""Draws Sugarscape with matplotlib: its places and ants, what it counts, and a sweep over two parameters."""
import sys

import mass
import matplotlib

matplotlib.use("Agg")                             # no window; leave it out in a notebook
import matplotlib.pyplot as plt  # noqa: E402

folder = sys.argv[1] if len(sys.argv) > 1 else "."
figure, (places, counts, sweep) = plt.subplots(1, 3, figsize=(12, 4), layout="constrained")

m = mass.Model("sugarscape", size=50, seed=1)
m.run(200, log=["ants", "gini(wealth)"], every=5)
x, y = m.populations["ants"].positions.T
places.imshow(m["sugar"], cmap="YlOrBr")          # row y, column x; y = 0 is at the top, as in the model's pictures
places.scatter(x, y, s=4, color="black")
m.series.plot(ax=counts, secondary_y="gini(wealth)")

s = mass.sweep("sugarscape", {"vision_max": range(1, 11), "growback": [1, 4]}, repeat=5, steps=200, size=50, seed=1,
               file=f"{folder}/vision.h5")
table = s.frame().groupby(["vision_max", "growback"]).ants.agg(["mean", "std"]).unstack("growback")
table["mean"].plot(ax=sweep, yerr=table["std"], capsize=3, ylabel="ants after 200 steps")
figure.savefig(f"{folder}/sugarscape.png")
print(f"{folder}/sugarscape.png")
