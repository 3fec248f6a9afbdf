/* HDF5 files that come from anywhere: what a data set of numbers may be, and reading one in a child process first,
 * so that a file that crashes the library is refused like any other. HDF5's ids are int64_t here. */
#ifndef MASS_ENGINE_PLAIN_SET_H
#define MASS_ENGINE_PLAIN_SET_H

#include "core/error.h"

#include <stdbool.h>

enum { MASS_PLAIN_SET_PACKED_MOST = 1100 }; /* elements to a byte of the file: gzip's best, and then some */

/* Opens a regular file for reading; *size is its bytes. MASS_BAD_INPUT if it cannot be. */
mass_status mass_plain_file_open(const char *path, int64_t *file, uint64_t *size, mass_error *error);

/* Whether a data set lies in its own file, packed by no filters but those of the library. */
bool mass_set_is_plain(int64_t set);

/* Runs this program with `option` and `argument` in a child of limited memory and time, which is to read `path` and
 * to report. What it reports is returned; a crash or a hang is MASS_BAD_INPUT. */
mass_status mass_plain_file_probe(const char *option, const char *argument, const char *path, mass_error *error);

#endif
