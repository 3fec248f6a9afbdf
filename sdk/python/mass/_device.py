# SPDX-License-Identifier: Apache-2.0
"""Values in the memory of the run's device, which other packages take over by DLPack without a copy.

The structs are those of DLPack 1.0 (dlpack.h), and the capsules those of the array API standard. A capsule has no
destructor: one that nobody has taken is made worthless when its view ends.
"""
import copy
import ctypes
from ctypes import POINTER, byref, c_char_p, c_int, c_int32, c_int64, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p

from . import _values
from ._library import DeviceView, UsageError, check, lib

_CPU, _CUDA = 1, 2                      # DLDeviceType
_CODES = {"i": 0, "u": 1, "f": 2}       # DLDataTypeCode, by NumPy's kind
_READ_ONLY = 1                          # DLPACK_FLAG_BITMASK_READ_ONLY
_ENDED = b"mass_ended"


class _Tensor(ctypes.Structure):
    """DLTensor of DLPack."""
    _fields_ = [("data", c_void_p), ("device_type", c_int32), ("device_id", c_int32), ("ndim", c_int32),
                ("code", c_uint8), ("bits", c_uint8), ("lanes", c_uint16), ("shape", POINTER(c_int64)),
                ("strides", POINTER(c_int64)), ("byte_offset", c_uint64)]


_Deleter = ctypes.CFUNCTYPE(None, c_void_p)


class _Managed(ctypes.Structure):
    """DLManagedTensor of DLPack, without a version."""
    _fields_ = [("tensor", _Tensor), ("context", c_void_p), ("deleter", _Deleter)]


class _Versioned(ctypes.Structure):
    """DLManagedTensorVersioned of DLPack."""
    _fields_ = [("major", c_uint32), ("minor", c_uint32), ("context", c_void_p), ("deleter", _Deleter),
                ("flags", c_uint64), ("tensor", _Tensor)]


_alive = {}  # by the address of a struct: all that it refers to, the run too


@_Deleter
def _release(address):
    """Frees a struct whose array has ended. It may be called while an exception passes, so it calls nothing."""
    del _alive[address]


_new = ctypes.PYFUNCTYPE(ctypes.py_object, c_void_p, c_char_p, c_void_p)(("PyCapsule_New", ctypes.pythonapi))
_is_valid = ctypes.PYFUNCTYPE(c_int, ctypes.py_object, c_char_p)(("PyCapsule_IsValid", ctypes.pythonapi))
_set_name = ctypes.PYFUNCTYPE(c_int, ctypes.py_object, c_char_p)(("PyCapsule_SetName", ctypes.pythonapi))


class DeviceArray:
    """Values of places in the memory of the run's device, to read inside the with block of Model.device_view.

    `shape` and `dtype` are those of m[NAME], and `device` is "cpu" or "cuda:0". torch.from_dlpack, cupy.from_dlpack
    and numpy.from_dlpack make an array of it without a copy. Nobody may write to that. JAX takes compact arrays alone,
    so it needs a copy by one of them. `component(k)` is one component of an attribute that has several.
    """

    def __init__(self, run, array, view):
        keep = _values._keep(run, array)
        self.shape = _values.shape_of(run, array)
        self.dtype = _values.dtype_in(run, array)
        self.device = "cpu" if view.gpu < 0 else f"cuda:{view.gpu}"
        self.strides = tuple(n for n, kept in zip(view.view.stride, keep) if kept)
        self._run, self._gpu, self._address = run, view.gpu, view.view.values
        self._components = array.extent[4]
        self._given = []  # capsules, their names, and the addresses of their structs
        self._open = [True]  # shared with its components

    def component(self, number):
        """The values of one component, without the last axis. Those of an attribute with one are the array itself."""
        if not 0 <= number < self._components:
            raise UsageError(f"component {number}: the attribute has {self._components}, counted from 0")
        if self._components == 1:
            return self
        part = copy.copy(self)
        part.shape, part.strides, part._components = self.shape[:-1], self.strides[:-1], 1
        part._address = self._address + number * self.strides[-1]
        return part

    def __dlpack_device__(self):
        """The device of DLPack: (1, 0) is the host, and (2, N) GPU N."""
        return (_CPU, 0) if self._gpu < 0 else (_CUDA, self._gpu)

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        """A capsule of DLPack. The engine's work is done, so any stream may read the values."""
        if not self._open[0]:
            raise BufferError("the view has ended")
        if copy or (dl_device is not None and tuple(dl_device) != self.__dlpack_device__()):
            raise BufferError("the values are given where they are, without a copy")
        size = self.dtype.itemsize
        if self.dtype.kind not in _CODES or any(n % size for n in self.strides):
            raise BufferError(f"DLPack has no values of {self.dtype} as they are stored here")
        if min(self.strides) < 0:  # which other packages do not expect
            raise BufferError("the components are stored apart, in falling order: take each by component(k)")
        count = len(self.shape)
        shape, strides = (c_int64 * count)(*self.shape), (c_int64 * count)(*[n // size for n in self.strides])
        kind, number = self.__dlpack_device__()
        tensor = _Tensor(self._address, kind, number, count, _CODES[self.dtype.kind], 8 * size, 1, shape, strides, 0)
        if max_version is not None and max_version[0] >= 1:
            name, managed = b"dltensor_versioned", _Versioned(1, 0, None, _release, _READ_ONLY, tensor)
        else:
            name, managed = b"dltensor", _Managed(tensor, None, _release)
        address = ctypes.addressof(managed)
        _alive[address] = (managed, shape, strides, self._run)
        capsule = _new(address, name, None)
        self._given.append((capsule, name, address))
        return capsule

    def __repr__(self):
        return f"<mass.DeviceArray {self.shape} of {self.dtype} on {self.device}>"

    def end(self):
        """Makes capsules worthless that nobody has taken, and waits for the GPU's work on those that were."""
        self._open[0] = False
        for capsule, name, address in self._given:
            if _is_valid(capsule, name):
                _set_name(capsule, _ENDED)
                del _alive[address]
        self._given.clear()
        if self._gpu >= 0:
            _await_gpu(self._gpu)


def _await_gpu(number):
    """Waits for all work on a GPU, of whatever package, by the driver's library."""
    driver, context = ctypes.CDLL("libcuda.so.1"), c_void_p()
    if driver.cuDevicePrimaryCtxRetain(byref(context), number):
        return
    try:
        if not driver.cuCtxPushCurrent_v2(context):
            driver.cuCtxSynchronize()
            driver.cuCtxPopCurrent_v2(byref(c_void_p()))
    finally:
        driver.cuDevicePrimaryCtxRelease_v2(number)


class OpenDeviceView:
    """The context of Model.device_view."""

    def __init__(self, run, name):
        self._run, self._name, self._array = run, name, None

    def __enter__(self):
        """Opens the view. The run cannot change until __exit__."""
        array, view = _values.find(self._run, self._name), DeviceView(struct_size=ctypes.sizeof(DeviceView))
        check(lib.device_view_begin(self._run.handle, array.attribute, byref(view)))
        self._array = DeviceArray(self._run, array, view)
        return self._array

    def __exit__(self, *_):
        """Ends the view, and the array: it refuses to be read from then on."""
        if self._array is not None:
            self._array.end()
            lib.view_end(self._run.handle)
        self._array = None
