#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A wheel of a build works where it is unpacked, with nothing else of the engine: wheel.py SOURCE BUILD"""
import base64
import csv
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import zipfile

source, build = sys.argv[1:]
RUN = ("import mass; m = mass.Model('sugarscape', size=30, seed=1); m.step(20);"
       "print(mass._library.lib.path, m.info['path'], m.hash())")


def with_numpy():
    """A Python that has NumPy, or None."""
    for python in ("python3", "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import numpy"], stderr=subprocess.DEVNULL, check=False).returncode == 0:
            return python
    return None


python = with_numpy()
if python is None:
    print("skipped: no python3 with NumPy is installed")
    sys.exit(77)
with tempfile.TemporaryDirectory() as scratch:
    wheel = subprocess.run([os.path.join(source, "tools/make-wheel.py"), build, scratch], check=True,
                           stdout=subprocess.PIPE, text=True).stdout.strip()
    site = os.path.join(scratch, "site")
    with zipfile.ZipFile(wheel) as z:
        names = z.namelist()
        for info in z.infolist():  # with the modes that pip keeps
            os.chmod(z.extract(info, site), info.external_attr >> 16 & 0o777)
        record = next(name for name in names if name.endswith("/RECORD"))
        for name, digest, size in csv.reader(z.read(record).decode().splitlines()):
            if name != record:
                data = z.read(name)
                expected = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                assert (digest, int(size)) == ("sha256=" + expected, len(data)), name
                names.remove(name)
    assert names == [record], names
    environment = {"PATH": "/usr/bin:/bin", "HOME": scratch, "PYTHONPATH": site}
    if "/" not in python:
        environment["PATH"] = os.environ["PATH"]
    done = subprocess.run([python, "-B", "-c", RUN], cwd=scratch, env=environment, capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stderr
    library, plugin, state = done.stdout.split()
    for path in (library, plugin):
        assert os.path.realpath(path).startswith(os.path.realpath(site) + "/"), path
    told = subprocess.run([os.path.join(build, "bin/mass-engine"), "sugarscape", "--size", "30x30", "--seed", "1",
                           "--steps", "20", "--device", "cpu"], check=True, capture_output=True, text=True)
    expected = re.search(r"state (\w{32})", told.stderr + told.stdout).group(1)
    assert state == expected, (state, expected)
