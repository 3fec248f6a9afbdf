# SPDX-License-Identifier: Apache-2.0
"""Files of --network, as networkx reads them: graphml.py COMMAND PLUGINS TEST-PLUGINS

The graph has the nodes and edges of the network. Each node has what a checkpoint of the same step has in its first
world, and each edge has what its line of the file has. Says nothing when that is so.
"""
import collections
import json
import random
import subprocess
import sys
import tempfile

import h5py
import networkx
import numpy

COMMAND, SHIPPED, TESTS = sys.argv[1:4]


def fail(*words):
    sys.exit("graphml: " + " ".join(str(w) for w in words))


def run(*options):
    return subprocess.run([COMMAND, *options], check=True, timeout=120, stdout=subprocess.PIPE, text=True).stdout


def state_of(folder, step, attribute, nodes):
    """The values of an attribute in world 0, by node."""
    with h5py.File(f"{folder}/ckpt-{step:012}.h5") as file:
        data = file[f"/places/town/{attribute}"]
        row = data[0] if data.ndim > 1 else data[:]  # one world has no axis
        if data.attrs["mass_type"] == b"bit":
            return numpy.unpackbits(row, bitorder="little")[:nodes]
        return row


def run_and_read(plugin, options, attributes, folder, name_of=str):
    """Runs a model, and compares the nodes of its graph with the checkpoint. Returns the graph and what --info says."""
    path, state = f"{folder}/net.graphml", tempfile.mkdtemp(dir=folder)
    shared = ["--plugin", plugin, *options]
    run(*shared, "--seed", "3", "--steps", "3", "--quiet", "--network", path, "--checkpoint", state)
    graph = networkx.read_graphml(path, force_multigraph=True)
    about = json.loads(run("--info", "--json", *shared))["networks"][0]
    nodes = about["nodes"]
    if list(graph.nodes) != [name_of(i) for i in range(nodes)]:
        fail(plugin, "has other nodes:", list(graph.nodes)[:5])
    if graph.number_of_edges() != about["edges"] or graph.is_directed() != about["directed"]:
        fail(plugin, "has", graph.number_of_edges(), "edges, and not", about["edges"])
    for attribute in attributes:
        expected = state_of(state, 3, attribute, nodes)
        found = [graph.nodes[name_of(i)][attribute] for i in range(nodes)]
        if len(set(found)) < 2 or not numpy.array_equal(numpy.array(found, expected.dtype), expected):
            fail(plugin, attribute, "differs:", found[:5], expected[:5])
    return graph, about


def expect_degrees(graph, about, what):
    """Loops come into a node once."""
    loops = collections.Counter(a for a, b in graph.edges() if a == b)
    degrees = [d if graph.is_directed() else d - loops[n]
               for n, d in (graph.in_degree() if graph.is_directed() else graph.degree())]
    if [min(degrees), sum(degrees) / len(degrees), max(degrees)] != about["degrees"]:
        fail(what, "has degrees", min(degrees), max(degrees), "and not", about["degrees"])
    if networkx.number_connected_components(networkx.Graph(graph)) != about["components"]:
        fail(what, "has other components than", about["components"])


