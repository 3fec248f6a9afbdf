/* SPDX-License-Identifier: Apache-2.0 */
#include "view/address.h"
#include "text/decimal.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { WAITING_MOST = 64, LOWEST_FREE = 1024 };

static const char expected[] = "a port, unix:PATH, or control";

/* Reads one item of the address: control, unix:PATH or a port. Refuses a second port or path. *placed: there is one. */
static mass_status read_word(const char *word, mass_view_address *out, bool *placed, mass_error *error)
{
    static const char unix_prefix[] = "unix:";
    int64_t port;
    if (strcmp(word, "control") == 0) {
        out->control = true;
        return MASS_OK;
    }
    if (*placed)
        return mass_error_set(error, MASS_BAD_USAGE, "--view is at one port or socket, and not at %s too", word);
    *placed = true;
    if (strncmp(word, unix_prefix, sizeof unix_prefix - 1) == 0) {
        const char *path = word + sizeof unix_prefix - 1;
        if (strlen(path) >= sizeof out->path)
            return mass_error_set(error, MASS_BAD_USAGE, "--view=%s: a socket's path has at most %zu bytes", word,
                                  sizeof out->path - 1);
        if (!path[0]) return mass_error_set(error, MASS_BAD_USAGE, "--view=unix: names no path");
        snprintf(out->path, sizeof out->path, "%s", path);
        return MASS_OK;
    }
    if (!mass_read_whole(word, &port) || port < 1 || port > 65535)
        return mass_error_set(error, MASS_BAD_USAGE, "--view=%s is not %s; ports are 1 to 65535", word, expected);
    out->port = (int)port;
    return MASS_OK;
}

mass_status mass_view_address_read(const char *text, mass_view_address *out, mass_error *error)
{
    mass_status status = MASS_OK;
    mass_view_address found = {0};
    bool placed = false;
    for (const char *at = text; at && *at && status == MASS_OK;) {
        char word[256];
        const size_t length = strcspn(at, ",");
        if (length == 0 || length >= sizeof word || (at[length] && !at[length + 1]))
            return mass_error_set(error, MASS_BAD_USAGE, "--view=%s is not %s, with commas between", text, expected);
        memcpy(word, at, length);
        word[length] = '\0';
        status = read_word(word, &found, &placed, error);
        at += length + (at[length] == ',');
    }
    if (status == MASS_OK) *out = found;
    return status;
}

/* ---- sockets ---- */

/* Reports why the run cannot listen at the address. cause: an errno. */
static mass_status refuse(const mass_view_address *a, int cause, mass_error *error)
{
    if (a->path[0])
        return mass_error_set(error, MASS_BAD_USAGE, cause == EADDRINUSE ? "--view=unix:%s exists already (%s): give "
                              "another path, or remove it if no run uses it" : "--view=unix:%s: %s", a->path,
                              strerror(cause));
    if (cause == EADDRINUSE)
        return mass_error_set(error, MASS_BAD_USAGE, "--view=%d: another program uses the port: give another one, or "
                              "--view alone for any that is free", a->port);
    if ((cause == EACCES || cause == EPERM) && a->port && a->port < LOWEST_FREE)
        return mass_error_set(error, MASS_BAD_USAGE, "--view=%d: ports below %d are not for every user: give a higher "
                              "one", a->port, LOWEST_FREE);
    return mass_error_set(error, MASS_FAILED, "--view: no port of this host can be had: %s", strerror(cause));
}

/* Binds a socket, file, and listens. Returns 0, or the errno of the failure, also if file is negative. */
static int listen_at(int file, const struct sockaddr *address, socklen_t size)
{
    return file < 0 || bind(file, address, size) != 0 || listen(file, WAITING_MOST) != 0 ? errno : 0;
}

/* Listens at a path, which only its owner can open from the start. Refuses a path that exists. */
static mass_status listen_at_path(const mass_view_address *a, int *out, mass_error *error)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path, a->path, sizeof address.sun_path);
    const int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const mode_t before = umask(0177);
    const int cause = listen_at(file, (const struct sockaddr *)&address, sizeof address);
    umask(before);
    if (cause == 0) *out = file;
    else if (file >= 0) close(file);
    return cause ? refuse(a, cause, error) : MASS_OK;
}

/* Listens at a port of 127.0.0.1 or, if that does not exist, of ::1; then sets a->six. Sets a->port to the port, which
 * the system chooses if it is 0. */
static mass_status listen_at_port(mass_view_address *a, int *out, mass_error *error)
{
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons((uint16_t)a->port),
                               .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)a->port),
                               .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    const int yes = 1;
    int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (file >= 0) setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    int cause = listen_at(file, (const struct sockaddr *)&four, sizeof four);
    if (cause == EADDRNOTAVAIL || cause == EAFNOSUPPORT) {
        if (file >= 0) close(file);
        file = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (file >= 0) setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        cause = listen_at(file, (const struct sockaddr *)&six, sizeof six);
        a->six = cause == 0;
    }
    socklen_t size = a->six ? sizeof six : sizeof four;
    if (cause == 0 && getsockname(file, a->six ? (struct sockaddr *)&six : (struct sockaddr *)&four, &size) != 0)
        cause = errno;
    if (cause == 0) {
        a->port = ntohs(a->six ? six.sin6_port : four.sin_port);
        *out = file;
    } else if (file >= 0) close(file);
    return cause ? refuse(a, cause, error) : MASS_OK;
}

mass_status mass_view_listen(mass_view_address *a, int *out, mass_error *error)
{
    return a->path[0] ? listen_at_path(a, out, error) : listen_at_port(a, out, error);
}

void mass_view_address_end(const mass_view_address *a)
{
    if (a->path[0]) unlink(a->path);
}
