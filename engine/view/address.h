/* SPDX-License-Identifier: Apache-2.0 */
/* The address at which a run can be viewed: a port of this host alone, or a socket in a folder. Main thread. */
#ifndef MASS_ENGINE_VIEW_ADDRESS_H
#define MASS_ENGINE_VIEW_ADDRESS_H

#include "base/error.h"

#include <stdbool.h>

enum { MASS_VIEW_PATH_SIZE = 108 }; /* of a socket's path, with its zero byte */

/* The address that --view requests. */
typedef struct mass_view_address {
    int port;     /* 0: any free port */
    char path[MASS_VIEW_PATH_SIZE]; /* of a socket; "": a port */
    bool control; /* viewers may also stop and change the run */
    bool six;     /* the port is one of ::1, as there is no 127.0.0.1 */
} mass_view_address;

/* Reads "8080", "unix:PATH", "control", or a list of them; NULL or "": a free port. Reports what is wrong as
 * MASS_BAD_USAGE, with *out unchanged. */
mass_status mass_view_address_read(const char *text, mass_view_address *out, mass_error *error);

/* Listens at the address; no request is answered yet. The caller closes *out. Stores the port in address->port, and
 * whether it is one of ::1 in address->six. Returns MASS_BAD_USAGE if another program uses the address, if the path
 * exists, or if this user may not; MASS_FAILED if no port can be had. */
mass_status mass_view_listen(mass_view_address *address, int *out, mass_error *error);

/* Removes the path of a socket, if the address is one. */
void mass_view_address_end(const mass_view_address *address);

#endif
