/* SPDX-License-Identifier: Apache-2.0 */
#include "viewer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

void viewer_found(viewer *v)
{
    command_await(&v->run, "/#");
    usleep(20000); /* the rest of the line */
    const char *said = command_errors(&v->run), *port = strstr(said, "http://127.0.0.1:");
    cr_assert_not_null(port, "%s", said);
    v->port = atoi(port + strlen("http://127.0.0.1:"));
    snprintf(v->token, sizeof v->token, "%s", strstr(said, "/#") + 2);
}

viewer viewer_start(const char *const arguments[])
{
    viewer v = {.run = command_start(NULL, arguments)};
    viewer_found(&v);
    return v;
}

void viewer_stop(viewer *v)
{
    kill(v->run.id, SIGINT);
    command_finish(&v->run);
}

int viewer_connect(const viewer *v) { return viewer_connect_from(v, 0); }

int viewer_connect_from(const viewer *v, unsigned port)
{
    const struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port),
                                     .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const struct timeval patience = {.tv_sec = 20};
    struct sockaddr_in there = {.sin_family = AF_INET, .sin_port = htons((uint16_t)v->port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr_un local = {.sun_family = AF_UNIX};
    if (v->path) snprintf(local.sun_path, sizeof local.sun_path, "%s", v->path);
    const int file = socket(v->path ? AF_UNIX : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (port) (void)!bind(file, (const struct sockaddr *)&here, sizeof here); /* from any if that one is taken */
    const int failed = v->path ? connect(file, (struct sockaddr *)&local, sizeof local)
                               : connect(file, (struct sockaddr *)&there, sizeof there);
    if (!failed) return file;
    close(file);
    return -1;
}

/* Up to the end of the body that the head announces, or of the connection. */
static reply read_reply(int file)
{
    reply r = {0};
    size_t size = 0, room = 1 << 16;
    char *bytes = malloc(room + 1), *end = NULL;
    for (ssize_t got = 1; got > 0;) {
        if (size == room) bytes = realloc(bytes, (room *= 2) + 1);
        got = read(file, bytes + size, room - size);
        size += got > 0 ? (size_t)got : 0;
        bytes[size] = '\0';
        end = strstr(bytes, "\r\n\r\n");
        const char *length = end ? strcasestr(bytes, "\r\nContent-Length:") : NULL;
        const size_t announced = length && length < end ? strtoull(length + 17, NULL, 10) : 0;
        if (end && size >= (size_t)(end + 4 - bytes) + announced) break;
    }
    kept(bytes);
    if (!end) return r;
    r.size = size - (size_t)(end + 4 - bytes);
    r.head = kept(strndup(bytes, (size_t)(end + 2 - bytes)));
    r.body = end + 4;
    r.status = atoi(r.head + strlen("HTTP/1.1 "));
    return r;
}

static reply exchange(int file, const char *request, size_t size)
{
    cr_assert(file >= 0, "%m");
    return send(file, request, size, MSG_NOSIGNAL) < 0 ? (reply){0} : read_reply(file);
}

reply viewer_send(const viewer *v, const char *request, size_t size)
{
    const int file = viewer_connect(v);
    const reply r = exchange(file, request, size);
    close(file);
    return r;
}

reply viewer_get_on(const viewer *v, int file, const char *target)
{
    char request[400];
    const int size = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n"
                              "Authorization: Bearer %s\r\n\r\n", target, v->port, v->token);
    return exchange(file, request, (size_t)size);
}

reply viewer_ask(const viewer *v, const char *method, const char *target, const char *headers, const char *body)
{
    char *own = NULL, *request = NULL;
    if (asprintf(&own, "Host: 127.0.0.1:%d\r\nAuthorization: Bearer %s\r\n%s", v->port, v->token,
                 body ? "Content-Type: application/json\r\n" : "") < 0) abort();
    const int size = asprintf(&request, "%s %s HTTP/1.1\r\n%sContent-Length: %zu\r\n\r\n%s", method, target,
                              headers ? headers : own, body ? strlen(body) : 0, body ? body : "");
    const reply r = viewer_send(v, request, (size_t)size);
    free(own);
    free(request);
    return r;
}

reply viewer_get(const viewer *v, const char *format, ...)
{
    char target[1000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(target, sizeof target, format, arguments);
    va_end(arguments);
    return viewer_ask(v, "GET", target, NULL, NULL);
}

json_t *viewer_json(const viewer *v, const char *target)
{
    const reply r = viewer_get(v, "%s", target);
    cr_assert_eq(r.status, 200, "%s: %d", target, r.status);
    json_t *value = json_loadb(r.body, r.size, 0, NULL);
    cr_assert_not_null(value, "%s", r.body);
    return value;
}

int viewer_control(const viewer *v, const char *body)
{
    return viewer_ask(v, "POST", "/run/control", NULL, body).status;
}

void viewer_run_to(const viewer *v, int step)
{
    char body[100];
    snprintf(body, sizeof body, "{\"do\": \"run_to\", \"step\": %d}", step);
    cr_assert_eq(viewer_control(v, body), 200);
    for (;;) {
        json_t *numbers = viewer_json(v, "/run/numbers");
        const bool there = json_integer_value(json_object_get(numbers, "step")) == step &&
                           strcmp(json_string_value(json_object_get(numbers, "state")), "running") != 0;
        json_decref(numbers);
        if (there) return;
        usleep(5000);
    }
}
