/* SPDX-License-Identifier: Apache-2.0 */
/* What --view=AT says. */
#include "view/address.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <unistd.h>

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

/* The lowest port that everybody may have. */
static int lowest_free(void)
{
    FILE *file = fopen("/proc/sys/net/ipv4/ip_unprivileged_port_start", "r");
    int port = 1024;
    if (file && fscanf(file, "%d", &port) != 1) port = 1024;
    if (file) fclose(file);
    return port;
}

Test(address, a_port_below_1024_needs_the_right)
{
    enum { NOBODY = 65534, PORT = 81 };
    mass_view_address a;
    mass_error error = {0};
    int file = -1;
    if (lowest_free() <= PORT) cr_skip_test("on this host everybody may have port 81");
    if (geteuid() == 0 && setresuid(NOBODY, NOBODY, NOBODY) != 0) cr_skip_test("root cannot become somebody else here");
    cr_assert_eq(mass_view_address_read("81", &a, &error), MASS_OK);
    const mass_status status = mass_view_listen(&a, &file, &error);
    cr_assert(status == MASS_BAD_USAGE && file == -1 && strstr(error.text, "ports below 1024 are not for every user"),
              "%d %s", (int)status, error.text);
}
