# SPDX-License-Identifier: Apache-2.0
"""Checkpoints, pictures, displays, and what is wrong with what is opened."""
import os
import subprocess
import sys
import unittest
import warnings

import numpy
from scene import COMMAND, Case, command, mass


class Files(Case):
    def test_a_run_goes_on_from_a_checkpoint_here_and_by_the_command(self):
        folder = self.path("run")
        with mass.Model("sugarscape", size=30, seed=1, vision_max=3) as m:
            m.step(20)
            path = m.checkpoint(folder)
            self.assertTrue(os.path.exists(path), path)
            m.step(20)
            expected = m.hash()
            with mass.Model(resume=folder) as again, mass.Model(resume=path) as third:
                self.assertEqual((again.now, again.seed, again.parameters["vision_max"]), (20, 1, 3))
                again.step(20)
                third.step(20)
                self.assertEqual((again.hash(), third.hash()), (expected, expected))
                again.checkpoint(folder)
            self.assertEqual(command("--resume", folder, "--steps", "40")["state_hash"], expected)

    def test_python_goes_on_from_a_checkpoint_of_the_command(self):
        folder = self.path("run")
        command("life", "--size", "64x64", "--seed", "2", "--steps", "30", "--until", "population < 5000",
                "--checkpoint", folder)
        with mass.Model(resume=folder) as m, mass.Model("life", size=64, seed=2) as whole:
            m.step(40 - m.now)  # the condition was the command's
            whole.step(40)
            self.assertEqual(m.hash(), whole.hash())

    def test_a_folder_of_another_run_is_refused(self):
        folder = self.path("run")
        with mass.Model("life", size=16, seed=1) as m:
            m.checkpoint(folder)
        with mass.Model("life", size=16, seed=2) as m:
            with self.assertRaisesRegex(mass.UsageError, "seed"):
                m.checkpoint(folder)
            m.checkpoint(folder, replace=True)
        with mass.Model(resume=folder) as m:
            self.assertEqual(m.seed, 2)

    def test_pictures_are_those_of_the_command(self):
        path, own = self.path("command.png"), self.path("own.png")
        command("sugarscape", "--size", "30x30", "--seed", "1", "--steps", "10", "--image", path)
        with mass.Model("sugarscape", size=30, seed=1) as m:
            m.step(10)
            m.picture(own)
            m.picture(own)  # it may be replaced
            with open(path, "rb") as a, open(own, "rb") as b:
                expected = a.read()
                self.assertEqual(b.read(), expected)
            self.assertEqual(m.picture(), expected)
            with open(self.path("letter.png"), "wb") as f:
                f.write(b"of somebody")
            with self.assertRaises(mass.UsageError):
                m.picture(self.path("letter.png"))
            m.picture(self.path("letter.png"), replace=True)
            with self.assertRaises(mass.Error):
                m.picture("/nowhere/at/all.png")

    def test_display(self):
        with mass.Model("sugarscape", size=(30, 20), seed=1) as m:
            self.assertEqual(repr(m), "<mass.Model sugarscape 30x20, step 0, seed 1, on cpu>")
            page = m._repr_html_()
            self.assertIn("data:image/png;base64,", page)
            self.assertIn("<td>ants</td>", page)
            self.assertIn("wealth", repr(m.populations))
            self.assertIn("sugar", m._ipython_key_completions_())
            self.assertIn("'ants'", repr(m.tallies))
        self.assertIn("closed", m._repr_html_())


