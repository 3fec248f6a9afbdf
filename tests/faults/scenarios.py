# SPDX-License-Identifier: Apache-2.0
"""Runs whose calls are made to fail: of every kind of file that the command reads or writes, one."""
import dataclasses
import os
import struct
import subprocess
import zlib

import h5py
import numpy

from command import ENGINE, IDENTITY

PLUGINS = os.environ["MASS_PLUGINS"]
TEST_PLUGINS = os.environ["MASS_BAD_PLUGINS"]


@dataclasses.dataclass
class Scenario:
    """The members:
    run: the command that a fault hits.
    before: commands before it, undisturbed.
    inputs: files that it reads, by name.
    again: how it resumes after the fault if there is a checkpoint in `folder`; without one it is repeated.
    processes: those whose calls fail."""
    name: str
    run: list
    inputs: dict = dataclasses.field(default_factory=dict)
    before: list = dataclasses.field(default_factory=list)
    folder: str = ""
    again: list = dataclasses.field(default_factory=list)
    processes: tuple = ("main", "child")

    def prepare(self, folder):
        for name, content in self.inputs.items():
            if callable(content):
                content(os.path.join(folder, name))
            else:
                with open(os.path.join(folder, name), "wb") as f:
                    f.write(content)
        for arguments in self.before:
            subprocess.run([ENGINE, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL, timeout=120,
                           env={**os.environ, **IDENTITY})


def _png(values):
    """Grey, 8 bits, a row of pixels for a row of values."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + bytes(row) for row in values)
    head = struct.pack(">IIBBBBB", values.shape[1], values.shape[0], 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def _npy(values):
    head = str({"descr": values.dtype.str, "fortran_order": False, "shape": values.shape}).encode()
    head += b" " * (-(len(head) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + values.tobytes()


def _h5(sets):
    def write(path):
        with h5py.File(path, "w") as f:
            for name, values in sets.items():
                f[name] = values
    return write


SOUP = (numpy.random.default_rng(1).random((12, 16)) < 0.3).astype("u1")
FOLK = {"x": numpy.array([9, 2, 2, 4]), "y": numpy.array([7, 1, 1, 4]), "id": numpy.array([30, 4, 3, 9]),
        "wealth": numpy.array([-5, 7, 0, 1])}
FOLK_CSV = "".join(",".join(str(v) for v in row) + "\n" for row in [FOLK, *zip(*FOLK.values())]).encode()
WORDS = b" ".join(b"word%d" % (i * i % 37) for i in range(400)) + b"\n"

QUIET = ["--quiet", "--json", "--threads", "1"]
LIFE = ["--plugin", "life", "--size", "32x24", "--seed", "1", *QUIET]
TINY_LIFE = ["--plugin", "life", "--size", "16x12", "--seed", "1", "--steps", "3", *QUIET]
ANTS = ["--plugin", "sugarscape", "--size", "20x16", "--seed", "3", *QUIET]
SERIES = ["--log", "population", "--series", "out/rows.csv"]
FOLK_TABLE = ["--plugin", os.path.join(TEST_PLUGINS, "table.so"), "--seed", "1", "--steps", "2", *QUIET]
RANKS = ["--device", "cpu", "--comm-timeout", "5", "--ranks"]
RESUME = ["--resume", "out", *QUIET]


def _saved(every, last):
    return ["--checkpoint", "out", "--checkpoint-every", str(every), "--keep", "2", "--steps", str(last)]


def _pictures(steps):
    return [*LIFE, "--steps", str(steps), "--image", "a.png", "--movie", "a.gif"]


ALL_FILES = ["--series", "out/rows.csv", "--fields", "fields", "--fields-every", "6", "--image", "a.png", "--movie",
             "a.gif"]


def _load(name, content, path=""):
    return Scenario("load-" + name.split(".")[1], [*TINY_LIFE, "--load", f"health={name}{path}"], {name: content})




NEEDED = {"cuda": ["--device", "cuda"], "ranks": ["--ranks", "2"]}  # by how a scenario's name begins
REASONS = ("there is no usable GPU", "there is no CUDA in this build", "was built without device code",
           "there is no MPI in this build", "needs mpirun, which is not in PATH")


def absence(name):
    """Why there is nothing to run that scenario on, or None."""
    needed = NEEDED.get(name.split("-")[0])
    if not needed:
        return None
    trial = subprocess.run([ENGINE, *TINY_LIFE, *needed], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                           timeout=120)
    return trial.stderr.strip() if trial.returncode == 5 and any(r in trial.stderr for r in REASONS) else None


ALL = [
    Scenario("checkpoint", [*LIFE, *_saved(6, 18), *SERIES], folder="out",
             again=[*RESUME, "--series", "out/rows.csv"]),
    Scenario("agents", [*ANTS, *_saved(4, 12), "--worlds", "2", "--log", "ants", "--series", "rows.jsonl"],
             folder="out", again=[*RESUME, "--series", "rows.jsonl"]),
    Scenario("keys", ["--plugin", "histogram", "--set", "input=words.txt", "--set", "mode=words", "--seed", "1", *QUIET,
                      *_saved(1, 3)], {"words.txt": WORDS}, folder="out", again=RESUME),
    Scenario("resume", [*RESUME, "--steps", "18", "--series", "out/rows.csv"],
             before=[[*LIFE, *_saved(6, 12), *SERIES]], folder="out",
             again=[*RESUME, "--steps", "18", "--series", "out/rows.csv"]),
    Scenario("everything", [*RESUME, "--steps", "18", *ALL_FILES],
             before=[[*LIFE, *_saved(6, 12), "--log", "population", *ALL_FILES]], folder="out",
             again=[*RESUME, "--steps", "18", *ALL_FILES], processes=("main",)),
    Scenario("fields", [*ANTS, *_saved(4, 8), "--fields", "fields", "--fields-every", "4"], folder="out",
             again=[*RESUME, "--fields", "fields", "--fields-every", "4"]),
    Scenario("pictures", _pictures(8), before=[_pictures(3)]),
    Scenario("table-csv", [*FOLK_TABLE, "--set", "folk_table=folk.csv", "--agents", "folk=agents.csv", "--force"],
             {"folk.csv": FOLK_CSV}),
    Scenario("table-h5", [*FOLK_TABLE, "--set", "folk_table=folk.h5"], {"folk.h5": _h5(FOLK)}),
    _load("a.csv", "\n".join(",".join(str(v) for v in row) for row in SOUP).encode() + b"\n"),
    _load("a.npy", _npy(SOUP)),
    _load("a.png", _png(SOUP)),
    _load("a.h5", _h5({"soup": SOUP}), ":/soup"),
    Scenario("params", ["--plugin", "heat", "--size", "12x10", "--seed", "1", "--steps", "3", *QUIET, "--params",
                        "a.yaml", "--sweep", "a.csv"], {"a.yaml": b"heat: -50\n", "a.csv": b"alpha\n0.1\n0.2\n"}),
    Scenario("cuda-life", [*LIFE, *_saved(6, 18), *SERIES, "--device", "cuda"], folder="out",
             again=[*RESUME, "--series", "out/rows.csv", "--device", "cuda"]),
    Scenario("cuda-agents", [*ANTS, "--set", "reproduce=20", *_saved(4, 12), "--device", "cuda"], folder="out",
             again=[*RESUME, "--device", "cuda"]),
    Scenario("ranks", [*ANTS, *_saved(4, 12), *RANKS, "3"], folder="out", again=[*RESUME, *RANKS, "2"],
             processes=("rank 0", "rank 1")),
    Scenario("plot", ["plot", "out/series.h5", "population"], before=[[*LIFE, *_saved(6, 12), *SERIES]]),
    Scenario("plot-png", ["plot", "out/series.h5", "population", "-o", "a.png"],
             before=[[*LIFE, *_saved(6, 12), *SERIES]]),
]
