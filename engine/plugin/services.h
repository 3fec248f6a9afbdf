/* SPDX-License-Identifier: Apache-2.0 */
/* The services of the engine for plugins, one table each, and what their functions share. They run during a call into
 * the plugin and report failures in the host's error. Main thread. */
#ifndef MASS_ENGINE_SERVICES_H
#define MASS_ENGINE_SERVICES_H

#include "base/sized.h"
#include "plugin/host.h"

#include <mass/impl/seed.h>
#include <mass/network.h>
#include <mass/streams.h>
#include <mass/tallies.h>

/* Declaring a model: declare.c, streams.c. */
extern const mass_declare_table mass_host_declare_table;
extern const mass_series_table mass_host_series_table;
extern const mass_reductions_table mass_host_reductions_table;
extern const mass_seed_table mass_host_seed_table;
extern const mass_streams_table mass_host_streams_table;
extern const mass_networks_table mass_host_networks_table;
/* Declaring and reading populations: agents.c. */
extern const mass_agents_table mass_host_agents_table;
/* Adding agents in load: placing.c. */
extern const mass_placing_table mass_host_placing_table;
/* Parameters and sizes: values.c. */
extern const mass_values_table mass_host_values_table;
/* The state of a run: results.c. */
extern const mass_run_table mass_host_run_table;
extern const mass_keys_table mass_host_keys_table;
extern const mass_tallies_table mass_host_tallies_table;

/* Returns the engine's host behind the plugin's. The latter is its first member. */
static inline mass_engine_host *self(mass_host *host) { return (mass_engine_host *)host; }

/* Copies a plugin's declaration d, of `size` bytes, into `own`, in the engine's size. Fails unless open is running and
 * nothing has failed. */
mass_status mass_host_take(mass_engine_host *h, const mass_sized *s, void *own, const void *d, uint32_t size);
/* Does so in a function that has `host`, `own` and d. Members up to `last` are mandatory. */
#define TAKE(what, last)                                                                                             \
    mass_host_take(self(host), &(const mass_sized){#what, sizeof own, MASS_THROUGH(__typeof__(own), last)}, &own, d, \
                   d ? d->struct_size : 0)

/* Reports what is wrong with a setting, and its place. Returns why->status. */
mass_status mass_host_refuse_setting(const mass_setting *s, const mass_error *why, mass_error *error);

/* Completes the networks after open, and refuses to resume with other edges. Part of mass_host_open. */
mass_status mass_host_settle_networks(mass_engine_host *h, mass_error *error);

/* Makes the agents that load has added those with which their populations start, except if the user gives a table.
 * MASS_BAD_PLUGIN if ids are not unique, or if a place cannot hold its agents. */
mass_status mass_placed_start(mass_engine_host *h, mass_error *error);
/* Frees what is left of the agents that load has added, after mass_placed_start or a failure; h->placed becomes
 * NULL. */
void mass_placed_free(mass_engine_host *h);

/* Returns the result of a call into the plugin, from the status that it returned and the error that it left. If it
 * failed without an error, says so. Every message begins with the plugin's name. h->error becomes NULL. */
mass_status mass_host_conclude(mass_engine_host *h, const char *call, mass_status returned, mass_error *inner,
                               mass_error *error);

#endif
