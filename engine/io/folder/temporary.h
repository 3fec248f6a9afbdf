/* SPDX-License-Identifier: Apache-2.0 */
/* A temporary file beside the one that it is to become: ".NAME.WRITER-N.tmp", locked as long as its writer lives, so
 * that whoever writes the same file next knows that it was left, and removes it. */
#ifndef MASS_ENGINE_IO_FOLDER_TEMPORARY_H
#define MASS_ENGINE_IO_FOLDER_TEMPORARY_H

#include <stdbool.h>

typedef struct mass_temporary {
    char *path; /* owned */
    int file;   /* open for writing, and locked where there are locks */
} mass_temporary;

/* Makes one for `target`, and removes what dead writers left for it; where there are no locks, what is a day old. False
 * with errno on failure. */
bool mass_temporary_make(const char *target, mass_temporary *out);

/* Closes the file, removes it if it still has its name, and frees. */
void mass_temporary_end(mass_temporary *t);

#endif
