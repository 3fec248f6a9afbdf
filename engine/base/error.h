/* SPDX-License-Identifier: Apache-2.0 */
/* base/ has what every folder uses and nothing of models: errors, text, files, identities.
 *
 * How a function of the engine fails: a status, and one sentence that a user can act on, written
 * once, where the cause is known. Success says nothing and changes no error. */
#ifndef MASS_ENGINE_ERROR_H
#define MASS_ENGINE_ERROR_H

#include <mass/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mass_error {
    mass_status status; /* MASS_OK while nothing failed */
    char text[1000];    /* one line, no newline, no "error:" before it */
    int obstacle;       /* errno of what kept a file from being looked at, which says nothing of the file, ENOTSUP of a
                           way to pack that is not read; 0: none */
} mass_error;

/* Records a failure and returns status. The first failure stays: later ones are its consequences.
 * What a terminal would act on is escaped (escape.h), so that the text is one line. Any thread, own error. */
mass_status mass_error_set(mass_error *error, mass_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* As above for a file that could not be read, as errno `cause` says: "cannot read PATH: CAUSE". Sets the obstacle. What
 * the system lacks is MASS_FAILED, and else it is `status`. */
mass_status mass_error_unread(mass_error *error, mass_status status, const char *path, int cause);

/* As above for memory that could not be had. */
mass_status mass_error_memory(mass_error *error, size_t bytes, const char *what);

/* Bytes for people, in the unit that keeps it short: "512 B", "91.2 GiB". Returns buffer. */
const char *mass_format_bytes(char buffer[32], double bytes);

#ifdef __cplusplus
}
#endif

#endif
