# SPDX-License-Identifier: Apache-2.0
"""Values of places and agents as NumPy arrays."""
import ctypes
import operator

try:
    import numpy
except ImportError as error:
    raise ImportError("mass needs NumPy: install python3-numpy, or run pip install numpy") from error

from ._library import (NO_DEVICE, Array, Box, InputError, UsageError, View, byref, check, encoded,  # noqa: E402
                       failure, lib)

_NUMBERS = {"i8": "i1", "u8": "u1", "i16": "i2", "u16": "u2", "i32": "i4", "u32": "u4", "i64": "i8", "u64": "u8",
            "f32": "f4", "f64": "f8", "bit": "?"}


def whole(number, what):
    """A whole number, which may also be a float. Raises UsageError for any other."""
    if isinstance(number, (float, numpy.floating)) and float(number).is_integer():
        return int(number)
    try:
        return operator.index(number)
    except TypeError:
        raise UsageError(f"{number!r} {what}: it has to be a whole number") from None


def dtype_of(attribute, size):
    """The NumPy type of an attribute's components, of `size` bytes."""
    if attribute["type"] in _NUMBERS:
        return numpy.dtype(_NUMBERS[attribute["type"]])
    members = [m for m in attribute["members"] if m["type"] in _NUMBERS]
    return numpy.dtype({"names": [m["name"] for m in members], "formats": [_NUMBERS[m["type"]] for m in members],
                        "offsets": [m["offset"] for m in members], "itemsize": size})


def find(run, name):
    """Finds an attribute by its name."""
    array = Array(struct_size=ctypes.sizeof(Array))
    status = lib.find(run.handle, encoded(name), byref(array))
    if status:
        raise failure(status, unknown=True)
    return array


def _keep(run, array):
    """Which axes of the engine's five a user sees: those that the model has."""
    if array.of_agents:
        return [True, False, False, False, array.extent[4] > 1]
    dimensions = run.dimensions[run.attributes[array.attribute]["space"]]
    return [array.extent[0] > 1, dimensions > 2, dimensions > 1, True, array.extent[4] > 1]


def shape_of(run, array):
    """The shape as a user sees it: (worlds, z, y, x, components), without axes that the model does not have."""
    return tuple(n for n, kept in zip(array.extent, _keep(run, array)) if kept)


def dtype_in(run, array):
    """The NumPy type of an array of a run."""
    if array.of_agents == 2:  # edges, which are no attribute
        return numpy.dtype(list(_NUMBERS.values())[array.type - 1])
    return dtype_of(run.attributes[array.attribute], array.value_bytes)


def read(run, array):
    """A copy of all values."""
    values = numpy.empty(shape_of(run, array), dtype_in(run, array))
    check(lib.read(run.handle, array.attribute, None, values.ctypes.data, array.bytes))
    return values


def read_part(run, array, first, count):
    """A copy of the values of some edges."""
    values = numpy.empty(max(count, 0), dtype_in(run, array))
    box = Box(origin=(first, 0, 0), extent=(count, 1, 1))
    check(lib.read(run.handle, array.attribute, byref(box), values.ctypes.data, values.nbytes))
    return values


def read_packed(run, array):
    """A copy of bits as they are stored, eight in a byte along x."""
    shape = list(shape_of(run, array))
    x = len(shape) - 1 - (array.extent[4] > 1)
    shape[x] = (shape[x] + 7) // 8
    values = numpy.empty(shape, numpy.uint8)
    check(lib.read_packed(run.handle, array.attribute, values.ctypes.data, array.packed_bytes))
    return values


def plain(name, value):
    """The value as an array. Raises InputError if some of its values are masked, and so are none; and UsageError if
    it is no array, as lists of different lengths are."""
    if numpy.ma.is_masked(value):
        raise InputError(f"some values for {name} are masked: set them first, such as by array.filled(0)")
    try:
        return numpy.asarray(value)
    except ValueError as error:
        raise UsageError(f"{name} is no array: {error}") from None


def _kept(given, converted):
    """Whether all values stayed what they are, but for the rounding of floats."""
    if given.dtype.kind in "biu" and converted.dtype.kind in "biu":
        return numpy.array_equal(converted, given)
    return bool((numpy.isfinite(converted) == numpy.isfinite(given)).all())


def fitting(name, value, shape, dtype):
    """The value as an array of this shape and type. A single number is taken for all. Raises ValueError for another
    shape, and for values that do not fit; and TypeError for a type whose values do not fit."""
    given = plain(name, value)
    if given.dtype != dtype:
        whole = given.dtype.kind in "biu" and dtype.kind in "biu"
        if given.dtype.kind not in "biuf" or not (whole or numpy.can_cast(given.dtype, dtype, "same_kind")):
            raise TypeError(f"{name} has values of {dtype}, and these are of {given.dtype}")
        with numpy.errstate(over="ignore"):
            converted = given.astype(dtype)
        if not _kept(given, converted):
            raise InputError(f"some values do not fit into {name}, which has values of {dtype}")
        given = converted
    if given.ndim and given.shape != shape:
        raise UsageError(f"{name} has the shape {shape}, and the array has {given.shape}")
    return numpy.ascontiguousarray(numpy.broadcast_to(given, shape))


def write(run, name, array, value):
    """Sets all values."""
    values = fitting(name, value, shape_of(run, array), dtype_in(run, array))
    check(lib.write(run.handle, array.attribute, None, values.ctypes.data, values.nbytes))


class _Memory:
    """The engine's own memory, which an array refers to. It keeps the run's memory while an array lives."""

    def __init__(self, run, array, view):
        keep = _keep(run, array)
        dtype = dtype_in(run, array)
        self.run = run
        self.__array_interface__ = {
            "version": 3, "data": (view.values, True), "shape": shape_of(run, array), "typestr": dtype.str,
            "descr": dtype.descr if dtype.names is None else [("", f"|V{dtype.itemsize}")],
            "strides": tuple(n for n, kept in zip(view.stride, keep) if kept)}


class OpenView:
    """The context of Model.view."""

    def __init__(self, run, name):
        self._run, self._name, self._open = run, name, False

    def __enter__(self):
        """Opens the view, and returns the array: a copy that cannot be written if there is no such memory."""
        array = find(self._run, self._name)
        view = View()
        status = lib.view_begin(self._run.handle, array.attribute, byref(view))
        if status == NO_DEVICE:  # values that no view can show: a copy, which may be read as well
            values = read(self._run, array)
            values.flags.writeable = False
            return values
        check(status)
        self._open = True
        values = numpy.asarray(_Memory(self._run, array, view))
        dtype = dtype_in(self._run, array)
        return values if values.dtype == dtype else values.view(dtype)

    def __exit__(self, *_):
        """Ends the view. Does nothing after a copy."""
        if self._open:
            lib.view_end(self._run.handle)
        self._open = False
