# SPDX-License-Identifier: Apache-2.0
"""Fields against checkpoints of the same steps: fields.py h5py|paraview COMMAND PLUGINS TEST-PLUGINS BAD-PLUGINS

The state that a checkpoint holds is what h5py finds in the files of the folder, and what ParaView's own readers make of
its index. Edges that do not change are those of --network. Says nothing when that is so.
"""
import glob
import json
import os
import random
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

import h5py
import numpy

MODE, COMMAND, SHIPPED, TESTS, BAD = sys.argv[1:6]
CASES = [  # options, steps between fields, last step
    ([f"{SHIPPED}/life.so", "--size", "13x9"], 4, 10),
    ([f"{SHIPPED}/heat.so", "--size", "7x6x5", "--set", "start=random"], 2, 4),
    ([f"{SHIPPED}/sugarscape.so", "--size", "20x30", "--worlds", "3", "--first-world", "2",
      "--partitions", "2"], 5, 12),
    ([f"{SHIPPED}/sugarscape.so", "--size", "20x30", "--set", "ants=0"], 1, 1),
    ([f"{TESTS}/wander.so"], 3, 6),
    ([f"{SHIPPED}/boids.so", "--size", "7x6", "--set", "cell=2.5", "--set", "birds=50", "--worlds", "2"], 2, 4),
    ([f"{TESTS}/points3.so", "--size", "5x4x6", "--set", "cell=0.3"], 2, 4),
    ([f"{BAD}/spaces.so", "--size", "11"], 1, 2),
    ([f"{BAD}/table.so", "--size", "6x4"], 1, 1),
    ([f"{SHIPPED}/epidemic.so", "--set", "contacts=FOLDER/contacts.csv", "--worlds", "2"], 2, 3),
    ([f"{SHIPPED}/epidemic.so", "--set", "contacts=FOLDER/none.mtx", "--set", "infected=2"], 1, 1),
    ([f"{TESTS}/linked.so", "--set", "nodes=30", "--set", "generator=3", "--set", "edges=50", "--set", "directed=1"],
     2, 4),
    ([f"{TESTS}/moving.so", "--set", "nodes=30", "--set", "generator=1", "--set", "degree=4", "--set", "compared=0",
      "--worlds", "2", "--first-world", "1"], 2, 4),
]


def fail(*words):
    sys.exit("fields: " + " ".join(str(w) for w in words))


def expect(found, wanted, *words, close=False):
    """close: up to the last bits."""
    if numpy.shape(found) != numpy.shape(wanted) or not (
            numpy.allclose(found, wanted, 0, 1e-12) if close else numpy.array_equal(found, wanted)):
        fail(*words, f"{numpy.shape(found)} and {numpy.shape(wanted)} differ")


def run(options, every, last, folder):
    subprocess.run([COMMAND, "--plugin", *options, "--seed", "1", "--steps", str(last), "--quiet",
                    "--checkpoint", f"{folder}/state", "--checkpoint-every", str(every), "--keep", "0",
                    "--fields", f"{folder}/fields", "--fields-every", str(every)], check=True, timeout=120)


def write_contacts(folder):
    """Edges of which some are loops and some are there twice, each of another weight; and no edges."""
    random.seed(5)
    with open(f"{folder}/contacts.csv", "w", encoding="utf-8") as file:
        file.write("source,target,weight\n")
        for k in range(60):
            file.write(f"{random.randrange(20)},{random.randrange(25)},{k / 8}\n")
    with open(f"{folder}/none.mtx", "w", encoding="utf-8") as file:
        file.write("%%MatrixMarket matrix coordinate pattern general\n7 7 0\n")


def circle(nodes):
    angles = 2 * numpy.pi * numpy.arange(nodes) / nodes
    return nodes / (2 * numpy.pi) * numpy.stack([numpy.cos(angles), numpy.sin(angles), 0 * angles], axis=1)


def graphs_of(path):
    """By network and set, the ends of edges in a file of --network, and their values by name."""
    space = "{http://graphml.graphdrawing.org/xmlns}"
    root = xml.parse(path).getroot()
    names = {k.get("id"): k.get("attr.name") for k in root.iter(space + "key")}
    ends, values = {}, {}
    for graph in root.iter(space + "graph"):
        for edge in graph.iter(space + "edge"):
            data = {names[d.get("key")]: d.text for d in edge.iter(space + "data")}
            of = data.pop("set", graph.get("id"))
            ends.setdefault(of, []).append((int(edge.get("source")), int(edge.get("target"))))
            for name, text in data.items():
                values.setdefault(of, {}).setdefault(name, []).append(float(text))
    return {of: (numpy.array(e), {n: numpy.array(v) for n, v in values.get(of, {}).items()}) for of, e in ends.items()}


