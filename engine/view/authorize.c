/* SPDX-License-Identifier: Apache-2.0 */
#include "view/authorize.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

/* Returns whether a text is empty, or ':' and up to five digits. */
static bool is_port(const char *text)
{
    if (*text == '\0') return true;
    const size_t digits = strspn(text + 1, "0123456789");
    return *text == ':' && digits >= 1 && digits <= 5 && text[1 + digits] == '\0';
}

bool mass_view_host_is_local(const char *host)
{
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
    for (size_t i = 0; host && i < sizeof names / sizeof *names; i++)
        if (strncasecmp(host, names[i], strlen(names[i])) == 0 && is_port(host + strlen(names[i]))) return true;
    return false;
}

bool mass_view_origin_fits(const char *origin, const char *host)
{
    static const char scheme[] = "http://";
    if (!origin) return true;
    return host && strncmp(origin, scheme, sizeof scheme - 1) == 0 && strcmp(origin + sizeof scheme - 1, host) == 0;
}

bool mass_view_token_fits(const char *authorization, const char token[MASS_VIEW_TOKEN_SIZE])
{
    static const char scheme[] = "Bearer ";
    enum { SCHEME = sizeof scheme - 1, DIGITS = MASS_VIEW_TOKEN_SIZE - 1 };
    if (!authorization || strlen(authorization) != SCHEME + DIGITS) return false;
    volatile unsigned differs = strncasecmp(authorization, scheme, SCHEME) != 0;
    for (int i = 0; i < DIGITS; i++) differs |= (unsigned char)(authorization[SCHEME + i] ^ token[i]);
    return differs == 0;
}
