/* SPDX-License-Identifier: Apache-2.0 */
/* --view: who may look at a run, that it goes on whatever they send, and where it cannot be looked at. */
#include "../extended.h"
#include "viewer.h"

#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

TestSuite(view, SCRATCH);

#define LIFE "life", "--seed", "3", "--device", "cpu"

static const char *const safe[] = {"Content-Security-Policy: default-src 'none'; script-src 'self'",
                                   "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer",
                                   "Cache-Control: no-store", "Cross-Origin-Opener-Policy: same-origin",
                                   "Cross-Origin-Resource-Policy: same-origin"};

/* ---- who may look ---- */

Test(view, answers_who_knows_the_token_and_nobody_else)
{
    viewer v = VIEWER(LIFE, "--steps", "1e9", "--view");
    char *host, *wrong;
    cr_assert_eq(asprintf(&host, "Host: 127.0.0.1:%d\r\n", v.port) > 0, true);
    const reply there = viewer_get(&v, "/run/model");
    cr_assert_eq(there.status, 200);
    for (size_t i = 0; i < sizeof safe / sizeof *safe; i++) cr_assert(strstr(there.head, safe[i]), "%s", there.head);
    const char *const formats[] = {"%s", "%sAuthorization: Bearer 00000000000000000000000000000000\r\n",
                                   "%sAuthorization: Basic x\r\n", "Host: evil.example:80\r\n%.0sAuthorization: ",
                                   "%sOrigin: http://evil.example\r\nAuthorization: "};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        char head[400];
        const size_t used = (size_t)snprintf(head, sizeof head, formats[i], host);
        if (i >= 3) snprintf(head + used, sizeof head - used, "Bearer %s\r\n", v.token);
        const reply r = viewer_ask(&v, "GET", "/run/model", head, NULL);
        cr_assert(r.status == 403 && r.size == 0, "%s: %d", head, r.status);
        cr_assert(strstr(r.head, safe[0]));
    }
    cr_assert_gt(asprintf(&wrong, "%s%s", host, host), 0);
    cr_assert_eq(viewer_ask(&v, "GET", "/", kept(wrong), NULL).status, 400, "of two hosts, others may look at another");
    wrong = kept(strdup("Host: evil.example\r\n"));
    cr_assert_eq(viewer_ask(&v, "GET", "/", wrong, NULL).status, 403);
    free(host);
    viewer_stop(&v);
}

Test(view, refuses_what_there_is_not_by_a_status)
{
    viewer v = VIEWER(LIFE, "--steps", "1e9", "--view");
    cr_assert_eq(viewer_get(&v, "/run/nothing").status, 404);
    cr_assert_eq(viewer_get(&v, "/../etc/passwd").status, 404);
    cr_assert_eq(viewer_get(&v, "/run/frame?picture=77").status, 400);
    cr_assert_eq(viewer_get(&v, "/run/frame?world=1").status, 400);
    cr_assert_eq(viewer_get(&v, "/run/frame?x=512&y=0").status, 400);
    cr_assert_eq(viewer_get(&v, "/run/frame?pw=5000").status, 400);
    cr_assert_eq(viewer_get(&v, "/run/place?space=0&x=-1&y=0").status, 400);
    cr_assert_eq(viewer_ask(&v, "DELETE", "/run/model", NULL, NULL).status, 405);
    cr_assert_eq(viewer_ask(&v, "POST", "/run/model", NULL, NULL).status, 405);
    cr_assert_eq(viewer_control(&v, "{\"do\": \"stop\"}"), 403);
    cr_assert_eq(viewer_get(&v, "/run/model").status, 200);
    viewer_stop(&v);
}

