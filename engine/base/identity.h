/* SPDX-License-Identifier: Apache-2.0 */
/* What tells runs and processes apart, wherever and whenever they were: random digits. */
#ifndef MASS_ENGINE_IDENTITY_H
#define MASS_ENGINE_IDENTITY_H

#include "base/error.h"

#include <stdbool.h>

enum { MASS_IDENTITY_SIZE = 33, MASS_WRITER_SIZE = 17 }; /* with the zero byte */

/* A new run's identity, 32 hexadecimal digits: random, or what MASS_IDENTITY says, by which tests compare files of
 * two runs byte for byte. MASS_BAD_USAGE if that is no identity. Any thread. */
mass_status mass_identity_make(char identity[MASS_IDENTITY_SIZE], mass_error *error);

/* 16 random hexadecimal digits, the same in all calls of a process and of no other one: in names of temporary files.
 * Process numbers repeat, in containers and on other machines. Any thread. */
const char *mass_writer(void);

/* Whether a text begins with so many digits of 0-9 and a-f. */
bool mass_is_hex(const char *text, size_t digits);

#endif
