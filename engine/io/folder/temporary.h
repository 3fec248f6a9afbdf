/* SPDX-License-Identifier: Apache-2.0 */
/* A temporary file next to its target: ".NAME.WRITER-N.tmp". It is locked as long as its writer lives. So the next
 * writer of the target recognises abandoned files and removes them. */
#ifndef MASS_ENGINE_IO_FOLDER_TEMPORARY_H
#define MASS_ENGINE_IO_FOLDER_TEMPORARY_H

#include <stdbool.h>

typedef struct mass_temporary {
    char *path; /* owned */
    int file;   /* open for writing, and locked if the file system has locks */
} mass_temporary;

/* Creates a temporary file for `target`, and removes those that dead writers left for it; without locks, those that are
 * a day old. False with errno on failure. */
bool mass_temporary_make(const char *target, mass_temporary *out);
/* Creates a temporary file as mass_temporary_make does, but with an ending of the name, such as ".jsonl", for a program
 * that wants one. */
bool mass_temporary_make_as(const char *target, const char *ending, mass_temporary *out);

/* Closes the file, removes it if it still has its temporary name, and frees memory. */
void mass_temporary_end(mass_temporary *t);

#endif
