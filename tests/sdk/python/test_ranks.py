# SPDX-License-Identifier: Apache-2.0
"""Models over ranks: those of a launcher, which call alike, and those that ranks=N starts. The state is that of one
rank."""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

import numpy
from scene import COMMAND, Case, mass

TURNED = os.environ["MASS_TURNED"]
BAD = os.environ.get("MASS_BAD_PLUGINS", "")
HERE = os.path.dirname(os.path.abspath(__file__))
SUGAR = {"size": (40, 30), "seed": 1, "vision_max": 4}
MODULE = os.path.join(os.path.dirname(COMMAND), "../lib/mass/backends/mpi.so")
LAUNCHER = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "PRTE_ALLOW_RUN_AS_ROOT": "1",
            "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
            "OMPI_MCA_hwloc_base_binding_policy": "none", "OMPI_MCA_btl": "self,vader",
            "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}

if not os.path.exists(MODULE) or not shutil.which("mpirun"):
    print("skipped: mass-engine is built without MPI (libopenmpi-dev), or there is no mpirun (openmpi-bin)")
    sys.exit(77)


def story(m, folder):
    """What a model tells after steps, writes and a condition, as JSON has it."""
    told = {"seed": m.seed, "ranks": repr(m)}
    m.run(20, log=["ants", "gini(wealth)"], every=5)
    told["rows"] = {name: values.tolist() for name, values in m.rows().items()}
    m["sugar"] = 2
    ants = m.populations["ants"]
    ants["wealth"] = numpy.arange(ants.count) + 20
    told["written"] = m.hash()
    m.step()
    told["steps"] = [m.run(until="steady(ants, 30)"), m.run(3, until="ants < 0"), m.run(4)]
    told["now"] = m.now
    told["sugar"] = m["sugar"].tolist()
    with m.view("sugar") as sugar:
        told["view"] = sugar.tolist()
    told["ants"] = [ants["wealth"].tolist(), ants.positions.tolist(), ants.count]
    told["tallies"] = {name: numpy.asarray(value).tolist() for name, value in m.tallies.items()}
    try:
        m["suger"]
    except mass.UnknownName as error:
        told["error"] = str(error)
    told["picture"] = m.picture().hex()
    told["checkpoint"] = os.path.basename(m.checkpoint(folder, replace=True))
    told["state"] = m.hash()
    return told


def launch(ranks, code, *arguments):
    """Runs a program on ranks. Returns its exit status, and the lines of all ranks."""
    code = f"import sys; sys.path[:0] = {[HERE, os.path.join(HERE, '../../../sdk/python')]!r}\n" + code
    done = subprocess.run(["mpirun", "-n", str(ranks), sys.executable, "-B", "-c", code, *arguments], text=True,
                          capture_output=True, env={**os.environ, **LAUNCHER}, timeout=120, check=False)
    return done.returncode, done.stdout.splitlines(), done.stderr


