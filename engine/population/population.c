/* SPDX-License-Identifier: Apache-2.0 */
#include "model/network.h"
#include "population/anybody.h"
#include "population/capacity.h"
#include "population/gather.h"
#include "population/manage/manage_of_devices.h"
#include "population/occupancy.h"
#include "population/population.h"
#include "population/sprout_requests.h"
#include "population/turn_memory.h"
#include "state/edges.h"
#include "state/tally.h"

#include <stdlib.h>
#include <string.h>

/* Bytes without attributes. An agent: its cells, its requests, and what manage needs to sort it. A place: its start,
 * and what manage needs on a GPU, which is more than on a CPU. */
enum { OVERHEAD_AN_AGENT = 8 + 8 + 4 + 24, OVERHEAD_A_PLACE = 4 + 13 };

double mass_population_estimate(const mass_model *m, uint32_t population)
{
    const mass_population_def *p = &m->populations[population];
    const double places = (double)mass_space_places(&m->spaces[p->space]);
    if (mass_model_is_of_edges(m, population)) return (double)mass_model_network_of(m, p->space)->edges;
    if (p->initial == MASS_EVERY_PLACE) return places * (double)(p->count ? p->count : 1);
    return p->initial == MASS_RANDOM_PLACES ? (double)p->count : 0;
}

double mass_population_bytes_of_agent(const mass_model *m, uint32_t population)
{
    const mass_population_def *p = &m->populations[population];
    double bytes = OVERHEAD_AN_AGENT + 4.0 * p->children;
    for (uint32_t i = 0; i < p->array_count; i++) {
        const mass_array_def *a = &m->arrays[p->first_array + i];
        bytes += (double)a->element_size * (2 + (a->child ? mass_rows_of_children(p) : 0) + a->before + a->added);
    }
    if (p->found_by_id) bytes += 4 * 4.0; /* a hash table is at most four times as long */
    return bytes + mass_turn_bytes_of_agent(m, population);
}

double mass_population_bytes(const mass_model *m, uint32_t population, int32_t worlds)
{
    const mass_population_def *p = &m->populations[population];
    const double places = (double)mass_space_places(&m->spaces[p->space]);
    return worlds * (mass_population_estimate(m, population) * mass_population_bytes_of_agent(m, population) +
                     places * (OVERHEAD_A_PLACE + mass_population_sprout_bytes(m, population) +
                               mass_turn_bytes_of_place(m, population)));
}

/* Allocates `count` elements of `size` bytes on the domain's device. */
static mass_status allocate(mass_domain *d, size_t count, size_t size, mass_buffer *out, mass_error *error)
{
    return mass_buffer_allocate(d->device, count * size, out, error);
}

/* Sets s->places, the places that this rank holds. If ranks split the space, also sets those of each rank,
 * s->first_place, and allocates the counts of agents on other ranks' places within reach. Refuses devices that cannot
 * share agents. */
static mass_status find_part(mass_domain *d, uint32_t population, mass_error *error)
{
    const mass_space_def *space = &d->model->spaces[d->model->populations[population].space];
    mass_population_state *s = &d->populations[population];
    const int64_t all = mass_space_places(space), row = all / space->size[mass_slab_axis(space)];
    const mass_comm *comm = d->share.comm;
    int32_t reach = 0;
    s->places = all;
    if (!mass_share_is_split(&d->share)) return MASS_OK;
    if (!d->device->table->memory->in_host_memory && !d->device->table->agents->remote)
        return mass_error_set(error, MASS_BAD_USAGE, "population %s: agents on %s cannot be cut over ranks: use "
                              "--device cpu, one rank, or as many --worlds as ranks",
                              d->model->populations[population].name, d->device->table->name(d->device));
    if (!d->device->table->memory->in_host_memory && row > 1 && all / row > UINT32_MAX)
        return mass_error_set(error, MASS_BAD_USAGE, "population %s: space %s has more than 2^32 - 1 rows, which GPUs "
                              "cannot share: use --device cpu", d->model->populations[population].name, space->name);
    s->first_place = calloc((size_t)comm->size + 1, sizeof *s->first_place);
    if (!s->first_place) return mass_error_memory(error, (size_t)comm->size * sizeof *s->first_place, "ranks");
    for (int32_t r = 0; r <= comm->size; r++)
        s->first_place[r] = row * mass_share_first_row(&d->share, space, r);
    s->places = s->first_place[comm->rank + 1] - s->first_place[comm->rank];
    for (uint32_t i = 0; i < d->model->phase_count; i++) {
        const mass_phase_def *phase = &d->model->phases[i];
        if (phase->callback && !mass_phase_is_in_turn(phase) && phase->population == (int32_t)population &&
            phase->reach > reach)
            reach = phase->reach;
    }
    s->crowd_places = reach * row;
    const size_t place_counts = (size_t)d->worlds * 2 * (size_t)s->crowd_places;
    const mass_status status = allocate(d, (size_t)d->worlds + 1, sizeof(uint32_t), &s->world_starts, error);
    return status != MASS_OK ? status : allocate(d, place_counts, sizeof(uint32_t), &s->place_counts, error);
}

