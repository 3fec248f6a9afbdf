/* SPDX-License-Identifier: Apache-2.0 */
#include "state/edges.h"
#include "model/network.h"
#include "state/changing_edges.h"

#include <stdlib.h>

/* `first`, `source` and `values` are the model's own memory if the device works there (mass_buffer_show). */
struct mass_domain_edges {
    mass_buffer first[MASS_SPACES_MAX], source[MASS_SPACES_MAX], values[MASS_EDGE_ATTRIBUTES_MAX];
    mass_changing_edges *changing[MASS_SPACES_MAX]; /* NULL: the edges do not change */
    mass_buffer *linked; /* [arrays of the model] copies of the linked ones */
};

/* Returns whether bodies read an array of linked nodes. */
static bool is_linked(const mass_model *m, uint32_t array)
{
    for (uint32_t i = 0; i < m->phase_count; i++)
        for (uint32_t k = 0; m->phases[i].callback && k < m->phases[i].callback->field_count; k++)
            if (mass_phase_class(&m->phases[i], k) == MASS_CLASS_LINKED && m->phases[i].targets[k].index == array)
                return true;
    return false;
}

/* Returns the space of an array. */
static const mass_space_def *space_of(const mass_model *m, uint32_t array)
{
    return &m->spaces[m->attributes[m->arrays[array].attribute].space];
}

/* Makes the memory for the copy of a linked array: the values of all nodes and worlds, then the default. All of
 * them are the default at first. */
static mass_status make_copy(mass_domain *d, uint32_t array, mass_error *error)
{
    const size_t size = d->model->arrays[array].element_size;
    const size_t values = (size_t)space_of(d->model, array)->size[0] * (size_t)d->worlds;
    mass_buffer *const copy = &d->networks->linked[array];
    uint8_t *initial = NULL;
    mass_status status = mass_array_initial(d->model, array, &initial, error);
    if (status == MASS_OK) status = mass_buffer_allocate(d->device, (values + 1) * size, copy, error);
    if (status == MASS_OK) status = mass_buffer_fill(*copy, initial, size, values + 1, error);
    free(initial);
    return status;
}

mass_status mass_domain_edges_create(mass_domain *d, mass_error *error)
{
    const struct mass_networks *const all = d->model->networks;
    if (!all) return MASS_OK;
    d->networks = calloc(1, sizeof *d->networks);
    if (d->networks) d->networks->linked = calloc(d->model->array_count + (size_t)1, sizeof *d->networks->linked);
    if (!d->networks || !d->networks->linked) return mass_error_memory(error, sizeof *d->networks, "a network");
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < all->count; i++) {
        const mass_edge_ends *const e = &all->list[i].ends;
        if (all->list[i].population >= 0) {
            d->networks->changing[i] = calloc(1, sizeof *d->networks->changing[i]);
            if (!d->networks->changing[i]) status = mass_error_memory(error, sizeof *d->networks, "a network");
            continue;
        }
        status = mass_buffer_show(d->device, e->first, ((size_t)e->nodes + 1) * sizeof *e->first,
                                  &d->networks->first[i], error);
        if (status == MASS_OK)
            status = mass_buffer_show(d->device, e->source, (size_t)e->count * sizeof *e->source,
                                      &d->networks->source[i], error);
    }
    for (uint32_t i = 0; status == MASS_OK && i < all->attribute_count; i++) {
        const mass_edge_attribute_def *const a = &all->attributes[i];
        if (all->list[a->network].population >= 0) continue;
        status = mass_buffer_show(d->device, a->values, ((size_t)all->list[a->network].ends.count + 1) * a->size,
                                  &d->networks->values[i], error);
    }
    for (uint32_t i = 0; status == MASS_OK && i < d->model->array_count; i++)
        if (is_linked(d->model, i)) status = make_copy(d, i, error);
    return status;
}

void mass_domain_edges_free(mass_domain *d)
{
    if (!d->networks) return;
    for (uint32_t i = 0; i < MASS_SPACES_MAX; i++) {
        if (d->networks->changing[i]) mass_changing_edges_clear(d->networks->changing[i]);
        free(d->networks->changing[i]);
    }
    for (uint32_t i = 0; i < MASS_SPACES_MAX; i++) {
        mass_buffer_release(&d->networks->first[i]);
        mass_buffer_release(&d->networks->source[i]);
    }
    for (uint32_t i = 0; i < MASS_EDGE_ATTRIBUTES_MAX; i++) mass_buffer_release(&d->networks->values[i]);
    for (uint32_t i = 0; d->networks->linked && i < d->model->array_count; i++)
        mass_buffer_release(&d->networks->linked[i]);
    free(d->networks->linked);
    free(d->networks);
    d->networks = NULL;
}

/* Returns the bytes of the arrays of one network. Edges that change have arrays for each world, with their ids and
 * marks, twice: a change makes the next arrays of the present ones. */
