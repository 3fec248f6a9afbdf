/* SPDX-License-Identifier: Apache-2.0 */
/* Where a run can be looked at: a port of this host alone, or a socket in a folder. Main thread. */
#ifndef MASS_ENGINE_VIEW_ADDRESS_H
#define MASS_ENGINE_VIEW_ADDRESS_H

#include "base/error.h"

#include <stdbool.h>

enum { MASS_VIEW_PATH_SIZE = 108 }; /* of a socket, with its end */

/* What --view asks for. */
typedef struct mass_view_address {
    int port;     /* 0: any that is free */
    char path[MASS_VIEW_PATH_SIZE]; /* of a socket; "": a port */
    bool control; /* who looks may also stop and change the run */
    bool six;     /* the port is one of ::1, as there is no 127.0.0.1 */
} mass_view_address;

/* Reads "8080", "unix:PATH", "control" and lists of them; NULL or "": a free port. MASS_BAD_USAGE says what is wrong.
 */
mass_status mass_view_address_read(const char *text, mass_view_address *out, mass_error *error);

/* Listens there, with nobody answering yet; *out is the caller's to close, and address->port becomes what it is.
 * MASS_BAD_USAGE where another program does, or this user may not. */
mass_status mass_view_listen(mass_view_address *address, int *out, mass_error *error);

/* Removes a socket's path. */
void mass_view_address_end(const mass_view_address *address);

#endif
