# SPDX-License-Identifier: Apache-2.0
"""A run in Python has the state of the same run by the command."""
import unittest

from scene import Case, command, mass

# The models that ship, each with options that make it small.
MODELS = {
    "life": {"size": (96, 64)},
    "heat": {"size": (33, 20)},
    "sugarscape": {"size": (40, 30), "vision_max": 4},
    "minesweeper": {},
    "wolf-sheep": {"size": (30, 30)},
    "schelling": {"size": (30, 30)},
    "boltzmann": {},
    "el-farol": {},
    "circles": {"size": (4, 4, 4)},
    "boids": {},
    "epidemic": {},
    "innovation": {},
    "voter": {},
    "slime": {"size": (20, 20), "amoebae": 90},
    "vector": {},
}


def options(parameters, **more):
    """The command's words for arguments of a Model."""
    words = []
    for name, value in {**parameters, **more}.items():
        if name == "size":
            words += ["--size", "x".join(map(str, value))]
        elif name in ("seed", "worlds", "steps", "threads", "partitions", "until"):
            words += ["--" + name, str(value)]
        else:
            words += ["--set", f"{name}={value}"]
    return words


class Hashes(Case):
    def same(self, model, parameters, steps, **more):
        expected = command(model, *options(parameters, seed=3, steps=steps, **more))
        with mass.Model(model, seed=3, **parameters, **more) as m:
            m.step(steps)
            self.assertEqual(m.hash(), expected["state_hash"], model)

    def test_every_model_that_ships(self):
        for model, parameters in MODELS.items():
            with self.subTest(model):
                self.same(model, parameters, 12)

    def test_worlds_partitions_and_threads(self):
        self.same("sugarscape", MODELS["sugarscape"], 20, worlds=3)
        self.same("life", MODELS["life"], 20, partitions=3, threads=2)

    def test_single_steps_and_slices_of_a_long_run(self):
        expected = command("life", *options({}, size=(64, 64), seed=1, steps=3000))["state_hash"]
        with mass.Model("life", size=64, seed=1) as m:
            for _ in range(7):
                m.step()
            m.step(2993)
            self.assertEqual((m.now, m.hash()), (3000, expected))

    def test_the_stop_condition_ends_at_the_same_step(self):
        expected = command("sugarscape", *options({}, size=(40, 30), seed=1, steps=5000, until="steady(ants, 20)"))
        with mass.Model("sugarscape", size=(40, 30), seed=1) as m:
            taken = m.run(until="steady(ants, 20)")
            self.assertEqual((taken, m.hash()), (expected["steps"], expected["state_hash"]))
            self.assertEqual(m.tallies["ants"], expected["tallies"]["ants"])

    def test_several_runs_in_turn_do_not_disturb_each_other(self):
        alone = [command("sugarscape", *options({}, size=(40, 30), seed=s, steps=30))["state_hash"] for s in (1, 2)]
        with mass.Model("sugarscape", size=(40, 30), seed=1) as a, \
                mass.Model("sugarscape", size=(40, 30), seed=2) as b:
            for _ in range(30):
                a.step()
                b.step()
            self.assertEqual([a.hash(), b.hash()], alone)


if __name__ == "__main__":
    unittest.main()