/* Allocates what every population needs for its places, and the defaults of its attributes. Refuses too many places.
 * On failure the population keeps what it has, for the caller to free. */
static mass_status create_on_places(mass_domain *d, uint32_t population, mass_error *error)
{
    const mass_population_def *p = &d->model->populations[population];
    mass_population_state *s = &d->populations[population];
    const double cells = (double)s->places * d->worlds;
    if (cells >= MASS_CELL_REMOTE)
        return mass_error_set(error, MASS_BAD_USAGE, "population %s: %.0f places over all worlds are more than the "
                              "2^32 - 4 that agents %scan be on", p->name, cells,
                              mass_share_is_split(&d->share) ? "of one rank " : "");
    mass_status status = mass_population_allocate_occupancy(d, population, error);
    if (status == MASS_OK) status = allocate(d, 1, sizeof(uint32_t), &s->count, error);
    if (status == MASS_OK) status = allocate(d, 1, sizeof(uint32_t), &s->safe_count_on_device, error);
    s->arrays = calloc(p->array_count, sizeof *s->arrays);
    if (status == MASS_OK && !s->arrays) status = mass_error_memory(error, p->array_count, "a population");
    for (uint32_t i = 0; status == MASS_OK && i < p->array_count; i++)
        status = mass_array_initial(d->model, p->first_array + i, &s->arrays[i].initial, error);
    return status;
}

mass_status mass_population_create(mass_domain *d, uint32_t population, mass_error *error)
{
    if (!d->device->table->agents)
        return mass_error_set(error, MASS_NO_DEVICE, "%s cannot run agents yet: use --device cpu",
                              d->device->table->name(d->device));
    mass_status status = find_part(d, population, error);
    if (status == MASS_OK) status = create_on_places(d, population, error);
    if (status == MASS_OK) status = mass_anybody_create(d, population, error);
    return status == MASS_OK ? mass_population_create_sprouts(d, population, error) : status;
}

mass_status mass_population_create_window(mass_domain *d, uint32_t population, int64_t places, mass_error *error)
{
    d->populations[population] = (mass_population_state){.places = places, .window = true};
    return create_on_places(d, population, error);
}

void mass_population_free(mass_domain *d, uint32_t population)
{
    mass_population_state *s = &d->populations[population];
    const mass_population_def *p = &d->model->populations[population];
    mass_population_free_room(p, s);
    mass_population_free_sprouts(d, population);
    mass_turn_free(s);
    mass_population_free_table(d->model, s);
    for (uint32_t i = 0; s->arrays && i < p->array_count; i++) free(s->arrays[i].initial);
    free(s->arrays);
    free(s->first_place);
    mass_decision_free(s->decision);
    mass_manage_messages_free(s->messages);
    mass_anybody_free(s);
    mass_buffer_release(&s->place_counts);
    mass_buffer_release(&s->world_starts);
    mass_buffer_release(&s->start);
    mass_buffer_release(&s->occupancy);
    mass_buffer_release(&s->count);
    mass_buffer_release(&s->safe_count_on_device);
    *s = (mass_population_state){0};
}

/* ---- agents ---- */

mass_status mass_population_discard_requests(mass_domain *d, uint32_t population, bool ignored, mass_error *error)
{
    const mass_population_state *s = &d->populations[population];
    static const uint32_t stay = MASS_CELL_STAY, nothing = 0;
    const mass_status dropped = mass_population_drop_sprouts(d, population, ignored, error);
    if (dropped != MASS_OK) return dropped;
    if (ignored) {
        mass_diagnostics *const list = d->diagnostics.address;
        const mass_discard_work w = {s->move.address, s->asked.address, s->count.address, s->room,
                                  &list[d->model->phase_count + population].ignored[MASS_IGNORED_REQUEST]};
        return d->device->table->agents->drop(d->device, &w, error);
    }
    const mass_status status = mass_buffer_fill(s->move, &stay, sizeof stay, s->room, error);
    return status == MASS_OK ? mass_buffer_fill(s->asked, &nothing, sizeof nothing, s->room, error) : status;
}

