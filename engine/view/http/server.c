/* SPDX-License-Identifier: Apache-2.0 */
/* A run in a browser, by HTTP. Every user of this host gets the page; only who knows the token gets data of the run.
 * One thread serves all. A request about the run is suspended until the run has answered. */
#include "view/authorize.h"
#include "view/http/connections.h"
#include "view/http/page.h"
#include "view/module.h"

#include <microhttpd.h>

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/select.h>
#include <unistd.h>

enum {
    MEMORY_MOST = 32 << 10, /* bytes of a request's line and headers */
    SILENT_MOST = 20,       /* seconds */
    FLUSH_TURNS = 20, FLUSH_MILLISECONDS = 25
};

/* A request, from its first line to the end of its answer. */
typedef struct visit {
    char *target;
    mass_view_server *server;
    struct MHD_Connection *connection;
    mass_view_question question;
    char *body;
    size_t body_size;
    bool begun, asked;
    mass_view_slip *slip; /* after it has been answered */
    struct visit *before, *after; /* in the list of suspended requests */
} visit;

struct mass_view_server {
    mass_view_opening opening;
    struct MHD_Daemon *daemon;
    mass_view_connections *connections;
    visit suspended; /* head of a list */
    bool closing;
    bool shown[FD_SETSIZE]; /* by file: the connection has shown the token */
    int viewers;
};

/* ---- answers ---- */

static const char *const headers[][2] = {
    {"Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
                                "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Cache-Control", "no-store"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Resource-Policy", "same-origin"}};

/* Queues an answer, and notes the request. Its bytes must remain until the request is over. After an error the
 * connection closes. */
static enum MHD_Result answer(struct MHD_Connection *c, unsigned status, const char *type, const void *bytes,
                              size_t size)
{
    struct MHD_Response *r = MHD_create_response_from_buffer(size, (void *)(uintptr_t)bytes, MHD_RESPMEM_PERSISTENT);
    if (!r) return MHD_NO;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        MHD_add_response_header(r, headers[i][0], headers[i][1]);
    if (type) MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    if (status >= 400) MHD_add_response_header(r, MHD_HTTP_HEADER_CONNECTION, "close");
    mass_view_connection_note_request(c);
    const enum MHD_Result queued = MHD_queue_response(c, status, r);
    MHD_destroy_response(r);
    return queued;
}

/* Answers with a status and no content. */
static enum MHD_Result refuse(struct MHD_Connection *c, unsigned status) { return answer(c, status, NULL, NULL, 0); }

/* Answers with a file of the page, or with 404 or 405. */
static enum MHD_Result answer_page(struct MHD_Connection *c, const char *method, const char *path)
{
    if (strcmp(path, "/") == 0) path = "/index.html";
    for (size_t i = 0; i < mass_view_page_files; i++) {
        const mass_view_page_file *f = &mass_view_page[i];
        if (strcmp(f->name, path + 1) != 0) continue;
        const bool gets = strcmp(method, MHD_HTTP_METHOD_GET) == 0;
        return gets ? answer(c, MHD_HTTP_OK, f->type, f->bytes, f->size) : refuse(c, MHD_HTTP_METHOD_NOT_ALLOWED);
    }
    return refuse(c, MHD_HTTP_NOT_FOUND);
}

/* ---- requests ---- */

/* Returns a request's header, or NULL. */
static const char *header(struct MHD_Connection *c, const char *name)
{
    return MHD_lookup_connection_value(c, MHD_HEADER_KIND, name);
}

/* Adds 1 to *count for each Host header. */
static enum MHD_Result count_hosts(void *count, enum MHD_ValueKind kind, const char *name, const char *value)
{
    (void)kind, (void)value;
    *(int *)count += strcasecmp(name, MHD_HTTP_HEADER_HOST) == 0;
    return MHD_YES;
}

/* Returns whether there is one Host header. With several, a proxy might have checked another one. */
static bool names_one_host(struct MHD_Connection *c)
{
    int count = 0;
    MHD_get_connection_values(c, MHD_HEADER_KIND, count_hosts, &count);
    return count == 1;
}

/* Returns true if a request's content type is JSON, with or without parameters. NULL is not. */
static bool is_json(const char *type)
{
    static const char json[] = "application/json";
    if (!type || strncmp(type, json, sizeof json - 1) != 0) return false;
    return type[sizeof json - 1] == '\0' || type[sizeof json - 1] == ';';
}

/* Sets whether a connection has shown the token. If so, it counts as a viewer while it is open. */
static void set_shown(mass_view_server *s, struct MHD_Connection *c, bool shown)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);
    const int file = info ? info->connect_fd : -1;
    if (file < 0 || file >= FD_SETSIZE || s->shown[file] == shown) return;
    s->shown[file] = shown;
    s->viewers += shown ? 1 : -1;
    s->opening.set_viewers(s->opening.desk, s->viewers);
}