static double bytes_of_network(const mass_model *m, uint32_t network, int32_t worlds)
{
    const mass_network_def *const n = &m->networks->list[network];
    const bool changes = n->population >= 0;
    double each = sizeof(uint32_t) + (changes ? sizeof(uint64_t) + 1.0 : 0);
    for (uint32_t i = 0; i < m->networks->attribute_count; i++)
        if (m->networks->attributes[i].network == network) each += (double)m->networks->attributes[i].size;
    const double bytes = ((double)n->ends.nodes + 1) * sizeof(uint64_t) + ((double)n->ends.count + 1) * each;
    return changes ? 2 * bytes * worlds : bytes;
}

double mass_domain_edges_bytes(const mass_model *m, int32_t worlds)
{
    double bytes = 0;
    for (uint32_t i = 0; m->networks && i < m->networks->count; i++) bytes += bytes_of_network(m, i, worlds);
    for (uint32_t i = 0; m->networks && i < m->array_count; i++)
        if (is_linked(m, i))
            bytes += ((double)space_of(m, i)->size[0] * worlds + 1) * (double)m->arrays[i].element_size;
    return bytes;
}

/* ---- copies of linked attributes ---- */

mass_status mass_domain_copy_linked(mass_domain *d, uint32_t array, mass_error *error)
{
    const mass_array_def *const a = &d->model->arrays[array];
    const uint32_t space = d->model->attributes[a->attribute].space;
    mass_status status = MASS_OK;
    for (int32_t k = 0; status == MASS_OK && k < d->partition_count; k++) {
        const mass_partition *const p = &d->partitions[space][k];
        const mass_layout *const l = &p->layout;
        const mass_turn_places_work w = {.place = mass_array_at(d, p, array, false),
            .copy = d->networks->linked[array].address, .size = a->bits ? 0 : a->element_size, .worlds = d->worlds,
            .world_stride = l->world_stride, .plane = l->plane, .pitch = l->pitch,
            .origin = {l->origin[0], 0, 0}, .extent = {l->extent[0], 1, 1},
            .space = {d->model->spaces[space].size[0], 1, 1}};
        status = d->device->table->agents->turn->copy_places(d->device, &w, false, error);
    }
    return status;
}

/* ---- what launches get ---- */

mass_buffer mass_domain_linked(const mass_domain *d, uint32_t array) { return d->networks->linked[array]; }

mass_buffer mass_domain_edge_values(const mass_domain *d, uint32_t attribute)
{
    const mass_changing_edges *const e =
        mass_domain_changing_edges(d, d->model->networks->attributes[attribute].network);
    return e ? e->there.values[attribute] : d->networks->values[attribute];
}

mass_edges mass_domain_edges(const mass_domain *d, uint32_t space)
{
    const mass_network_def *const n = mass_model_network_of(d->model, space);
    return mass_domain_edges_numbered(d, n ? (int)(n - d->model->networks->list) : -1);
}

mass_edges mass_domain_edges_numbered(const mass_domain *d, int number)
{
    if (number < 0) return (mass_edges){0};
    const mass_network_def *const n = &d->model->networks->list[number];
    const mass_changing_edges *const e = d->networks->changing[number];
    if (e)
        return (mass_edges){.first = e->there.first.address, .source = e->there.source.address, .count = e->count,
                            .stride = n->ends.nodes, .none = n->ends.nodes * d->worlds, .each = n->ends.nodes,
                            .cut = e->there.cut.address};
    return (mass_edges){.first = d->networks->first[number].address,
                        .source = d->networks->source[number].address, .count = n->ends.count,
                        .stride = n->ends.nodes, .none = n->ends.nodes * d->worlds};
}

/* ---- edges that change ---- */

mass_changing_edges *mass_domain_changing_edges(const mass_domain *d, uint32_t network)
{
    return d->networks ? d->networks->changing[network] : NULL;
}

mass_changing_edges *mass_domain_edges_that_are(const mass_domain *d, uint32_t population)
{
    const mass_network_def *const n = mass_model_network_of_edges(d->model, population);
    return n ? mass_domain_changing_edges(d, (uint32_t)(n - d->model->networks->list)) : NULL;
}

/* Releases the arrays of edges on a device. */
static void release(mass_edge_arrays *a)
{
    mass_buffer_release(&a->first);
    mass_buffer_release(&a->source);
    mass_buffer_release(&a->id);
    mass_buffer_release(&a->cut);
    for (uint32_t i = 0; i < MASS_EDGE_ATTRIBUTES_MAX; i++) mass_buffer_release(&a->values[i]);
}

void mass_changing_edges_clear(mass_changing_edges *e)
{
    free(e->first);
    free(e->source);
    free(e->id);
    free(e->ended);
    free(e->next_id);
    release(&e->there);
    if (e->memory) {
        release(&e->memory->spare);
        mass_buffer_release(&e->memory->ends);
        mass_buffer_release(&e->memory->before);
        mass_buffer_release(&e->memory->ended);
        mass_buffer_release(&e->memory->key);
        mass_buffer_release(&e->memory->agent);
    }
    free(e->memory);
    *e = (mass_changing_edges){0};
}

void mass_domain_forget_edges(mass_domain *d, uint32_t space)
{
    const mass_network_def *const n = mass_model_network_of(d->model, space);
    mass_changing_edges *const e = n && n->population >= 0 && d->networks
                                       ? d->networks->changing[n - d->model->networks->list] : NULL;
    if (e) e->current = e->follows = false;
}
