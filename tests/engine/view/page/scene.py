# SPDX-License-Identifier: Apache-2.0
"""A run that is looked at in a browser, and what tests ask of both."""
import base64
import os
import re
import signal
import struct
import subprocess
import threading
import time
import zlib

from browser import Failed

PAGES = (360, 1920)  # widths


class Run:
    """mass-engine with --view; ends with the test."""

    def __init__(self, folder, *arguments, view="control"):
        command = [os.environ["MASS_ENGINE"], *arguments, f"--view={view}"]
        self.lines = []
        self.browser = None  # that shows it
        self.process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        self.url = self.wait_for(r"(http://127\.0\.0\.1:\d+/#[0-9a-f]{32})").group(1)

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(line)

    @property
    def output(self):
        return "".join(self.lines)

    def wait_for(self, pattern, seconds=20):
        end = time.monotonic() + seconds
        while True:
            found = re.search(pattern, self.output)
            if found:
                return found
            if self.process.poll() is not None and not self.reader.is_alive() or time.monotonic() > end:
                raise Failed(f"{' '.join(self.process.args)}: no {pattern!r} in\n{self.output}")
            time.sleep(0.01)

    def ended(self, seconds=20):
        """The exit status."""
        status = self.process.wait(seconds)
        self.reader.join(seconds)
        return status

    def close(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.reader.join(5)
        self.process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, kind, reason, _):
        if kind and self.browser:
            self.browser.screenshot(os.environ.get("MASS_SCREENSHOT", os.devnull))
        elif self.browser:
            self.browser.leave()
        self.close()


# ---- pictures ----