/* Hears the library of a connection's beginning or end: it is no viewer yet, or no longer. */
static void notify(void *context, struct MHD_Connection *c, void **of_connection,
                   enum MHD_ConnectionNotificationCode code)
{
    mass_view_server *s = context;
    set_shown(s, c, false); /* at its beginning and at its end */
    mass_view_connections_notify(s->connections, c, of_connection, code);
}

/* Checks the head of a request. Notes a right token, and reads a question about the run into v. Returns 200, or the
 * status of a refusal. */
static unsigned judge(visit *v, const char *method)
{
    struct MHD_Connection *c = v->connection;
    const char *host = header(c, MHD_HTTP_HEADER_HOST);
    if (host && !names_one_host(c)) return MHD_HTTP_BAD_REQUEST;
    if (!mass_view_host_is_local(host) || !mass_view_origin_fits(header(c, MHD_HTTP_HEADER_ORIGIN), host))
        return MHD_HTTP_FORBIDDEN;
    if (!mass_view_is_of_run(v->target)) return MHD_HTTP_OK;
    if (!mass_view_token_fits(header(c, MHD_HTTP_HEADER_AUTHORIZATION), v->server->opening.token))
        return MHD_HTTP_FORBIDDEN;
    mass_view_connection_note_token(c);
    set_shown(v->server, c, true);
    const int status = mass_view_question_read(method, v->target, &v->question);
    if (status != MHD_HTTP_OK) return (unsigned)status;
    const bool posts = v->question.kind == MASS_VIEW_CONTROL;
    if (posts && !is_json(header(c, MHD_HTTP_HEADER_CONTENT_TYPE))) return MHD_HTTP_UNSUPPORTED_MEDIA_TYPE;
    const char *length = header(c, MHD_HTTP_HEADER_CONTENT_LENGTH);
    if (length && strtoull(length, NULL, 10) > (posts ? MASS_VIEW_BODY_MOST : 0)) return MHD_HTTP_CONTENT_TOO_LARGE;
    return MHD_HTTP_OK;
}

/* Appends to the body of a request. Returns false if it is too long, if the question takes none, or memory is short. */
static bool take_body(visit *v, const char *bytes, size_t size)
{
    if (v->question.kind != MASS_VIEW_CONTROL || v->body_size + size > MASS_VIEW_BODY_MOST) return false;
    char *larger = realloc(v->body, v->body_size + size);
    if (!larger) return false;
    memcpy(larger + v->body_size, bytes, size);
    v->body = larger;
    v->body_size += size;
    return true;
}

/* Adds a request to the list of suspended ones. */
static void link_suspended(visit *v)
{
    visit *head = &v->server->suspended;
    v->before = head->before;
    v->after = head;
    head->before->after = v;
    head->before = v;
}

/* Takes a request off the list of suspended ones and lets the library go on with it. */
static void resume(visit *v)
{
    v->before->after = v->after;
    v->after->before = v->before;
    MHD_resume_connection(v->connection);
}

