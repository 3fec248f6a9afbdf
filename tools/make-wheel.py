#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a wheel of the Python module, with the library, the command and the models of a build that came with it:

    tools/make-wheel.py BUILD [FOLDER]

FOLDER is BUILD/packages by default. The wheel is for machines of this kind that have the libraries which the engine
needs at run time, as the package mass-engine does. It prints the wheel's path.
"""
import base64
import hashlib
import os
import platform
import re
import subprocess
import sys
import tempfile
import zipfile

METADATA = """Metadata-Version: 2.1
Name: mass-engine
Version: {version}
Summary: runs of agent-based models and cellular automata, with NumPy arrays
License: Apache-2.0
Requires-Python: >=3.8
Requires-Dist: numpy
Provides-Extra: all
Requires-Dist: h5py; extra == 'all'
Requires-Dist: pandas; extra == 'all'
Requires-Dist: tqdm; extra == 'all'
"""
WHEEL = """Wheel-Version: 1.0
Generator: tools/make-wheel.py
Root-Is-Purelib: false
Tag: {tag}
"""


def install(build, component, folder):
    """Installs a component of the build into a folder."""
    subprocess.run(["cmake", "--install", build, "--prefix", folder, "--component", component], check=True,
                   stdout=subprocess.DEVNULL)


def files_below(folder):
    """Paths of all files below a folder, links followed, in order."""
    found = [os.path.join(at, name) for at, _, names in os.walk(folder) for name in names]
    return sorted(os.path.relpath(path, folder) for path in found)


def contents(scratch):
    """(path in the wheel, file) of what goes into the wheel."""
    module = os.path.join(scratch, "lib/python3/dist-packages")
    for path in files_below(module):
        yield path, os.path.join(module, path)
    for path in files_below(scratch):
        name = os.path.basename(path)
        file = os.path.join(scratch, path)
        if path == "bin/mass-engine" or path.startswith(("lib/mass/plugins/", "lib/mass/backends/cuda")):
            yield f"mass/engine/{path}", file
        elif re.fullmatch(r"libmass\.so\.\d+", name):  # the library by the name that the module opens
            yield f"mass/engine/lib/{name}", os.path.realpath(file)


def add(wheel, path, data, mode):
    """Adds a file to the wheel, the same bytes each time. Returns its line of the record."""
    info = zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0))
    info.external_attr = (0o100000 | mode) << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    wheel.writestr(info, data)
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{path},sha256={digest},{len(data)}\n"


def main():
    """Makes the wheel of a build, and prints its path."""
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: tools/make-wheel.py BUILD [FOLDER]")
    build = sys.argv[1]
    target = sys.argv[2] if len(sys.argv) == 3 else os.path.join(build, "packages")
    tag = f"py3-none-linux_{platform.machine()}"
    with tempfile.TemporaryDirectory() as scratch:
        for component in ("mass-engine", "mass-engine-cuda", "python3-mass"):
            install(build, component, scratch)
        with open(os.path.join(scratch, "lib/python3/dist-packages/mass/_library.py"), encoding="utf-8") as f:
            version = re.search(r'^VERSION = "(.*?)"', f.read(), re.MULTILINE).group(1)
        os.makedirs(target, exist_ok=True)
        path = os.path.join(target, f"mass_engine-{version}-{tag}.whl")
        notes = f"mass_engine-{version}.dist-info"
        with zipfile.ZipFile(path, "w") as wheel:
            record = ""
            for name, file in contents(scratch):
                with open(file, "rb") as f:
                    record += add(wheel, name, f.read(), os.stat(file).st_mode & 0o755)
            record += add(wheel, f"{notes}/METADATA", METADATA.format(version=version).encode(), 0o644)
            record += add(wheel, f"{notes}/WHEEL", WHEEL.format(tag=tag).encode(), 0o644)
            add(wheel, f"{notes}/RECORD", (record + f"{notes}/RECORD,,\n").encode(), 0o644)
    print(path)


if __name__ == "__main__":
    main()
