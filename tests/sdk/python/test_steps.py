# SPDX-License-Identifier: Apache-2.0
"""Steps: Ctrl-C, other threads, progress, series."""
import copy
import gc
import io
import os
import pickle
import signal
import sys
import threading
import time
import unittest
from unittest import mock

import numpy
from scene import Case, command, mass


class Steps(Case):
    def test_ctrl_c_ends_it_after_a_complete_step(self):
        with mass.Model("life", size=64, seed=1) as m:
            timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                m.step(2**39)
            timer.join()
            self.assertGreater(m.now, 0)
            expected = command("life", "--size", "64x64", "--seed", "1", "--steps", str(m.now))["state_hash"]
            self.assertEqual(m.hash(), expected)
            m.step()  # and the run goes on

    def test_a_second_thread_is_refused_while_one_steps(self):
        m = mass.Model("life", size=64, seed=1)
        problems = []

        def interfere():
            for _ in range(200):
                try:
                    m.step()
                except mass.BusyError as error:
                    problems.append(str(error))
                time.sleep(0.001)

        thread = threading.Thread(target=interfere)
        thread.start()
        while thread.is_alive():
            try:
                m.step(20000)
            except mass.BusyError:
                pass
        thread.join()
        self.assertIn("another thread uses the run", problems)
        expected = command("life", "--size", "64x64", "--seed", "1", "--steps", str(m.now))["state_hash"]
        self.assertEqual(m.hash(), expected)

    def test_runs_of_two_threads(self):
        models = [mass.Model("sugarscape", size=(30, 30), seed=seed) for seed in (1, 2)]
        threads = [threading.Thread(target=m.step, args=(100,)) for m in models]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for seed, m in enumerate(models, 1):
            words = ["--size", "30x30", "--seed", str(seed), "--steps", "100"]
            self.assertEqual(m.hash(), command("sugarscape", *words)["state_hash"])

    def test_wrong_numbers_of_steps(self):
        with mass.Model("life", size=16, seed=1) as m:
            for steps in (-1, 2**63):
                with self.assertRaises(ValueError):
                    m.step(steps)
            for steps in (-1, 1.5, "3", float("nan"), float("inf"), [1], numpy.float32(0.5), 1j):
                for use in (m.step, m.run, lambda n: m.run(n, until="population < 0")):
                    with self.assertRaises(mass.UsageError, msg=repr(steps)):
                        use(steps)
                if steps != -1:
                    with self.assertRaises(mass.UsageError, msg=repr(steps)):
                        m.log("births", steps)
            with self.assertRaises(mass.UsageError):
                m.step(None)
            m.step(0)
            self.assertEqual(m.now, 0)
            for steps in (2.0, numpy.int8(2), numpy.float64(2), True):
                m.step(steps)
                m.run(steps)
            self.assertEqual(m.now, 14)

    def test_a_closed_model_says_so(self):
        m = mass.Model("life", size=16, seed=1)
        m.close()
        m.close()
        self.assertTrue(m.closed)
        for use in (m.step, m.hash, lambda: m["health"], lambda: m.tallies, lambda: m.populations, lambda: m.now,
                    lambda: m.view("health"), lambda: m.run(5), lambda: m.series, m.picture):
            with self.assertRaisesRegex(ValueError, "the model is closed"):
                use()
        self.assertIn("closed", repr(m))

    def test_a_model_can_be_neither_copied_nor_pickled(self):
        for kind in (mass.Model, mass.ProcessModel):
            with kind("sugarscape", size=16, seed=1) as m:
                for part in (m, m.populations["ants"]):
                    for use in (copy.deepcopy, pickle.dumps):
                        with self.assertRaisesRegex(TypeError, "neither copied nor pickled"):
                            use(part)
                with self.assertRaisesRegex(TypeError, "neither copied nor pickled"):
                    copy.copy(m)
                gc.collect()
                m.step()
                self.assertEqual(m.now, 1)

    def test_run_without_arguments_goes_to_the_models_last_step(self):
        with mass.Model("vector", seed=1) as m:
            self.assertEqual(m.run(), m.info["steps"])
            self.assertEqual(m.run(), 0)

    def test_a_wrong_condition_leaves_the_run_as_it_was(self):
        with mass.Model("life", size=16, seed=1) as m:
            with self.assertRaisesRegex(ValueError, "did you mean 'population'"):
                m.run(until="popullation < 3")
            self.assertEqual(m.run(5), 5)

    def test_progress_is_shown_when_it_is_wanted(self):
        with mass.Model("life", size=64, seed=1) as m, mock.patch.dict(sys.modules, {"tqdm": None, "tqdm.auto": None}):
            with mock.patch("sys.stderr", io.StringIO()) as shown:
                m.step(200000, progress=True)
                self.assertIn("of 200000", shown.getvalue())
            with mock.patch("sys.stderr", io.StringIO()) as shown:
                m.step(1000, progress=False)
                self.assertEqual(shown.getvalue(), "")

    def test_the_bar_is_that_of_tqdm_where_it_is_installed(self):
        with mass.Model("life", size=64, seed=1) as m, mock.patch("sys.stderr", io.StringIO()) as shown:
            m.step(200000, progress=True)
            self.assertRegex(shown.getvalue(), r"100%\|.*\| 200000/200000 \[.* steps/s\]")