class Opening(Case):
    def test_what_is_wrong_is_said_in_the_engines_words(self):
        for arguments, options, kind, words in (
                (("lief",), {}, mass.PluginError, "did you mean life"),
                (("life",), {"densty": 0.5}, ValueError, "density"),
                (("life",), {"density": 7}, ValueError, "density"),
                (("life",), {"size": (3, 3, 3, 3)}, ValueError, "--size"),
                (("life",), {"size": 20.5}, ValueError, "--size 20.5"),
                (("life",), {"size": float("nan")}, ValueError, "--size nan"),
                (("life",), {"seed": -1}, ValueError, "--seed"),
                (("life",), {"device": "abacus"}, ValueError, "--device abacus"),
                (("life",), {"device": "cuda:63"}, (mass.DeviceError, ValueError), "."),
                (("life",), {"ranks": 0}, ValueError, "at least 1"),
                (("life",), {"load": {"health": self.path("none.npy")}}, mass.InputError, "none.npy"),
                (("life",), {"params": self.path("none.yaml")}, mass.InputError, "none.yaml"),
                (("life",), {"tally": {"a": "sum(helth)"}}, ValueError, "did you mean 'health'"),
                ((), {"resume": self.path("none")}, mass.InputError, "none"),
                ((), {}, ValueError, "which model"),
                ((__file__,), {}, mass.PluginError, "test_files.py")):
            with self.subTest(options):
                with self.assertRaisesRegex(kind, words):
                    mass.Model(*arguments, **{"seed": 1, **options} if "resume" not in options else options)

    def test_arrays_are_refused_by_the_name_that_the_user_has_for_them(self):
        cells = numpy.zeros((4, 4))
        for model, name, values, words in (
                ("life", "health", numpy.zeros((3, 3, 3, 3)), "^load\\[\"health\"\\]: its size is 3x3x3x3, "),
                ("life", "health", cells + 5, "^load\\[\"health\"\\]: 5 at \\(y 0, x 0\\) is not a value"),
                ("life", "health", numpy.array(["a"]), "^load\\[\"health\"\\] has values of <U1, and needs numbers$"),
                ("life", "health", 5, "^load\\[\"health\"\\] is one number: "),
                ("life", "health", [[1, 0], [0]], "^load\\[\"health\"\\] is no array: "),
                ("heat", "temperature", cells, "as in load={\"temperature\\[0\\]\": ...}$")):
            with self.subTest(words), self.assertRaisesRegex((mass.InputError, mass.UsageError), words) as refused:
                mass.Model(model, seed=1, load={name: values})
            self.assertNotIn(".npy", str(refused.exception))

    def test_what_is_no_dict_is_refused(self):
        for option, words in (("load", "arrays"), ("tally", "reductions"), ("set", "values of parameters")):
            for value in ("x", 5, ["x"], numpy.zeros((3, 3))):
                with self.subTest((option, value)), \
                        self.assertRaisesRegex(mass.UsageError, f"^{option} takes a dict from names to {words}"):
                    mass.Model("life", seed=1, **{option: value})
            with self.assertRaisesRegex(mass.UsageError, f"^{option} takes a dict from names to "):
                mass.sweep("life", {"density": [0.1]}, steps=1, **{option: 5})
        for wrong in ({"plugin": 5}, {"plugin": "life", "run": 5}):
            with self.assertRaises(mass.Error):
                mass.Model(**wrong)

    def test_the_file_of_a_run_in_a_dict_is_not_named(self):
        run = {"plugin": "life", "steps": 1, "set": {"densty": 0.5}}
        for use in (mass.Model.from_run, mass.execute, lambda of: mass.sweep(of, {"x": [1]})):
            with self.assertRaisesRegex(ValueError, "life: there is no parameter 'densty'") as refused:
                use(run)
            self.assertNotIn("run.json", str(refused.exception))

    def test_models_are_listed(self):
        self.assertIn("Life", mass.models()["life"])

    def test_names_lead_to_where_things_are(self):
        with mass.Model("sugarscape", size=16.0, seed=1) as m:
            for name, place in (("sugar", r"m\['sugar'\]"), ("ants", r"m.populations\['ants'\]"),
                                ("births", r"m.tallies\['births'\]"), ("growback", r"m.parameters\['growback'\]")):
                with self.assertRaisesRegex(AttributeError, f"no attribute {name}: it is {place}"):
                    getattr(m, name)
            with self.assertRaisesRegex(AttributeError, "no attribute sugars$"):
                m.sugars
            for change in (lambda: setattr(m, "growback", 2), lambda: m.parameters.__setitem__("growback", 2)):
                with self.assertRaisesRegex((AttributeError, mass.UsageError), "open another model with growback=2"):
                    change()
            with self.assertRaisesRegex(AttributeError, r"it is m\['sugar'\]"):
                m.sugar = 3
            with self.assertRaisesRegex(KeyError, "did you mean growback"):
                m.parameters["growbak"]
            m.note = "of the program"
            self.assertEqual((m.note, m.parameters["growback"]), ("of the program", 1))
            self.assertEqual(m.parameters, dict(m.parameters))

    def test_names_that_options_have_are_set_apart(self):
        with mass.Model("life", size=16, seed=1, set={"density": 0.5}) as m:
            self.assertEqual(m.parameters["density"], 0.5)

    def test_a_seed_is_drawn(self):
        with mass.Model("life", size=16) as a, mass.Model("life", size=16, seed=a.seed) as b:
            self.assertEqual(a.hash(), b.hash())

    def test_nothing_is_printed_and_no_handler_installed(self):
        code = ("import signal, mass\n"
                "before = [signal.getsignal(s) for s in (signal.SIGINT, signal.SIGTERM, signal.SIGSEGV)]\n"
                "m = mass.Model('sugarscape', size=30)\n"
                "m.step(20)\n"
                "assert before == [signal.getsignal(s) for s in (signal.SIGINT, signal.SIGTERM, signal.SIGSEGV)]\n"
                "try: mass.Model('nothing')\n"
                "except mass.PluginError: pass\n"
                "print('end')")
        done = self.python(code)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "end\n", ""))

    def python(self, code, **environment):
        folder = os.path.dirname(os.path.dirname(os.path.abspath(mass.__file__)))
        return subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, check=False,
                              env={**os.environ, "PYTHONPATH": folder, **environment})

    def test_a_library_of_another_kind_is_refused_at_import(self):
        for library in ("/nowhere/libmass.so", "libm.so.6"):
            done = self.python("import mass", MASS_LIBRARY=library)
            self.assertEqual(done.returncode, 1)
            self.assertIn("ImportError: ", done.stderr)
            self.assertIn("mass-engine 0.1.0", done.stderr)

    def test_a_library_of_another_version_is_refused_at_import(self):
        version = mass.__version__
        with open(os.environ["MASS_LIBRARY"], "rb") as f:
            own = f.read()
        newer = own.replace(version.encode(), b"0.9.9")  # as a later release returns it
        lacking = newer.replace(b"mass_engine_series_of", b"mass_engine_series_xx")
        self.assertEqual((len(newer), newer != own, lacking != newer), (len(own), True, True))
        for number, library in enumerate((newer, lacking)):
            path = self.path(f"libmass.so.{number}")
            with open(path, "wb") as f:
                f.write(library)
            done = self.python("import mass", MASS_LIBRARY=path)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertEqual(done.stderr.splitlines()[-1],
                             f"ImportError: mass {version} needs the library of the same version, and {path} is of "
                             "0.9.9: install both again")
        with open(path, "wb") as f:
            f.write(own)
        self.assertEqual(self.python("import mass", MASS_LIBRARY=path).returncode, 0)  # the copy is not the reason

    def test_without_numpy_the_import_says_what_to_install(self):
        done = self.python("import sys; sys.modules['numpy'] = None; import mass")
        self.assertIn("ImportError: mass needs NumPy: install python3-numpy", done.stderr)

    @unittest.skipUnless(os.environ.get("MASS_BAD_PLUGINS"), "MASS_BAD_PLUGINS names no folder")
    def test_a_plugin_of_another_abi_is_refused(self):
        with self.assertRaisesRegex(mass.PluginError, "was built for ABI 0.3 and this engine has"):
            mass.Model(os.path.join(os.environ["MASS_BAD_PLUGINS"], "abi-0-3.so"))

    def test_versions_are_the_commands(self):
        text = subprocess.run([COMMAND, "--version"], capture_output=True, text=True, check=True).stdout
        self.assertIn(f"mass-engine {mass.__version__},", text)

    def test_help(self):
        done = self.python("import mass; help(mass)")
        for words in ("m.step(100)", "class Model", "extents along x, y and z", "UnknownName"):
            self.assertIn(words, done.stdout)

    def test_faults_of_a_model_are_warnings_or_exceptions(self):
        faulty = os.environ.get("MASS_FAULTY")
        if not faulty:
            self.skipTest("MASS_FAULTY names no plugin")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            mass.Model(faulty, seed=1).close()
        self.assertTrue(caught and issubclass(caught[0].category, mass.ModelWarning))
        with self.assertRaises(mass.PluginError):
            mass.Model(faulty, seed=1, strict=True)


if __name__ == "__main__":
    unittest.main()