Test(view, whatever_is_sent_the_run_goes_on)
{
    viewer v = VIEWER(LIFE, "--steps", "1e9", "--view=control");
    char *big = kept(malloc(1 << 20));
    memset(big, 'a', 1 << 20);
    memcpy(big, "GET /", 5);
    static const char *const odd[] = {"\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\x16\x03\x01\x02\r\n\r\n",
                                      "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
                                      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        const int file = viewer_connect(&v);
        cr_assert(send(file, odd[i], strlen(odd[i]), MSG_NOSIGNAL) > 0);
        shutdown(file, SHUT_WR);
        char bytes[100];
        while (read(file, bytes, sizeof bytes) > 0) continue;
        close(file);
    }
    const reply large = viewer_send(&v, big, 1 << 20);
    cr_assert(large.status == 0 || large.status >= 400, "%d", large.status);
    memset(big, ' ', 1 << 20);
    big[(1 << 20) - 1] = '\0';
    cr_assert_geq(viewer_control(&v, big), 400);
    big[60000] = '\0';
    cr_assert_eq(viewer_control(&v, big), 400);
    static const char *const bodies[] = {"", "{", "[]", "{\"do\": 5}", "{\"do\": \"fly\"}", "{\"do\": \"run_to\"}",
                                         "{\"do\": \"rate\", \"steps_a_second\": -1}", "\"\xff\"",
                                         "{\"do\": \"restart\", \"parameters\": {\"none\": 1}}",
                                         "{\"do\": \"restart\", \"parameters\": {\"density\": 7}}",
                                         "{\"do\": \"checkpoint\"}"};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        cr_assert_eq(viewer_control(&v, bodies[i]), 400, "%s", bodies[i]);
    cr_assert_eq(viewer_get(&v, "/run/model").status, 200);
    viewer_stop(&v);
}

Test(view, viewers_that_come_and_go_change_no_state)
{
    enum { VIEWERS = 10 };
    uint64_t random = 5;
    const outcome plain = RUN(LIFE, "--size", "256x256", "--steps", "2000", "--json");
    viewer v = VIEWER(LIFE, "--size", "256x256", "--steps", "2000", "--json", "--view", "--view-stay", "0");
    pid_t children[VIEWERS];
    for (int i = 0; i < VIEWERS; i++) {
        children[i] = fork();
        if (children[i] != 0) continue;
        for (int k = 0;; k++) {
            const int file = viewer_connect(&v);
            char request[300];
            const int size = snprintf(request, sizeof request, "GET /run/%s HTTP/1.1\r\nHost: localhost\r\n"
                                      "Authorization: Bearer %s\r\n\r\n", k % 2 ? "numbers" : "frame?picture=0&pw=200",
                                      v.token);
            if (file < 0 || send(file, request, (size_t)size, MSG_NOSIGNAL) < 0) _exit(0);
            char bytes[4096];
            if (k % 3) (void)!read(file, bytes, sizeof bytes);
            close(file);
        }
    }
    for (int i = 0; i < VIEWERS; i++) {
        usleep((useconds_t)(next_random(&random) % 40000));
        kill(children[i], SIGKILL);
    }
    const outcome o = command_finish(&v.run);
    cr_assert_str_eq(outcome_hash(&o, 0), outcome_hash(&plain, 0));
}

Test(view, connections_opened_and_dropped_are_nothing)
{
    const int count = extended(300, 10000);
    viewer v = VIEWER(LIFE, "--steps", "1e9", "--view");
    for (int i = 0; i < count; i++) {
        const int file = viewer_connect(&v);
        cr_assert(file >= 0, "%d: %m", i);
        static const char begun[] = "GET /run/model HTTP/1.1\r\nHost: local";
        if (i % 3) (void)!send(file, begun, i % 3 == 1 ? 5 : sizeof begun - 1, MSG_NOSIGNAL);
        close(file);
    }
    cr_assert_eq(viewer_get(&v, "/run/model").status, 200);
    viewer_stop(&v);
}

/* ---- who keeps connections ---- */

enum { HELD = 300 };
static int held[HELD];
static const char unfinished[] = "GET /run/model HTTP/1.1\r\nHost: localhost\r\nX-Long: ";

