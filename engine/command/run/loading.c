/* SPDX-License-Identifier: Apache-2.0 */
#include "command/run/loading.h"
#include "io/input/given.h"
#include "model/network.h"
#include "process/progress.h"
#include "process/signals.h"

#include <stdio.h>
#include <stdlib.h>

/* Refuses a second file for an attribute, unless both are for different components of it. last: the new one; those
 * before it are compared with it. */
static mass_status check_twice(const mass_loading *l, const mass_load *last, mass_error *error)
{
    for (const mass_load *other = l->loads; other < last; other++)
        if (other->attribute == last->attribute &&
            (other->component == last->component || other->component < 0 || last->component < 0))
            return mass_error_set(error, MASS_BAD_USAGE, "--load gives %s twice", last->name);
    return MASS_OK;
}

/* Finds what each --load refers to. Refuses a second file for an attribute, or for a component of it. l->loads must
 * have room for all, and l->count be 0. */
static mass_status find_all(const mass_options *o, const mass_load_request *request, mass_loading *l, mass_error *error)
{
    mass_status status = MASS_OK;
    for (; status == MASS_OK && l->count < o->load_count; l->count++) {
        mass_load *load = &l->loads[l->count];
        status = mass_load_find(request, o->loads[l->count], load, error);
        if (status == MASS_OK) status = check_twice(l, load, error);
    }
    return status;
}

/* Says which columns of networks' files are not used. */
static void say_unused(const mass_model *m)
{
    for (uint32_t i = 0; m->networks && i < m->networks->count; i++) {
        const mass_network_def *const n = &m->networks->list[i];
        char names[MASS_EDGE_COLUMNS * (MASS_EDGE_NAME + 8)] = "";
        for (uint32_t k = 0, used = 0; k < n->unused_count; k++)
            used += (uint32_t)snprintf(names + used, sizeof names - used, "%s'%s'",
                                       k == 0 ? "" : k + 1 < n->unused_count ? ", " : " and ", n->unused[k]);
        if (n->unused_count == 1)
            mass_progress_say("mass-engine: %s: its column %s is not used: the edges of %s have no such attribute",
                              n->file, names, n->name);
        if (n->unused_count > 1)
            mass_progress_say("mass-engine: %s: its columns %s are not used: the edges of %s have no such attributes",
                              n->file, names, n->name);
    }
}

mass_status mass_loading_read(const mass_options *o, mass_model *m, int32_t worlds, mass_loading *out,
                              mass_inputs *inputs, mass_error *error)
{
    const mass_load_request request = {m, worlds, o->first_world, out->sized};
    *out = (mass_loading){.sized = out->sized, .loads = calloc(o->load_count + 1, sizeof *out->loads)};
    if (!out->loads) return mass_error_memory(error, o->load_count * sizeof *out->loads, "a list of files");
    if (!o->quiet) say_unused(m);
    mass_status status = find_all(o, &request, out, error);
    if (status == MASS_OK) status = mass_given_by_loads(out->loads, out->count, m, error);
    for (uint32_t i = 0; status == MASS_OK && i < out->count; i++) {
        const mass_load *l = &out->loads[i];
        status = mass_load_read(&request, &out->loads[i], error);
        if (status == MASS_OK && l->transparent && !o->quiet)
            mass_progress_say("mass-engine: %s: its alpha is ignored: transparent pixels count by their colour alone",
                              l->file);
        if (status == MASS_OK) status = mass_inputs_add(inputs, l->name, l->file, l->hash, error);
        if (status == MASS_OK) status = mass_signals_check(error);
    }
    return status;
}

mass_status mass_loading_size(const mass_options *o, const mass_model *m, int32_t worlds, mass_gidx size[3],
                              uint32_t *dimensions, uint32_t *load, mass_error *error)
{
    const mass_load_request request = {m, worlds, o->first_world, NULL};
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && *dimensions == 0 && i < o->load_count; i++) {
        mass_load found;
        *load = i;
        status = mass_load_find(&request, o->loads[i], &found, error);
        if (status == MASS_OK && m->attributes[found.attribute].space == 0)
            status = mass_load_size(&request, &found, size, dimensions, error);
    }
    return status;
}

mass_status mass_loading_apply(mass_loading *l, mass_domain *d, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < l->count; i++) status = mass_load_apply(&l->loads[i], d, error);
    mass_loading_free(l);
    return status;
}

void mass_loading_free(mass_loading *l)
{
    for (uint32_t i = 0; i < l->count; i++) mass_load_free(&l->loads[i]);
    free(l->loads);
    *l = (mass_loading){0};
}
