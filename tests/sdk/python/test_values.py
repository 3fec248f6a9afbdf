# SPDX-License-Identifier: Apache-2.0
"""Places, agents and tallies as arrays."""
import ctypes
import gc
import unittest
import weakref

import numpy
from scene import Case, mass

from mass import _device


class Places(Case):
    def test_shapes_have_the_axes_of_the_model(self):
        for size, worlds, shape in (((9, 7), 1, (7, 9, 2)), ((9, 7), 3, (3, 7, 9, 2)), ((9, 7, 5), 1, (5, 7, 9, 2))):
            with mass.Model("heat", size=size, seed=1, worlds=worlds) as m:
                self.assertEqual((m["temperature"].shape, m["temperature"].dtype), (shape, numpy.float32))
                self.assertEqual(m["grid.temperature"].tolist(), m["temperature"].tolist())

    def test_an_array_is_a_copy(self):
        with mass.Model("sugarscape", size=16, seed=1) as m:
            sugar = m["sugar"]
            before = m.hash()
            sugar[:] = 0
            self.assertEqual(m.hash(), before)

    def test_bits_are_booleans_or_packed(self):
        with mass.Model("life", size=(21, 10), seed=1, edge="dead") as m:
            health, packed = m["health"], m.packed("health")
            self.assertEqual((health.dtype, health.shape, packed.shape), (bool, (10, 21), (10, 3)))
            self.assertTrue((numpy.unpackbits(packed, axis=-1, count=21, bitorder="little") == health).all())

    def test_places_are_set(self):
        with mass.Model("life", size=(16, 12), seed=1) as m:
            cells = numpy.zeros((12, 16), bool)
            cells[4, 5:8] = True  # a blinker
            m["health"] = cells
            m.step()
            self.assertEqual(numpy.argwhere(m["health"]).tolist(), [[3, 6], [4, 6], [5, 6]])
            m["health"] = 0
            m.step()
            self.assertEqual(m.tallies["population"], 0)
            m["health"] = cells.astype(int)
            self.assertTrue((m["health"] == cells).all())

    def test_arrays_that_do_not_fit_are_refused_and_change_nothing(self):
        with mass.Model("sugarscape", size=(16, 12), seed=1) as m:
            before = m.hash()
            for value, kind in ((numpy.zeros((16, 12)), TypeError), (numpy.zeros((16, 12), int), ValueError),
                                (numpy.zeros(16, int), ValueError), (300, ValueError), (-1, ValueError),
                                ("many", TypeError), (numpy.full((12, 16), 1.5), TypeError), (None, TypeError)):
                with self.assertRaises(kind, msg=repr(value)):
                    m["sugar"] = value
            with self.assertRaisesRegex(KeyError, "did you mean sugar"):
                m["suger"] = 1
            self.assertEqual(m.hash(), before)

    def test_numbers_beyond_a_float_are_refused_and_others_rounded(self):
        with mass.Model("heat", size=8, seed=1) as m:
            before = m.hash()
            for value in (1e300, -1e39, numpy.full((8, 8, 2), numpy.longdouble(1e60)), [[[2.0**128, 0]] * 8] * 8):
                with self.assertRaisesRegex(ValueError, "do not fit into temperature"):
                    m["temperature"] = value
            self.assertEqual(m.hash(), before)
            for value in (0.1, 2**64 - 1, 1e-300, -numpy.inf):
                m["temperature"] = value
                self.assertEqual(m["temperature"][0, 0, 0], numpy.float32(value))

    def test_masked_values_are_refused(self):
        cells = numpy.ma.masked_array(numpy.zeros((8, 8), int), numpy.eye(8))
        with mass.Model("life", size=8, seed=1) as m, self.assertRaisesRegex(ValueError, "masked"):
            m["health"] = cells
        with self.assertRaisesRegex(ValueError, "masked"):
            mass.Model("life", load={"health": cells})

    def test_arrays_of_any_byte_order_and_strides_are_taken(self):
        cells = numpy.random.default_rng(1).random((12, 16)) < 0.3
        with mass.Model("life", seed=1, load={"health": cells}) as m:
            for same in (cells.astype(">i4"), cells.astype(">u2"), numpy.repeat(cells, 2, 1)[:, ::2],
                         numpy.asfortranarray(cells.astype(">f4"))):
                with mass.Model("life", seed=1, load={"health": same}) as other:
                    self.assertEqual(other.hash(), m.hash())
                if same.dtype.kind != "f":
                    m["health"] = same
                    self.assertTrue((m["health"] == cells).all())

    def test_names_that_are_no_text_or_have_a_zero_byte_are_refused(self):
        with mass.Model("sugarscape", size=8, seed=1) as m:
            before = m.hash()
            ants = m.populations["ants"]
            for use in (lambda: m["sugar\0"], lambda: m[5], lambda: m[None], lambda: m["\ud800"], lambda: ants["id\0x"],
                        lambda: m.run(1, until="1\0"), lambda: m.log("ants\0"), lambda: m.tallies["ants\0"],
                        lambda: m.run(1, until=5), lambda: m.picture("a\0.png"), lambda: m.checkpoint("a\0"),
                        lambda: mass.Model("life\0"), lambda: mass.Model("life", rule="B3/S23\0"),
                        lambda: mass.Model("life", device="cpu\0"), lambda: mass.read_run("a\0.yaml"),
                        lambda: m.populations[5], lambda: m.tallies[None], lambda: m.parameters[5]):
                with self.assertRaises(mass.UsageError):
                    use()
            self.assertEqual((m.hash(), m.now), (before, 0))

    def test_starting_values_are_arrays_or_files(self):
        cells = numpy.random.default_rng(1).random((12, 16)) < 0.3
        numpy.save(self.path("cells.npy"), cells.astype(numpy.uint8))
        with mass.Model("life", load={"health": cells}, seed=1) as a, \
                mass.Model("life", load={"health": self.path("cells.npy")}, seed=1) as b:
            self.assertTrue((a["health"] == cells).all())
            self.assertEqual(a.tallies["population"], cells.sum())
            self.assertEqual(a.hash(), b.hash())


