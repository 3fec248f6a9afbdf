/* SPDX-License-Identifier: Apache-2.0 */
/* Random digits that identify runs and processes across machines and times. */
#ifndef MASS_ENGINE_IDENTITY_H
#define MASS_ENGINE_IDENTITY_H

#include "base/error.h"

#include <stdbool.h>

enum { MASS_IDENTITY_SIZE = 33, MASS_WRITER_SIZE = 17 }; /* with the zero byte */

/* Makes a new run's identity: 32 random hexadecimal digits, or the value of MASS_IDENTITY. Tests set that to compare
 * the files of two runs byte for byte. Returns MASS_BAD_USAGE if the value is no identity, MASS_FAILED if the system
 * has no random bytes. Any thread. */
mass_status mass_identity_make(char identity[MASS_IDENTITY_SIZE], mass_error *error);

/* Returns 16 random hexadecimal digits, the same in all calls of a process and different in every other process. A copy
 * made by fork has those of its original, if they were asked for before. Names of temporary files contain them: process
 * numbers repeat in containers and on other machines. Any thread. */
const char *mass_writer(void);

/* Returns whether a text begins with this many digits of 0-9 and a-f. */
bool mass_is_hex(const char *text, size_t digits);

#endif