/* Without an end to what they ask. Some may be refused. From these ports, or NULL: from any. */
static void hold_from(const unsigned *ports, const viewer *v, int count)
{
    for (int i = 0; i < count; i++) {
        held[i] = viewer_connect_from(v, ports ? ports[i] : 0);
        if (held[i] >= 0) (void)!send(held[i], unfinished, sizeof unfinished - 1, MSG_NOSIGNAL);
    }
}

static void hold(const viewer *v, int count) { hold_from(NULL, v, count); }

/* This user has sockets at as many ports, of another address. */
static void take_ports(unsigned *ports, int *sockets, int count)
{
    for (int i = 0; i < count; i++) {
        struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1)};
        socklen_t size = sizeof at;
        sockets[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        cr_assert_eq(bind(sockets[i], (struct sockaddr *)&at, size), 0);
        cr_assert_eq(listen(sockets[i], 1), 0);
        getsockname(sockets[i], (struct sockaddr *)&at, &size);
        ports[i] = ntohs(at.sin_port);
    }
}

/* How many of them are still open, a byte later. */
static int still_held(int count)
{
    int open = 0;
    for (int i = 0; i < count; i++) {
        char byte;
        const bool sent = held[i] >= 0 && send(held[i], "x", 1, MSG_NOSIGNAL) == 1;
        open += sent && recv(held[i], &byte, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN;
    }
    return open;
}

static void let_go(int count)
{
    for (int i = 0; i < count; i++)
        if (held[i] >= 0) close(held[i]);
}

/* Served at once, and not when the others' time is over. */
static void expect_served(const viewer *v)
{
    struct timespec begun, done;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    for (int i = 0; i < 3; i++) cr_assert_eq(viewer_get(v, "/run/model").status, 200);
    clock_gettime(CLOCK_MONOTONIC, &done);
    cr_assert_lt(done.tv_sec - begun.tv_sec, 10);
}

Test(view, who_holds_connections_keeps_nobody_out)
{
    viewer v = VIEWER(LIFE, "--steps", "1e9", "--view");
    hold(&v, HELD);
    expect_served(&v);
    cr_assert_gt(still_held(HELD), 200, "those of the run's own user may be many");
    let_go(HELD);
    viewer_stop(&v);
}

/* Another user has an eighth of them, while the run's own lose none; also from ports that the run's user has too. */
Test(view, another_user_has_few_connections)
{
    enum { OWN = 100, OTHERS = 120 };
    unsigned ports[OTHERS];
    int sockets[OTHERS], status;
    if (geteuid() != 0) cr_skip_test("only root can become another user");
    viewer v = VIEWER(LIFE, "--steps", "1e9", "--view");
    hold(&v, OWN);
    take_ports(ports, sockets, OTHERS);
    const pid_t other = fork();
    if (other == 0) {
        if (setgid(65534) != 0 || setuid(65534) != 0) _exit(99);
        hold_from(ports, &v, OTHERS);
        for (int i = 0; i < 100 && still_held(OTHERS) > 32; i++) usleep(100000); /* until all have had their turn */
        _exit(still_held(OTHERS));
    }
    waitpid(other, &status, 0);
    for (int i = 0; i < OTHERS; i++) close(sockets[i]);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) != 99);
    cr_assert(WEXITSTATUS(status) >= 16 && WEXITSTATUS(status) <= 32, "it holds %d", WEXITSTATUS(status));
    cr_assert_eq(still_held(OWN), OWN);
    expect_served(&v);
    let_go(OWN);
    viewer_stop(&v);
}

static void have_64_files(void) { setrlimit(RLIMIT_NOFILE, &(const struct rlimit){64, 64}); }
static void have_24_files(void) { setrlimit(RLIMIT_NOFILE, &(const struct rlimit){24, 24}); }