class Views(Case):
    def test_a_view_is_read_only_and_keeps_the_state(self):
        for model, name, more in (("sugarscape", "sugar", {}), ("heat", "temperature", {}),
                                  ("heat", "temperature", {"worlds": 2})):
            with mass.Model(model, size=(16, 12), seed=1, **more) as m:
                m.step(3)
                with m.view(name) as values:
                    self.assertTrue((values == m[name]).all())
                    self.assertFalse(values.flags.owndata or values.flags.writeable)
                    with self.assertRaises(ValueError):
                        values[...] = 0
                    for change in (m.step, lambda: m.step(5), lambda: m.run(5)):
                        with self.assertRaisesRegex(BufferError, "a view of the run is open"):
                            change()
                    with self.assertRaises(BufferError):
                        m[name] = 0
                m.step()

    def test_two_views_at_once(self):
        with mass.Model("sugarscape", size=16, seed=1) as m:
            with m.view("sugar") as one:
                with m.view("most") as two:
                    self.assertTrue((one <= two).all())
                with self.assertRaises(BufferError):
                    m.step()
            m.step()

    def test_what_has_no_view_is_a_copy(self):
        with mass.Model("life", size=16, seed=1) as m, m.view("health") as health:
            self.assertTrue((health == m["health"]).all())
            self.assertFalse(health.flags.writeable)

    def test_a_wrong_name(self):
        with mass.Model("life", size=16, seed=1) as m, self.assertRaises(KeyError):
            with m.view("helth"):
                pass

    def test_an_array_outlives_the_model(self):
        m = mass.Model("sugarscape", size=16, seed=1)
        run = weakref.ref(m._run)
        with m.view("sugar") as sugar:
            before = sugar.copy()
        m.close()
        part = sugar[2:, 1]
        del sugar, m
        gc.collect()
        self.assertEqual(part.tolist(), before[2:, 1].tolist())
        self.assertIsNotNone(run())
        del part
        gc.collect()
        self.assertIsNone(run())