def networks_of(options, folder):
    """By name, what --info says of networks and sets of edges. Also `ends` and `values` of edges that do not change;
    of a set beside edges that do, nothing is known but its degrees."""
    own = [o for i, o in enumerate(options) if {"--set", "--size"} & set(options[max(i - 1, 0):i + 1])]
    said = subprocess.run([COMMAND, "--info", "--json", "--plugin", options[0], *own], check=True, timeout=120,
                          stdout=subprocess.PIPE, text=True).stdout
    networks = {n["name"]: n for n in json.loads(said).get("networks", [])}
    if networks and not any(n["changes"] for n in networks.values()):
        path = f"{folder}/net.graphml"
        subprocess.run([COMMAND, "--plugin", options[0], *own, "--seed", "1", "--steps", "0", "--quiet", "--network",
                        path], check=True, timeout=120)
        for name, (ends, values) in graphs_of(path).items():
            networks[name]["ends"], networks[name]["values"] = ends, values
    return networks


def sets_of(group):
    """Without the axes of a checkpoint."""
    return [(name, data) for name, data in group.items() if "CLASS" not in data.attrs]


def members(name, values):
    """A struct is its members, one by one."""
    if values.dtype.names is None:
        return [(name, values)]
    return [(f"{name}.{m}", values[m]) for m in values.dtype.names]


def three(vectors):
    """With 0 for what components are missing."""
    return numpy.pad(vectors, ((0, 0), (0, 3 - vectors.shape[1])))


