# SPDX-License-Identifier: Apache-2.0
"""Parts of page.py: what the page has beside the picture, and a run that has ended."""
import os

import scene
from scene import Run, check, look, step

HISTOGRAMS = ("--tally", "wealths=hist(ants.wealth,200,0,20000)", "--tally", "sights=hist(ants.vision,4,3,7)")


def ended(browser, folder):
    """A run that has ended goes on, by as many steps as it had, and to a step; and says how to have that again."""
    with Run(folder, "life", "--size", "64x64", "--seed", "1", "--steps", "20") as run:
        look(browser, run)
        browser.until("a pause", lambda: browser.text("#state") == "paused")
        check(step(browser) == 0, "a run with control does not open paused at its start")
        browser.click("#go")
        browser.until("the end", lambda: browser.text("#state") == "ended")
        check(browser.text("#go") == "Run on", f"the button of a run that ended is {browser.text('#go')}")
        browser.click("#go")
        browser.until("twice as many steps", lambda: browser.text("#step") == "40 of 40" and step(browser) == 40)
        browser.type("#target", "55")
        browser.click("#run-to")
        browser.until("that step", lambda: browser.text("#step") == "55 of 55" and browser.text("#state") == "ended")
        browser.until("the command", lambda: "--steps 55" in browser.text("#command"))
        browser.until("a chart of all steps", lambda: chart(browser, "population")[0] == 55)
        scene.quiet(browser)
    with Run(folder, "life", "--size", "64x64", "--seed", "1", "--until", "step >= 3") as run:
        look(browser, run)
        answer_orders_late(browser)
        scene.finish_here(browser)
        browser.until("the late answer", lambda: browser.run("return document.ordered"))
        browser.until("why it cannot go on", lambda: "stop condition" in browser.text("#notice"))
        browser.run("""
            const asked = window.fetch;
            window.fetch = (url, how) => (/control/.test(url) ? Promise.resolve(new Response('{}')) : asked(url, how));
            document.getElementById('notice').textContent = 'an order';
            document.getElementById('pace').dispatchEvent(new Event('change'))""")
        browser.until("the same after a late order", lambda: "stop condition" in browser.text("#notice"))
        check(browser.run("return document.getElementById('go').disabled"), "a run that cannot go on has a button")


def answer_orders_late(browser):
    """What the page asks the run to do is answered when it has been seen already."""
    browser.run("""
        const {fetch} = window;
        window.fetch = async (address, ...rest) => {
          const answer = await fetch(address, ...rest);
          if (address !== '/run/control') return answer;
          await new Promise((resolve) => { setTimeout(resolve, 1000); });
          setTimeout(() => { document.ordered = true; }, 100);
          return answer;
        }""")


def chart(browser, name):
    """The last step of a chart's file, and its columns."""
    return browser.run("""
        const figure = document.querySelector(`#charts figure[data-name="${arguments[0]}"]`), {chart} = figure;
        const [head, ...rows] = chart.csv().trim().split('\\n').map((row) => row.split(','));
        return [Number(rows[rows.length - 1][0]), head]""", name)


def every(browser, folder):
    """A page that has followed a run from its start has the same charts as one that comes at the end."""
    with Run(folder, "life", "--size", "64x64", "--seed", "1", "--steps", "6000") as run:
        look(browser, run)
        browser.type("#pace", "3000")
        scene.finish_here(browser)
        followed = lines(browser)
        look(browser, run)
        browser.until("the charts", lambda: len(lines(browser)[0]) > 1)
        late = lines(browser)
        check(len(late[0]) > 700 and late[0][-1] == 6000, f"a chart has {len(late[0])} points up to {late[0][-1]}")
        check(late == followed, "the page that followed has other charts")
        check(any(low < y < high for y, low, high in zip(*late[1:])), "no point stands for several steps")


def lines(browser):
    """The steps, values, least and greatest ones of the chart of births."""
    return browser.run("""
        const {x, series} = document.querySelector('#charts figure[data-name=births]').chart;
        return x ? [x, series[0].y, series[0].low, series[0].high] : [[]]""")


def pens(browser, folder):
    """A second tally in a chart; what histograms left out only where there is something; bins over what there is."""
    with Run(folder, "sugarscape", "--size", "48x48", "--seed", "3", "--steps", "30", *HISTOGRAMS) as run:
        scene.finish(browser, run)
        check(browser.seen("figure[data-name='sights.below']"), "values below the bins are not shown")
        check(not browser.seen("figure[data-name='wealths.below']"), "nothing below the bins is shown")
        check(browser.run("return document.querySelector(\"figure[data-name='sights.below'] h3 wbr\") !== null"),
              "a name does not break at its dot")
        browser.choose("figure[data-name=births] select", "deaths")
        browser.until("both lines", lambda: chart(browser, "births")[1] == ["step", "births", "deaths"])
        browser.click("figure[data-name=births] .pens button")
        browser.until("one line", lambda: chart(browser, "births")[1] == ["step", "births"])
        shown = browser.run("return document.querySelector('figure[data-name=wealths]').chart.x.length - 1")
        check(0 < shown < 50, f"{shown} of 200 bins are shown, where a hundredth has something")
        scene.quiet(browser)


def beside(browser, folder):
    """Parameters beside the picture, buttons on one line, nothing of a seed where there is none."""
    with Run(folder, "heat", "--steps", "5") as run:
        scene.finish(browser, run, 1440, 900)
        tops, picture, form = browser.run("""
            const box = (css) => document.querySelector(css).getBoundingClientRect();
            const tops = [...document.querySelectorAll('#controls button')].map((b) => b.getBoundingClientRect().top);
            return [tops, box('#stage').top, box('#parameters').top]""")
        check(len(set(tops)) == 1, f"buttons are at {tops}")
        for tools in (("#pictures", "#closer", "#save-png"), ("#film", "#arrows", "#draw", "#draw-size"),
                      ("#parameter-heat", "#parameter-heat + .quiet")):
            middles = browser.run("""
                return arguments[0].map((css) => document.querySelector(css).getBoundingClientRect())
                    .map(({top, bottom}) => (top + bottom) / 2)""", tools)
            check(max(middles) - min(middles) < 4, f"{tools} are at {middles}")
        check(form < picture, f"parameters begin at {form}, and the picture at {picture}")
        check("seed" not in browser.text("#facts") and not browser.seen("#seed-seed"), "a seed that there is not")
        check(browser.run("return getComputedStyle(document.getElementById('one')).borderStyle") == "dashed",
              "a button that cannot be pressed looks as others do")
    with Run(folder, "life", "--size", "64x64", "--steps", "5") as run:
        look(browser, run, 390, 800)
        words = browser.run("return document.getElementById('parameter-x').placeholder")
        check("centred" in words, f"the parameter x says {words!r}")
        scene.fits(browser, "life at 390")


def names(browser, folder):
    """Names of values: in the legend and at a place, as text."""
    with Run(folder, "--plugin", os.environ["MASS_MARKUP"], "--steps", "3") as run:
        scene.finish(browser, run)
        browser.choose("#pictures", "grid.kind")
        browser.until("the legend", lambda: "<u>plain</u>" in browser.text("#legend"))
        check("odd" in browser.text("#legend"), f"the legend says {browser.text('#legend')}")
        browser.move(*scene.place_on_window(browser, 3, 3))
        browser.until("the place", lambda: scene.place(browser, 3, 3))
        check(scene.values(browser)["kind"] == "<u>plain</u> (0)", f"the place has {scene.values(browser)}")
        scene.quiet(browser)