def parts_of(into, parts, each):
    """The nodes and edges of each part. into: the nodes of each edge, from and to."""
    found = []
    for part in range(parts):
        own = [a // each for a, b in into if b // each == part]
        ghosts = {a for a, b in into if b // each == part != a // each}
        found.append({"nodes": each, "edges": len(own), "cut": sum(p != part for p in own), "ghosts": len(ghosts)})
    return found


def rounded(values):
    return {k: round(v, 9) if isinstance(v, float) else v for k, v in values.items()}


def expect_cuts(graph, plugin, options, parts):
    """--explain and --info count the edges that come from another part, and how even the parts are."""
    into = [(int(a), int(b)) for a, b in graph.edges()]
    into += [(int(b), int(a)) for a, b in graph.edges() if a != b and not graph.is_directed()]
    by_part = parts_of(into, parts, graph.number_of_nodes() // parts)
    expected = {"name": "town", "parts": parts, "cut": sum(p["cut"] for p in by_part) / len(into), "by_part": by_part,
                "balance": max(p["edges"] for p in by_part) * parts / len(into)}
    options = ["--json", "--plugin", plugin, *options]
    found = json.loads(run("--explain", "--device", "cpu", *options))["networks"][0]
    if rounded(found) != rounded(expected):
        fail("--explain has", found, "and not", expected)
    about = json.loads(run("--info", *options))["networks"][0]
    if rounded({k: about.get(k) for k in expected}) != rounded(expected):
        fail("--info has", about, "and not", expected)
    by_rank = json.loads(run("--info", "--ranks", str(parts), *options))["networks"][0].get("by_rank")
    if by_rank != by_part:
        fail("--info of", parts, "ranks has", by_rank)


def expect_drawn(folder):
    attributes = ["trail", "heat", "lit"]
    for directed in "01":
        for generator in "346":
            options = ["--set", "nodes=54", "--set", f"directed={directed}", "--set", f"generator={generator}", "--set",
                       "degree=2", "--worlds", "2", "--set", "edges=40"]
            plugin, more = ("linked_bits", []) if directed == "1" else ("linked", ["--partitions", "3"])
            graph, about = run_and_read(f"{TESTS}/{plugin}.so", options + more, attributes, folder)
            expect_degrees(graph, about, f"generator {generator}")
            if more:
                expect_cuts(graph, f"{TESTS}/{plugin}.so", options + more, 3)
            if {(d["weight"], d["length"]) for _, _, d in graph.edges(data=True)} != {(3, 0.5)}:
                fail("edges have other values")


def expect_named(folder):
    """Edges of a file, some of them twice and some loops, with names that XML does not have as they are."""
    random.seed(4)
    names = [f"<{i}> & \"Lee, {i}\"" if i % 3 else f"é{i}" for i in range(20)]
    ends = [(i, (i + 1) % 20) for i in range(20)] + [(random.randrange(20), random.randrange(20)) for _ in range(40)]
    lines = [(a, b, round(random.uniform(0, 3), 4)) for a, b in ends]
    with open(f"{folder}/net.csv", "w", encoding="utf-8") as file:
        quoted = ['"' + n.replace('"', '""') + '"' for n in names]
        file.write("source_name,target_name,weight\n" + "".join(f"{quoted[a]},{quoted[b]},{w}\n" for a, b, w in lines))
    options = ["--set", f"contacts={folder}/net.csv", "--size", "22", "--set", "infected=4"]
    graph, about = run_and_read(f"{SHIPPED}/epidemic.so", options, ["state"], folder,
                                lambda i: names[i] if i < 20 else str(i))
    found = collections.Counter((frozenset(e[:2]), numpy.float32(e[2]["weight"])) for e in graph.edges(data=True))
    if found != collections.Counter((frozenset((names[a], names[b])), numpy.float32(w)) for a, b, w in lines):
        fail("the edges differ from those of the file")
    expect_degrees(graph, about, "the file")


def expect_changed(folder, directed):
    """Edges that come and go are those that the checkpoint has in the first world, on one of their nodes."""
    def edge(source, target, *values):
        return (*((source, target) if directed else sorted((source, target))), *values)

    path, state = f"{folder}/changed{directed}.graphml", tempfile.mkdtemp(dir=folder)
    run("--plugin", f"{TESTS}/moving.so", "--set", "nodes=30", "--set", f"directed={directed}", "--worlds", "2",
        "--seed", "3", "--steps", "4", "--quiet", "--network", path, "--checkpoint", state)
    graph = networkx.read_graphml(path, force_multigraph=True)
    with h5py.File(f"{state}/ckpt-{4:012}.h5") as file:
        edges = {name: data[:] for name, data in file["/agents/town_edges"].items()}
    mine = edges["world"] == 0
    expected = collections.Counter(edge(*e) for e in zip(*(edges[k][mine] for k in
                                                          ("source", "place", "weight", "length"))))
    found = collections.Counter(edge(int(a), int(b), data["weight"], data["length"])
                                for a, b, data in graph.edges(data=True))
    if not 0 < sum(found.values()) < mine.size or found != expected or graph.is_directed() != bool(directed):
        fail("changed edges are", list(found)[:5], "and not", list(expected)[:5])


with tempfile.TemporaryDirectory() as scratch:
    expect_drawn(scratch)
    expect_named(scratch)
    for way in (0, 1):
        expect_changed(scratch, way)