def state_of(path, cell, networks):
    """What one step's fields are to be: {world: ({space: columns}, {population: (columns, points)})}, columns and
    points by name; and the spaces' sizes, and the units that there are."""
    state, sizes = {}, {}
    with h5py.File(path) as f:
        worlds, first = int(f.attrs["worlds"]), int(f.attrs["first_world"])
        for world in range(worlds):
            spaces, populations = {}, {}
            for space, group in f["places"].items():
                size = [1, 1, 1]
                size[3 - len(group.attrs["size"]):] = group.attrs["size"][::-1]
                spaces[space] = {}
                sizes[space] = size
                for name, data in sets_of(group):
                    values = data[world] if worlds > 1 else data[...]
                    if "extent" in data.attrs:
                        values = numpy.unpackbits(values, -1, int(data.attrs["extent"]), "little")
                    length = int(data.attrs["length"])
                    for part, one in members(name, values):
                        spaces[space][part] = one.reshape(size + ([length] if length > 1 else []))
            for population, group in f.get("agents", {}).items():
                own = group["world"][...] == world
                nx, ny = (list(f["places"][group.attrs["space"]].attrs["size"]) + [1, 1])[:2]
                columns = dict(p for n, d in sets_of(group) for p in members(n, d[...][own]))
                place = columns["place"]
                position = numpy.stack([place % nx, place // nx % ny, place // nx // ny], axis=1)
                points = {"position": position, "vertex": numpy.arange(len(place))}
                network = networks.get(group.attrs["space"].decode())
                if network and population == network["name"] + "_edges":
                    points = {"ends": numpy.stack([columns["source"], place], axis=1)}
                elif network:
                    points["position"] = circle(network["nodes"])[place]
                if "position" in columns:
                    points["position"] = three(columns["position"]).astype(float)
                    points["position"][:, columns["position"].shape[1]:] = cell / 2
                    points.update((n, three(v)) for n, v in columns.items()
                                  if n != "position" and v.ndim == 2 and v.shape[1] == 2 and v.dtype.kind == "f")
                populations[population] = columns, points
            state[f"world_{first + world}" if worlds > 1 else ""] = spaces, populations
        units = {d.name.split("/", 2)[2]: d.attrs["unit"] for k in ("places", "agents") if k in f
                 for g in f[k].values() for _, d in sets_of(g) if d.attrs["unit"]}
    return state, sizes, units


# ---- h5py ----

def check_axes(data, labels):
    """Each axis has one scale of its extent, that is called as it is, or as what has these components."""
    for axis, label, extent in zip(data.dims, labels, data.shape):
        own = data.name.split("/")[-1].split(".")[0]
        wanted = f"{own}-component" if label == "component" else label
        if len(axis) != 1 or axis[0].name != f"{data.parent.name}/{wanted}" or axis[0].shape != (extent,):
            fail(data.name, "has scales", [s.name for s in axis.values()], "of axis", label)
        if not axis[0].attrs["NAME"].startswith(b"This is a netCDF dimension but not a netCDF variable."):
            fail(axis[0].name, "is no dimension of netCDF")


def check_set(data, values, labels, units, close=False):
    expect(data[...], values, data.file.filename, data.name, close=close)
    labels = labels + ["component"] * (values.ndim - len(labels))
    if [d.label for d in data.dims] != labels:
        fail(data.name, "has labels", [d.label for d in data.dims])
    check_axes(data, labels)
    known = units.get("/".join(data.name.split("/")[-2:]).split(".")[0])
    if data.attrs.get("unit") != known:
        fail(data.name, "has unit", data.attrs.get("unit"), "and not", known)


def check_degrees(ends, network):
    """All that is known of edges: their order, and how many come into a node. An undirected one comes into both."""
    a, b = ends.T.tolist() if network["directed"] else ends[:, ::-1].T.tolist()
    if sorted(zip(b, a)) != list(zip(b, a)) or any(x < y for x, y in zip(a, b) if not network["directed"]):
        fail(network["name"], "has edges in another order")
    into = b + ([x for x, y in zip(a, b) if x != y] if not network["directed"] else [])
    degrees = numpy.bincount(into, minlength=network["nodes"])
    if len(ends) != network["edges"] or [min(degrees), sum(degrees) / len(degrees), max(degrees)] != \
            network["degrees"]:
        fail(network["name"], "has degrees", min(degrees), max(degrees), "and not", network["degrees"])


def networks_in(f, networks, spaces):
    """The sets of networks: path, values and labels."""
    for name, network in networks.items():
        if name in spaces:
            yield f"/networks/{name}/position", circle(network["nodes"]), ["node", "axis"]
            yield f"/networks/{name}/vertex", numpy.arange(network["nodes"]), ["node"]
        if network["changes"] or not network["edges"]:
            continue
        ends = f[f"/networks/{name}/ends"][...]
        check_degrees(ends, network)
        yield f"/networks/{name}/ends", network.get("ends", ends), ["edge", "end"]
        for attribute in network["attributes"]:
            found = f[f"/edges/{name}/{attribute}"][...]
            yield f"/edges/{name}/{attribute}", network.get("values", {attribute: found})[attribute], ["edge"]


def check_file(path, state, units, networks):
    with h5py.File(path) as f:
        found = set()
        f.visititems(lambda name, item: found.add("/" + name) if isinstance(item, h5py.Dataset) else None)
        for world, (spaces, populations) in state.items():
            sets = [("places", s, n, v, ["z", "y", "x"]) for s, c in spaces.items() for n, v in c.items()]
            for population, (columns, points) in populations.items():
                sets += [("agents", population, n, v, ["agent"]) for n, v in columns.items()]
                sets += [("points", population, n, v, ["agent", "axis"][:v.ndim] if n != "ends" else ["edge", "end"])
                         for n, v in points.items()]
            for kind, owner, name, values, labels in sets:
                at = "/".join(["", world, kind, owner, name] if world else ["", kind, owner, name])
                found.discard(at)
                check_set(f[at], values, labels, units, networks and kind == "points" and name == "position")
                found -= {axis[0].name for axis in f[at].dims}
            for at, values, labels in networks_in(f, networks, spaces):
                found.discard(at)
                check_set(f[at], values, labels, units, at.endswith("/position"))
                found -= {axis[0].name for axis in f[at].dims}
        if found:
            fail(path, "holds", found)


def check_index(folder):
    """Every data item is there, of the extents and the size of numbers that it is said to have. Returns the steps."""
    root = xml.parse(f"{folder}/fields.xmf").getroot()
    for item in root.iter("DataItem"):
        if item.get("Format") != "HDF":
            continue
        name, path = item.text.split(":")
        with h5py.File(f"{folder}/{name}") as f:
            if tuple(int(n) for n in item.get("Dimensions").split()) != f[path].shape or \
                    int(item.get("Precision")) != f[path].dtype.itemsize:
                fail(folder, item.text, item.attrib)
    return [int(t.get("Value")) for t in root.iter("Time")]


def check_h5py(folder, steps, cell, networks):
    if check_index(f"{folder}/fields") != steps:
        fail(folder, "has steps", check_index(f"{folder}/fields"), "and not", steps)
    for path in glob.glob(f"{folder}/state/ckpt-*.h5"):
        state, _, units = state_of(path, cell, networks)
        check_file(f"{folder}/fields/fields-{path[-15:]}", state, units, networks)


# ---- ParaView ----

def leaves(data, name=""):
    if data.IsA("vtkCompositeDataSet"):
        for i in range(data.GetNumberOfBlocks()):
            about = data.GetMetaData(i).Get(data.NAME()) if data.HasMetaData(i) else ""
            yield from leaves(data.GetBlock(i), about)
    else:
        yield name.split("[")[0], data  # one reader numbers grids that have the same name in other steps


def check_arrays(name, arrays, columns, convert):
    for column, values in columns.items():
        array = arrays.GetArray(column)
        if array is None:
            fail(name, "has no", column)
        flat = values.reshape(array.GetNumberOfTuples(), -1)
        if flat.dtype == numpy.uint64:  # which readers do not have
            flat = numpy.minimum(flat, 2 ** 63 - 1)
        found = convert(array).reshape(flat.shape)
        expect(found, flat.astype(found.dtype), name, column)


def cells_of(data):
    """The points of each cell."""
    def points_of(cell):  # the next one overwrites it
        return [cell.GetPointId(k) for k in range(cell.GetNumberOfPoints())]
    return [points_of(data.GetCell(i)) for i in range(data.GetNumberOfCells())]


def check_network(name, data, networks, spaces, populations, convert):
    """Nodes are vertices, and edges are lines between them with the attributes of both."""
    own = next(n for n in networks if name in (n, n + "_edges"))
    base = own if own in spaces else next(n for n in networks if n in spaces)
    nodes = networks[base]["nodes"]
    expect([data.GetPoint(i) for i in range(data.GetNumberOfPoints())], circle(nodes), name, "nodes", close=True)
    check_arrays(name, data.GetPointData(), spaces[base], convert)
    cells = cells_of(data)
    if name == base:
        expect(cells, numpy.arange(nodes).reshape(-1, 1), name, "vertices")
    elif name in populations:
        columns, points = populations[name]
        expect(cells, points["ends"], name, "lines")
        check_arrays(name, data.GetCellData(), columns, convert)
    elif "ends" in networks[own]:
        expect(cells, networks[own]["ends"], name, "lines")
        check_arrays(name, data.GetCellData(), networks[own]["values"], convert)
    elif len(cells) != networks[own]["edges"]:
        fail(name, "has", len(cells), "lines")


def check_block(name, data, sizes, spaces, populations, convert, cell, close):
    if name in spaces:
        size, columns = sizes[name], spaces[name]
        edges = [edge for n in reversed(size) for edge in ((0, n * cell) if cell else (-0.5, n - 0.5))]
        if not numpy.allclose(data.GetBounds(), edges, 1e-12, 0):
            fail(name, "has bounds", data.GetBounds(), "and not", edges)
        check_arrays(name, data.GetCellData(), columns, convert)
    else:
        columns, points = populations[name]
        position = points["position"]
        columns = columns | {n: v for n, v in points.items() if n in columns and n != "position"}
        expect([data.GetPoint(i) for i in range(data.GetNumberOfPoints())], position, name, "points",
               close=close)
        if data.GetNumberOfCells() != len(position):
            fail(name, "has", data.GetNumberOfCells(), "vertices")
        check_arrays(name, data.GetPointData(), columns, convert)


def check_reader(reader, folder, steps, cell, networks):
    from paraview import servermanager
    from vtkmodules.util.numpy_support import vtk_to_numpy
    if [int(t) for t in reader.TimestepValues] != steps:
        fail(folder, "has time steps", list(reader.TimestepValues))
    for path in glob.glob(f"{folder}/state/ckpt-*.h5"):
        state, sizes, _ = state_of(path, cell, networks)
        reader.UpdatePipeline(int(path[-15:-3]))
        found = dict(leaves(servermanager.Fetch(reader)))
        for world, (spaces, populations) in state.items():
            populations = {n: p for n, p in populations.items() if len(p[0]["id"])}
            lines = {n + "_edges" if n in spaces else n for n in networks if not networks[n]["changes"] and
                     networks[n]["edges"]}
            lines |= {n + "_edges" for n in networks if n + "_edges" in populations}
            for name in {*spaces, *populations, *lines}:
                block = found.pop(f"{world} {name}".strip(), None)
                if block is None:
                    fail(path, reader, "has no block", world, name, "but", list(found))
                if name in networks or name in lines:
                    check_network(name, block, networks, spaces, populations, vtk_to_numpy)
                else:
                    check_block(name, block, sizes, spaces, populations, vtk_to_numpy, cell, bool(networks))
        if found:
            fail(path, "has blocks", list(found))


def check_paraview(folder, steps, cell, networks):
    from paraview import simple
    index = f"{folder}/fields/fields.xmf"
    check_reader(simple.XDMFReader(FileNames=[index]), folder, steps, cell, networks)
    check_reader(simple.Xdmf3ReaderT(FileName=[index]), folder, steps, cell, networks)


for options, every, last in CASES:
    with tempfile.TemporaryDirectory() as folder:
        write_contacts(folder)
        options = [o.replace("FOLDER", folder) for o in options]
        networks = networks_of(options, folder)
        run(options, every, last, folder)
        steps = sorted({*range(0, last, every), last})
        cell = next((float(o[5:]) for o in options if o.startswith("cell=")), None)
        (check_paraview if MODE == "paraview" else check_h5py)(folder, steps, cell, networks)
