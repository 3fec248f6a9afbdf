# SPDX-License-Identifier: Apache-2.0
"""What the tests of the Python module share: the module itself, the command, and small runs of it."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../sdk/python"))
import mass  # noqa: E402  after its folder is known

COMMAND = os.environ["MASS_ENGINE"]


def command(*arguments):
    """Runs the command, and returns the object that --json prints."""
    done = subprocess.run([COMMAND, *arguments, "--quiet", "--json"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(f"{arguments} failed with {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)


class Case(unittest.TestCase):
    """A test with a scratch folder."""

    def setUp(self):
        self._scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self._scratch.cleanup)
        self.folder = self._scratch.name

    def path(self, name):
        return os.path.join(self.folder, name)