class Ranks(Case):
    maxDiff = 2000

    @classmethod
    def setUpClass(cls):
        with mass.Model("sugarscape", **SUGAR) as m, tempfile.TemporaryDirectory() as folder:
            cls.told = json.loads(json.dumps(story(m, folder)))

    def check(self, told):
        self.assertRegex(told["ranks"], "mass.Model sugarscape 40x30, step 0, seed 1, on cpu, over 3 ranks")
        for name, value in self.told.items():
            if name != "ranks":
                self.assertEqual(told[name], value, name)
        with mass.Model(resume=self.path("out")) as m:
            self.assertEqual(m.hash(), self.told["state"])

    def test_ranks_that_are_started(self):
        with mass.Model("sugarscape", ranks=3, **SUGAR) as m:
            self.check(story(m, self.path("out")))
        self.assertIn("closed", repr(m))

    def test_ranks_that_call_alike(self):
        code = ("import json, sys, test_ranks, mass\n"
                "m = mass.Model('sugarscape', **test_ranks.SUGAR)\n"
                "told = test_ranks.story(m, sys.argv[1])\n"
                "if m.rank == 0: own = mass.Model('life', size=16, seed=1, ranks=1); own.step(3); own.close()\n"
                "m.close()\n"
                "life = mass.Model('life', size=(21, 16), seed=2, worlds=2)\n"
                "life.step(3)\n"
                "told['life'] = [life.hash(), life.packed('health').tolist()]\n"
                "with open(f'{sys.argv[1]}-{m.rank}', 'w') as f: json.dump(told, f)\n")
        status, lines, said = launch(3, code, self.path("out"))
        self.assertEqual((status, lines, said), (0, [], ""))
        with mass.Model("life", size=(21, 16), seed=2, worlds=2) as life:
            life.step(3)
            of_life = [life.hash(), life.packed("health").tolist()]
        for rank in range(3):
            with open(self.path(f"out-{rank}"), encoding="utf-8") as f:
                told = json.load(f)
            self.check(told)
            self.assertEqual(told["life"], of_life)

    def test_bits_over_ranks(self):
        cells = numpy.zeros((20, 27), bool)
        cells[3:9, 5:22] = True
        life = {"load": {"health": cells}, "seed": 1}
        with mass.Model("life", ranks=2, **life) as m, mass.Model("life", **life) as one:
            for model in (m, one):
                model.step(7)
            self.assertTrue((m.packed("health") == one.packed("health")).all())
            self.assertTrue((m["health"] == one["health"]).all())

    def test_edges_over_ranks(self):
        turned = {"seed": 1, "nodes": 30, "compared": 0}
        with mass.Model(TURNED, ranks=2, **turned) as m, mass.Model(TURNED, **turned) as one:
            for model in (m, one):
                model.step(3)
            for name, edges in one.edges.items():
                self.assertEqual((m.edges[name].count, list(m.edges[name])), (edges.count, list(edges)))
                for column in edges:
                    self.assertEqual(m.edges[name][column].tolist(), edges[column].tolist(), (name, column))
            self.assertEqual(m.edges["town"].part("target", 5, 9).tolist(), one.edges["town"]["target"][5:14].tolist())

    def test_calls_that_differ_end_all(self):
        for code, words in (("m.step(m.rank + 1)", r"rank 1 calls m.step\(2\), and rank 0 m.step\(1\)"),
                            ("m.close() if m.rank == 0 else m.step()", "rank 0 has closed the model"),
                            ("if m.rank == 1: raise RuntimeError('no more')\nm.step(); m.step()", "no more")):
            with self.subTest(code):
                status, _, said = launch(2, "import mass; m = mass.Model('life', size=16, seed=1)\n" + code)
                self.assertNotEqual(status, 0)
                self.assertRegex(said, words)
                self.assertEqual(said.count("Traceback"), 1, said)
        status, _, said = launch(2, "import sys, mass; mass.Model('life', size=16, seed=len(sys.argv[1]) + "
                                 "int(__import__('os').environ['OMPI_COMM_WORLD_RANK']))", "1")
        self.assertNotEqual(status, 0)
        self.assertIn("this rank was given --seed 2, and rank 0 --seed 1", said)

    def test_failures_are_those_of_one_rank(self):
        for arguments, options, kind, words in ((("lief",), {}, mass.PluginError, "did you mean life"),
                                                (("life",), {"densty": 1}, mass.UsageError, "density"),
                                                (("life",), {"ranks": 0}, mass.UsageError, "at least 1")):
            with self.subTest(options), self.assertRaisesRegex(kind, words):
                mass.Model(*arguments, **{"ranks": 2, "seed": 1, **options})
        status, lines, said = launch(2, "import mass, os\ntry: mass.Model('lief')\nexcept mass.PluginError as e: "
                                     "print('<' + os.environ['OMPI_COMM_WORLD_RANK'] + '>', e)")
        printed = " ".join(lines)  # mpirun may put the ends of both lines behind the second one
        self.assertEqual((status, said, *map(printed.count, ("<0>", "<1>", "did you mean life"))), (0, "", 1, 1, 2))

    def test_ctrl_c_ends_steps_and_the_model_stays(self):
        with mass.Model("life", size=64, seed=1, ranks=2) as m:
            timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                m.step(2**39)
            timer.join()
            with mass.Model("life", size=64, seed=1) as one:
                one.step(m.now)
                self.assertEqual(m.hash(), one.hash())

    @unittest.skipUnless(BAD, "MASS_BAD_PLUGINS names no folder")
    def test_a_crash_is_told(self):
        with mass.Model(os.path.join(BAD, "crash-later.so"), seed=1, ranks=2) as m:
            m.step(6)
            with self.assertRaisesRegex(mass.PluginError, "crashed with a bad memory access.*step 7"):
                m.step(5)
            self.assertTrue(m.closed)

    def test_a_killed_rank_is_told(self):
        with mass.Model("life", size=16, seed=1, ranks=2) as m:
            os.kill(m._number, signal.SIGKILL)
            with self.assertRaisesRegex(mass.PluginError, "rank 0 .*has ended without a message"):
                m.step()


if __name__ == "__main__":
    unittest.main()
