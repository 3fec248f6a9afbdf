/* SPDX-License-Identifier: Apache-2.0 */
/* Definitions that the plugin `reduced` and its tests share. */
#ifndef MASS_TESTS_REDUCED_H
#define MASS_TESTS_REDUCED_H

/* Number types, and a range that excludes some of their values. */
#define REDUCED_TYPES(DO)                  \
    DO(i8, int8_t, -100, 100)              \
    DO(u8, uint8_t, 3, 250)                \
    DO(i16, int16_t, -30000, 20000)        \
    DO(u16, uint16_t, 0, 65535)            \
    DO(i32, int32_t, -2e9, 2e9)            \
    DO(u32, uint32_t, 100, 4e9)            \
    DO(i64, int64_t, -9e18, 9e18)          \
    DO(u64, uint64_t, 0, 1.8e19)           \
    DO(f32, float, -60, 50.5)              \
    DO(f64, double, -1, 1)

enum { BINS = 13 };

#endif
