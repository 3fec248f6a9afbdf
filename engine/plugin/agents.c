/* SPDX-License-Identifier: Apache-2.0 */
/* Services for populations: their declaration, and reading them in a run. */
#include "plugin/services.h"
#include "population/gather.h"

#include <stdlib.h>
#include <string.h>

/* ---- declarations ---- */

/* Copies the condition of a declaration, if there is one, into `own`, and points *c to that. */
static mass_status take_condition(mass_engine_host *h, const mass_condition **c, uint32_t size, mass_condition *own)
{
    static const mass_sized sized = {"condition", sizeof *own, MASS_THROUGH(mass_condition, value)};
    if (!*c) return MASS_OK;
    const mass_status status = mass_sized_take(&sized, own, *c, size, h->error);
    *c = own;
    return status;
}

/* Adds a population to the model. If a limit of extents is set, it has at most one agent for each place. */
static mass_status declare_population(mass_host *host, const mass_population *d)
{
    mass_engine_host *h = self(host);
    static const mass_sized sized = {"drawn", sizeof(mass_drawn), MASS_THROUGH(mass_drawn, palette)};
    mass_population own;
    mass_drawn drawn;
    mass_status status = TAKE(population, space);
    if (status == MASS_OK && own.drawn) {
        status = mass_sized_take(&sized, &drawn, own.drawn, own.drawn_size, h->error);
        own.drawn = &drawn;
    }
    if (status == MASS_OK) status = mass_model_add_population(h->model, &own, h->error);
    mass_population_def *p = &h->model->populations[h->model->population_count ? h->model->population_count - 1 : 0];
    const mass_gidx places = status == MASS_OK ? mass_space_places(&h->model->spaces[p->space]) : 0;
    if (status == MASS_OK && h->opening->extent_limit && p->count > places) p->count = places;
    return status;
}

/* Adds a phase over agents, with its condition, to the model. */
static mass_status declare_agent_phase(mass_host *host, const mass_agent_phase *d)
{
    mass_agent_phase own;
    mass_condition condition;
    mass_status status = TAKE(phase, callback);
    if (status == MASS_OK) status = take_condition(self(host), &own.condition, own.condition_size, &condition);
    return status == MASS_OK ? mass_model_add_agent_phase(self(host)->model, &own, self(host)->error) : status;
}

/* Adds a phase that manages a population, with its condition, to the model. */
static mass_status declare_manage(mass_host *host, const mass_manage *d)
{
    mass_manage own;
    mass_condition condition;
    mass_status status = TAKE(manage, population);
    if (status == MASS_OK) status = take_condition(self(host), &own.condition, own.condition_size, &condition);
    return status == MASS_OK ? mass_model_add_manage(self(host)->model, &own, self(host)->error) : status;
}

/* ---- the run ---- */

/* Returns the population of that name in the current run, or -1 with an error, also if there is no such world, or
 * before it has its agents. */
static int find_population(mass_engine_host *h, const char *name, int32_t world)
{
    const int p = h->domain ? mass_model_find_population(h->model, name) : -1;
    if (p >= 0 && h->domain->populations[p].populated && world >= 0 && world < h->domain->share.worlds) return p;
    mass_error_set(h->error, MASS_BAD_PLUGIN, "it asks for population '%s' of world %d, which is not there",
                   name ? name : "", world);
    return -1;
}

/* Finds the range of a world's agents among those of all worlds, from range[0] to before range[1]. */
static mass_status find_agents(mass_engine_host *h, int population, int32_t world, uint64_t range[2])
{
    const size_t bytes = (size_t)h->domain->share.worlds * sizeof *range;
    uint64_t *counts = malloc(bytes);
    if (!counts) return mass_error_memory(h->error, bytes, "counts of agents");
    const mass_status status = mass_population_count_worlds(h->domain, (uint32_t)population, counts, h->error);
    range[0] = 0;
    for (int32_t w = 0; status == MASS_OK && w < world; w++) range[0] += counts[w];
    range[1] = range[0] + (status == MASS_OK ? counts[world] : 0);
    free(counts);
    return status;
}

/* Sets *count to the agents of a population in a world. Refuses a population or a world that there is not. */
static mass_status run_agents(mass_host *host, const char *population, int32_t world, int64_t *count)
{
    uint64_t range[2];
    const int p = find_population(self(host), population, world);
    if (p < 0) return self(host)->error->status;
    const mass_status status = find_agents(self(host), p, world, range);
    if (status == MASS_OK) *count = (int64_t)(range[1] - range[0]);
    return status;
}

/* Reads an attribute of at most `count` agents of a world, in canonical order. */
static mass_status run_read_agents(mass_host *host, const char *population, const char *attribute, int32_t world,
                                   int64_t count, void *data)
{
    mass_engine_host *h = self(host);
    uint64_t range[2];
    const int p = find_population(h, population, world);
    const int a = p < 0 || !attribute ? -1 : mass_model_named_agent_attribute(h->model, (uint32_t)p, attribute);
    if (a < 0)
        return mass_error_set(h->error, MASS_BAD_PLUGIN, "it reads attribute '%s' of population '%s', which it did not "
                              "declare", attribute ? attribute : "", population ? population : "");
    uint64_t agents;
    mass_status status = find_agents(h, p, world, range);
    if (status == MASS_OK) status = mass_population_count(h->domain, (uint32_t)p, &agents, h->error);
    if (status != MASS_OK) return status;
    const size_t size = mass_element_size(&h->model->attributes[a]);
    const int64_t most = (int64_t)(range[1] - range[0]);
    char *all = malloc((agents + 1) * size);
    if (!all) return mass_error_memory(h->error, agents * size, "a copy of an attribute");
    status = mass_population_read(h->domain, (uint32_t)a, all, h->error);
    if (status == MASS_OK && count > 0)
        memcpy(data, all + range[0] * size, (size_t)(count < most ? count : most) * size);
    free(all);
    return status;
}

const mass_agents_table mass_host_agents_table = {sizeof mass_host_agents_table, declare_population,
    declare_agent_phase, declare_manage, run_agents, run_read_agents};
