# SPDX-License-Identifier: Apache-2.0
"""The notebook of the examples, as Jupyter executes it: it has its tables, and its pictures show something."""
import base64
import importlib.util
import io
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

import numpy
from scene import Case, mass

HERE = os.path.dirname(os.path.abspath(__file__))
NOTEBOOK = os.path.join(HERE, "../../../docs/examples/experiments/sugarscape.ipynb")
NEEDED = ("nbconvert", "ipykernel", "h5py", "pandas", "matplotlib")

if not shutil.which("jupyter-nbconvert") or not all(importlib.util.find_spec(name) for name in NEEDED):
    print("skipped: there is no jupyter-nbconvert, or no Python that has ipykernel, h5py, pandas and matplotlib")
    sys.exit(77)


class Notebook(Case):
    def execute(self):
        """Executes the notebook with files of its own. Returns what its cells of code show, by type."""
        shutil.copy(NOTEBOOK, self.path("in.ipynb"))
        own = {name: self.path(name) for name in ("JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR",
                                                  "IPYTHONDIR", "MPLCONFIGDIR")}
        done = subprocess.run(["jupyter-nbconvert", "--to", "notebook", "--execute", "--output", "out.ipynb",
                               "--ExecutePreprocessor.timeout=200", "--ExecutePreprocessor.startup_timeout=200",
                               self.path("in.ipynb")], text=True,
                              capture_output=True, check=False, timeout=280,
                              env={**os.environ, **own, "PYTHONPATH": os.path.join(HERE, "../../../sdk/python")})
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path("out.ipynb"), encoding="utf-8") as f:
            cells = [cell for cell in json.load(f)["cells"] if cell["cell_type"] == "code"]
        return [{kind: "".join(text) for output in cell["outputs"] for kind, text in output.get("data", {}).items()}
                for cell in cells]

    def colours(self, code):
        """The size of a picture, and the number of its colours."""
        from matplotlib import image
        pixels = image.imread(io.BytesIO(base64.b64decode(code)))
        return pixels.shape[:2], len(numpy.unique(pixels.reshape(-1, pixels.shape[-1]), axis=0))

    def test_it_shows_pictures_and_tables(self):
        shown = self.execute()
        self.assertEqual(len(shown), 5)
        pages = [re.findall(r'src="data:image/png;base64,([^"]+)"', cell.get("text/html", "")) for cell in shown]
        self.assertEqual([len(page) for page in pages], [1, 0, 1, 0, 0])
        self.assertNotEqual(pages[0], pages[2])  # before and after steps
        for code in (pages[0][0], pages[2][0]):
            size, colours = self.colours(code)
            self.assertTrue(min(size) >= 50 and colours >= 5, (size, colours))  # four levels of sugar, and ants
        size, colours = self.colours(shown[4]["image/png"])
        self.assertTrue(min(size) >= 100 and colours > 10, (size, colours))  # a line for each vision
        for cell, words in ((0, "ants"), (1, "gini(wealth)"), (3, "vision_max")):
            self.assertIn("<table", shown[cell]["text/html"])
            self.assertIn(words, shown[cell]["text/html"])
        with mass.Model("sugarscape", size=50, seed=1) as m:
            m.step(200)
            self.assertIn(repr(m).replace("<", "&lt;").replace(">", "&gt;"), shown[2]["text/html"])


if __name__ == "__main__":
    unittest.main()
