/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a whole file into memory, no more of it than the caller can use. */
#ifndef MASS_ENGINE_FILE_H
#define MASS_ENGINE_FILE_H

#include "base/error.h"

typedef struct mass_file {
    uint8_t *bytes; /* a 0 byte follows them, which size does not count */
    size_t size;
} mass_file;

/* Reads a regular file of at most `limit` bytes. What is returned where something is wrong with the file is
 * `on_failure`: MASS_BAD_INPUT for a model's input, MASS_BAD_PLUGIN for a plugin. Nothing is allocated
 * before the file's size is known to be within the limit. The caller ends with mass_file_free; on
 * failure *out is untouched. Any thread. */
mass_status mass_file_read(const char *path, size_t limit, mass_status on_failure, mass_file *out,
                           mass_error *error);

/* Also fine on a file that is all zero or already freed. */
void mass_file_free(mass_file *file);

#endif