/* Sets one array, in buffer 0, from an attribute's values or, if these are NULL, to its default. In `values`,
 * components of an element are contiguous, also for MASS_PLANES. */
static mass_status set_array(mass_domain *d, uint32_t index, const mass_agent_buffers *buffers, uint32_t count,
                             const void *values, mass_error *error)
{
    const mass_array_def *def = &d->model->arrays[index];
    const size_t size = def->element_size, element = mass_element_size(&d->model->attributes[def->attribute]);
    if (count == 0) return MASS_OK;
    if (!values) return mass_buffer_fill(buffers->buffer[0], buffers->initial, size, count, error);
    char *stage = malloc(size * (size_t)count);
    if (!stage) return mass_error_memory(error, size * count, "a population");
    const char *from = (const char *)values + def->component * size;
    for (uint32_t i = 0; i < count; i++) memcpy(stage + i * size, from + i * element, size);
    const mass_status status = mass_buffer_upload(buffers->buffer[0], stage, count * size, error);
    free(stage);
    return status;
}

/* Returns the number of agents of the world that has most. The cells ascend by world. */
static uint32_t most_of_a_world(const uint32_t *cell, uint32_t count, int64_t places)
{
    uint32_t most = 0;
    for (uint32_t i = 0, first = 0; i < count; i++) {
        if (cell[i] / places != cell[first] / places) first = i;
        if (i - first >= most) most = i - first + 1;
    }
    return most;
}

mass_status mass_population_set(mass_domain *d, uint32_t population, uint32_t count, const uint64_t *id,
                                const uint32_t *cell, void *const *values, mass_error *error)
{
    const mass_population_def *p = &d->model->populations[population];
    mass_population_state *s = &d->populations[population];
    if (mass_model_is_of_edges(d->model, population)) mass_domain_forget_edges(d, p->space);
    const uint64_t room = (uint64_t)count + (p->children ? count / 4 : 0) + 1;
    mass_status status = mass_population_renew_room(d, population, count, room, error);
    for (uint32_t i = 0; status == MASS_OK && i < p->array_count; i++) {
        const uint32_t attribute = d->model->arrays[p->first_array + i].attribute;
        const void *from = values ? values[attribute] : i == 0 ? (const void *)id : NULL;
        status = set_array(d, p->first_array + i, &s->arrays[i], count, from, error);
    }
    if (status == MASS_OK) status = mass_buffer_upload(s->cell[0], cell, count * sizeof *cell, error);
    if (status == MASS_OK) status = mass_population_upload_occupancy(d, population, cell, count, error);
    if (status == MASS_OK) status = mass_buffer_upload(s->count, &count, sizeof count, error);
    if (status == MASS_OK) status = mass_population_discard_requests(d, population, false, error);
    s->most = most_of_a_world(cell, count, s->places);
    s->populated = status == MASS_OK;
    return status;
}

mass_status mass_population_replace(mass_domain *d, uint32_t population, uint64_t room, uint32_t count,
                                    const uint32_t *cell, char *const *columns, mass_error *error)
{
    const mass_population_def *p = &d->model->populations[population];
    static const uint32_t stay = MASS_CELL_STAY, nothing = 0;
    mass_population_state *s = &d->populations[population];
    mass_status status = mass_population_reserve(d, population, room > count ? room : count, error);
    for (uint32_t i = 0; status == MASS_OK && i < p->array_count; i++)
        status = mass_buffer_upload(s->arrays[i].buffer[s->current], columns[i],
                                    count * d->model->arrays[p->first_array + i].element_size, error);
    if (status == MASS_OK) status = mass_buffer_upload(s->cell[s->current], cell, count * sizeof *cell, error);
    if (status == MASS_OK) status = mass_population_upload_occupancy(d, population, cell, count, error);
    if (status == MASS_OK) status = mass_buffer_upload(s->count, &count, sizeof count, error);
    if (status == MASS_OK) status = mass_buffer_fill(s->move, &stay, sizeof stay, s->room, error);
    return status == MASS_OK ? mass_buffer_fill(s->asked, &nothing, sizeof nothing, s->room, error) : status;
}

mass_status mass_population_count_own(mass_domain *d, uint32_t population, uint64_t *count, mass_error *error)
{
    uint32_t agents;
    const mass_status status = mass_buffer_download(d->populations[population].count, &agents, sizeof agents, error);
    *count = status == MASS_OK ? agents : 0;
    return status;
}

