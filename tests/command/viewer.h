/* SPDX-License-Identifier: Apache-2.0 */
/* Views a run as a browser does, with control of every byte that is sent. */
#ifndef MASS_TEST_VIEWER_H
#define MASS_TEST_VIEWER_H

#include "command.h"

typedef struct viewer {
    process run;
    int port; /* or */
    const char *path; /* of a socket */
    char token[33];
} viewer;

typedef struct reply {
    int status; /* 0: the connection was closed */
    char *head, *body; /* a zero byte follows the body */
    size_t size;
} reply;

/* Starts a run with --view or more in its arguments, and waits for its address. */
viewer viewer_start(const char *const arguments[]);
#define VIEWER(...) viewer_start(ARGUMENTS(__VA_ARGS__))

/* The same for a run that has been started. */
void viewer_found(viewer *v);
/* Ends the run as Ctrl-C does. */
void viewer_stop(viewer *v);

/* Returns a connection, or -1. */
int viewer_connect(const viewer *v);
int viewer_connect_from(const viewer *v, unsigned port); /* from this port; any port if it is 0 or in use */
/* Sends all bytes and reads one answer, on a connection of its own. */
reply viewer_send(const viewer *v, const char *request, size_t size);

/* The same for a GET, on a connection that stays open. */
reply viewer_get_on(const viewer *v, int file, const char *target);

/* Sends a request with these headers, each with its line end; NULL: those of a browser that knows the token. */
reply viewer_ask(const viewer *v, const char *method, const char *target, const char *headers, const char *body);
reply viewer_get(const viewer *v, const char *format, ...) __attribute__((format(printf, 2, 3)));
json_t *viewer_json(const viewer *v, const char *target);
/* Sends a command of --view=control. Returns the status. */
int viewer_control(const viewer *v, const char *body);
/* Lets the run go to a step, and waits for it. */
void viewer_run_to(const viewer *v, int step);

#endif
