/* SPDX-License-Identifier: Apache-2.0 */
/* The engine as a plugin sees it: the tables of <mass/plugin.h>, writing into a model and reading
 * and writing a domain. Main thread. */
#ifndef MASS_ENGINE_HOST_H
#define MASS_ENGINE_HOST_H

#include "state/domain.h"

/* One --set NAME=VALUE, or one parameter of a file or of a checkpoint. */
typedef struct mass_setting {
    const char *name, *value;
    const char *where; /* it stands, for messages: "FILE, line 3"; NULL: not in a file */
} mass_setting;

/* What a plugin is opened with. Borrowed by the host for as long as it lives. */
typedef struct mass_opening {
    const mass_setting *settings;
    uint32_t setting_count;
    mass_gidx size[3]; /* --size, `dimensions` extents; dimensions 0: the plugin's default */
    uint32_t dimensions;
    const mass_model *stored; /* spaces of the checkpoint being resumed, whose extents go before; or NULL */
    mass_gidx extent_limit; /* extents are cut to this; 0: not */
    uint64_t seed;
    bool resumed, quiet;
    bool loaded; /* files give attributes of places their values */
    bool explained; /* in a trial: it is for --explain */
} mass_opening;

typedef struct mass_engine_host {
    mass_host host; /* first, so that a mass_host * is one of these */
    const mass_opening *opening;
    mass_model *model;
    mass_domain *domain; /* NULL while the plugin declares */
    uint64_t step;
    bool opened;  /* the plugin's open went through, so that all its parameters are known */
    bool loading; /* its load is running */
    mass_key_list keys; /* that the plugin looked at last */
    /* Of its stream. */
    mass_status (*read_items)(mass_host *, uint64_t given, void *data, int64_t room, int64_t *count);
    mass_error *error; /* of the call into the plugin that is under way */
} mass_engine_host;

/* Calls the plugin's open and resolves the model, which the caller frees with mass_model_free also
 * on failure. Settings that the model does not have are the user's mistake. */
mass_status mass_host_open(mass_engine_host *h, const mass_plugin *plugin, const mass_opening *opening,
                           mass_model *model, mass_error *error);

/* Call the plugin's load and finish, if it has them. */
mass_status mass_host_load(mass_engine_host *h, const mass_plugin *plugin, mass_domain *domain, mass_error *error);
mass_status mass_host_finish(mass_engine_host *h, const mass_plugin *plugin, mass_domain *domain, uint64_t step,
                             mass_error *error);

#endif
