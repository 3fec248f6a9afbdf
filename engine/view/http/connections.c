/* SPDX-License-Identifier: Apache-2.0 */
#include "view/http/connections.h"

#include <dirent.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    MOST = 256, LEAST = 4, /* connections */
    SHUT = 4,              /* connections that are shut down, but not yet closed */
    OF_RUN = 16,           /* open files that a run needs */
    OTHERS_PART = 2, ANOTHER_PART = 8, /* divisors: other users together have 1/2 of all connections, and each of them
                                          1/8 */
    WHOLE = 20 /* seconds until a request is complete, and again until a client without the token has its answer */
};

typedef struct connection {
    int file;
    uid_t user;
    double since; /* start of the wait for the request, or for its answer to be sent */
    bool whole;   /* the request is complete */
    bool knows;   /* it has shown the token, in this request or an earlier one */
    bool shut;
    struct connection *before, *after;
} connection;

struct mass_view_connections {
    connection ring; /* head of a list; the oldest is next */
    unsigned most;
    unsigned port;  /* of the server; 0: it has a path */
    uid_t accepted; /* user of the connection that begins next */
};

/* Returns the monotonic clock's time in seconds. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- the number of connections ---- */

/* Returns the number of open files of this process, and one to three more. */
static uint64_t count_open_files(void)
{
    DIR *all = opendir("/proc/self/fd");
    uint64_t count = 0;
    while (all && readdir(all)) count++;
    if (all) closedir(all);
    return count;
}

/* Returns the port of a socket; 0 for a socket in the file system. */
static unsigned port_of(int listening)
{
    struct sockaddr_in6 at = {0};
    socklen_t size = sizeof at;
    if (getsockname(listening, (struct sockaddr *)&at, &size) != 0) return 0;
    if (at.sin6_family == AF_INET) return ntohs(((const struct sockaddr_in *)(const void *)&at)->sin_port);
    return at.sin6_family == AF_INET6 ? ntohs(at.sin6_port) : 0;
}

mass_status mass_view_connections_create(int listening, mass_view_connections **out, mass_error *error)
{
    struct rlimit limit;
    uint64_t taken = count_open_files() + OF_RUN + SHUT, most = MOST;
    const bool limited = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    if (limited && limit.rlim_cur < taken + LEAST)
        return mass_error_set(error, MASS_FAILED, "--view needs at least %llu open files (ulimit -n), and %llu are "
                              "allowed: raise the limit, or run without --view", (unsigned long long)taken + LEAST,
                              (unsigned long long)limit.rlim_cur);
    if (limited && limit.rlim_cur - taken < most) most = limit.rlim_cur - taken;
    mass_view_connections *all = calloc(1, sizeof *all);
    if (!all) return mass_error_memory(error, sizeof *all, "--view");
    all->most = (unsigned)most;
    all->port = port_of(listening);
    all->ring.before = all->ring.after = &all->ring;
    *out = all;
    return MASS_OK;
}

void mass_view_connections_free(mass_view_connections *all) { free(all); }

unsigned mass_view_connections_limit(const mass_view_connections *all) { return all->most + SHUT; }

/* ---- users ---- */

/* Writes a socket as /proc/net/tcp and tcp6 do: the address in words of the host's byte order, and the port. */
enum { SOCKET_TEXT = 48 };

/* Writes an address and port as the kernel's table of sockets does. Returns false if the address is neither IPv4 nor
 * IPv6. */
static bool write_socket(const struct sockaddr *of, char text[static SOCKET_TEXT])
{
    const struct sockaddr_in *four = (const void *)of;
    const struct sockaddr_in6 *six = (const void *)of;
    uint32_t words[4];
    memcpy(words, &six->sin6_addr, of->sa_family == AF_INET6 ? sizeof words : 0);
    if (of->sa_family == AF_INET)
        snprintf(text, SOCKET_TEXT, "%08X:%04X", four->sin_addr.s_addr, ntohs(four->sin_port));
    else if (of->sa_family == AF_INET6)
        snprintf(text, SOCKET_TEXT, "%08X%08X%08X%08X:%04X", words[0], words[1], words[2], words[3],
                 ntohs(six->sin6_port));
    return of->sa_family == AF_INET || of->sa_family == AF_INET6;
}

/* Reads the user from a line of the table: number, own address and port, the other's, state, queues, timer, retries,
 * user. `server` is the other's port. Several sockets may have the same port, if their destinations differ or a
 * connection has ended. Returns false if the line is of another connection. */
static bool read_user(const char *line, const char *peer, unsigned server, uid_t *user)
{
    char own[SOCKET_TEXT];
    unsigned other, state, found;
    if (sscanf(line, " %*u: %47[0-9A-F:] %*[0-9A-F]:%x %x %*x:%*x %*x:%*x %*x %u", own, &other, &state, &found) != 4 ||
        strcmp(own, peer) != 0 || other != server || state != TCP_ESTABLISHED) return false;
    *user = found;
    return true;
}

/* Returns the user of this host who owns the peer's socket, or -1 if none does. `server` is the port of the server.
 * Sockets in the file system belong to the run's user. */
