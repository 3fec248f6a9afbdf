/* SPDX-License-Identifier: Apache-2.0 */
/* Who may look at a run in a browser: who knows the token, and asks for this host, so that a page of another one that
 * points its name here learns nothing. Pure; any thread. */
#ifndef MASS_ENGINE_VIEW_GUARD_H
#define MASS_ENGINE_VIEW_GUARD_H

#include <stdbool.h>

enum { MASS_VIEW_TOKEN_SIZE = 33 }; /* 32 hexadecimal digits and a zero byte */

/* "localhost:8080", "127.0.0.1:8080", "[::1]:8080": with any port, as a tunnel may begin at another one, or none. NULL:
 * it was not sent. */
bool mass_view_host_is_local(const char *host);

/* The origin of the page that asks, where the browser says it: that of the host. */
bool mass_view_origin_fits(const char *origin, const char *host);

/* "Bearer TOKEN". Takes as long for any text. */
bool mass_view_token_fits(const char *authorization, const char token[MASS_VIEW_TOKEN_SIZE]);

#endif
