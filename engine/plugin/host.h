/* SPDX-License-Identifier: Apache-2.0 */
/* The engine as a plugin sees it: the tables of <mass/plugin.h>, which write to a model, and read and write a domain.
 * Main thread. */
#ifndef MASS_ENGINE_HOST_H
#define MASS_ENGINE_HOST_H

#include "network/edges.h"
#include "state/domain.h"

/* One --set NAME=VALUE, or one parameter of a file or of a checkpoint. */
typedef struct mass_setting {
    const char *name, *value;
    const char *where; /* its place, for messages: "FILE, line 3"; NULL: not in a file */
} mass_setting;

/* The settings for opening a plugin. The host borrows them for its lifetime. */
typedef struct mass_opening {
    const mass_setting *settings;
    uint32_t setting_count;
    mass_gidx size[3]; /* --size, `dimensions` extents; dimensions 0: the plugin's default */
    uint32_t dimensions;
    const mass_model *stored; /* model of the checkpoint that is resumed, whose extents have precedence; or NULL */
    mass_gidx extent_limit; /* greatest extent, for trials; 0: no limit */
    uint64_t seed;
    bool resumed, quiet;
    bool loaded; /* files set place attributes */
    bool explained; /* a trial for --explain */
    int threads; /* that make networks; 0: as many as mass_threads_default says */
    mass_edge_reader *read_edges; /* of networks' files; NULL: the reader of text files */
} mass_opening;

typedef struct mass_engine_host {
    mass_host host; /* first, so that a mass_host * can be cast to this */
    const mass_opening *opening;
    mass_model *model;
    mass_domain *domain; /* NULL while the plugin declares */
    uint64_t step;
    bool opened;  /* the plugin's open succeeded, so that all parameters are known */
    bool loading; /* the plugin's load is running */
    bool fitted;  /* load's last agents were fitted to the small space of a trial */
    struct mass_placed *placed; /* agents that load has added so far, or NULL; owned while it runs */
    mass_key_list keys; /* the keys that the plugin read last */
    /* Reads the plugin's stream. */
    mass_status (*read_items)(mass_host *, uint64_t given, void *data, int64_t room, int64_t *count);
    mass_error *error; /* of the current call into the plugin */
} mass_engine_host;

/* Sets *h and *model, calls the plugin's open and resolves the model. *h borrows `opening` and `model`. The caller
 * frees the model with mass_model_free, also on failure. Reports settings that the model does not have as the user's
 * mistake. */
mass_status mass_host_open(mass_engine_host *h, const mass_plugin *plugin, const mass_opening *opening,
                           mass_model *model, mass_error *error);

/* After mass_host_open has failed for `why`, before it compared names: sets the error to that of a name among the
 * settings that no parameter has. Opens the plugin once more, without settings, to know its parameters. If that fails
 * too, they may not be all, so the error is `why` with a hint. Returns false, and sets nothing, if all are known. */
bool mass_host_blame_name(const mass_engine_host *failed, const mass_plugin *plugin, const mass_opening *opening,
                          const mass_error *why, mass_error *error);

/* Call the plugin's load and finish, if it has them. The first then makes the agents that load has added the first
 * agents of their populations. The second frees the keys that finish has read. step: the last one of the run. */
mass_status mass_host_load(mass_engine_host *h, const mass_plugin *plugin, mass_domain *domain, mass_error *error);
mass_status mass_host_finish(mass_engine_host *h, const mass_plugin *plugin, mass_domain *domain, uint64_t step,
                             mass_error *error);

#endif
