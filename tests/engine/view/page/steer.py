# SPDX-License-Identifier: Apache-2.0
"""Parts of page.py: following an agent, drawing places, arrows, films."""
import os
import re
import subprocess

import scene
from browser import ENTER, ESCAPE, RIGHT, SHIFT
from scene import Run, check, look, step

ANTS = ("sugarscape", "--size", "40x40", "--set", "ants=700", "--set", "sugar_max=1", "--seed", "3", "--steps",
        "100000000", "--view-wait")


def find_ant(browser):
    """Keeps places in sight until one of them has an ant; its name and where it is."""
    scene.focus(browser)
    browser.press(ENTER)
    for _ in range(20):
        before = browser.text("#place-title")
        browser.press((SHIFT, RIGHT))
        browser.until("the next place", lambda: browser.text("#place-title") != before)
        label = browser.run("return document.querySelector('#residents button')?.getAttribute('aria-label') ?? null")
        if label:
            return label.replace("Follow ", "")
    raise scene.Failed("there is no ant in twenty places")


def centred(browser):
    """How many places the middle of the picture is away from the agent."""
    return browser.run(r"""
        const [, x, y] = document.getElementById('agent-title').textContent.match(/\((\d+), (\d+)\)/);
        const canvas = document.getElementById('picture');
        const [left, top, scale] = canvas.dataset.lies.split(' ').map(Number);
        return Math.max(Math.abs(left + (+x + 0.5) * scale - canvas.width / 2),
                        Math.abs(top + (+y + 0.5) * scale - canvas.height / 2)) / scale""")


def followed(browser, folder):
    """The picture goes with an ant, to the edge of the space too; when it has died, that is said, where and when."""
    with Run(folder, *ANTS) as run:
        look(browser, run)
        ant = find_ant(browser)
        browser.click("#residents button")
        browser.until("the ant", lambda: browser.text("#agent-title").startswith(ant + " at ("))
        check(browser.seen("#agent"), "nobody sees the ant that is followed")
        check("wealth" in browser.text("#agent-values"), f"its values are {browser.text('#agent-values')!r}")
        browser.until("it in the middle", lambda: centred(browser) < 0.6)
        for _ in range(3):
            at = step(browser)
            browser.click("#one")
            browser.until("one step", lambda: step(browser) > at)
            browser.until("its place then", lambda: browser.text("#agent-title").endswith(f"step {step(browser)}"))
            browser.until("it in the middle", lambda: centred(browser) < 0.6)
        browser.click("#go")
        browser.until("its end", lambda: "no longer there" in browser.text("#agent-title"))
        check("last seen at (" in browser.text("#agent-title"), f"it says {browser.text('#agent-title')!r}")
        scene.focus(browser)
        browser.press(ESCAPE)
        browser.until("nobody followed", lambda: not browser.seen("#agent"))
        scene.quiet(browser)


def drawn(browser, folder):
    """Strokes of the mouse are there, and are events of the run, whose command gives the same again."""
    with Run(folder, "life", "--size", "32x24", "--set", "density=0", "--seed", "2", "--steps", "1000",
             "--view-wait", "--json") as run:
        look(browser, run)
        browser.until("a brush", lambda: browser.seen("#brush"))
        browser.until("a run to draw on", lambda: browser.run("return !document.getElementById('draw').disabled"))
        browser.click("#draw")
        scene.middle(browser)
        corner = scene.corner(browser)
        browser.drag(*scene.place_on_window(browser, 10, 5), *scene.place_on_window(browser, 12, 5))
        living = (10, 5), (11, 5), (12, 5)
        browser.until("a blinker", lambda: all(sum(scene.at(scene.canvas(browser), *at)) > 400 for at in living))
        check(scene.corner(browser) == corner, "the picture moved under the brush")
        browser.run("document.getElementById('draw-value').value = 7")
        browser.drag(*scene.place_on_window(browser, 3, 3), *scene.place_on_window(browser, 3, 3))
        browser.until("a refusal", lambda: browser.seen("#notice") and "value to draw" in browser.text("#notice"))
        check("--events life-events.csv" in browser.text("#command"), f"the command is {browser.text('#command')}")
        browser.click("#one")
        browser.until("its next step", lambda: step(browser) == 1)
        drawing = scene.canvas(browser)
        check(all(sum(scene.at(drawing, 11, y)) > 400 for y in (4, 5, 6)), "the blinker does not turn")
        browser.click("#go")
        browser.until("its end", lambda: browser.text("#state") == "ended")
        check(browser.run("return document.getElementById('draw').disabled"), "a run that ended can be drawn on")
        scene.quiet(browser)
        state = run.wait_for(r'"state_hash": "(\w+)"').group(1)
        again = subprocess.run([os.environ["MASS_ENGINE"], "life", "--size", "32x24", "--set", "density=0", "--seed",
                                "2", "--steps", "1000", "--events", "life-events.csv", "--json", "--quiet"],
                               cwd=folder, stdout=subprocess.PIPE, text=True, check=True).stdout
        check(f'"state_hash": "{state}"' in again, f"the events of the run give another state than {state}: {again}")


