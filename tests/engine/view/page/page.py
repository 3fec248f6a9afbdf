#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The page of --view in a browser: page.py PART..., one after another in the same browser; flat alone.

Needs MASS_ENGINE, MASS_PLUGINS, MASS_DATA, and the plugins MASS_MARKUP and MASS_LINE. Status 77, with the reason, where
there is no browser. With MASS_SCREENSHOT=FILE.png, a part that fails leaves a picture of the page."""
import os
import sys
import tempfile
import time

import charts
import scene
import steer
from browser import DOWN, ENTER, ESCAPE, RIGHT, SHIFT, Browser, Failed, Missing
from scene import Run, check, look, step

DATA = os.environ.get("MASS_DATA", "")
GUN = ("life", "--set", f"pattern={DATA}/gosper-gun.rle", "--size", "96x64", "--seed", "1", "--steps", "100000000")


# ---- a session as a user has it ----

def session(browser, folder):
    """Opens, sees the gun move, zooms to a place, reads it, switches the attribute, pauses, steps, starts the run anew
    with another parameter, stops it."""
    with Run(folder, *GUN) as run:
        look(browser, run)
        before = scene.canvas(browser)[0]
        at = step(browser)
        check(browser.text("#title").startswith("life:"), "the title is not the model's")
        browser.until("a pause", lambda: browser.text("#state") == "paused")
        browser.click("#go")
        browser.until("another step", lambda: step(browser) > at)
        browser.until("a gun that moves", lambda: scene.canvas(browser)[0] != before)
        pause_and_step(browser)
        zoom_and_read(browser)
        switch_attribute(browser)
        restart(browser, run)
        stop(browser, run)
        scene.quiet(browser, "status of 503", "ERR_CONNECTION_REFUSED")  # while one run ends and another begins


def pause_and_step(browser):
    browser.click("#go")
    browser.until("a pause", lambda: browser.text("#state") == "paused")
    check(browser.text("#go") == "Go", "the button of a paused run is not Go")
    browser.until("the frame of that step", lambda: step(browser) == scene.number(browser.text("#step")))
    at = step(browser)
    time.sleep(0.2)
    check(step(browser) == at, "a paused run goes on")
    browser.click("#one")
    browser.until("one step", lambda: step(browser) == at + 1)


def zoom_and_read(browser):
    """By the wheel, to a place that the model says lives and to one that is dead, at the page's own picture of both."""
    drawn = scene.canvas(browser)
    scale = drawn[3]
    living = next((x, y) for y in range(64) for x in range(96) if sum(scene.at(drawn, x, y)) > 400)
    dead = next((x, y) for y in range(64) for x in range(96) if sum(scene.at(drawn, x, y)) < 200)
    for (x, y), value in ((living, "1"), (dead, "0")):
        scene.focus(browser)
        browser.press("0")
        browser.wheel(*scene.place_on_window(browser, x, y), -400)
        browser.until("a closer view", lambda: scene.scale(browser) > scale)
        browser.move(*scene.place_on_window(browser, x, y))
        browser.until(f"the place ({x}, {y})", lambda: scene.place(browser, x, y))
        check(scene.values(browser) == {"health": value}, f"({x}, {y}) is {scene.values(browser)}, not {value}")
    browser.press("0")


def switch_attribute(browser):
    before = scene.canvas(browser)[0]
    browser.choose("#pictures", "grid.health")
    browser.until("other colours", lambda: scene.canvas(browser)[0] != before)
    browser.choose("#pictures", "grid.health (model)")
    browser.until("the former colours", lambda: scene.canvas(browser)[0] == before)


def restart(browser, run):
    browser.type("#parameter-rule", "B36/S23")
    browser.click("#form button[type=submit]")
    browser.until("the other rule", lambda: "rule=B36/S23" in browser.text("#command"))
    browser.until("its first state", lambda: browser.text("#state") == "paused")  # as the run before it was
    browser.click("#go")
    browser.until("a run that goes", lambda: browser.text("#state") == "running" and not browser.seen("#notice"))
    at = step(browser)
    browser.until("its picture", lambda: step(browser) > at)
    check(run.process.poll() is None, "the run ended when it was started anew")