def read_png(data):
    """Width, height, rows of bytes r, g, b of a PNG without interlace, of 8 bits: colours, or a palette."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "this is not a PNG"
    at, packed, palette = 8, b"", []
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", body)
            assert depth == 8 and not interlace and colour in (2, 3, 6)
        elif kind == b"PLTE":
            palette = [body[i:i + 3] for i in range(0, len(body), 3)]
        elif kind == b"IDAT":
            packed += body
        at += 12 + size
    size = {2: 3, 3: 1, 6: 4}[colour]
    rows, above, raw = [], bytes(width * size), zlib.decompress(packed)
    for y in range(height):
        line = raw[y * (width * size + 1):(y + 1) * (width * size + 1)]
        above = _unfilter(line[0], bytearray(line[1:]), above, size)
        if colour == 3:
            rows.append(b"".join([palette[i] for i in above]))
        else:
            rows.append(b"".join([above[i:i + 3] for i in range(0, len(above), size)]))
    return width, height, rows


def _unfilter(kind, line, above, size):
    if kind == 2 and not any(above):
        kind = 0
    if kind == 0:
        return bytes(line)
    for i in range(len(line)):
        left = line[i - size] if i >= size else 0
        corner = above[i - size] if i >= size else 0
        if kind == 1:
            line[i] = line[i] + left & 255
        elif kind == 2:
            line[i] = line[i] + above[i] & 255
        elif kind == 3:
            line[i] = line[i] + (left + above[i]) // 2 & 255
        elif kind == 4:
            guess = left + above[i] - corner
            a, b, c = abs(guess - left), abs(guess - above[i]), abs(guess - corner)
            line[i] = line[i] + (left if a <= b and a <= c else above[i] if b <= c else corner) & 255
    return bytes(line)


# ---- what the page shows ----

def step(browser):
    """The step of the frame on the canvas; -1 before the first."""
    return int(browser.run("return document.getElementById('picture').dataset.step ?? -1"))


def look(browser, run, width=1920, height=1000, dark=False):
    """Opens the page of a run; returns once it has drawn a frame."""
    run.browser = browser
    browser.window(width, height, dark)
    browser.open(run.url)
    browser.until("the model's name", lambda: browser.seen("#look") and browser.text("#facts") != "waiting for the run")
    if browser.run("return document.getElementById('pictures').options.length"):
        browser.until("the first frame", lambda: step(browser) >= 0)


def finish(browser, run, *arguments):
    """Lets a run that waits go, and waits until the page shows its last step."""
    look(browser, run, *arguments)
    finish_here(browser)


def finish_here(browser):
    """The same of a page that is open."""
    browser.until("a run that waits", lambda: browser.text("#state") == "paused")
    browser.click("#go")
    browser.until("the end", lambda: browser.text("#state") == "ended", 30)
    last = number(browser.text("#step"))
    if browser.run("return document.getElementById('pictures').options.length"):
        browser.until("the last frame", lambda: step(browser) == last)


def canvas(browser):
    """The canvas as rows of bytes r, g, b, the corner of the space on it, pixels a place, and places a pixel. Waits
    until the page shows the picture that it requested last."""
    browser.until("what was asked for", lambda: browser.run("""
        const {wanted, shown} = document.getElementById('picture').dataset;
        return wanted === shown"""))
    data, width, height, lies = browser.run("""
        const canvas = document.getElementById('picture'), {width, height} = canvas;
        const copy = new OffscreenCanvas(width, height).getContext('2d', {willReadFrequently: true});
        copy.drawImage(canvas, 0, 0);
        const {data} = copy.getImageData(0, 0, width, height), rgb = new Uint8Array(3 * width * height);
        for (let i = 0, k = 0; i < data.length; i += 4, k += 3) {
            rgb[k] = data[i];
            rgb[k + 1] = data[i + 1];
            rgb[k + 2] = data[i + 2];
        }
        let text = '';
        for (let i = 0; i < rgb.length; i += 32768) text += String.fromCharCode(...rgb.subarray(i, i + 32768));
        return [btoa(text), width, height, canvas.dataset.lies]""")
    left, top, scale, every = (float(word) for word in lies.split())
    data = base64.b64decode(data)
    return [data[3 * y * width:3 * (y + 1) * width] for y in range(height)], int(left), int(top), scale, every


def at(drawn, x, y):
    """The colour of the middle of a place on what canvas() gives."""
    rows, left, top, scale, _ = drawn
    column, row = int(left + (x + 0.5) * scale), int(top + (y + 0.5) * scale)
    return rows[row][3 * column:3 * column + 3]


def corner(browser):
    return [int(word) for word in browser.run("return document.getElementById('picture').dataset.lies").split()[:2]]


def scale(browser):
    return float(browser.run("return document.getElementById('picture').dataset.lies").split()[2])


def middle(browser):
    """Of the canvas, in the window."""
    box = browser.run("""
        const canvas = document.getElementById('picture');
        canvas.scrollIntoView({block: 'center'});
        const box = canvas.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2]""")
    return box[0], box[1]


def place_on_window(browser, x, y):
    """Where in the window the middle of a place is."""
    return browser.run("""
        const canvas = document.getElementById('picture'), box = canvas.getBoundingClientRect();
        const [left, top, scale] = canvas.dataset.lies.split(' ').map(Number), ratio = box.width / canvas.width;
        return [box.x + (left + (arguments[0] + 0.5) * scale) * ratio,
                box.y + (top + (arguments[1] + 0.5) * scale) * ratio]""", x, y)


def focus(browser):
    browser.run("document.getElementById('picture').focus()")


def place(browser, x, y):
    """Whether it is this one that is read."""
    return browser.seen("#place") and browser.text("#place-title").startswith(f"grid ({x}, {y})")


def values(browser):
    """The attributes of the place that is shown, by name."""
    return dict(browser.run("""
        return [...document.querySelectorAll('#place-values tr')].map((row) =>
            [row.querySelector('th').textContent, row.querySelector('td').textContent])"""))


def number(text):
    """A number of the page's, with its thin spaces and its unit."""
    return float(re.match(r"-?[\d\u202f.e+-]+", text).group().replace("\u202f", ""))


def check(good, words):
    if not good:
        raise Failed(words)


def fits(browser, what):
    """Nothing is wider than the window, and nothing that can be pressed is cut off."""
    width, inner, outside = browser.run("""
        const tags = 'button, input, select, h1, h2, h3, p, dd, canvas, figcaption, label';
        const all = [...document.querySelectorAll(tags)];
        const out = all.filter((e) => {
            const box = e.getBoundingClientRect();
            return e.checkVisibility() && box.width && (box.right > innerWidth + 1 || box.left < -1);
        });
        const names = out.map((e) => e.id || e.textContent || e.tagName);
        return [document.documentElement.scrollWidth, innerWidth, names]""")
    check(width <= inner and not outside, f"{what}: the page is {width} pixels wide in {inner}; cut off: {outside}")


def quiet(browser, *allowed):
    complaints = [words for words in browser.complaints() if not any(s in words for s in allowed)]
    check(not complaints, f"the browser complains: {complaints}")