mass_status mass_population_count_worlds_own(mass_domain *d, uint32_t population, uint64_t *counts, mass_error *error)
{
    enum { FEW = 64 }; /* from 64 worlds on, a world has 2^26 places at most: a copy's stride of 4 bytes a place stays
                          below a GPU's limit of 2^31 bytes */
    const mass_buffer start = d->populations[population].start;
    const int64_t places = d->populations[population].places;
    uint32_t *first = malloc(((size_t)d->worlds + 1) * sizeof *first);
    if (!first) return mass_error_memory(error, (size_t)d->worlds * sizeof *first, "counts of agents");
    const size_t apart = (size_t)places * sizeof *first;
    const mass_strided c = {first, NULL, sizeof *first, {d->worlds + 1, 1, 1}, {sizeof *first}, {(int64_t)apart}};
    mass_status status = d->worlds < FEW ? MASS_OK : mass_buffer_download_box(start, &c, error);
    for (int32_t w = 0; status == MASS_OK && d->worlds < FEW && w <= d->worlds; w++)
        status = mass_buffer_download(mass_buffer_from(start, (size_t)w * apart), &first[w], sizeof *first, error);
    for (int32_t w = 0; status == MASS_OK && w < d->worlds; w++) counts[w] = first[w + 1] - first[w];
    free(first);
    return status;
}

mass_status mass_population_read_own(mass_domain *d, uint32_t attribute, void *data, mass_error *error)
{
    const mass_attribute_def *a = &d->model->attributes[attribute];
    const uint32_t population = (uint32_t)a->population;
    uint64_t count;
    mass_status status = mass_population_count_own(d, population, &count, error);
    if (status != MASS_OK || count == 0) return status;
    if (a->derived) return mass_population_read_run(d, attribute, 0, (int64_t)count, data, error);
    const uint32_t arrays = a->layout == MASS_PLANES ? a->length : 1;
    const size_t size = d->model->arrays[a->first_array].element_size, element = mass_element_size(a);
    char *stage = arrays == 1 ? data : malloc(count * size);
    if (!stage) return mass_error_memory(error, count * size, "a copy of an attribute");
    for (uint32_t k = 0; status == MASS_OK && k < arrays; k++) {
        status = mass_buffer_download(mass_population_array(d, population, a->first_array + k), stage, count * size,
                                      error);
        for (uint64_t i = 0; status == MASS_OK && arrays > 1 && i < count; i++)
            memcpy((char *)data + i * element + k * size, stage + i * size, size);
    }
    if (arrays > 1) free(stage);
    return status;
}

/* ---- for launches ---- */

mass_buffer mass_population_array(const mass_domain *d, uint32_t population, uint32_t array)
{
    const mass_population_state *s = &d->populations[population];
    return s->arrays[array - d->model->populations[population].first_array].buffer[s->current];
}

mass_buffer mass_population_child(const mass_domain *d, uint32_t population, uint32_t array)
{
    return d->populations[population].arrays[array - d->model->populations[population].first_array].child;
}

mass_agents mass_population_agents(const mass_domain *d, uint32_t population, int32_t reach)
{
    const mass_population_def *p = &d->model->populations[population];
    const mass_population_state *s = &d->populations[population];
    const mass_gidx places = mass_space_places(&d->model->spaces[p->space]);
    const mass_gidx first = mass_population_first_place(d, population);
    return (mass_agents){.id = s->arrays[0].buffer[s->current].address, .cell = s->cell[s->current].address,
        .lost = s->arrays[1].buffer[s->current].address, .start = s->start.address, .occupancy = s->occupancy.address,
        .move = s->move.address, .asked = s->asked.address, .child_cell = s->child_cell.address, .room = s->room,
        .children = p->children,
        .places = s->places, .places_all = places, .first_place = first, .reach = reach,
        .kill_mask = p->constant ? 0 : MASS_ASKED_KILL, .remote_move = s->remote_move.address,
        .remote_child = s->remote_child.address, .place_counts = s->place_counts.address,
            .crowd_places = s->crowd_places};
}

mass_status mass_population_census(mass_domain *d, uint32_t population, mass_error *error)
{
    const mass_population_def *p = &d->model->populations[population];
    if (p->alive < 0) return MASS_OK;
    return d->device->table->agents->census(d->device, d->populations[population].start.address,
                                            d->populations[population].places, d->worlds,
                                            mass_domain_tally_at(d, (uint32_t)p->alive), error);
}