def stop(browser, run):
    browser.click("#stop")
    browser.until("a question", lambda: browser.seen("#ask"))
    browser.click("#ask-yes")
    check(run.ended() == 130, f"a stopped run ends with {run.process.returncode}, not as by Ctrl-C")
    browser.until("word of the end", lambda: browser.text("#notice") == "The run was stopped.")


# ---- the same pixels as --image ----

IMAGES = {
    "life": ("--size", "512x512", "--steps", "40"),
    "heat": ("--size", "64x64", "--steps", "40"),
    "sugarscape": ("--size", "128x128", "--steps", "20"),
    "minesweeper": ("--steps", "200"),
    "vector": (),
    "wolf-sheep": ("--size", "128x128", "--steps", "20"),
    "schelling": ("--size", "128x128"),
    "boltzmann": ("--size", "128x128", "--set", "to=place"),
    "el-farol": ("--size", "60x60", "--set", "people=1000"),
}


def pixels(browser, folder, models=tuple(IMAGES), width=1920):
    for model in models:
        image = os.path.join(folder, f"{model}.png")
        with Run(folder, model, "--seed", "3", *IMAGES[model], "--image", image, "--view-wait") as run:
            scene.finish(browser, run, width)
            same_pixels(browser, model, image)
            scene.quiet(browser)


def same_pixels(browser, model, image):
    with open(image, "rb") as file:
        width, height, rows = scene.read_png(file.read())
    places = browser.run("return document.getElementById('facts').textContent").split(" \u00b7 ")[0].split(" ")[1]
    grow = width / float(places.replace("\u202f", ""))
    scene.focus(browser)
    browser.press("1")
    for _ in range(12):
        if scene.scale(browser) >= grow:
            break
        browser.press("+")
    check(scene.scale(browser) == grow, f"{model}: no zoom to {grow} pixels a place, but {scene.scale(browser)}")
    seen, wrong = compare(browser, width, height, rows)
    check(wrong == 0, f"{model}: {wrong} bytes of {3 * seen} differ from those of --image")
    check(seen > 50000, f"{model}: only {seen} pixels could be compared")


