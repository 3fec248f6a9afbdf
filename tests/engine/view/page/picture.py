#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Takes the picture of a page: picture.py FILE.png WIDTH HEIGHT light|dark STEPS OPTION..., with MASS_ENGINE and
MASS_PLUGINS as tests have them. STEPS: the step at which it is taken. The README's:

    picture.py docs/pictures/view.png 1280 800 light 120 sugarscape --size 128x128 --seed 3
"""
import sys
import tempfile

import scene
from browser import Browser

if len(sys.argv) < 7 or sys.argv[4] not in ("light", "dark"):
    sys.exit(__doc__)
file, width, height, looks, steps = sys.argv[1:6]
with tempfile.TemporaryDirectory() as folder, Browser() as browser:
    with scene.Run(folder, *sys.argv[6:], "--steps", str(int(steps) * 10), "--view-wait") as run:
        scene.look(browser, run, int(width), int(height), looks == "dark")
        browser.type("#pace", "8")  # so that charts have a point for each few steps
        browser.type("#target", steps)
        browser.click("#run-to")
        browser.until("the step", lambda: browser.text("#state") == "paused" and scene.step(browser) == int(steps), 120)
        scene.canvas(browser)
        browser.run("document.activeElement.blur(); scrollTo(0, 0)")
        browser.screenshot(file)