class Series(Case):
    def test_rows_are_those_of_the_command(self):
        path = self.path("ants.csv")
        command("sugarscape", "--size", "30x30", "--seed", "1", "--steps", "40", "--log", "ants",
                "--log", "half=ants/2", "--log-every", "5", "--series", path)
        with open(path, encoding="utf-8") as f:
            head, *lines = [line.strip().split(",") for line in f]
        with mass.Model("sugarscape", size=30, seed=1) as m:
            m.run(40, log=["ants", "half=ants/2"], every=5)
            rows = m.rows()
        for name in ("step", "ants", "half"):
            self.assertEqual(rows[name].tolist(), [float(line[head.index(name)]) for line in lines], name)

    def test_measures_of_agents_and_places(self):
        with mass.Model("sugarscape", size=30, seed=1, worlds=2) as m:
            m.run(12, log=["ants", "gini(wealth)", "rich=max(ants.wealth)", "mean(sugar)"], every=4)
            rows = m.rows()
            self.assertEqual(rows["step"].tolist(), [0, 4, 8, 12])
            ants, world = m.populations["ants"], m.populations["ants"]["world"]
            for w in range(2):
                wealth = ants["wealth"][world == w]
                self.assertEqual(rows["ants"][-1, w], len(wealth))
                self.assertEqual(rows["rich"][-1, w], wealth.max())
                differences = numpy.abs(numpy.subtract.outer(wealth, wealth)).mean()
                self.assertAlmostEqual(rows["gini(wealth)"][-1, w], differences / (2 * wealth.mean()))
                self.assertAlmostEqual(rows["mean(sugar)"][-1, w], m["sugar"][w].mean())

    def test_measures_alone(self):
        with mass.Model("life", size=16, seed=1) as m:
            m.run(3, log="sum(health)")
            self.assertEqual(m.rows()["sum(health)"][-1], m["health"].sum())
            self.assertEqual(list(m.rows()), ["step", "population", "sum(health)"])  # life declares one

    def test_a_table_with_pandas_and_arrays_without(self):
        with mass.Model("sugarscape", size=30, seed=1, worlds=2) as m:
            m.run(4, log=["ants", "wealth_histogram"], every=2)
            with mock.patch.dict(sys.modules, {"pandas": None}):
                self.assertEqual(m.series["wealth_histogram"].shape, (3, 2, 50))
            try:
                import pandas  # noqa: F401
            except ImportError:
                self.skipTest("pandas is not installed")
            table = m.series
            self.assertEqual(table.index.names, ["step", "world"])
            self.assertEqual(table.loc[(4, 1), "ants"], m.tallies["ants"][1])
            self.assertEqual(table["wealth_histogram[3]"].shape, (6,))

    def test_nothing_is_logged_at_first(self):
        with mass.Model("life", size=16, seed=1) as m:
            m.step(3)
            self.assertEqual(m.rows()["step"].tolist(), [])
            self.assertEqual(len(m.series), 0 if hasattr(m.series, "index") else 1)

    def test_wrong_series(self):
        with mass.Model("sugarscape", size=16, seed=1) as m:
            with self.assertRaisesRegex(ValueError, "did you mean 'ants'"):
                m.log("antss")
            with self.assertRaises(mass.UnknownName):
                m.log("gini(welth)")
            with self.assertRaises(ValueError):
                m.log("ants", every=0)


if __name__ == "__main__":
    unittest.main()