static uid_t user_of(const struct sockaddr *peer, socklen_t size, unsigned server)
{
    uid_t user = (uid_t)-1;
    char line[512], text[SOCKET_TEXT];
    if (size < sizeof(sa_family_t) || !write_socket(peer, text)) return geteuid();
    FILE *file = fopen(peer->sa_family == AF_INET6 ? "/proc/self/net/tcp6" : "/proc/self/net/tcp", "re");
    while (file && fgets(line, sizeof line, file) && !read_user(line, text, server, &user)) continue;
    if (file) fclose(file);
    return user;
}

/* Returns whether a user is neither the run's user nor root. */
static bool is_other(uid_t user) { return user != geteuid() && user != 0; }

/* ---- space for another connection ---- */

typedef struct counts {
    unsigned all, others, of_user;
} counts;

/* Returns the numbers of open connections: all, those of other users, and those of `user`. */
static counts count(const mass_view_connections *all, uid_t user)
{
    counts n = {0};
    for (const connection *c = all->ring.after; c != &all->ring; c = c->after) {
        n.all += !c->shut;
        n.others += !c->shut && is_other(c->user);
        n.of_user += !c->shut && c->user == user;
    }
    return n;
}

/* Connections of `user`, of all other users, or all. */
typedef enum choice { OF_USER, OF_OTHERS, OF_ALL } choice;

/* Returns whether a connection may be shut to make space: it never showed the token, and is of the given choice. */
static bool suits(const connection *c, choice among, uid_t user)
{
    if (c->shut || c->knows) return false;
    return among == OF_ALL || (among == OF_OTHERS ? is_other(c->user) : c->user == user);
}

/* Shuts a connection. Its record stays until the library closes it. */
static void shut(connection *c)
{
    shutdown(c->file, SHUT_RDWR); /* the library notices and closes it */
    c->shut = true;
}

/* Shuts the oldest connection that suits the choice. Returns false if there is none. */
static bool shut_oldest(mass_view_connections *all, choice among, uid_t user)
{
    for (connection *c = all->ring.after; c != &all->ring; c = c->after)
        if (suits(c, among, user)) {
            shut(c);
            return true;
        }
    return false;
}

/* Returns the given part of a number, at least 1. */
static unsigned part(unsigned all, unsigned parts) { return all / parts ? all / parts : 1; }

enum MHD_Result mass_view_connections_accept(void *connections, const struct sockaddr *peer, socklen_t size)
{
    mass_view_connections *all = connections;
    const uid_t user = all->accepted = user_of(peer, size, all->port);
    const counts n = count(all, user);
    bool room = true;
    if (is_other(user) && n.of_user >= part(all->most, ANOTHER_PART)) room = shut_oldest(all, OF_USER, user);
    else if (is_other(user) && n.others >= part(all->most, OTHERS_PART)) room = shut_oldest(all, OF_OTHERS, user);
    else if (n.all >= all->most) room = shut_oldest(all, OF_OTHERS, user) || shut_oldest(all, OF_ALL, user);
    return room ? MHD_YES : MHD_NO;
}

/* Records a new connection as the newest, with the user last accepted. Shuts it if memory is short. */
static void begin(mass_view_connections *all, struct MHD_Connection *c, void **context)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);
    connection *made = calloc(1, sizeof *made);
    if (!made || !info) {
        if (info) shutdown(info->connect_fd, SHUT_RDWR);
        free(made);
        return;
    }
    *made = (connection){.file = info->connect_fd, .user = all->accepted, .since = now(), .before = all->ring.before,
                         .after = &all->ring};
    made->before->after = made->after->before = made;
    *context = made;
}

/* Removes a connection from the list and frees it. */
static void end(void **context)
{
    connection *c = *context;
    if (!c) return;
    c->before->after = c->after;
    c->after->before = c->before;
    free(c);
    *context = NULL;
}

void mass_view_connections_notify(void *connections, struct MHD_Connection *c, void **context,
                                  enum MHD_ConnectionNotificationCode code)
{
    if (code == MHD_CONNECTION_NOTIFY_STARTED) begin(connections, c, context);
    else end(context);
}

/* ---- requests ---- */

/* Returns the record of a connection, or one record for all that have none. */
static connection *find(struct MHD_Connection *c)
{
    static connection none;
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info && info->socket_context ? info->socket_context : &none;
}

/* Sets whether a connection's request is complete. A change restarts its time. */
static void set_whole(struct MHD_Connection *c, bool whole)
{
    connection *found = find(c);
    if (found->whole != whole) found->since = now();
    found->whole = whole;
}

void mass_view_connection_note_request(struct MHD_Connection *c) { set_whole(c, true); }
void mass_view_connection_note_answer(struct MHD_Connection *c) { set_whole(c, false); }
void mass_view_connection_note_token(struct MHD_Connection *c) { find(c)->knows = true; }

int mass_view_connections_expire(mass_view_connections *all)
{
    const double t = now();
    double next = -1;
    for (connection *c = all->ring.after; c != &all->ring; c = c->after) {
        const double left = c->since + WHOLE - t;
        if (c->shut || (c->whole && c->knows)) continue;
        if (left <= 0) shut(c);
        else if (next < 0 || left < next) next = left;
    }
    return next < 0 ? -1 : (int)(1000 * next) + 1;
}