/* A run whose files are few leaves viewers what it does not need itself. */
Test(view, connections_leave_the_run_its_files)
{
    viewer v = {.run = command_start(&(const setting){.prepare = have_64_files},
                                     ARGUMENTS(LIFE, "--steps", "1e9", "--view", "--checkpoint", scratch("out"),
                                               "--log", "population"))};
    viewer_found(&v);
    hold(&v, 100);
    expect_served(&v);
    for (int i = 0; i < 3; i++) {
        kill(v.run.id, SIGUSR1);
        usleep(100000);
    }
    kill(v.run.id, SIGINT);
    const outcome o = command_finish(&v.run);
    cr_assert_eq(o.status, 130, "%s", o.err);
    cr_assert(!strstr(o.err, "no checkpoint") && !strstr(o.err, "Too many"), "%s", o.err);
    let_go(100);
    REFUSED(RUN_WITH(IN(.prepare = have_24_files), LIFE, "--view"), MASS_FAILED, "--view needs at least ",
            " open files (ulimit -n), and 24 are allowed");
}

/* Byte by byte, a request takes as long as its sender likes; and the library counts from the last one. */
Test(view, a_request_has_one_time_for_all_its_bytes)
{
    const int seconds = extended(0, 25);
    if (!seconds) cr_skip_test("it takes that long: tools/test.sh --long");
    viewer v = VIEWER(LIFE, "--steps", "1e9", "--view");
    hold(&v, 10);
    for (int i = 0; i < 10; i++) {
        cr_assert_eq(still_held(10), 10, "after %d s", i);
        sleep(1);
    }
    for (int i = 10; i < seconds && still_held(10) > 0; i++) sleep(1);
    cr_assert_eq(still_held(10), 0);
    expect_served(&v);
    let_go(10);
    viewer_stop(&v);
}

/* ---- where it cannot be ---- */

Test(view, places_that_are_taken_are_refused)
{
    viewer v = VIEWER(LIFE, "--steps", "1e9", "--view");
    const char *at = path_of("--view=%d", v.port);
    REFUSED(RUN(LIFE, at), 2, "another program uses the port");
    viewer_stop(&v);
    file_write_text(scratch("there"), "mine");
    REFUSED(RUN(LIFE, path_of("--view=unix:%s", scratch("there"))), 2, "exists already");
    cr_assert(file_exists(scratch("there")));
    REFUSED(RUN(LIFE, path_of("--view=unix:%s", scratch("no/such/folder"))), 2, "No such file or directory");
    REFUSED(RUN(LIFE, "--view=0"), 2, "--view=0");
    REFUSED(RUN(LIFE, "--view-wait"), 2, "--view-wait needs --view");
}

Test(view, a_socket_is_its_owners_and_goes_with_the_run)
{
    const char *path = kept(strdup(scratch("socket")));
    viewer v = {.run = command_start(NULL, ARGUMENTS(LIFE, "--steps", "1e9", path_of("--view=unix:%s", path))),
                .path = path};
    command_await(&v.run, "/#");
    usleep(20000);
    snprintf(v.token, sizeof v.token, "%s", strstr(command_errors(&v.run), "/#") + 2);
    cr_assert(strstr(command_errors(&v.run), path_of("ssh -L 8080:%s HOST, and open", path)));
    struct stat about;
    cr_assert(stat(path, &about) == 0 && S_ISSOCK(about.st_mode) && (about.st_mode & 077) == 0);
    cr_assert_eq(viewer_get(&v, "/run/model").status, 200);
    viewer_stop(&v);
    cr_assert_not(file_exists(path));
}

Test(view, a_build_without_it_says_so)
{
    folder_make(scratch("bin"));
    const char *copy = kept(strdup(scratch("bin/mass-engine")));
    file_copy(getenv("MASS_ENGINE"), copy);
    cr_assert_eq(chmod(copy, 0755), 0);
    setenv("MASS_ENGINE", copy, 1);
    REFUSED(RUN("--plugin", shipped("life"), "--view"), 5, "there is no view in this build", "libmicrohttpd-dev");
}
