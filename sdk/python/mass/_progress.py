# SPDX-License-Identifier: Apache-2.0
"""A progress bar for steps that take long: tqdm's where it is installed, or a line in a terminal."""
import sys
import time


def _in_notebook():
    """Whether a notebook shows what this process prints."""
    try:
        return get_ipython().__class__.__name__ == "ZMQInteractiveShell"
    except NameError:
        return False


class Progress:
    """Shows the steps, or other units, that are done. wanted: True, False, or None for what takes over a second before
    a person's eyes."""

    def __init__(self, total, wanted, unit="steps"):
        self._total, self._done, self._bar, self._unit = total, 0, None, unit
        self._began = time.monotonic()
        self._wanted = wanted is True or (wanted is None and (_in_notebook() or sys.stderr.isatty()))
        self._delay = 0 if wanted else 1

    def add(self, steps):
        """Adds steps that are done."""
        self._done += steps
        if not self._wanted or time.monotonic() - self._began < self._delay:
            return
        if self._bar is None:
            self._bar = self._make()
        if self._bar:
            self._bar.update(self._done - self._bar.n)
        else:
            of = f" of {self._total}" if self._total else ""
            rate = self._done / max(time.monotonic() - self._began, 1e-9)
            sys.stderr.write(f"\r\x1b[K{self._unit[:-1]} {self._done}{of}, {rate:.3g} {self._unit}/s")
            sys.stderr.flush()

    def _make(self):
        """Makes a bar of tqdm; False if it is not installed."""
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return False
        return tqdm(total=self._total, unit=f" {self._unit}")

    def end(self):
        """Leaves the bar, or removes the line."""
        if self._bar:
            self._bar.close()
        elif self._bar is False:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