/* Passes a complete request to the run, and suspends it. Answers 503 if the desk takes no more. */
static enum MHD_Result ask(visit *v)
{
    const mass_view_opening *o = &v->server->opening;
    if (v->server->closing || !o->ask(o->desk, &v->question, v->body, v->body_size, v))
        return refuse(v->connection, MHD_HTTP_SERVICE_UNAVAILABLE);
    v->asked = true;
    mass_view_connection_note_request(v->connection);
    link_suspended(v);
    MHD_suspend_connection(v->connection);
    return MHD_YES;
}

/* Handles a request. MHD calls it after the headers, for each part of the body, after the body, and when it is
 * resumed. */
static enum MHD_Result serve_request(void *context, struct MHD_Connection *c, const char *url, const char *method,
                                     const char *version, const char *upload, size_t *upload_size, void **of_request)
{
    (void)context;
    (void)version;
    visit *v = *of_request;
    if (!v) return MHD_NO;
    if (!v->begun) {
        v->begun = true;
        v->connection = c;
        const unsigned status = judge(v, method);
        if (status != MHD_HTTP_OK) return refuse(c, status);
        if (mass_view_is_of_run(v->target)) return MHD_YES;
        return answer_page(c, method, url);
    }
    if (*upload_size > 0) {
        const size_t size = *upload_size;
        *upload_size = 0;
        return take_body(v, upload, size) ? MHD_YES : refuse(c, MHD_HTTP_CONTENT_TOO_LARGE);
    }
    if (!v->asked) return ask(v);
    if (!v->slip) return refuse(c, MHD_HTTP_SERVICE_UNAVAILABLE);
    const mass_view_answer *a = &v->slip->answer;
    return answer(c, (unsigned)a->status, a->type, a->bytes, a->size);
}

/* Makes a visit, when MHD has the request's target. NULL if memory is short. */
static void *begin_visit(void *context, const char *uri, struct MHD_Connection *c)
{
    visit *v = calloc(1, sizeof *v);
    if (!v) return NULL;
    v->target = strdup(uri);
    v->server = context;
    v->connection = c;
    if (v->target) return v;
    free(v);
    return NULL;
}

/* Frees a request and the run's answer to it after its end. The connection may then have another. */
static void end_visit(void *context, struct MHD_Connection *c, void **of_request, enum MHD_RequestTerminationCode code)
{
    mass_view_server *s = context;
    visit *v = *of_request;
    (void)code;
    mass_view_connection_note_answer(c);
    if (!v) return;
    if (v->slip) s->opening.drop(s->opening.desk, v->slip);
    free(v->target);
    free(v->body);
    free(v);
    *of_request = NULL;
}

/* Discards messages, which the library would print. */
static void say_nothing(void *context, const char *format, va_list arguments)
{
    (void)context;
    (void)format;
    (void)arguments;
}

/* ---- the server ---- */

/* Starts the server on the listening socket, without a thread of its own. Leaves the socket open on failure. */
static mass_status open_server(const mass_view_opening *o, mass_view_server **out, mass_error *error)
{
    if (o->listening >= FD_SETSIZE || o->bell(o->desk) >= FD_SETSIZE)
        return mass_error_set(error, MASS_FAILED, "--view: too many files are open to serve the run");
    mass_view_connections *connections;
    const mass_status status = mass_view_connections_create(o->listening, &connections, error);
    if (status != MASS_OK) return status;
    mass_view_server *s = calloc(1, sizeof *s);
    if (!s) {
        mass_view_connections_free(connections);
        return mass_error_memory(error, sizeof *s, "--view");
    }
    s->opening = *o;
    s->connections = connections;
    s->suspended.before = s->suspended.after = &s->suspended;
    s->daemon = MHD_start_daemon(MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, mass_view_connections_accept,
                                 connections, serve_request, s, MHD_OPTION_EXTERNAL_LOGGER, say_nothing, NULL,
                                 MHD_OPTION_LISTEN_SOCKET, o->listening,
                                 MHD_OPTION_CONNECTION_LIMIT, mass_view_connections_limit(connections),
                                 MHD_OPTION_NOTIFY_CONNECTION, notify, s,
                                 MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MEMORY_MOST,
                                 MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SILENT_MOST,
                                 MHD_OPTION_STRICT_FOR_CLIENT, 1,
                                 MHD_OPTION_URI_LOG_CALLBACK, begin_visit, s,
                                 MHD_OPTION_NOTIFY_COMPLETED, end_visit, s, MHD_OPTION_END);
    if (!s->daemon) {
        mass_view_connections_free(connections);
        free(s);
        return mass_error_set(error, MASS_FAILED, "--view: libmicrohttpd cannot serve the run");
    }
    *out = s;
    return MASS_OK;
}

