/* SPDX-License-Identifier: Apache-2.0 */
#include "viewer.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HEAD_MOST = 4096 };

/* Reports why the run cannot be looked at, and returns the failure. */
static mass_status failed(const char *what, mass_error *error)
{
    return mass_error_set(error, MASS_FAILED, "the run cannot be looked at: %s", what);
}

/* Returns the port, from the line with the address; 0: another line. */
static int read_address(bench_viewer *v)
{
    static const char host[] = "http://127.0.0.1:";
    char text[4000];
    size_t used = 0;
    for (ssize_t got; used < sizeof text - 1 && (got = read(v->said, text + used, sizeof text - 1 - used)) > 0;) {
        used += (size_t)got;
        text[used] = '\0';
        const char *at = strstr(text, host), *mark = at ? strchr(at, '#') : NULL;
        if (!mark || !strchr(mark, '\n')) continue;
        snprintf(v->token, sizeof v->token, "%s", mark + 1);
        return atoi(at + sizeof host - 1);
    }
    return 0;
}

mass_status bench_viewer_start(bench_viewer *v, const char *path, char *const arguments[], mass_error *error)
{
    int ends[2];
    *v = (bench_viewer){.said = -1, .connection = -1, .printed = memfd_create("printed", MFD_CLOEXEC)};
    if (v->printed < 0 || pipe2(ends, O_CLOEXEC) != 0) return failed(strerror(errno), error);
    v->said = ends[0];
    v->run = fork();
    if (v->run == 0) {
        dup2(v->printed, STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        execv(path, arguments);
        _exit(127);
    }
    close(ends[1]);
    struct sockaddr_in there = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                                .sin_port = htons((uint16_t)read_address(v))};
    v->connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (!there.sin_port) return failed("it names no address", error);
    return connect(v->connection, (const struct sockaddr *)&there, sizeof there) == 0 ? MASS_OK
                                                                                     : failed(strerror(errno), error);
}

/* Reads a whole answer; its body begins at *body. Returns its status; 0: the connection ended. */
static int read_answer(bench_viewer *v, const char **body, size_t *size)
{
    size_t used = 0, head = 0, whole = SIZE_MAX;
    for (ssize_t got; used < whole; used += (size_t)got) {
        if (used + HEAD_MOST > v->room) {
            char *larger = realloc(v->bytes, v->room = 2 * v->room + HEAD_MOST + 1);
            if (!larger) return 0;
            v->bytes = larger;
        }
        got = read(v->connection, v->bytes + used, v->room - used - 1);
        if (got <= 0) return 0;
        v->bytes[used + (size_t)got] = '\0';
        const char *end = whole == SIZE_MAX ? strstr(v->bytes, "\r\n\r\n") : NULL;
        if (!end) continue;
        const char *length = strcasestr(v->bytes, "\r\nContent-Length:");
        head = (size_t)(end + 4 - v->bytes);
        *size = length && length < end ? strtoull(length + strlen("\r\nContent-Length:"), NULL, 10) : 0;
        whole = head + *size;
    }
    *body = v->bytes + head;
    return atoi(v->bytes + strlen("HTTP/1.1 "));
}

/* Asks for a frame and waits for it. which: the query's last part. Sets *step to the frame's step. */
static mass_status ask_frame(bench_viewer *v, const char *which, uint64_t *step, mass_error *error)
{
    char request[400];
    const char *body = NULL;
    size_t size = 0;
    const int length = snprintf(request, sizeof request, "GET /run/frame?picture=0&%s HTTP/1.1\r\n"
                                "Host: localhost\r\nAuthorization: Bearer %s\r\n\r\n", which, v->token);
    if (send(v->connection, request, (size_t)length, MSG_NOSIGNAL) != length) return failed(strerror(errno), error);
    const int status = read_answer(v, &body, &size);
    if (status != 200 || size < 44) return failed(status ? "a frame is refused" : "the connection ended", error);
    memcpy(step, body + 8, sizeof *step);
    return MASS_OK;
}

mass_status bench_viewer_frame(bench_viewer *v, const uint64_t *after, uint64_t *step, mass_error *error)
{
    char which[80];
    const int used = snprintf(which, sizeof which, "pw=1920&ph=1080");
    if (after) snprintf(which + used, sizeof which - (size_t)used, "&after=%llu", (unsigned long long)*after);
    return ask_frame(v, which, step, error);
}

mass_status bench_viewer_step(bench_viewer *v, uint64_t *step, mass_error *error)
{
    return ask_frame(v, "x=0&y=0&w=1&h=1&pw=1&ph=1", step, error);
}

mass_status bench_viewer_result(bench_viewer *v, json_t **answer, mass_error *error)
{
    int how = 0;
    close(v->connection);
    v->connection = -1;
    while (waitpid(v->run, &how, 0) < 0 && errno == EINTR) continue;
    v->run = 0;
    lseek(v->printed, 0, SEEK_SET);
    json_t *found = WIFEXITED(how) && WEXITSTATUS(how) == 0 ? json_loadfd(v->printed, 0, NULL) : NULL;
    if (found) *answer = found;
    return found ? MASS_OK : failed("it did not end well", error);
}

void bench_viewer_end(bench_viewer *v)
{
    if (v->run > 0) kill(v->run, SIGKILL);
    while (v->run > 0 && waitpid(v->run, NULL, 0) < 0 && errno == EINTR) continue;
    if (v->connection >= 0) close(v->connection);
    if (v->said >= 0) close(v->said);
    if (v->printed >= 0) close(v->printed);
    free(v->bytes);
}
