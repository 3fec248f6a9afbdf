# SPDX-License-Identifier: Apache-2.0
"""libmass by ctypes: the functions of mass/engine.h, and exceptions for their statuses."""
import ctypes
import os
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_int32, c_int64, c_uint32, c_uint64, c_void_p

VERSION = "0.1.0"  # of this package, and of the library that it works with
SONAME = "libmass.so.0"


class Error(RuntimeError):
    """What the engine could not do. The text is the engine's sentence."""

    def __str__(self):
        return str(self.args[0]) if self.args else ""


class UsageError(Error, ValueError):
    """A parameter, an option or an argument is wrong."""


class UnknownName(UsageError, KeyError):
    """The model has no attribute, population, parameter or tally of this name."""


class PluginError(Error):
    """The plugin cannot be loaded, or broke its contract."""


class InputError(Error, ValueError):
    """A file is missing, malformed or damaged, or values are outside of an attribute's range."""


class DeviceError(Error):
    """There is no such device, or it has too little memory."""


class BusyError(Error):
    """Another thread uses the model."""


class ModelWarning(UserWarning):
    """What the engine says of a run that goes on, such as a fault of the model."""


class Option(ctypes.Structure):
    """mass_engine_option of mass/engine.h."""
    _fields_ = [("name", c_char_p), ("value", c_char_p)]


class Now(ctypes.Structure):
    """mass_engine_now of mass/engine.h."""
    _fields_ = [("step", c_uint64), ("messages", c_uint64), ("rows", c_uint64), ("held", c_int32), ("broken", c_int32),
                ("rank", c_int32), ("ranks", c_int32), ("over", c_int32)]


class Array(ctypes.Structure):
    """mass_engine_array of mass/engine.h."""
    _fields_ = [("struct_size", c_uint32), ("attribute", c_uint32), ("type", c_uint32), ("of_agents", c_uint32),
                ("extent", c_int64 * 5), ("value_bytes", c_uint64), ("bytes", c_uint64), ("packed_bytes", c_uint64)]


class Box(ctypes.Structure):
    _fields_ = [("world", c_int32), ("worlds", c_int32), ("origin", c_int64 * 3), ("extent", c_int64 * 3)]


class View(ctypes.Structure):
    """mass_engine_view of mass/engine.h."""
    _fields_ = [("values", c_void_p), ("stride", c_int64 * 5)]


class DeviceView(ctypes.Structure):
    """mass_engine_device_view of mass/engine.h."""
    _fields_ = [("struct_size", c_uint32), ("gpu", c_int32), ("view", View)]


class Keys(ctypes.Structure):
    """mass_engine_key_list of mass/engine.h."""
    _fields_ = [("count", c_uint64), ("counts", POINTER(c_int64)), ("keys", POINTER(c_uint64)), ("texts", c_void_p)]


class Nodes(ctypes.Structure):
    """mass_engine_node_list of mass/engine.h."""
    _fields_ = [("count", c_uint64), ("first", POINTER(c_uint64)), ("texts", c_void_p)]


class Column(ctypes.Structure):
    """mass_engine_column of mass/engine.h."""
    _fields_ = [("name", c_char_p), ("unit", c_char_p), ("first", c_uint64), ("length", c_uint32)]


class Series(ctypes.Structure):
    """mass_engine_series of mass/engine.h."""
    _fields_ = [("columns", POINTER(Column)), ("column_count", c_uint32), ("rows", c_uint64), ("row_values", c_uint64),
                ("steps", POINTER(c_uint64)), ("values", POINTER(c_double))]


def encoded(text):
    """A text or a path as bytes for the library. Raises UsageError for what is none, or has a zero byte, at which the
    library would take it to end."""
    try:
        found = os.fsencode(text)
    except (TypeError, UnicodeEncodeError):
        raise UsageError(f"{text!r} is not a text") from None
    if b"\0" in found:
        raise UsageError(f"{text!r} has a zero byte")
    return found


OK, FAILED, BAD_USAGE, BAD_PLUGIN, BAD_INPUT, NO_DEVICE, BUSY, VIEWED = 0, 1, 2, 3, 4, 5, 100, 101
_CLASSES = {BAD_USAGE: UsageError, BAD_PLUGIN: PluginError, BAD_INPUT: InputError, NO_DEVICE: DeviceError,
            BUSY: BusyError, VIEWED: BufferError}

