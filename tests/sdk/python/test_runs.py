# SPDX-License-Identifier: Apache-2.0
"""Runs as files: Python reads and writes what the command takes by --run."""
import json
import os
import subprocess
import unittest
import unittest.mock

import numpy

import scene
from scene import mass

SUGAR = {"plugin": "sugarscape", "size": [30, 20], "steps": 15, "seed": 3, "set": {"vision_max": 4}}


def fits(value, schema):
    """Whether a value fits a JSON Schema, of the words that the engine's has."""
    kinds = {"boolean": bool, "string": str, "object": dict, "array": list, "integer": int, "number": (int, float)}
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    is_bool = isinstance(value, bool)
    if types and not any(isinstance(value, kinds[t]) and (t == "boolean" or not is_bool) for t in types):
        return False
    if "anyOf" in schema and not any(fits(value, one) for one in schema["anyOf"]):
        return False
    if isinstance(value, int) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        return False
    if isinstance(value, list):
        return all(fits(v, schema.get("items", {})) for v in value)
    if isinstance(value, dict):
        more, known = schema.get("additionalProperties", {}), schema.get("properties", {})
        return all(name in known if more is False and name not in known else fits(v, known.get(name, more))
                   for name, v in value.items())
    return True


def printed(*arguments):
    """What the command prints."""
    return subprocess.run([scene.COMMAND, *arguments], capture_output=True, text=True, check=True).stdout


