# SPDX-License-Identifier: Apache-2.0
"""Runs as files: what the command reads by --run and prints by --print-run, as dicts."""
import ctypes
import json
import os
import re
import reprlib
import tempfile
from collections.abc import Mapping
from typing import Any, Dict, Union

import numpy

from ._library import InputError, UsageError, byref, c_void_p, check, encoded, lib, sentence

Path = Union[str, os.PathLike]
_PLAIN = re.compile(r"[A-Za-z_./][\w./+-]*\Z", re.ASCII)
_OTHERS = {"true", "false", "yes", "no", "on", "off", "y", "n", "null"}


def _value(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, numpy.generic):
        return value.item()
    if isinstance(value, numpy.ndarray):
        return value.tolist()
    if isinstance(value, Mapping):
        return {str(name): _value(v) for name, v in value.items()}
    if isinstance(value, (list, tuple, range)):
        return [_value(v) for v in value]
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, (bool, int, float, str)):
        return value
    raise UsageError(f"{value!r} has no place in a file of a run: give numbers, texts, lists and dicts")


def named(option: str, given: Any, of: str) -> Dict[str, Any]:
    """What an option takes by names, such as load={"health": cells}; none for None. Raises UsageError for no dict."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise UsageError(f"{option} takes a dict from names to {of}, and not {reprlib.repr(given)}")
    return dict(given)


def without_file(text: str, path: str) -> str:
    """The engine's sentence about a file of a run that the user did not write, without its name and line."""
    return re.sub(re.escape(path) + r"(, line \d+)?: ", "", text).replace(path, "the run")


def plain(run: Mapping) -> Dict[str, Any]:
    """A run as a file has it: keys with hyphens, and values of JSON. Leaves out None. Parameters take 1 and 0."""
    entries = {name.replace("_", "-"): _value(value) for name, value in run.items() if value is not None}
    if isinstance(entries.get("set"), dict):
        entries["set"] = {name: int(v) if isinstance(v, bool) else v for name, v in entries["set"].items()}
    return entries


def _scalar(value: Any) -> str:
    """A value in YAML."""
    if isinstance(value, str) and _PLAIN.match(value) and value.lower() not in _OTHERS:
        return value
    return json.dumps(value, ensure_ascii=False)


def _yaml(run: Dict[str, Any]) -> str:
    """A run in YAML."""
    lines = []
    for name, value in run.items():
        if isinstance(value, dict):
            lines.append(f"{name}:" if value else f"{name}: {{}}")
            lines += [f"  {_scalar(key)}: {_scalar(v)}" for key, v in value.items()]
        elif isinstance(value, list) and any(isinstance(v, str) for v in value):
            lines.append(f"{name}:")
            lines += [f"  - {_scalar(v)}" for v in value]
        else:
            lines.append(f"{name}: {_scalar(value)}")
    return "\n".join(lines) + "\n"


def text_of(address: c_void_p) -> str:
    """The text at an address, which it frees."""
    try:
        return ctypes.string_at(address.value).decode()
    finally:
        lib.free(address)


def read_run(path: Path) -> Dict[str, Any]:
    """Reads a file of a run: a dict from options to values, as the command reads it by --run.

    Raises UsageError or InputError with the line of the file if something in it is wrong.
    """
    found = c_void_p()
    check(lib.read_run(encoded(path), byref(found)))
    return json.loads(text_of(found))


def write_run(path: Path, run: Mapping) -> None:
    """Writes a file of a run, .yaml, .yml or .json, for the command's --run and Model.from_run.

    run: a dict from options to values, such as {"plugin": "life", "size": (64, 64), "set": {"rule": "B3/S23"}}.
    It raises UsageError, and writes nothing, if a name or a value is none that the command takes.
    """
    path = os.fspath(path)
    ending = os.path.splitext(path)[1].lower()
    if ending not in (".yaml", ".yml", ".json"):
        raise InputError(f"run {path}: its name does not end in .yaml, .yml or .json")
    entries = plain(run)
    text = json.dumps(entries, indent=2, ensure_ascii=False) + "\n" if ending == ".json" else _yaml(entries)
    descriptor, made = tempfile.mkstemp(ending, ".run-", os.path.dirname(path) or ".")
    try:
        with open(descriptor, "w", encoding="utf-8") as f:
            f.write(text)
        try:
            read_run(made)
        except (UsageError, InputError) as error:
            raise type(error)(re.sub(r"^.*?, line \d+: ", "", sentence())) from None
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(made, 0o666 & ~mask)
        os.replace(made, path)
    except BaseException:
        os.unlink(made)
        raise
