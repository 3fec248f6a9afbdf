/* SPDX-License-Identifier: Apache-2.0 */
/* What the module that serves a run to browsers shows: one symbol. It knows HTTP, and nothing of runs. */
#ifndef MASS_ENGINE_VIEW_MODULE_H
#define MASS_ENGINE_VIEW_MODULE_H

#include "base/error.h"
#include "view/desk.h"

typedef struct mass_view_opening {
    uint32_t struct_size;
    int listening;     /* a socket that listens; the server's to close */
    const char *token; /* what who asks of the run has to know; stays valid */
    mass_desk *desk;   /* where questions go, by these: */
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
    /* On failure *out is untouched, and the socket still the caller's. Main thread. */
    mass_status (*open)(const mass_view_opening *, mass_view_server **out, mass_error *error);
    /* Serves until the desk is closed, and ends the server. A thread of its own. */
    void (*serve)(mass_view_server *);
    /* Ends one that has never served. */
    void (*close)(mass_view_server *);
} mass_view_module;

#define MASS_VIEW_MODULE mass_view_module_symbol
#define MASS_VIEW_MODULE_NAME "mass_view_module_symbol"

#endif
