/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a whole file into memory, up to a limit of the caller. */
#ifndef MASS_ENGINE_FILE_H
#define MASS_ENGINE_FILE_H

#include "base/error.h"

typedef struct mass_file {
    uint8_t *bytes; /* a zero byte follows them, which size does not count */
    size_t size;
} mass_file;

/* Reads a regular file of at most `limit` bytes. Returns `on_failure` if something is wrong with the file:
 * MASS_BAD_INPUT for a model's input, MASS_BAD_PLUGIN for a plugin. Returns MASS_NO_DEVICE if memory is short.
 * Allocates nothing before the file's size is known to be within the limit. The caller frees *out with mass_file_free.
 * On failure *out is unchanged. Any thread. */
mass_status mass_file_read(const char *path, size_t limit, mass_status on_failure, mass_file *out,
                           mass_error *error);

/* Frees a file's bytes. May be called for a file that is all zero or already freed. */
void mass_file_free(mass_file *file);

#endif
