# SPDX-License-Identifier: Apache-2.0
"""Edges of networks: those of the file, and those that --network writes."""
import importlib.util
import os
import random
import unittest

import numpy
from scene import Case, command, mass

TURNED = os.environ["MASS_TURNED"]
has_networkx = unittest.skipUnless(importlib.util.find_spec("networkx"), "there is no networkx")


def rows(edges, *names):
    """The edges as tuples."""
    return list(zip(*(edges[name].tolist() for name in ("source", "target", *names))))


class Edges(Case):
    def contacts(self):
        """A file of contacts, and its edges by hand."""
        draw = random.Random(3)
        lines = [(draw.randrange(50), draw.randrange(50), draw.randrange(1, 9) / 4) for _ in range(200)]
        with open(self.path("contacts.csv"), "w", encoding="utf-8") as file:
            file.write("source,target,weight\n" + "".join(f"{a},{b},{w}\n" for a, b, w in lines))
        return self.path("contacts.csv"), sorted((min(a, b), max(a, b), w) for a, b, w in lines)

    def test_those_of_a_file_are_read(self):
        path, lines = self.contacts()
        with mass.Model("epidemic", seed=1, contacts=path, worlds=2) as m:
            m.step(3)
            town = m.edges["town"]
            self.assertEqual(list(town), ["source", "target", "weight"])
            self.assertEqual((town.count, town.nodes, town.directed, town.changes), (200, 50, False, False))
            self.assertEqual((town["source"].dtype, town["weight"].dtype), (numpy.uint32, numpy.float32))
            found = rows(town, "weight")
            self.assertEqual(sorted(found), lines)
            self.assertEqual([row[:2] for row in found], [line[:2] for line in lines])  # the order is promised
            self.assertEqual(repr(town), "<200 edges of town: source, target, weight>")

    def test_a_part_is_that_of_the_whole(self):
        with mass.Model(TURNED, seed=1, nodes=30, compared=0) as m:
            m.step(3)
            for name in ("town", "work", "club"):
                edges = m.edges[name]
                whole = edges["target"]
                self.assertEqual(len(whole), edges.count)
                for first, count in ((0, 0), (3, 10), (edges.count, 0), (edges.count - 1, 1), (0, edges.count)):
                    self.assertEqual(edges.part("target", first, count).tolist(), whole[first:first + count].tolist())
                for first, count in ((-1, 2), (1, edges.count), (0, -1)):
                    with self.assertRaisesRegex(mass.UsageError, f"from number {first} on: {name} has"):
                        edges.part("target", first, count)

    def test_sets_and_edges_that_change_are_there_too(self):
        with mass.Model(TURNED, seed=1, nodes=30, compared=0, worlds=2) as m:
            m.step(3)
            self.assertEqual(list(m.edges), ["town", "work", "club"])
            self.assertEqual(m.edges["work"].part("pay", 0, 3).tolist(), [1.5, 1.5, 1.5])
            club, agents = m.edges["club"], m.populations["club_edges"]
            self.assertEqual(list(club), ["source", "target", "world", "id"])
            self.assertTrue(club.changes and club["source"].dtype == club["target"].dtype == numpy.uint32)
            for name, other in (("source", "source"), ("target", "place"), ("world", "world"), ("id", "id")):
                self.assertEqual(club[name].tolist(), agents[other].tolist())

    def test_nodes_have_the_names_of_the_file(self):
        with open(self.path("friends.csv"), "w", encoding="utf-8") as file:
            file.write("source,target\nAda,Björn\nBjörn,Chloé\nDai,Ada\n")
        options = {"seed": 1, "contacts": self.path("friends.csv"), "infected": 1}
        with mass.Model("epidemic", **options) as m, mass.ProcessModel("epidemic", **options) as other:
            town = m.edges["town"]
            names = town.node_names
            self.assertEqual(names, ["Ada", "Björn", "Chloé", "Dai"])
            self.assertEqual(other.edges["town"].node_names, names)
            self.assertEqual([(names[a], names[b]) for a, b in rows(town)],
                             [("Ada", "Björn"), ("Ada", "Dai"), ("Björn", "Chloé")])
        with mass.Model(TURNED, seed=1, nodes=30, compared=0) as m:
            self.assertEqual([edges.node_names for edges in m.edges.values()], [[], [], []])

    def test_what_is_not_there(self):
        with mass.Model(TURNED, seed=1, compared=0) as m:
            with self.assertRaisesRegex(mass.UnknownName, "turned has no network twon: did you mean town"):
                m.edges["twon"]
            with self.assertRaisesRegex(mass.UnknownName, "edges of town have no wait; they have source"):
                m.edges["town"]["wait"]
            with self.assertRaises(TypeError):
                m.edges["town"]["weight"] = 3
            with self.assertRaisesRegex(AttributeError, r"it is m.edges\['town'\]"):
                m.town
        with mass.Model("life", size=16, seed=1) as m:
            self.assertEqual(dict(m.edges), {})

    def test_a_model_in_a_process_has_the_same(self):
        options = {"seed": 1, "nodes": 30, "compared": 0}
        with mass.Model(TURNED, **options) as m, mass.ProcessModel(TURNED, **options) as other:
            m.step(3)
            other.step(3)
            for name in m.edges:
                mine, theirs = m.edges[name], other.edges[name]
                self.assertEqual((list(mine), mine.count, repr(mine)), (list(theirs), theirs.count, repr(theirs)))
                for column in mine:
                    self.assertEqual(mine[column].tolist(), theirs[column].tolist())
                self.assertEqual(mine.part("source", 1, 4).tolist(), theirs.part("source", 1, 4).tolist())


@has_networkx
class Graphs(Case):
    def check(self, plugin, steps, *names, **parameters):
        """Compares the edges of a model with the graph that the command writes of the same run. Returns the graph."""
        import networkx
        path = self.path("net.graphml")
        words = [word for name, value in parameters.items() for word in ("--set", f"{name}={value}")]
        command("--plugin", plugin, "--seed", "5", "--steps", str(steps), *words, "--network", path, "--force")
        graph = networkx.read_graphml(path, node_type=int, force_multigraph=True)
        with mass.Model(plugin, seed=5, **parameters) as m:
            m.step(steps)
            edges, = m.edges.values()
            expected = [(a, b, *(data[name] for name in names)) for a, b, data in graph.edges(data=True)]
            if not graph.is_directed():
                expected = [(min(row[:2]), max(row[:2]), *row[2:]) for row in expected]
            self.assertEqual(edges.directed, graph.is_directed())
            found = rows(edges, *names)
            self.assertTrue(len(found) > 100 and sorted(found) == sorted(expected), found[:5])
            return graph, edges.frame()

    def test_edges_are_those_of_the_command(self):
        import networkx
        graph, frame = self.check("epidemic", 2, "weight", network="small-world", degree=4)
        own = networkx.from_pandas_edgelist(frame, edge_attr="weight", create_using=networkx.MultiGraph)
        self.assertTrue(dict(own.degree()) == dict(graph.degree()))

    def test_edges_that_change_are_those_of_the_command(self):
        import networkx
        graph, frame = self.check("innovation", 5, churn=0.3, degree=2)
        own = networkx.from_pandas_edgelist(frame, create_using=networkx.MultiDiGraph)
        self.assertTrue(dict(own.in_degree()) == {node: graph.in_degree(node) for node in own})


if __name__ == "__main__":
    unittest.main()