def marks(browser):
    """How many pixels of what lies over the picture are set."""
    return browser.run("""
        const marks = document.getElementById('marks'), {width, height} = marks;
        const {data} = marks.getContext('2d').getImageData(0, 0, width, height);
        let set = 0;
        for (let i = 3; i < data.length; i += 4) set += data[i] > 0;
        return set""")


def inked(browser, colour):
    """How many of these pixels have a colour."""
    return browser.run("""
        const marks = document.getElementById('marks'), {width, height} = marks, [colour] = arguments;
        const {data} = marks.getContext('2d').getImageData(0, 0, width, height);
        let set = 0;
        for (let i = 0; i < data.length; i += 4)
          set += data[i + 3] === 255 && colour.every((part, k) => data[i + k] === part);
        return set""", colour)


def pointing(browser, folder):
    """Arrows where the user wants them, and at once where a unit says that an attribute is an angle."""
    with Run(folder, *ANTS) as run:
        look(browser, run)
        browser.until("a choice", lambda: browser.seen("#arrows"))
        before = marks(browser)
        browser.choose("#arrows", "ants.wealth in degrees")
        browser.until("arrows", lambda: marks(browser) > before + 10000)
        browser.choose("#arrows", "none")
        browser.until("no arrows", lambda: marks(browser) == before)
    with Run(folder, "--plugin", os.environ["MASS_MARKUP"], "--steps", "3", "--view-wait") as run:
        look(browser, run)
        chosen = "const all = document.getElementById('arrows'); return all.selectedOptions[0]?.textContent"
        browser.until("the angle", lambda: browser.run(chosen) == "grid.turn")
        browser.until("its arrows", lambda: marks(browser) > 10000)
        scene.quiet(browser)


def afloat(browser, folder):
    """Agents with positions as points, and arrows there; one that is followed is in the middle, and those nearby are
    marked."""
    with Run(folder, "boids", "--size", "20x20", "--set", "birds=1200", "--seed", "1", "--steps", "3",
             "--view-wait") as run:
        look(browser, run)
        chosen = "const all = document.getElementById('arrows'); return all.selectedOptions[0]?.textContent"
        browser.until("the declared arrows", lambda: browser.run(chosen) == "birds.heading")
        browser.until("arrows", lambda: marks(browser) > 60000)
        arrows = marks(browser)
        check(inked(browser, (0x20, 0x30, 0x40)) > 5000, "arrows have another colour than the legend")
        check(ramps(browser) == 1, "the legend has no ramp of colours")
        browser.choose("#arrows", "birds as points")
        browser.until("points", lambda: 10000 < marks(browser) != arrows)
        browser.choose("#arrows", "none")
        browser.until("no arrows", lambda: marks(browser) < 5000)
        before = marks(browser)
        find_ant(browser)
        browser.press("f")
        browser.until("a bird", lambda: browser.text("#agent-title").startswith("birds "))
        browser.until("it in the middle", lambda: centred(browser) < 1.1)  # its place is: it may be off the place's
        answer = browser.run("""
            const [, id] = document.getElementById('agent-title').textContent.match(/birds (\\d+)/);
            return fetch(`/run/agent?population=0&id=${id}&world=0`,
                {headers: {Authorization: 'Bearer ' + location.hash.slice(1)}}).then((r) => r.json())""")
        check(len(answer["near"]) > 5 and answer["reach"] == 1, f"nearby are {answer}")
        check(all(max(abs(a - b) for a, b in zip(answer["at"], one)) <= 2 for one in answer["near"]), "too far")
        browser.until("marks of those nearby", lambda: marks(browser) > before + 1000)
        scene.quiet(browser)


