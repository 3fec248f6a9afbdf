/* SPDX-License-Identifier: Apache-2.0 */
/* The services that the engine has for plugins, a table each, and what their functions share. They run within a call
 * into the plugin: what goes wrong is said to the host's error. Main thread. */
#ifndef MASS_ENGINE_SERVICES_H
#define MASS_ENGINE_SERVICES_H

#include "base/sized.h"
#include "plugin/host.h"

#include <mass/impl/seed.h>
#include <mass/streams.h>
#include <mass/tallies.h>

/* What a model consists of: declare.c, streams.c. */
extern const mass_declare_table mass_host_declare_table;
extern const mass_series_table mass_host_series_table;
extern const mass_reductions_table mass_host_reductions_table;
extern const mass_seed_table mass_host_seed_table;
extern const mass_streams_table mass_host_streams_table;
/* Populations, declared and as they are: agents.c. */
extern const mass_agents_table mass_host_agents_table;
/* Parameters and sizes: values.c. */
extern const mass_values_table mass_host_values_table;
/* The state of a run: results.c. */
extern const mass_run_table mass_host_run_table;
extern const mass_keys_table mass_host_keys_table;
extern const mass_tallies_table mass_host_tallies_table;

static inline mass_engine_host *self(mass_host *host) { return (mass_engine_host *)host; }

/* Takes what the plugin declares by d, of `size` bytes, into `own`, in the engine's size, if it may declare: while open
 * runs and nothing has failed. */
mass_status mass_host_take(mass_engine_host *h, const mass_sized *s, void *own, const void *d, uint32_t size);
/* The same in a function that has `host`, `own` and d; members up to `last` have to be there. */
#define TAKE(what, last)                                                                                       \
    mass_host_take(self(host), &(const mass_sized){#what, sizeof own, MASS_THROUGH(__typeof__(own), last)}, &own, d, \
                   d ? d->struct_size : 0)

/* Says what is wrong with a setting, and where it stands. Returns why->status. */
mass_status mass_host_refuse_setting(const mass_setting *s, const mass_error *why, mass_error *error);

/* What a call into the plugin came to: its status and the error it left have to agree. Every sentence starts with the
 * plugin's name. */
mass_status mass_host_conclude(mass_engine_host *h, const char *call, mass_status returned, mass_error *inner,
                               mass_error *error);

#endif
