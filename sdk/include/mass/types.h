/* SPDX-License-Identifier: Apache-2.0 */
/* Types that every other header of the SDK uses: statuses, element types, indices. */
#ifndef MASS_TYPES_H
#define MASS_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The ABI of this SDK. While the major number is 0, an engine loads a plugin only if both numbers are the same. From
 * 1.0 on, the major numbers must be equal, and the plugin's minor number no higher than the engine's. */
#define MASS_ABI_MAJOR 0
#define MASS_ABI_MINOR 4

/* The result of a function, and the exit status of mass-engine. */
typedef enum mass_status {
    MASS_OK = 0,
    MASS_FAILED = 1,       /* the run failed */
    MASS_BAD_USAGE = 2,    /* a parameter or option is wrong */
    MASS_BAD_PLUGIN = 3,   /* the plugin broke its contract */
    MASS_BAD_INPUT = 4,    /* a file is missing, malformed or damaged */
    MASS_NO_DEVICE = 5,    /* no such device, or out of its memory */
    MASS_INTERRUPTED = 130 /* stopped by a signal */
} mass_status;

/* Element types of attributes. Files store these numbers, so they never change. */
typedef enum mass_type {
    MASS_TYPE_NONE = 0,
    MASS_I8 = 1,
    MASS_U8 = 2,
    MASS_I16 = 3,
    MASS_U16 = 4,
    MASS_I32 = 5,
    MASS_U32 = 6,
    MASS_I64 = 7,
    MASS_U64 = 8,
    MASS_F32 = 9,
    MASS_F64 = 10,
    MASS_BIT = 11,   /* bool: 0 or 1, one bit for each place in memory; for places only */
    MASS_STRUCT = 12 /* the plugin's own struct, declared member by member */
} mass_type;

/* A coordinate inside one partition, and one of the whole space; they never mix. */
typedef int32_t mass_lidx;
typedef int64_t mass_gidx;

/* Bits of an axis mask. */
enum { MASS_AXIS_X = 1, MASS_AXIS_Y = 2, MASS_AXIS_Z = 4, MASS_AXES_ALL = 7 };

/* Is the element type of a C type; MASS_STRUCT for anything but a number. */
#ifdef __cplusplus
}
template <class T> struct mass_type_of_ { static constexpr uint32_t value = MASS_STRUCT; };
template <> struct mass_type_of_<int8_t> { static constexpr uint32_t value = MASS_I8; };
template <> struct mass_type_of_<uint8_t> { static constexpr uint32_t value = MASS_U8; };
template <> struct mass_type_of_<int16_t> { static constexpr uint32_t value = MASS_I16; };
template <> struct mass_type_of_<uint16_t> { static constexpr uint32_t value = MASS_U16; };
template <> struct mass_type_of_<int32_t> { static constexpr uint32_t value = MASS_I32; };
template <> struct mass_type_of_<uint32_t> { static constexpr uint32_t value = MASS_U32; };
template <> struct mass_type_of_<int64_t> { static constexpr uint32_t value = MASS_I64; };
template <> struct mass_type_of_<uint64_t> { static constexpr uint32_t value = MASS_U64; };
template <> struct mass_type_of_<float> { static constexpr uint32_t value = MASS_F32; };
template <> struct mass_type_of_<double> { static constexpr uint32_t value = MASS_F64; };
template <> struct mass_type_of_<bool> { static constexpr uint32_t value = MASS_BIT; };
#define MASS_TYPE_OF(T) (mass_type_of_<T>::value)
#else
#define MASS_TYPE_OF(T)                                                                         \
    _Generic(*(T *)0, int8_t: MASS_I8, uint8_t: MASS_U8, int16_t: MASS_I16, uint16_t: MASS_U16, \
        int32_t: MASS_I32, uint32_t: MASS_U32, int64_t: MASS_I64, uint64_t: MASS_U64,           \
        float: MASS_F32, double: MASS_F64, bool: MASS_BIT, default: MASS_STRUCT)
#endif

#endif
