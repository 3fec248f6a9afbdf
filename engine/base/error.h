/* SPDX-License-Identifier: Apache-2.0 */
/* base/ has what every folder uses and nothing of models: errors, text, files, identities.
 *
 * A function of the engine fails with a status and one sentence that a user can act on. The function that knows the
 * cause writes the sentence, once. A function that succeeds reports nothing and leaves the error unchanged. */
#ifndef MASS_ENGINE_ERROR_H
#define MASS_ENGINE_ERROR_H

#include <mass/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mass_error {
    mass_status status; /* MASS_OK until something fails */
    char text[1000];    /* one line, no newline, no "error:" before it; cut off at the end */
    int obstacle;       /* errno of a failure to look at a file, which says nothing about its contents; ENOTSUP: the
                           file uses an unknown filter; 0: none */
} mass_error;

/* Records a failure and returns its status. If *error has a failure already, it keeps that one and returns its status:
 * later ones are its consequences. Escapes control characters (escape.h), so that the text is one line. Any thread,
 * with its own error. */
mass_status mass_error_set(mass_error *error, mass_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Records that a file could not be read, as errno `cause` says: "cannot read PATH: CAUSE". Sets the obstacle. Returns
 * MASS_FAILED if the system lacks descriptors or memory, else `status`. Keeps an earlier failure, as above. */
mass_status mass_error_unread(mass_error *error, mass_status status, const char *path, int cause);

/* Records that memory could not be allocated: MASS_NO_DEVICE. `what` names what needs it. */
mass_status mass_error_memory(mass_error *error, size_t bytes, const char *what);

/* Writes a number of bytes for people, in the unit that keeps it short: "512 B", "91.2 GiB". Returns buffer. */
const char *mass_format_bytes(char buffer[32], double bytes);

#ifdef __cplusplus
}
#endif

#endif
