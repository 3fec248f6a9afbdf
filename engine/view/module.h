/* SPDX-License-Identifier: Apache-2.0 */
/* The interface of the module that serves a run to browsers: one symbol. The module knows HTTP, and nothing of runs. */
#ifndef MASS_ENGINE_VIEW_MODULE_H
#define MASS_ENGINE_VIEW_MODULE_H

#include "base/error.h"
#include "view/desk.h"

typedef struct mass_view_opening {
    uint32_t struct_size;
    int listening;     /* a listening socket, which the server closes */
    const char *token; /* required for requests about the run; valid for ever */
    mass_desk *desk;   /* the queue of questions, which the server uses through these functions of desk.h */
    bool (*ask)(mass_desk *, const mass_view_question *, const char *body, size_t body_size, void *asker);
    mass_view_slip *(*take)(mass_desk *);
    void (*drop)(mass_desk *, mass_view_slip *);
    int (*expire)(mass_desk *);
    int (*bell)(const mass_desk *);
    void (*hear_bell)(mass_desk *);
    bool (*is_closed)(const mass_desk *);
    void (*set_viewers)(mass_desk *, int count);
} mass_view_opening;

typedef struct mass_view_server mass_view_server;

typedef struct mass_view_module {
    uint32_t struct_size;
    /* Makes a server. On failure *out is unchanged, and the caller keeps the socket. Main thread. */
    mass_status (*open)(const mass_view_opening *, mass_view_server **out, mass_error *error);
    /* Serves until the desk is closed, and frees the server. Runs in its own thread. */
    void (*serve)(mass_view_server *);
    /* Frees a server that has never served. */
    void (*close)(mass_view_server *);
} mass_view_module;

#define MASS_VIEW_MODULE mass_view_module_symbol
#define MASS_VIEW_MODULE_NAME "mass_view_module_symbol"

#endif
