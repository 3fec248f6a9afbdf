# SPDX-License-Identifier: Apache-2.0
"""A disk after a loss of power: what the log of a run (record.h) allows to be left of it.

A file's content is sure up to its last fsync. Any part of what was written since may be there. Names are sure up to the
last fsync of their folder. A change of names since then may have happened or not. A journal keeps such changes in order
within a folder; sampled states have them without order. A file whose name became sure before its content may be empty,
shorter, have holes, or any of its pages.
"""
import dataclasses
import os

PAGE = 4096


@dataclasses.dataclass
class File:
    sure: bytes = b""
    since: list = dataclasses.field(default_factory=list)  # (offset, bytes), or (size, None): cut or made longer

    def after(self, changes):
        content = bytearray(self.sure)
        for at, data in changes:
            end = at if data is None else at + len(data)
            if len(content) < end:
                content.extend(bytes(end - len(content)))
            if data is None:
                del content[at:]
            else:
                content[at:end] = data
        return bytes(content)

    def content(self, how, random):
        """As the file may be: how is "all" or "none" of the changes, "holes" (its size, without the data), "half" (of
        the changes, and of the last one of these half), or "pages" (any of them)."""
        if how == "all" or not self.since:
            return self.after(self.since)
        if how == "none":
            return self.sure
        if how == "holes":
            return self.sure + bytes(max(0, len(self.after(self.since)) - len(self.sure)))
        if how == "half":
            changes = self.since[:(len(self.since) + 1) // 2]
            at, data = changes[-1]
            return self.after(changes[:-1] + [(at, data and data[:len(data) // 2])])
        pages = [(at + i, data[i:i + PAGE]) if data else (at, data) for at, data in self.since
                 for i in range(0, len(data or b"x"), PAGE)]
        return self.after([page for page in pages if random.random() < 0.5])


WAYS = ("all", "none", "holes", "half")


class Disk:
    """Takes the records of a log one by one, and knows what may be left after each."""

    def __init__(self, folder):
        self.folder = folder
        self.by_inode = {}
        self.sure_names = {}  # path below the folder: File, or None: a folder
        self.since = []  # (folder, what, path, more)
        for at, folders, files in os.walk(folder):
            for name in folders:
                self.sure_names[self._short(os.path.join(at, name))] = None
            for name in files:
                path = os.path.join(at, name)
                with open(path, "rb") as f:
                    self.sure_names[self._short(path)] = self.by_inode[os.stat(path).st_ino] = File(f.read())

    def _short(self, path):
        return os.path.relpath(os.path.normpath(path), self.folder)

    def take(self, what, fields, data):
        if what == "create":
            file = self.by_inode[int(fields[0])] = File()
            self._change_names("create", fields[1], file)
        elif what == "write":
            self.by_inode[int(fields[0])].since.append((int(fields[1]), data))
        elif what == "truncate":
            self.by_inode[int(fields[0])].since.append((int(fields[1]), None))
        elif what == "sync":
            file = self.by_inode[int(fields[0])]
            file.sure, file.since = file.after(file.since), []
        elif what == "syncdir":
            at = self._short(fields[0])
            self.sure_names = self._names([c for c in self.since if c[0] == at])
            self.since = [c for c in self.since if c[0] != at]
        elif what in ("rename", "link"):
            self._change_names(what, fields[0], self._short(fields[1]))
        else:
            self._change_names(what, fields[0], None)

    def _change_names(self, what, path, more):
        path = self._short(path)
        self.since.append((os.path.dirname(path) or ".", what, path, more))

    def _names(self, changes):
        names = dict(self.sure_names)
        for _, what, path, more in changes:
            if what == "create":
                names[path] = more
            elif what == "mkdir":
                names[path] = None
            elif path in names:  # else what made it has not happened
                file = names[path]
                if what in ("rename", "link"):
                    names[more] = file
                if what in ("rename", "unlink"):
                    del names[path]
        return names

    def names(self):
        """As running programs see them."""
        return self._names(self.since)

    def states(self, random, more):
        """What may be left now: {path: bytes, or None for a folder}; every beginning of the changes of names with every
        way of WAYS, and `more` with any changes and pages."""
        for count in range(len(self.since) + 1):
            for way in WAYS:
                yield self._state(self.since[:count], lambda: way, random)
        for _ in range(more):
            changes = [c for c in self.since if random.random() < 0.5]
            yield self._state(changes, lambda: random.choice([*WAYS, "pages"]), random)

    def _state(self, changes, way, random):
        names = self._names(changes)
        contents = {id(file): file.content(way(), random) for file in names.values() if file}
        return {path: file and contents[id(file)] for path, file in names.items()
                if os.path.dirname(path) in ("", *names)}  # what lies in a folder that is not there is lost


def records(path):
    """(what, fields, data) of a log."""
    with open(path, "rb") as f:
        while line := f.readline():
            what, *fields = line.decode().rstrip("\n").split("\t")
            yield what, fields, f.read(int(fields[2])) if what == "write" else None


def build(state, folder):
    """Makes the files and folders of a state."""
    for path, content in sorted(state.items()):
        full = os.path.join(folder, path)
        if content is None:
            os.makedirs(full, exist_ok=True)
        else:
            with open(full, "wb") as f:
                f.write(content)
