/* SPDX-License-Identifier: Apache-2.0 */
/* Stray: bodies that read, move and name children and residents by numbers in attributes, as files may contain. The
 * rules and their plain counterpart share this file. */
#ifndef STRAY_H
#define STRAY_H

#include <stdint.h>

enum { REACH = 2, DEFAULT = 7, OFFSETS = 16, NUMBERS = 8, CHILDREN = 2 };
enum { SEES = 1, COUNTS = 2, NAMES_CHILDREN = 4, NAMES_RESIDENTS = 8, READS = 16, ALL = 31 }; /* bodies that stray */

/* Offsets along an axis: some within the reach, some just beyond, some at the limits of integers. */
#define STRAY_OFFSETS {0, 1, -1, 2, -2, 3, -3, 63, -1000, INT32_MAX, INT32_MIN, (int64_t)1 << 32, INT64_MAX, \
                       INT64_MIN, INT64_MIN + 1, INT64_MAX - 1}
/* Numbers of children and residents. */
#define STRAY_NUMBERS {0, 1, 2, 255, -1, INT64_MAX, INT64_MIN, (int64_t)1 << 32}

/* Returns the remainder, which is not negative. */
static inline int64_t modulo(int64_t a, int64_t n) { return (a % n + n) % n; }

#endif