class DeviceViews(Case):
    """Values that other packages take over by DLPack; here NumPy, of the memory of the host."""

    def test_another_package_has_the_engines_memory(self):
        for model, name, more in (("sugarscape", "sugar", {}), ("heat", "temperature", {}),
                                  ("heat", "temperature", {"worlds": 2})):
            with mass.Model(model, size=(16, 12), seed=1, **more) as m:
                m.step(3)
                with m.device_view(name) as values:
                    parts = [numpy.from_dlpack(values.component(k)) for k in range(1 if model == "sugarscape" else 2)]
                    self.assertEqual((values.shape, values.dtype, values.device), (m[name].shape, m[name].dtype, "cpu"))
                    truth = m[name] if len(parts) == 1 else None
                    for k, part in enumerate(parts):
                        self.assertTrue((part == (m[name][..., k] if truth is None else truth)).all())
                        self.assertFalse(part.flags.owndata)
                    with m.view(name) as view:
                        self.assertTrue(numpy.shares_memory(view, parts[0]))
                    with self.assertRaisesRegex(BufferError, "a view of the run is open"):
                        m.step()
                    with self.assertRaisesRegex(mass.UsageError, "component 2: "):
                        values.component(2)
                m.step()

    def test_capsules_say_what_is_in_them(self):
        address = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
            ("PyCapsule_GetPointer", ctypes.pythonapi))
        with mass.Model("sugarscape", size=(16, 12), seed=1) as m, m.device_view("sugar") as values:
            kinds = (values.__dlpack__(), b"dltensor", _device._Managed), \
                    (values.__dlpack__(max_version=(1, 0)), b"dltensor_versioned", _device._Versioned)
            for capsule, name, struct in kinds:
                managed = struct.from_address(address(capsule, name))
                t = managed.tensor
                self.assertEqual((t.device_type, t.device_id, t.ndim, t.code, t.bits, t.lanes, t.byte_offset),
                                 (*values.__dlpack_device__(), 2, 1, 8, 1, 0))
                self.assertEqual((t.shape[0], t.shape[1], t.strides[0], t.strides[1]), (12, 16, *values.strides))
            self.assertEqual((managed.major, managed.flags), (1, 1))  # nobody may write
            for wrong in ({"copy": True}, {"dl_device": (2, 0)}):
                with self.assertRaisesRegex(BufferError, "without a copy"):
                    values.__dlpack__(**wrong)

    def test_nothing_is_left_behind(self):
        m = mass.Model("sugarscape", size=16, seed=1)
        run = weakref.ref(m._run)
        with m.device_view("sugar") as values:
            array, forgotten = numpy.from_dlpack(values), values.__dlpack__()
            self.assertEqual(len(_device._alive), 2)
        self.assertEqual(len(_device._alive), 1)  # what nobody took is worthless
        late = type("Late", (), {"__dlpack__": lambda self, **_: forgotten, "__dlpack_device__": lambda self: (1, 0)})
        with self.assertRaises(ValueError):
            numpy.from_dlpack(late())
        m.close()
        del m, values
        gc.collect()
        self.assertIsNotNone(run())
        del array
        gc.collect()
        self.assertEqual((len(_device._alive), run()), (0, None))

    def test_values_that_no_view_shows(self):
        with mass.Model("life", size=16, seed=1) as m, self.assertRaisesRegex(mass.DeviceError, "values are bits"):
            with m.device_view("health"):
                pass
        with mass.Model("sugarscape", size=16, seed=1) as m:
            with m.device_view("sugar") as values:
                pass
            with self.assertRaisesRegex(BufferError, "has ended"):
                numpy.from_dlpack(values)


