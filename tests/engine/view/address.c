/* SPDX-License-Identifier: Apache-2.0 */
/* What --view=AT says. */
#include "view/address.h"

#include <criterion/criterion.h>

Test(address, a_port_a_socket_and_control)
{
    mass_view_address a;
    mass_error error = {0};
    cr_assert_eq(mass_view_address_read("", &a, &error), MASS_OK);
    cr_assert(a.port == 0 && !a.path[0] && !a.control);
    cr_assert_eq(mass_view_address_read("8080", &a, &error), MASS_OK);
    cr_assert(a.port == 8080 && !a.path[0] && !a.control);
    cr_assert_eq(mass_view_address_read("control", &a, &error), MASS_OK);
    cr_assert(a.port == 0 && a.control);
    cr_assert_eq(mass_view_address_read("control,8080", &a, &error), MASS_OK);
    cr_assert(a.port == 8080 && a.control);
    cr_assert_eq(mass_view_address_read("unix:/tmp/a b,control", &a, &error), MASS_OK);
    cr_assert(a.control && strcmp(a.path, "/tmp/a b") == 0);
}

Test(address, anything_else_is_refused)
{
    static const char *const bad[] = {"0", "65536", "-1", "x", "80,", ",80", "80,81", "80,unix:x", "unix:", "controls",
                                      "127.0.0.1:80", "0x50", ","};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        mass_view_address a = {.port = -5};
        mass_error error = {0};
        cr_assert_eq(mass_view_address_read(bad[i], &a, &error), MASS_BAD_USAGE, "%s", bad[i]);
        cr_assert(a.port == -5 && strstr(error.text, "--view"), "%s", error.text);
    }
    char text[300] = "unix:/";
    memset(text + 6, 'a', 150);
    mass_view_address a;
    mass_error error = {0};
    cr_assert_eq(mass_view_address_read(text, &a, &error), MASS_BAD_USAGE);
}