def ramps(browser):
    return browser.run("return document.querySelectorAll('#legend .ramp').length")


def tinted(browser, folder):
    """Points in the colours of their agents, those of the legend, which has no colours of places if all are equal."""
    with Run(folder, "--plugin", os.environ["MASS_SHOAL"], "--seed", "1", "--steps", "3", "--view-wait") as run:
        look(browser, run)
        browser.choose("#arrows", "fish as points")
        first, second = (0x20, 0x30, 0x40), (0xe0, 0xa0, 0x10)
        browser.until("points in two colours", lambda: inked(browser, first) > 2 * inked(browser, second) > 400)
        check("fish" in browser.text("#legend"), f"the legend says {browser.text('#legend')!r}")
        check(ramps(browser) == 0, "the legend has a ramp of one colour")
        scene.quiet(browser)


def joined(browser, folder):
    """A network as one: its nodes rest near those that they are joined with, and can be read; and its steps."""
    with Run(folder, "epidemic", "--size", "40", "--set", "network=ring", "--set", "degree=4", "--seed", "1", "--steps",
             "3", "--view-wait") as run:
        look(browser, run)
        browser.until("a network", lambda: browser.text("#range") == "40 nodes, 80 edges")
        browser.until("a layout", lambda: browser.run("return document.getElementById('stage').dataset.layout")
                      == "rests")
        scene.focus(browser)
        browser.press(ENTER, (SHIFT, RIGHT))
        browser.until("the node", lambda: (browser.text("#place-title") or "").startswith("town (1) at step"))
        before = marks(browser)
        browser.choose("#shown-as", "its steps")
        browser.until("the steps", lambda: "the last" in browser.text("#range"))
        browser.until("no network", lambda: marks(browser) < before / 2)
        browser.choose("#shown-as", "network town")
        browser.until("the network again", lambda: browser.text("#range") == "40 nodes, 80 edges")
        browser.choose("#shown-as", "its steps")
        browser.type("#parameter-infected", "2")
        browser.click("#form button[type=submit]")
        browser.until("the other run", lambda: "infected=2" in browser.text("#command"))
        browser.until("its steps, as chosen", lambda: "the last" in browser.text("#range"))
        check(not browser.run("return document.getElementById('shown-as').value"), "the choice is lost")
        scene.quiet(browser, "status of 503", "ERR_CONNECTION_REFUSED")  # while one run ends and another begins
    with Run(folder, "voter", "--size", "2500", "--set", "network=small-world", "--seed", "1", "--steps", "3",
             "--view-wait") as run:
        look(browser, run)
        browser.until("the steps of many nodes", lambda: "the last" in browser.text("#range"))
        browser.choose("#shown-as", "network town")
        browser.until("counts", lambda: "too many to draw each" in browser.text("#range"))
        browser.until("bars", lambda: marks(browser) > 10000)
        scene.quiet(browser)


def filmed(browser, folder):
    """A movie of what is seen, as a file of WebM."""
    with Run(folder, "life", "--size", "64x48", "--seed", "2", "--steps", "100000000") as run:
        look(browser, run, 360)
        browser.click("#film")
        if browser.text("#state") == "paused":
            browser.click("#go")
        browser.until("a film", lambda: re.search(r"Stop film, [3-9] s", browser.text("#film")))
        browser.click("#film")
        check(browser.text("#film") == "Film", f"the button says {browser.text('#film')}")
        found = browser.until("the file", lambda: [name for name in os.listdir(browser.downloads)
                                                   if name.startswith("life-") and name.endswith(".webm")])
        path = os.path.join(browser.downloads, found[0])
        browser.until("all of it", lambda: os.path.getsize(path) > 2000)
        with open(path, "rb") as file:
            check(file.read(4) == b"\x1aE\xdf\xa3", "the film is no WebM")
        scene.quiet(browser)
