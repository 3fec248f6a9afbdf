# SPDX-License-Identifier: Apache-2.0
"""Models in processes of their own: the same results, and crashes that are told."""
import os
import signal
import threading
import unittest

import numpy
from scene import Case, command, mass

BAD = os.environ.get("MASS_BAD_PLUGINS", "")


class Processes(Case):
    def test_results_are_the_same(self):
        with mass.ProcessModel("sugarscape", size=(40, 30), seed=1) as p, \
                mass.Model("sugarscape", size=(40, 30), seed=1) as m:
            for one in (p, m):
                one.run(30, log=["ants", "gini(wealth)"], every=10)
                one["sugar"] = 2
                one.populations["ants"]["wealth"] = 50
                one.step(5)
            self.assertEqual((p.hash(), p.now, p.seed), (m.hash(), m.now, m.seed))
            self.assertTrue((p["sugar"] == m["sugar"]).all())
            self.assertTrue((p.populations["ants"]["wealth"] == m.populations["ants"]["wealth"]).all())
            self.assertEqual(p.populations["ants"].count, m.tallies["ants"])
            self.assertEqual(p.tallies["ants"], m.tallies["ants"])
            for name, values in m.rows().items():
                numpy.testing.assert_array_equal(p.rows()[name], values)
            self.assertEqual(p.picture(), m.picture())
            self.assertIn("ProcessModel sugarscape 40x30, step 35", repr(p))

    def test_failures_are_the_same(self):
        with self.assertRaisesRegex(mass.PluginError, "did you mean life"):
            mass.ProcessModel("lief")
        with mass.ProcessModel("life", size=16, seed=1) as p:
            with self.assertRaisesRegex(mass.UnknownName, "did you mean health"):
                p["helth"]
            p.step()
            p.close()
            with self.assertRaisesRegex(ValueError, "the model is closed"):
                p.step()

    def test_ctrl_c_ends_steps_and_the_model_stays(self):
        with mass.ProcessModel("life", size=64, seed=1) as p:
            timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                p.step(2**39)
            timer.join()
            words = ["--size", "64x64", "--seed", "1", "--steps", str(p.now)]
            self.assertEqual(p.hash(), command("life", *words)["state_hash"])

    @unittest.skipUnless(BAD, "MASS_BAD_PLUGINS names no folder")
    def test_crashes_and_ends_are_told_as_by_the_command(self):
        for plugin, words in (("crash-later", "crashed with a bad memory access"), ("abort-later", "an abort"),
                              ("leave-later", "ended the program")):
            with self.subTest(plugin), mass.ProcessModel(os.path.join(BAD, plugin + ".so"), seed=1) as p:
                p.step(6)
                with self.assertRaisesRegex(mass.PluginError, words + ".*step 7"):
                    p.step(5)
                self.assertTrue(p.closed)

    def test_a_copy_of_this_process_has_no_model(self):
        with mass.ProcessModel("life", size=16, seed=1) as m:
            child = os.fork()
            if child == 0:
                try:
                    m.step()
                except mass.Error as error:
                    os._exit(0 if "belongs to the process" in str(error) else 1)
                os._exit(1)
            self.assertEqual(os.waitpid(child, 0)[1], 0)
            self.assertEqual(m.now, 0)
            m.step()

    def test_models_step_side_by_side(self):
        models = [mass.ProcessModel("sugarscape", size=30, seed=seed) for seed in (1, 2)]
        threads = [threading.Thread(target=p.step, args=(50,)) for p in models]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for seed, p in enumerate(models, 1):
            words = ["--size", "30x30", "--seed", str(seed), "--steps", "50"]
            self.assertEqual(p.hash(), command("sugarscape", *words)["state_hash"])
            p.close()


if __name__ == "__main__":
    unittest.main()
