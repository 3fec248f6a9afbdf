# SPDX-License-Identifier: Apache-2.0
"""Sweeps and experiments: the results are those of the command and of single models; what was recorded is not run
again; and the examples of the documents run."""
import ast
import importlib.util
import json
import os
import subprocess
import sys
import unittest
import unittest.mock
import warnings

import numpy

import scene
from scene import mass

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../docs/examples/experiments")
SUGAR = {"size": 20, "steps": 10, "seed": 1}


def has(package):
    return importlib.util.find_spec(package) is not None


@unittest.skipUnless(has("h5py"), "there is no h5py")
class Sweeps(scene.Case):
    def test_worlds_are_those_of_models(self):
        s = mass.sweep("sugarscape", {"growback": [1, 4], "vision_max": range(2, 5)}, repeat=2,
                       tally={"rich": "max(ants.wealth)"}, endowment_max=30, **SUGAR)
        self.assertEqual((s.done, s.total, s["growback"].tolist()), (12, 12, [1] * 6 + [4] * 6))
        for i in (0, 5, 11):
            m = mass.Model("sugarscape", size=20, seed=int(s["seed"][i]), first_world=int(s["world"][i]),
                           growback=s["growback"][i], vision_max=s["vision_max"][i], endowment_max=30,
                           tally={"rich": "max(ants.wealth)"})
            m.step(10)
            self.assertEqual((m.tallies["ants"], m.tallies["rich"]), (s["ants"][i], s["rich"][i]))
            numpy.testing.assert_array_equal(m.tallies["wealth_histogram"], s["wealth_histogram"][i])
        with self.assertRaisesRegex(mass.UnknownName, "no column anst: did you mean ants"):
            s["anst"]

    def test_the_same_call_goes_on(self):
        file = self.path("s.h5")
        whole = mass.sweep("sugarscape", {"growback": [1, 2, 3, 4]}, **SUGAR)
        parts = [mass.sweep("sugarscape", {"growback": [1, 2, 3, 4]}, part=(i, 2), file=self.path(f"{i}.h5"), **SUGAR)
                 for i in (1, 2)]
        self.assertEqual([p.done for p in parts], [2, 2])
        both = mass.read_sweep(self.path("2.h5"), self.path("1.h5"))
        for name in whole:
            numpy.testing.assert_array_equal(both[name], whole[name], name)
        first = mass.sweep("sugarscape", {"growback": [1, 2]}, file=file, **SUGAR)
        written = os.stat(file).st_mtime_ns
        again = mass.sweep("sugarscape", {"growback": [1, 2]}, file=file, **SUGAR)
        self.assertEqual(os.stat(file).st_mtime_ns, written)
        numpy.testing.assert_array_equal(first["ants"], again["ants"])
        with self.assertRaisesRegex(mass.UsageError, "is of another sweep: its table has other rows"):
            mass.sweep("sugarscape", {"growback": [1, 3]}, file=file, **SUGAR)
        other = mass.sweep("sugarscape", {"growback": [1, 3]}, file=file, replace=True, **SUGAR)
        self.assertEqual(mass.read_sweep(file)["growback"].tolist(), other["growback"].tolist())

    def test_rows_designs_and_runs(self):
        rows = [{"growback": 1, "steps": 3}, {"growback": 4, "steps": 5}]
        s = mass.sweep({"plugin": "sugarscape", "size": 20, "seed": 1, "set": {"vision_max": 3}}, rows)
        self.assertEqual((s["step"].tolist(), s["growback"].tolist()), ([3, 5], [1, 4]))
        s = mass.sweep("sugarscape", {"landscape": ["hills", "flat"], "seed": [7, 8]}, size=20, steps=5)
        self.assertEqual((s["landscape"].tolist(), s["seed"].tolist()), (["hills"] * 2 + ["flat"] * 2, [7, 8, 7, 8]))
        d = mass.sweep("heat", {"alpha": (0.0, 0.25), "heat": (1, 3), "steps": 2}, design="latin:12", size=8, seed=1)
        self.assertEqual(sorted((d["alpha"] / 0.25 * 12).astype(int)), list(range(12)))
        self.assertEqual(sorted(d["heat"].tolist()), [1.0] * 4 + [2.0] * 4 + [3.0] * 4)
        self.assertRegex(repr(d), "^<mass.Sweep of 12 worlds over alpha, heat: maximum, minimum, total>")

    def test_series_are_those_of_models(self):
        options = {"repeat": 2, "until": "ants < 38", "log": ["half=ants/2", "wealth_histogram"], "every": 3, **SUGAR}
        file = self.path("s.h5")
        s = mass.sweep("sugarscape", {"growback": [1, 4]}, file=file, **options)
        rows = s.rows()
        for i in range(4):
            m = mass.Model("sugarscape", size=20, seed=1, first_world=i, growback=s["growback"][i])
            m.run(10, until="ants < 38", log=["half=ants/2", "wealth_histogram"], every=3)
            own = m.rows()
            count = len(own["step"])
            self.assertEqual(rows["step"][:count].tolist(), own["step"].tolist())
            for name in ("half", "wealth_histogram"):
                numpy.testing.assert_array_equal(rows[name][i, :count], own[name])
                self.assertTrue(numpy.isnan(rows[name][i, count:]).all())
        with self.assertRaisesRegex(mass.UnknownName, "no series haf: did you mean half"):
            s.rows("haf")
        parts = [mass.sweep("sugarscape", {"growback": [1, 4]}, part=(i, 2), file=self.path(f"{i}.h5"), **options)
                 for i in (1, 2)]
        self.assertEqual([list(part.rows("half")) for part in parts], [["step", "half"]] * 2)
        for other in (mass.sweep("sugarscape", {"growback": [1, 4]}, **options), mass.read_sweep(file),
                      mass.read_sweep(self.path("2.h5"), self.path("1.h5"))):
            for name, values in rows.items():
                numpy.testing.assert_array_equal(other.rows()[name], values, name)

    @unittest.skipUnless(has("pandas"), "there is no pandas")
    def test_series_are_a_table(self):
        s = mass.sweep("sugarscape", {"growback": [1, 4]}, repeat=2, until="ants < 38", log="ants", every=2, **SUGAR)
        table, rows = s.series, s.rows()
        self.assertEqual(list(table), ["growback", "ants"])
        self.assertEqual(len(table), (s["step"] // 2 + 1).sum())
        self.assertEqual(table.loc[(2, 0), "ants"], rows["ants"][2, 0])
        self.assertEqual(table.groupby(["growback", "step"]).ants.mean()[(4, 0)], rows["ants"][2:, 0].mean())
        with unittest.mock.patch.dict(sys.modules, {"pandas": None}):
            self.assertEqual(list(s.series), ["step", "ants"])
        none = mass.sweep("sugarscape", {"growback": [1, 4]}, **SUGAR)
        self.assertEqual((list(none.rows()), len(none.series)), (["step"], 0))

    @unittest.skipUnless(has("pandas"), "there is no pandas")
    def test_frames(self):
        import pandas
        s = mass.sweep("sugarscape", pandas.DataFrame({"growback": [1, 4]}), repeat=2, **SUGAR)
        frame = s.frame()
        self.assertEqual(frame.groupby("growback").ants.mean().tolist(),
                         [s["ants"][:2].mean(), s["ants"][2:].mean()])
        self.assertEqual(frame["wealth_histogram[0]"].tolist(), s["wealth_histogram"][:, 0].tolist())

    @unittest.skipUnless(has("xarray") and has("h5netcdf"), "there is no xarray with h5netcdf")
    def test_xarray_reads_the_file(self):
        import xarray
        s = mass.sweep("sugarscape", {"growback": [1, 4]}, repeat=2, file=self.path("s.h5"), **SUGAR)
        with xarray.open_dataset(self.path("s.h5"), group="sweep") as d:
            self.assertEqual(d.ants.groupby("growback").mean().values.tolist(),
                             [s["ants"][:2].mean(), s["ants"][2:].mean()])
            self.assertEqual(d.wealth_histogram.dims, ("number", "wealth_histogram-bin"))
        mass.sweep("sugarscape", {"growback": [1, 4]}, repeat=2, file=self.path("t.h5"), log="ants", **SUGAR)
        with xarray.open_dataset(self.path("t.h5"), group="series") as d:
            self.assertEqual((d.ants.dims, d.ants.groupby("growback").mean().dims),
                             (("number", "step"), ("growback", "step")))
            self.assertEqual(d.ants.sel(step=10).values.tolist(), s["ants"].tolist())

    def test_mistakes(self):
        for values, options, kind, text in (
                ({"growbak": [1, 2]}, {}, mass.InputError, "did you mean 'growback'"),
                ({"growback": [1, "x"]}, {}, mass.InputError, "^the values: .*'x'"),
                ([{"growback": 1}, {"growback": "x"}], {}, mass.InputError, "^row 1: .*'x'"),
                ({"growback": []}, {}, mass.UsageError, "growback has no values"),
                ({}, {}, mass.UsageError, "over no parameters"),
                ([], {}, mass.UsageError, "without rows"),
                ([{"growback": 1}, {"vision_max": 1}], {}, mass.UsageError, "the same parameters"),
                ({"landscape": ["a;b"]}, {}, mass.UsageError, "'a;b' cannot be in a sweep"),
                ({"growback": (1, 2)}, {"design": "sobl:4"}, mass.UsageError, "none of random:N"),
                ({"growback": (1, 2, 3)}, {"design": "sobol:4"}, mass.UsageError, "tuple of two numbers"),
                ({"growback": [1]}, {"part": 1}, mass.UsageError, "is no .i, n."),
                ({"growback": [1]}, {"growback": 2}, mass.InputError, "given as an argument, too"),
                ({"growback": [1]}, {"file": self.path("x.csv")}, mass.UsageError, "does not end in .h5"),
                ({"growback": [1, 2]}, {"device": "cuda:99"}, mass.DeviceError, "."),
                ({"growback": [1]}, {"log": "anst"}, mass.UsageError, "did you mean 'ants'"),
                ({"growback": [1]}, {"log": "gini(wealth)"}, mass.UsageError, "measure that Python.*log a tally"),
                ({"growback": [1]}, {"log": "ants", "every": 0}, mass.UsageError, "log-every"),
                ({"growback": [1]}, {"until": "anst < 3"}, mass.UsageError, "anst")):
            with self.assertRaisesRegex(kind, text), warnings.catch_warnings():
                warnings.simplefilter("error")
                mass.sweep("sugarscape", values, **{**SUGAR, **options})
        with self.assertRaisesRegex(mass.UsageError, "use mass.sweep for series"):
            mass.Experiment("sugarscape", log="ants")
        with self.assertRaisesRegex(mass.PluginError, "no plugin sugarscpe"):
            mass.sweep("sugarscpe", {"growback": [1]})
        with self.assertRaisesRegex(mass.InputError, "there is no file .*none.h5"):
            mass.read_sweep(self.path("none.h5"))


@unittest.skipUnless(has("h5py"), "there is no h5py")
class Experiments(scene.Case):
    def test_points_are_worlds_with_other_random_numbers_each(self):
        e = mass.Experiment("sugarscape", repeat=2, **SUGAR)
        a, b = e.run([{"growback": 1}, {"growback": 4}]), e.run({"growback": 1})
        self.assertEqual((a["ants"].shape, a["wealth_histogram"].shape, b["ants"].shape), ((2, 2), (2, 2, 50), (1, 2)))
        self.assertEqual((a["world"].tolist(), b["world"].tolist()), ([[0, 1], [2, 3]], [[4, 5]]))
        m = mass.Model("sugarscape", size=20, seed=1, first_world=5, growback=1)
        m.step(10)
        self.assertEqual(m.tallies["ants"], b["ants"][0, 1])

    def test_numbers_of_worlds_are_whole(self):
        for repeat in (1.5, "2", None):
            with self.assertRaisesRegex(mass.UsageError, "whole number"):
                mass.Experiment("sugarscape", repeat=repeat, **SUGAR)
            with self.assertRaisesRegex(mass.UsageError, "whole number"):
                mass.sweep("sugarscape", {"growback": [1]}, repeat=repeat, **SUGAR)
        with self.assertRaisesRegex(mass.UsageError, "whole number"):
            mass.Model("life", ranks=1.5)

    def test_what_was_recorded_is_not_run_again(self):
        file, points = self.path("e.jsonl"), [[{"growback": g}, {"growback": 4}] for g in (1, 2, 3)]
        e = mass.Experiment("sugarscape", file=file, **SUGAR)
        found = [e.run(p)["ants"].tolist() for p in points]
        with open(file, "rb+") as f:  # killed while it wrote the last call
            f.truncate(os.path.getsize(file) - 5)
        e, before = mass.Experiment("sugarscape", file=file, **SUGAR), os.path.getsize(file)
        self.assertEqual([e.run(p)["ants"].tolist() for p in points[:2]], found[:2])
        self.assertEqual(os.path.getsize(file), before)
        self.assertEqual(e.run(points[2])["ants"].tolist(), found[2])
        self.assertGreater(os.path.getsize(file), before)
        with open(file, "w", encoding="utf-8") as f:
            f.write("no JSON\n")
        with self.assertRaisesRegex(mass.InputError, "not a file of an experiment"):
            mass.Experiment("sugarscape", file=file)


class Examples(scene.Case):
    """The examples of docs/python.md, each if its package is installed."""

    def run_example(self, name, said):
        path = os.path.dirname(os.path.dirname(os.path.abspath(mass.__file__)))
        done = subprocess.run([sys.executable, "-B", os.path.join(EXAMPLES, name), self.folder], capture_output=True,
                              text=True, check=False, env={**os.environ, "PYTHONPATH": path})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(said, done.stdout)

    @unittest.skipUnless(has("h5py"), "there is no h5py")
    def test_abc(self):
        self.run_example("abc.py", "of 64 draws")

    @unittest.skipUnless(has("h5py") and has("pandas") and has("matplotlib"), "there is no matplotlib")
    def test_plot(self):
        self.run_example("plot.py", "sugarscape.png")
        with open(self.path("sugarscape.png"), "rb") as f:
            self.assertEqual(f.read(4), b"\x89PNG")

    @unittest.skipUnless(has("h5py") and has("pandas") and has("matplotlib"), "there is no matplotlib")
    def test_notebook(self):
        """The cells of the notebook, without Jupyter: the last line of each can be shown."""
        import matplotlib
        matplotlib.use("Agg")
        with open(os.path.join(EXAMPLES, "sugarscape.ipynb"), encoding="utf-8") as f:
            cells = ["".join(cell["source"]) for cell in json.load(f)["cells"] if cell["cell_type"] == "code"]
        names, pages = {}, []
        for cell in cells:
            tree = ast.parse("\n".join(line for line in cell.splitlines() if not line.startswith("%")))
            last = tree.body.pop()
            exec(compile(tree, "cell", "exec"), names)
            shown = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
            pages.append(shown._repr_html_() if hasattr(shown, "_repr_html_") else "")
        self.assertEqual([page.count("data:image/png;base64,") for page in pages], [1, 0, 1, 0, 0])
        self.assertTrue(pages[0] != pages[2])
        self.assertEqual(len(shown.lines), 10)  # one for each vision

    @unittest.skipUnless(has("h5py") and has("scipy"), "there is no scipy")
    def test_scipy(self):
        self.run_example("scipy_fit.py", "from 150 ants")

    @unittest.skipUnless(has("h5py") and has("optuna"), "there is no optuna")
    def test_optuna(self):
        self.run_example("optuna_search.py", " ants")

    @unittest.skipUnless(has("h5py") and has("sklearn"), "there is no scikit-learn")
    def test_sklearn(self):
        self.run_example("surrogate.py", "20 points")


if __name__ == "__main__":
    unittest.main()