_FUNCTIONS = {
    "version": (c_char_p, []),
    "abi": (c_uint32, []),
    "error": (c_char_p, []),
    "use_command": (None, [c_char_p]),
    "tell_crashes": (None, []),
    "open": (c_int, [c_char_p, POINTER(Option), ctypes.c_size_t, POINTER(c_void_p)]),
    "close": (None, [c_void_p]),
    "read_run": (c_int, [c_char_p, POINTER(c_void_p)]),
    "run_of": (c_int, [c_void_p, POINTER(c_void_p)]),
    "free": (None, [c_void_p]),
    "look": (POINTER(Now), [c_void_p]),
    "serve": (c_int, [c_void_p, POINTER(c_void_p), POINTER(c_uint64)]),
    "tell": (c_int, [c_void_p, c_char_p, c_uint64]),
    "disconnect": (None, []),
    "abandon": (None, [c_int]),
    "describe": (c_char_p, [c_void_p]),
    "message": (c_char_p, [c_void_p]),
    "step": (c_int, [c_void_p, c_uint64, c_double, c_void_p]),
    "interrupt": (None, [c_void_p]),
    "until": (c_int, [c_void_p, c_char_p]),
    "find": (c_int, [c_void_p, c_char_p, POINTER(Array)]),
    "array_of": (c_int, [c_void_p, c_uint32, POINTER(Array)]),
    "node_names": (c_int, [c_void_p, c_char_p, POINTER(Nodes)]),
    "read": (c_int, [c_void_p, c_uint32, c_void_p, c_void_p, c_uint64]),
    "read_packed": (c_int, [c_void_p, c_uint32, c_void_p, c_uint64]),
    "write": (c_int, [c_void_p, c_uint32, c_void_p, c_void_p, c_uint64]),
    "view_begin": (c_int, [c_void_p, c_uint32, POINTER(View)]),
    "view_end": (None, [c_void_p]),
    "device_view_begin": (c_int, [c_void_p, c_uint32, POINTER(DeviceView)]),
    "hash": (c_int, [c_void_p, c_char_p]),
    "tally": (c_int, [c_void_p, c_char_p, c_void_p, c_uint64]),
    "keys": (c_int, [c_void_p, c_char_p, c_int32, POINTER(Keys)]),
    "check": (c_int, [c_void_p]),
    "log": (c_int, [c_void_p, POINTER(c_char_p), ctypes.c_size_t, c_uint64]),
    "series_of": (c_int, [c_void_p, POINTER(Series)]),
    "picture": (c_int, [c_void_p, c_char_p, c_int64, c_int]),
    "checkpoint": (c_int, [c_void_p, c_char_p, c_int]),
}


def _candidates():
    """Files that may be the library, the best first: MASS_LIBRARY, the one that came with the package, the system's."""
    given = os.environ.get("MASS_LIBRARY")
    if given:
        return [given]
    here = os.path.dirname(os.path.realpath(__file__))
    found = [os.path.join(here, "engine", "lib", SONAME)]
    folder = here
    while os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
        names = [folder, os.path.join(folder, "lib")]
        if os.path.basename(folder) == "lib":
            names += [entry.path for entry in os.scandir(folder) if entry.name.endswith("-linux-gnu")]
        found += [os.path.join(name, SONAME) for name in names]
    return [path for path in found if os.path.exists(path)] + [SONAME]


def _load():
    """Opens the library, and declares its functions. Raises ImportError if there is none, or one of another version."""
    problem = None
    for path in _candidates():
        try:
            library = ctypes.CDLL(path)
        except OSError as error:
            problem = error
            continue
        break
    else:
        raise ImportError(f"mass {VERSION} needs {SONAME} of mass-engine {VERSION}: install mass-engine, or put the "
                          f"library's path into MASS_LIBRARY ({problem})")
    functions = type("functions", (), {})()
    for name, (result, arguments) in _FUNCTIONS.items():
        try:
            function = getattr(library, "mass_engine_" + name)
        except AttributeError:
            raise ImportError(f"{path} is not the library of mass-engine {VERSION}: it has no mass_engine_{name}") \
                from None
        function.restype, function.argtypes = result, arguments
        setattr(functions, name, function)
        if name == "version" and function().decode() != VERSION:  # first: another version may lack the others
            raise ImportError(f"mass {VERSION} needs the library of the same version, and {path} is of "
                              f"{function().decode()}: install both again")
    functions.path = path
    return functions


lib = _load()


def sentence():
    """The engine's sentence for the last failure of this thread."""
    return lib.error().decode("utf-8", "replace")


def failure(status, unknown=False):
    """The exception for a status, with the engine's sentence. unknown: a name was looked up."""
    kind = UnknownName if unknown and status == BAD_USAGE else _CLASSES.get(status, Error)
    return kind(sentence())


def check(status):
    """Raises the exception for a status other than OK."""
    if status:
        raise failure(status)
