/* What opening and reading a checkpoint share: the file at hand, and how it is refused. */
#ifndef MASS_ENGINE_CHECKPOINT_READER_H
#define MASS_ENGINE_CHECKPOINT_READER_H

#include "io/checkpoint_format.h"

enum { MASS_READER_BOX_BYTES = 1 << 20 }; /* that data is read in, at most */

typedef struct mass_reader {
    mass_checkpoint *c;
    mass_error *error;
} mass_reader;

/* Refusals; all return false. What is damaged, in a few words; what HDF5 could not read, with its own
 * reason; memory that could not be had. */
bool mass_reader_damaged(mass_reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool mass_reader_unreadable(mass_reader *r, const char *what);
bool mass_reader_no_memory(mass_reader *r, size_t bytes);

#endif
