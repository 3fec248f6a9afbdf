/* SPDX-License-Identifier: Apache-2.0 */
/* Who may look: this host's names, the page's own origin, the token. */
#include "view/authorize.h"

#include <criterion/criterion.h>
#include <stdio.h>

static const char token[] = "0123456789abcdef0123456789abcdef";

Test(guard, hosts_are_this_one_at_any_port)
{
    static const char *const local[] = {"127.0.0.1", "127.0.0.1:8080", "localhost:1", "LOCALHOST:65535", "[::1]:80"};
    static const char *const others[] = {"", "example.org", "127.0.0.1.example.org", "localhost.example.org:80",
                                         "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:123456", "127.0.0.2", "::1",
                                         "127.0.0.1:80:80", "localhost:80/", "user@localhost:80"};
    for (size_t i = 0; i < sizeof local / sizeof *local; i++)
        cr_assert(mass_view_host_is_local(local[i]), "%s", local[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        cr_assert_not(mass_view_host_is_local(others[i]), "%s", others[i]);
    cr_assert_not(mass_view_host_is_local(NULL));
}

Test(guard, an_origin_is_the_hosts_or_not_sent)
{
    cr_assert(mass_view_origin_fits(NULL, "localhost:80"));
    cr_assert(mass_view_origin_fits("http://localhost:80", "localhost:80"));
    cr_assert_not(mass_view_origin_fits("null", "localhost:80"));
    cr_assert_not(mass_view_origin_fits("http://localhost:81", "localhost:80"));
    cr_assert_not(mass_view_origin_fits("https://localhost:80", "localhost:80"));
    cr_assert_not(mass_view_origin_fits("http://example.org", "localhost:80"));
    cr_assert_not(mass_view_origin_fits("http://localhost:80", NULL));
}

Test(guard, the_token_alone_fits)
{
    char text[100];
    snprintf(text, sizeof text, "Bearer %s", token);
    cr_assert(mass_view_token_fits(text, token));
    for (size_t i = 7; i < strlen(text); i++) {
        text[i] ^= 1;
        cr_assert_not(mass_view_token_fits(text, token), "%s", text);
        text[i] ^= 1;
    }
    cr_assert_not(mass_view_token_fits(NULL, token));
    cr_assert_not(mass_view_token_fits("", token));
    cr_assert_not(mass_view_token_fits("Bearer ", token));
    cr_assert_not(mass_view_token_fits(token, token));
    snprintf(text, sizeof text, "Basic  %s", token);
    cr_assert_not(mass_view_token_fits(text, token));
    snprintf(text, sizeof text, "Bearer %s0", token);
    cr_assert_not(mass_view_token_fits(text, token));
}
