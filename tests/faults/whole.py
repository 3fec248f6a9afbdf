# SPDX-License-Identifier: Apache-2.0
"""What the files of a run may look like at any time: whole, or not there."""
import glob
import os
import re
import struct
import zlib
import xml.etree.ElementTree as xml

import h5py
import numpy

CHECKPOINT = re.compile(r"ckpt-\d{12}\.h5")
FIELDS = re.compile(r"fields-\d{12}\.h5")
AGENTS = "agents.csv"  # of --agents: all of it, and no beginning of it


def contents(path):
    """All data sets of an HDF5 file, by name, as bytes; checksums are looked at as they are read."""
    found = {}

    def take(name, item):
        if isinstance(item, h5py.Dataset):
            values = numpy.asarray(item[()])
            found[name] = (values.shape, str(values.dtype), values.tobytes())
    with h5py.File(path, "r") as f:
        f.visititems(take)
    return found


def read(path):
    with open(path, "rb") as f:
        return f.read()


def files(folder):
    """Paths below a folder, relative to it."""
    return sorted(os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder) for name in names)


def is_temporary(path):
    return os.path.basename(path).startswith(".")


def _problem_of_index(path):
    folder = os.path.dirname(path)
    named = set(re.findall(r"fields-\d{12}\.h5", xml.tostring(xml.parse(path).getroot(), encoding="unicode")))
    there = {os.path.basename(p) for p in glob.glob(os.path.join(folder, "fields-*.h5"))}
    return f"it names {sorted(named - there)}, which is not there" if named - there else None


def _problem_of_text(path, wanted):
    text = read(path)
    if text and not text.endswith(b"\n"):
        return "it ends with half a row"
    return None if wanted.startswith(text) else "it is no beginning of the rows of an undisturbed run"


def problem_of_png(path):
    """All chunks have their checksums, and the last one ends the file."""
    bytes_, at, kind = read(path), 8, None
    while kind != b"IEND" and at + 12 <= len(bytes_):
        length, kind = struct.unpack_from(">I4s", bytes_, at)
        end = at + 12 + length
        if struct.pack(">I", zlib.crc32(bytes_[at + 4:end - 4])) != bytes_[end - 4:end]:
            return "a checksum is wrong"
        at = end
    return None if kind == b"IEND" and at == len(bytes_) else "it is cut short"


def _problem_of_run(path, wanted):
    """It says how much of the text beside it is the run's, which may not be more than there is."""
    of_run, expected = (dict(line.split(" ", 1) for line in text.decode().splitlines())
                        for text in (read(path), wanted))
    if int(of_run["bytes"]) > os.path.getsize(path.removesuffix(".run")):
        return "it speaks of more than there is"
    return None if of_run["identity"] == expected["identity"] else "it speaks of another run"


def problem(path, wanted, before):
    """What is wrong with a file, or None. wanted, before: its bytes in the folder of an undisturbed run and before this
    one, or None."""
    name = os.path.basename(path)
    try:
        if name.endswith((".csv", ".jsonl")) and name != AGENTS and wanted is not None and wanted != before:
            return None if read(path) == before else _problem_of_text(path, wanted)
        if name.endswith(".run") and wanted is not None and wanted != before:
            return _problem_of_run(path, wanted)
        if name.endswith(".xmf"):
            return _problem_of_index(path)
        if name.endswith(".h5"):
            contents(path)
            known = wanted is not None or before is not None or CHECKPOINT.fullmatch(name) or FIELDS.fullmatch(name)
            return None if known else "nobody was to write it"
        return None if read(path) in (wanted, before) else "it is neither what it was nor what it was to be"
    except (OSError, RuntimeError, KeyError, ValueError, xml.ParseError) as error:
        return f"it cannot be read: {error}"