class Agents(Case):
    def test_agents_are_in_canonical_order(self):
        with mass.Model("sugarscape", size=(16, 12), seed=1, worlds=2) as m:
            m.step(5)
            ants = m.populations["ants"]
            order = list(zip(ants["world"].tolist(), ants["place"].tolist(), ants["id"].tolist()))
            self.assertEqual(order, sorted(order))
            self.assertEqual(ants.count, len(order))
            self.assertEqual(sum(m.tallies["ants"]), len(order))
            x, y = ants.positions.T
            self.assertEqual((x + 16 * y).tolist(), ants["place"].tolist())
            self.assertEqual(m["ants.wealth"].tolist(), ants["wealth"].tolist())

    def test_attributes_of_agents_are_set(self):
        with mass.Model("sugarscape", size=16, seed=1) as m, mass.Model("sugarscape", size=16, seed=1) as same:
            ants = m.populations["ants"]
            m.step(5)
            same.step(5)
            ants["wealth"] = ants["wealth"]  # what does not change anything
            m.step(10)
            same.step(10)
            self.assertEqual(m.hash(), same.hash())
            ants["wealth"] = 900
            self.assertEqual(set(ants["wealth"].tolist()), {900})
            ants["wealth"] = numpy.arange(ants.count)
            self.assertEqual(ants["wealth"].tolist(), list(range(ants.count)))
            m.step(3)
            for name, value, kind in (("place", 3, ValueError), ("wealth", [1, 2], ValueError), ("welth", 1, KeyError),
                                      ("wealth", 2**40, ValueError), ("wealth", 0.5, TypeError)):
                with self.assertRaises(kind, msg=name):
                    ants[name] = value

    def test_what_is_read_and_set_again_changes_no_model(self):
        for model, options in (("sugarscape", {"size": 30, "partitions": 3}), ("sugarscape", {"size": 30, "worlds": 3}),
                               ("wolf-sheep", {"size": 30}), ("schelling", {"size": 30}), ("boltzmann", {}),
                               ("el-farol", {}), ("minesweeper", {})):
            with self.subTest(model), mass.Model(model, seed=1, **options) as m, \
                    mass.Model(model, seed=1, **options) as same:
                m.step(5)
                same.step(5)
                for population in m.populations.values():
                    for name in set(population) - {"id", "lost", "world", "place"}:
                        population[name] = population[name]
                for attribute in m.info["attributes"]:
                    if "population" not in attribute:
                        name = f"{attribute['space']}.{attribute['name']}"
                        m[name] = m[name]
                self.assertEqual(m.hash(), same.hash())
                m.step(10)
                same.step(10)
                self.assertEqual((m.hash(), repr(m.tallies)), (same.hash(), repr(same.tallies)))

    def test_names_and_a_table(self):
        with mass.Model("sugarscape", size=16, seed=1) as m:
            self.assertEqual(list(m.populations), ["ants"])
            self.assertIn("wealth", m.populations["ants"])
            with self.assertRaisesRegex(KeyError, "did you mean ants"):
                m.populations["antz"]
            with self.assertRaisesRegex(KeyError, "did you mean ants.wealth"):
                m.populations["ants"]["welth"]
            try:
                import pandas  # noqa: F401
            except ImportError:
                self.skipTest("pandas is not installed")
            frame = m.populations["ants"].frame()
            self.assertEqual((frame.index.name, len(frame)), ("id", m.tallies["ants"]))


class Tallies(Case):
    def test_numbers_histograms_and_worlds(self):
        with mass.Model("sugarscape", size=16, seed=1, tally={"rich": "max(ants.wealth)", "fair": "mean(sugar)"}) as m:
            m.step(3)
            wealth = m.populations["ants"]["wealth"]
            self.assertIsInstance(m.tallies["ants"], int)
            self.assertEqual(m.tallies["rich"], wealth.max())
            self.assertAlmostEqual(m.tallies["fair"], m["sugar"].mean())
            self.assertEqual(m.tallies["wealth_histogram"].sum(), len(wealth))
            with self.assertRaisesRegex(KeyError, "did you mean ants"):
                m.tallies["antss"]
        with mass.Model("sugarscape", size=16, seed=1, worlds=3) as m:
            self.assertEqual(m.tallies["ants"].shape, (3,))
            self.assertEqual(m.tallies["wealth_histogram"].shape, (3, 50))

    def test_what_has_no_value_is_nan(self):
        with mass.Model("life", size=16, seed=1) as m:
            self.assertTrue(numpy.isnan(m.tallies["births"]))
            m.step()
            self.assertIsInstance(m.tallies["births"], int)

    def test_keys(self):
        with open(self.path("text"), "wb") as f:
            f.write("the cat and the d\u00f6g and the end".encode())
        with mass.Model("histogram", input=self.path("text"), mode="words") as m:
            m.run()
            words = [m.tallies[t["name"]] for t in m.info["tallies"] if "keys" in t]
            self.assertEqual(words, [{"and": 2, "cat": 1, "d\u00f6g": 1, "end": 1, "the": 3}])


if __name__ == "__main__":
    unittest.main()
