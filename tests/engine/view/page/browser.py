# SPDX-License-Identifier: Apache-2.0
"""Drives a headless Chromium by WebDriver (W3C), with nothing but the standard library."""
import base64
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # by which WebDriver names elements


class Missing(Exception):
    """There is no browser, or it does not start here."""


class Failed(Exception):
    """The browser refused a command, or what was waited for did not come."""


class Browser:
    """One Chromium of its own, without a profile of anybody's. Close it: it is a context manager."""

    def __init__(self, gl=True):
        driver = shutil.which("chromedriver")
        chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        if not driver or not chromium:
            raise Missing("chromium and chromedriver are not installed (Debian: chromium, chromium-driver)")
        self.folder = tempfile.mkdtemp(prefix="mass-view-")
        self.downloads = os.path.join(self.folder, "downloads")
        os.mkdir(self.downloads)
        # A session of its own, so that all that the browser starts ends with it.
        environment = {**os.environ, "HOME": self.folder, "TMPDIR": self.folder}
        self.driver = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                       text=True, start_new_session=True, env=environment)
        self.session = None
        try:
            self.port = self._port()
            self.session = self._start(chromium, gl)
        except BaseException:
            self.close()
            raise

    def _port(self):
        for line in self.driver.stdout:
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                return int(found.group(1))
        raise Missing("chromedriver did not start")

    def _start(self, chromium, gl):
        arguments = ["--headless=new", "--no-first-run", "--disable-dev-shm-usage", "--disable-background-networking",
                     "--disable-extensions", "--hide-scrollbars", "--force-color-profile=srgb", "--mute-audio",
                     "--disable-gpu-compositing",  # a GPU that is a program takes longer
                     "--user-data-dir=" + os.path.join(self.folder, "profile"),
                     *(["--use-angle=swiftshader", "--enable-unsafe-swiftshader"] if gl else ["--disable-3d-apis"])]
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")
        options = {"binary": chromium, "args": arguments, "prefs": {
            "download.default_directory": self.downloads, "download.prompt_for_download": False,
            "profile.default_content_setting_values.automatic_downloads": 1}}
        try:
            answer = self._call("POST", "/session", {"capabilities": {"alwaysMatch": {
                "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}})
        except Failed as reason:
            raise Missing(f"chromium does not start: {reason}") from None
        return answer["sessionId"]

    def _call(self, method, path, body=None, timeout=60):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(method, path, json.dumps(body) if body is not None else None,
                               {"Content-Type": "application/json"})
            answer = connection.getresponse()
            value = json.loads(answer.read())["value"]
        finally:
            connection.close()
        if answer.status >= 400:
            raise Failed(f"{value.get('error')}: {value.get('message', '').splitlines()[0]}")
        return value

    def call(self, method, path, body=None):
        return self._call(method, f"/session/{self.session}{path}", body)

    def close(self):
        try:
            if self.session:
                self.call("DELETE", "")
        except (OSError, Failed, http.client.HTTPException):
            pass
        try:
            os.killpg(self.driver.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.driver.wait()
        self.driver.stdout.close()
        for _ in range(20):  # the last of its processes may still write
            shutil.rmtree(self.folder, ignore_errors=True)
            if not os.path.exists(self.folder):
                break
            time.sleep(0.05)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # ---- the window ----

    def window(self, width, height, dark=False, ratio=1):
        self.devtools("Emulation.setDeviceMetricsOverride",
                      {"width": width, "height": height, "deviceScaleFactor": ratio, "mobile": False})
        self.devtools("Emulation.setEmulatedMedia",
                      {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})

    def devtools(self, command, parameters):
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def open(self, url):
        self.leave()  # another fragment alone would load nothing
        self.call("POST", "/url", {"url": url})

    def leave(self):
        self.call("POST", "/url", {"url": "about:blank"})

    def screenshot(self, path, whole=False):
        parameters = {"format": "png", "captureBeyondViewport": whole}
        if whole:
            size = self.devtools("Page.getLayoutMetrics", {})["cssContentSize"]
            parameters["clip"] = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.devtools("Page.captureScreenshot", parameters)["data"]))

    def complaints(self):
        """What the page wrote to its console as errors, and what its Content-Security-Policy kept from it."""
        entries = self.call("POST", "/se/log", {"type": "browser"})
        return [entry["message"] for entry in entries if entry["level"] == "SEVERE"]

    # ---- the page ----

    def run(self, script, *arguments):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def find(self, css):
        return self.call("POST", "/element", {"using": "css selector", "value": css})[ELEMENT]

    def text(self, css):
        return self.run("return document.querySelector(arguments[0])?.textContent ?? null", css)

    def seen(self, css):
        """Whether a user sees it."""
        return self.run("const e = document.querySelector(arguments[0]); return !!e && e.checkVisibility()", css)

    def click(self, css):
        """Finds the element again if the page has replaced it meanwhile by a new one."""
        for left in reversed(range(10)):
            self.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", css)
            try:
                self.call("POST", f"/element/{self.find(css)}/click", {})
                return
            except Failed as reason:
                if not left or not str(reason).startswith("stale element reference"):
                    raise

    def type(self, css, text):
        element = self.find(css)
        self.call("POST", f"/element/{element}/clear", {})
        self.call("POST", f"/element/{element}/value", {"text": text})

    def choose(self, css, label):
        """An option of a select, by its text, as a user's choice."""
        found = self.run("""
            const select = document.querySelector(arguments[0]);
            const option = [...select.options].find((o) => o.textContent === arguments[1]);
            if (!option) return false;
            select.value = option.value;
            select.dispatchEvent(new Event('input', {bubbles: true}));
            select.dispatchEvent(new Event('change', {bubbles: true}));
            return true""", css, label)
        if not found:
            raise Failed(f"{css} has no {label!r}")

    def press(self, *keys):
        """Keys, one after another, in what has the focus; (SHIFT, key) is pressed together."""
        actions = []
        for key in keys:
            chord = key if isinstance(key, tuple) else (key,)
            actions += [{"type": "keyDown", "value": one} for one in chord]
            actions += [{"type": "keyUp", "value": one} for one in reversed(chord)]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def move(self, x, y):
        self._pointer([{"type": "pointerMove", "duration": 0, "x": int(x), "y": int(y)}])

    def drag(self, x, y, to_x, to_y):
        self._pointer([{"type": "pointerMove", "duration": 0, "x": int(x), "y": int(y)},
                       {"type": "pointerDown", "button": 0},
                       {"type": "pointerMove", "duration": 50, "x": int(to_x), "y": int(to_y)},
                       {"type": "pointerUp", "button": 0}])

    def touch(self, *fingers):
        """Fingers, each [(x, y), (x, y)...] from where it comes down on, all at once."""
        def actions(path):
            moves = [{"type": "pointerMove", "duration": 50, "x": int(x), "y": int(y)} for x, y in path]
            return [{**moves[0], "duration": 0}, {"type": "pointerDown", "button": 0}, *moves[1:],
                    {"type": "pointerUp", "button": 0}]
        self.call("POST", "/actions", {"actions": [
            {"type": "pointer", "id": f"finger{i}", "parameters": {"pointerType": "touch"}, "actions": actions(path)}
            for i, path in enumerate(fingers)]})

    def _pointer(self, actions):
        self.call("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": actions}]})

    def wheel(self, x, y, delta):
        self.call("POST", "/actions", {"actions": [{"type": "wheel", "id": "wheel", "actions": [
            {"type": "scroll", "duration": 0, "x": int(x), "y": int(y), "deltaX": 0, "deltaY": delta}]}]})

    def until(self, what, condition, seconds=30):
        """Waits for a condition's first value that is true, and returns it."""
        end = time.monotonic() + seconds
        while True:
            value = condition()
            if value:
                return value
            if time.monotonic() > end:
                raise Failed(f"{what} did not come in {seconds} s")
            time.sleep(0.02)


SHIFT, ENTER, ESCAPE = "\ue008", "\ue007", "\ue00c"
LEFT, UP, RIGHT, DOWN = "\ue012", "\ue013", "\ue014", "\ue015"