def compare(browser, width, height, rows):
    """How many pixels of the image are in sight, and how many of their bytes differ."""
    drawn, left, top, _, _ = scene.canvas(browser)
    seen = wrong = 0
    for y, line in enumerate(drawn):
        if not 0 <= y - top < height:
            continue
        first, end = max(0, left), min(len(line) // 3, left + width)
        mine, other = line[3 * first:3 * end], rows[y - top][3 * (first - left):3 * (end - left)]
        seen += end - first
        if mine != other:
            wrong += sum(a != b for a, b in zip(mine, other))
    return seen, wrong


def flat(browser, folder):
    """A 2-D canvas draws the same where there is no WebGL."""
    kind = browser.run("return document.createElement('canvas').getContext('webgl2') === null")
    check(kind, "this browser has WebGL")
    pixels(browser, folder, ("sugarscape",))


# ---- every model, at every width ----

MODELS = {
    "life": ("life", "--size", "128x96"),
    "heat": ("heat",),
    "heat-3d": ("heat", "--size", "24x20x9", "--set", "start=random"),
    "sugarscape": ("sugarscape", "--size", "96x96"),
    "minesweeper": ("minesweeper",),
    "histogram": ("histogram", "--steps", "1"),
    "vector": ("vector", "--size", "96x80"),
    "wolf-sheep": ("wolf-sheep", "--size", "80x80"),
    "schelling": ("schelling", "--size", "80x80"),
    "boltzmann": ("boltzmann", "--set", "to=place"),
    "el-farol": ("el-farol", "--size", "60x60", "--set", "people=1000"),
    "boids": ("boids",),
    "slime": ("slime", "--size", "60x60"),
}


def models(browser, folder):
    for name, command in MODELS.items():
        steps = () if "--steps" in command else ("--steps", "60")
        with Run(folder, *command, "--seed", "5", *steps, "--view-wait") as run:
            scene.finish(browser, run)
            for width in scene.PAGES:
                look(browser, run, width, dark=width < 1000)
                scene.fits(browser, f"{name} at {width}")
                told(browser, name)
                scene.quiet(browser)


def told(browser, name):
    """Every chart has its name, its axis, its newest number; every parameter of the form has a value and its help."""
    browser.until(f"{name}: the charts", lambda: browser.run(
        "return [...document.querySelectorAll('#charts figure .now')].every((now) => now.textContent !== '')"))
    charts = browser.run("""
        return [...document.querySelectorAll('#charts figure')].map((f) =>
            [f.dataset.name, f.querySelector('.now').textContent,
             f.querySelector('canvas').getAttribute('aria-label')])""")
    for chart, now, words in charts:
        check(now != "" and words, f"{name}: the chart of {chart} says {now!r}, {words!r}")
    fields = browser.run("""
        return [...document.querySelectorAll('#form .field')].map((f) =>
            [f.querySelector('label').textContent, f.querySelector('.quiet')?.textContent ?? ''])""")
    for field, words in fields:
        check(words, f"{name}: nothing is said of the parameter {field}")
    cut = browser.run("""
        return [...document.querySelectorAll('#form input')].filter(({placeholder, id}) => placeholder.length > 22 &&
            !document.getElementById(`${id}-help`).textContent.includes(placeholder)).map(({id}) => id)""")
    check(not cut, f"{name}: the default of {cut} does not fit into its field, and is not told below it")
    check(browser.seen("#film") == browser.seen("#stage"), f"{name}: a button films what is not drawn")


def anew(browser, folder):
    """Another seed, and a value by its slider; a value that the model does not take is refused in its words."""
    with Run(folder, "life", "--size", "64x64", "--seed", "1", "--steps", "100000000", "--view-wait") as run:
        look(browser, run)
        first = scene.canvas(browser)[0]
        browser.type("#parameter-rule", "B3")
        browser.click("#form button[type=submit]")
        browser.until("a refusal", lambda: browser.seen("#notice") and "rule" in browser.text("#notice"))
        browser.click("#form button[type=reset]")
        browser.type("#seed-seed", "7")
        browser.run("document.querySelector('#form .field:has(#parameter-density) input[type=range]').focus()")
        browser.press(RIGHT)
        browser.click("#form button[type=submit]")
        browser.until("the other seed", lambda: "seed 7" in browser.text("#facts"))
        check("density=0.251" in browser.text("#command"), f"the command is {browser.text('#command')}")
        browser.until("its first frame", lambda: step(browser) == 0)
        check(scene.canvas(browser)[0] != first, "another seed gives the same picture")


def line(browser, folder):
    """Of a line, the past steps, the newest at the bottom: the rows that --image has."""
    image = os.path.join(folder, "line.png")
    start = os.path.join(folder, "start.csv")
    with open(start, "w", encoding="ascii") as file:
        file.write(",".join(str(x * x % 223) for x in range(300)) + "\n")
    with Run(folder, "--plugin", os.environ["MASS_LINE"], "--size", "300", "--load", f"value={start}", "--steps", "30",
             "--image", image, "--view-wait") as run:
        scene.finish(browser, run)
        with open(image, "rb") as file:
            width, height, rows = scene.read_png(file.read())
        scene.focus(browser)
        browser.press("1")
        drawn, left, top, _, _ = scene.canvas(browser)
        check((width, height) == (300, 31), f"the image has {width} x {height} pixels")
        high = int(browser.run("return document.getElementById('picture').dataset.row"))
        for i, row in enumerate(rows):
            shown = drawn[top + i * high][3 * left:3 * (left + width)]
            check(shown == row, f"row {i} of 31 differs from --image's")


# ---- by keys alone ----

def keys(browser, folder):
    with Run(folder, *GUN, "--view-wait") as run:
        look(browser, run)
        scene.focus(browser)
        browser.press(ENTER)
        browser.until("the place in the middle", lambda: scene.place(browser, 48, 32))
        browser.press((SHIFT, RIGHT), (SHIFT, DOWN))
        browser.until("its neighbour", lambda: scene.place(browser, 49, 33))
        browser.press(ESCAPE)
        browser.until("no place", lambda: not browser.seen("#place"))
        whole = scene.scale(browser)
        browser.press("+", "+")
        browser.until("a closer view", lambda: scene.scale(browser) > whole)
        left = scene.corner(browser)[0]
        browser.press(RIGHT)
        browser.until("a move", lambda: scene.corner(browser)[0] < left)
        browser.press("0")
        browser.until("the whole", lambda: scene.scale(browser) == whole)
        check(step(browser) == 0, "a run that waits has begun")
        browser.run("document.getElementById('go').focus()")
        browser.press(ENTER)
        browser.until("a run that goes", lambda: step(browser) > 0)
        scene.quiet(browser)


def drag(browser, folder):
    """Dragging moves the picture with the pointer."""
    with Run(folder, *GUN, "--view-wait") as run:
        look(browser, run)
        scene.focus(browser)
        browser.press("+", "+", "+")
        x, y = scene.middle(browser)
        left, top = scene.corner(browser)
        browser.drag(x, y, x + 40, y + 24)
        browser.until("a move", lambda: scene.corner(browser) != [left, top])
        to = scene.corner(browser)
        check(abs(to[0] - left - 40) < 2 and abs(to[1] - top - 24) < 2, f"dragged from {left, top} to {to}")
        touch(browser)


def touch(browser):
    """One finger moves the picture, two that part bring it closer around their middle, one that taps keeps a place."""
    x, y = scene.middle(browser)
    left, top = scene.corner(browser)
    browser.touch([(x, y), (x - 15, y - 9), (x - 30, y - 18)])
    browser.until("a move by a finger", lambda: scene.corner(browser) != [left, top])
    to, scale = scene.corner(browser), scene.scale(browser)
    check(abs(to[0] - left + 30) < 2 and abs(to[1] - top + 18) < 2, f"a finger moved {left, top} to {to}")
    browser.touch([(x - 20, y), (x - 30, y), (x - 40, y)], [(x + 20, y), (x + 30, y), (x + 40, y)])
    browser.until("a closer view", lambda: scene.scale(browser) != scale)
    check(abs(scene.scale(browser) / scale - 2) < 0.1, f"fingers twice as far apart: {scale} to {scene.scale(browser)}")
    browser.touch([(x, y)])
    browser.until("the place under a tap", lambda: browser.seen("#place"))


# ---- what is not as it should be ----

def lost(browser, folder):
    """A run that is gone, and a page with another token, are told plainly."""
    with Run(folder, *GUN) as run:
        look(browser, run)
        run.process.kill()
        browser.until("word of it", lambda: browser.seen("#notice") and "connection" in browser.text("#notice"))
        check(browser.text("#state") == "no connection", f"the state is {browser.text('#state')}")
    with Run(folder, *GUN) as run:
        browser.open(run.url[:-4] + "0000")
        browser.until("word of it", lambda: "whole address" in (browser.text("#notice") or ""))


def watching(browser, folder):
    """Without control there is nothing to press, and values stand in a table."""
    with Run(folder, *GUN, view="") as run:
        look(browser, run)
        check(not browser.seen("#controls") and not browser.seen("#form input"), "a run that is watched can be changed")
        check("B3/S23" in browser.text("#form"), "the parameters do not stand there")


def files(browser, folder):
    """The PNG of the view and the CSV of a chart."""
    with Run(folder, "life", "--size", "64x48", "--seed", "2", "--steps", "30", "--view-wait") as run:
        scene.finish(browser, run, 360)
        browser.click("#save-png")
        browser.click("#charts figure[data-name=population] button")
        png = os.path.join(browser.downloads, "life-30.png")
        csv = os.path.join(browser.downloads, "population.csv")
        browser.until("both files", lambda: os.path.exists(png) and os.path.exists(csv))
        with open(png, "rb") as file:
            _, _, rows = scene.read_png(file.read())
        check(rows == scene.canvas(browser)[0], "the PNG is not the canvas")
        with open(csv, encoding="utf-8") as file:
            head, *_, last = file.read().splitlines()
        population = run.wait_for(r"population (\d+)").group(1)
        check(head == "step,population" and last == f"30,{population}", f"the CSV has {head!r} and {last!r}")


def markup(browser, folder):
    """What a plugin says is text, whatever is in it."""
    with Run(folder, "--plugin", os.environ["MASS_MARKUP"], "--set", "note=<b id=evil>x</b>", "--steps", "3",
             "--view-wait") as run:
        scene.finish(browser, run)
        browser.until("the log", lambda: "<img" in (browser.text("#log") or ""))
        check(browser.run("return document.querySelectorAll('.evil, #evil, body img, body a').length") == 0,
              "a plugin's text became markup")
        for css in ("#title", "#charts", "#form", "#log", "#command", "#legend"):
            check("<" in browser.text(css), f"{css} says {browser.text(css)!r}")
        scene.quiet(browser)


def worlds(browser, folder):
    """Worlds side by side, each as it is alone."""
    with Run(folder, "life", "--size", "64x64", "--worlds", "4", "--seed", "9", "--steps", "10", "--view-wait") as run:
        scene.finish(browser, run)
        tiles = four(browser)
        check(len(set(tiles)) == 4, "worlds look the same")
        check(browser.run("return document.querySelectorAll('#charts figure .lines span').length") >= 4,
              "the charts have no line a world")
        for dark in (False, True):
            browser.window(1200, 900, dark=dark)
            browser.until("a legend in the colours of the lines", lambda: legend_is_right(browser))
        browser.choose("#world", "2")
        check(reduced(scene.canvas(browser)) == tiles[2], "world 2 alone is another")


def legend_is_right(browser):
    return browser.run("""
        const {chart} = document.querySelector('#charts figure'), probe = document.createElement('i');
        return chart.samples.length === 5 && chart.samples.every((sample, i) => {
            probe.style.background = chart.colour(chart.series[i], i);
            return sample.style.background === probe.style.background;
        })""")


def four(browser):
    """The places of four tiles, as they lie in a canvas cut in two by two."""
    rows, *lies = scene.canvas(browser)
    w, h = (len(rows[0]) // 3 - 6) // 2, (len(rows) - 6) // 2
    cut = [[line[3 * x:3 * (x + w)] for line in rows[y:y + h]] for y in (0, h + 6) for x in (0, w + 6)]
    return [reduced((tile, *lies)) for tile in cut]


def reduced(drawn):
    return b"".join(scene.at(drawn, x, y) for y in range(64) for x in range(64))


PARTS = {part.__name__: part for part in (session, pixels, flat, models, anew, line, keys, drag, lost, watching, files,
                                          markup, worlds, charts.ended, charts.every, charts.pens, charts.beside,
                                          charts.names,
                                          steer.followed, steer.drawn, steer.pointing, steer.afloat, steer.tinted,
                                          steer.joined, steer.filmed)}


def failure(browser, part):
    """What went wrong in a part; None: nothing. Where the machine's network changed meanwhile, by which the browser
    gives up what it loads, it is done again."""
    for _ in range(3):
        browser.complaints()  # of the part before
        with tempfile.TemporaryDirectory(prefix="mass-page-") as folder:
            try:
                PARTS[part](browser, folder)
                return None
            except Failed as reason:
                complaints = browser.complaints()
                said = f"{part}: {reason}\n  notice: {browser.text('#notice')}\n  console: {complaints}"
        if not any("ERR_NETWORK_CHANGED" in complaint for complaint in complaints):
            break
    return said


def main(parts):
    if not parts or not all(part in PARTS for part in parts):
        print(f"usage: page.py PART..., of {', '.join(PARTS)}", file=sys.stderr)
        return 2
    try:
        with Browser(gl="flat" not in parts) as browser:
            for part in parts:
                wrong = failure(browser, part)
                if wrong:
                    print(wrong, file=sys.stderr)
                    return 1
    except Missing as reason:
        print(f"skipped: {reason}")
        return 77
    return 0


sys.exit(main(sys.argv[1:]))
