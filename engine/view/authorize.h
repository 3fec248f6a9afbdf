/* SPDX-License-Identifier: Apache-2.0 */
/* Checks who may view a run in a browser: a client must know the token and ask for this host. So a page of another
 * host, whose name points here, learns nothing. Pure; any thread. */
#ifndef MASS_ENGINE_VIEW_AUTHORIZE_H
#define MASS_ENGINE_VIEW_AUTHORIZE_H

#include <stdbool.h>

enum { MASS_VIEW_TOKEN_SIZE = 33 }; /* 32 hexadecimal digits and a zero byte */

/* Returns whether a Host header names this host: "localhost:8080", "127.0.0.1:8080", "[::1]:8080". Any port is
 * accepted, as a tunnel may begin at another one, and also none. NULL: no header was sent. */
bool mass_view_host_is_local(const char *host);

/* Returns whether the requesting page's origin is the host. True for NULL: the browser sent none. */
bool mass_view_origin_fits(const char *origin, const char *host);

/* Returns whether the header is "Bearer TOKEN". Takes the same time for any text of its length. */
bool mass_view_token_fits(const char *authorization, const char token[MASS_VIEW_TOKEN_SIZE]);

#endif