class Runs(scene.Case):
    def test_python_writes_what_the_command_runs(self):
        m = mass.Model("sugarscape", size=(30, 20), seed=3, vision_max=4, tally={"rich": "max(ants.wealth)"})
        m.log(["ants", "rich"], every=5)
        m.step(15)
        for name in ("run.yaml", "run.json"):
            m.write_run(self.path(name), series=self.path("rows.csv"), force=True)
            done = scene.command("--run", self.path(name))
            self.assertEqual((done["state_hash"], done["steps"]), (m.hash(), 15))
            with open(self.path("rows.csv"), encoding="utf-8") as f:
                self.assertEqual(f.readline(), "step,ants,rich\n")
                self.assertEqual([line.split(",")[0] for line in f], ["0", "5", "10", "15"])

    def test_python_runs_what_the_command_prints(self):
        printed("sugarscape", "--size", "30x20", "--seed", "3", "--steps", "15", "--quiet", "--set", "vision_max=4",
                "--checkpoint", self.path("out"))
        with open(self.path("run.yaml"), "w", encoding="utf-8") as f:
            f.write(printed("--print-run", self.path("out")))
        self.assertEqual(mass.read_run(self.path("run.yaml")), {**SUGAR, "size": "30x20"})
        m = mass.Model.from_run(self.path("run.yaml"))
        m.run()
        self.assertEqual(m.hash(), mass.Model(resume=self.path("out")).hash())

    def test_a_dict_is_a_run_and_arguments_override_it(self):
        m = mass.Model.from_run({**SUGAR, "until": "ants < 20", "log": ["ants"], "checkpoint": self.path("none")},
                                seed=4, vision_max=2)
        self.assertEqual((m.seed, m.parameters["vision_max"], m.info["spaces"][0]["size"]), (4, 2, [30, 20]))
        m.run()
        self.assertEqual((m.now, m.rows()["step"].tolist()), (15, list(range(16))))
        self.assertFalse(os.path.exists(self.path("none")))
        p = mass.ProcessModel(run=SUGAR)
        self.assertEqual(p.parameters["vision_max"], 4)
        p.close()

    def test_what_is_written_is_read(self):
        run = {"plugin": "./odd name: #1.so", "set": {"rule": "B3/S23", "list": [1, 2.5], "on": True, "no": "no",
                                                      "text": "a\"b\\c\nd", "tiny": 1e-30, "umlaut": "größe"},
               "size": numpy.array([30, 20]), "log": ["ants", "x=wealth/ants"], "log_every": numpy.int64(5),
               "force": True, "view": "control", "until": "ants == 0", "tally": {"rich": "max(ants.wealth)"}}
        found = []
        for name in ("run.yaml", "run.json"):
            mass.write_run(self.path(name), run)
            found.append(mass.read_run(self.path(name)))
        self.assertEqual(found[0], found[1])
        self.assertEqual(found[0], {
            "plugin": "./odd name: #1.so", "size": "30x20", "log": ["ants", "x=wealth/ants"], "log-every": 5,
            "force": True, "view": "control", "until": "ants == 0", "tally": {"rich": "max(ants.wealth)"},
            "set": {"rule": "B3/S23", "list": "[1,2.5]", "on": 1, "no": "no", "text": "a\"b\\c\nd", "tiny": 1e-30,
                    "umlaut": "größe"}})

    def test_the_command_executes_a_run(self):
        found = mass.execute(SUGAR, checkpoint=self.path("out"), seed=4)
        m = mass.Model(resume=self.path("out"))
        self.assertEqual((found["steps"], found["seed"], found["state_hash"]), (15, 4, m.hash()))
        self.assertEqual(found["tallies"]["ants"], m.tallies["ants"])
        mass.write_run(self.path("run.yaml"), SUGAR)
        self.assertEqual(mass.execute(self.path("run.yaml"), seed=4)["state_hash"], m.hash())
        with self.assertRaisesRegex(mass.PluginError, "no plugin sugarscpe"):
            mass.execute({"plugin": "sugarscpe"})
        with self.assertRaisesRegex(mass.UsageError, "there is no parameter 'vison'"):
            mass.execute({**SUGAR, "set": {"vison": 3}})

    def test_mistakes_say_what_is_meant(self):
        for run, text in (({"stesp": 3}, "did you mean 'steps'"), ({"steps": -1}, "not an integer from 0"),
                          ({"set": 3}, "set 3 is not of the form"), ({"force": 3}, "true or false"),
                          ({"size": object()}, "no place in a file")):
            with self.assertRaisesRegex((mass.UsageError, mass.InputError), text):
                mass.write_run(self.path("run.yaml"), run)
        self.assertEqual(os.listdir(self.folder), [])
        with open(self.path("run.yaml"), "w", encoding="utf-8") as f:
            f.write("plugin: life\nsize: 8\nset:\n  rul: B3/S23\n")
        with self.assertRaisesRegex(mass.UsageError, "run.yaml, line 4: there is no parameter 'rul'.*'rule'"):
            mass.Model.from_run(self.path("run.yaml"))
        m = mass.Model("life", load={"health": numpy.zeros((8, 8), bool)})
        with self.assertRaisesRegex(mass.UsageError, "array of health"):
            m.write_run(self.path("life.yaml"))

    def test_the_schema_fits_what_is_printed_and_not_what_is_refused(self):
        with open(os.environ["MASS_RUN_SCHEMA"], encoding="utf-8") as f:
            schema = json.load(f)
        run = {**SUGAR, "log": {"each": "wealth/ants"}, "force": True, "view": "control", "shares": [3, 1],
               "checkpoint-every": 5, "checkpoint": "out", "tally": {"rich": "max(ants.wealth)"}}
        self.assertTrue(fits(run, schema))
        mass.write_run(self.path("run.json"), run)
        self.assertTrue(fits(json.loads(printed("--run", self.path("run.json"), "--print-run", "--json")), schema))
        for wrong in ({"stesp": 3}, {"steps": -1}, {"force": 3}, {"set": 3}, {"info": True}):
            self.assertFalse(fits({**SUGAR, **wrong}, schema), wrong)
            with self.assertRaises((mass.UsageError, mass.InputError)):
                mass.write_run(self.path("wrong.json"), wrong)
        try:
            import jsonschema
        except ImportError:
            return
        jsonschema.validate(run, schema)


if __name__ == "__main__":
    unittest.main()