/* Takes the run's answers from the desk, all that are there, and resumes their requests. */
static void hand_out(mass_view_server *s)
{
    const mass_view_opening *o = &s->opening;
    for (mass_view_slip *slip; (slip = o->take(o->desk));) {
        visit *v = slip->asker;
        v->slip = slip;
        resume(v);
    }
}

/* Returns the smaller of two times; a negative one is none. */
static int sooner(int a, int b) { return a < 0 ? b : b < 0 || a < b ? a : b; }

/* Returns the milliseconds until MHD has work, at most 1000; -1: none. */
static int next_turn(mass_view_server *s)
{
    MHD_UNSIGNED_LONG_LONG wait;
    if (MHD_get_timeout(s->daemon, &wait) != MHD_YES) return -1;
    return wait < 1000 ? (int)wait : 1000;
}

/* Waits until a socket is ready or the desk's bell rings, at most so many milliseconds (-1: no limit), and handles it.
 * It uses select, as edge-triggered epoll does not report a connection's end after part of a request was read. There
 * are few connections. */
static void take_turn(mass_view_server *s, int milliseconds)
{
    const mass_view_opening *o = &s->opening;
    struct timeval time = {milliseconds / 1000, milliseconds % 1000 * 1000};
    fd_set in, out, other;
    int most = o->bell(o->desk);
    FD_ZERO(&in);
    FD_ZERO(&out);
    FD_ZERO(&other);
    MHD_get_fdset(s->daemon, &in, &out, &other, &most);
    FD_SET(o->bell(o->desk), &in);
    if (select(most + 1, &in, &out, &other, milliseconds < 0 ? NULL : &time) < 0) {
        FD_ZERO(&in);
        FD_ZERO(&out);
        FD_ZERO(&other);
    }
    o->hear_bell(o->desk);
    hand_out(s);
    MHD_run_from_select(s->daemon, &in, &out, &other);
}

/* Sends the answers that exist, refuses all other requests, stops the server and frees it. */
static void finish(mass_view_server *s)
{
    s->closing = true;
    hand_out(s);
    while (s->suspended.after != &s->suspended) resume(s->suspended.after);
    for (int i = 0; i < FLUSH_TURNS; i++) {
        take_turn(s, FLUSH_MILLISECONDS);
        const union MHD_DaemonInfo *open = MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS);
        if (!open || open->num_connections == 0) break;
    }
    MHD_stop_daemon(s->daemon);
    mass_view_connections_free(s->connections);
    free(s);
}

/* Serves until the desk is closed, then sends what is left and frees the server. */
static void serve(mass_view_server *s)
{
    const mass_view_opening *o = &s->opening;
    while (!o->is_closed(o->desk)) {
        const int overdue = mass_view_connections_expire(s->connections);
        take_turn(s, sooner(overdue, sooner(next_turn(s), o->expire(o->desk))));
    }
    finish(s);
}

/* Stops the server, which closes its connections, and frees it. */
static void close_server(mass_view_server *s)
{
    MHD_stop_daemon(s->daemon);
    mass_view_connections_free(s->connections);
    free(s);
}

extern __attribute__((visibility("default"))) const mass_view_module MASS_VIEW_MODULE;
const mass_view_module MASS_VIEW_MODULE = {.struct_size = sizeof(mass_view_module), .open = open_server,
                                           .serve = serve, .close = close_server};
