/* SPDX-License-Identifier: Apache-2.0 */
#include "population/in_turn.h"
#include "model/shared_turns.h"
#include "model/turns.h"
#include "population/capacity.h"
#include "population/population.h"
#include "population/turn_memory.h"
#include "population/turn_nodes.h"
#include "population/turn_ranks.h"
#include "population/turn_stage.h"
#include "ranks/rpc.h"
#include "state/tally.h"

#include <inttypes.h>
#include <mass/impl/reach.h>
#include <stdlib.h>
#include <string.h>

/* Places are numbered by 32 bits, less those of MASS_NOBODY and the like. */
#define PLACES_MOST 4294967293.0

/* Refuses turns that several phases share, on devices that cannot launch their callbacks together. */
static mass_status check_shared(const mass_model *m, mass_device *device, mass_error *error)
{
    for (uint32_t i = 0; !device->table->launch->together && i < m->phase_count; i++)
        if (mass_turn_is_shared(m, i))
            return mass_error_set(error, MASS_BAD_USAGE, "callbacks %s and %s share turn '%s', which %s cannot do: use "
                                  "--device cpu", m->phases[i].callback->name,
                                  m->phases[mass_turn_end(m, i) - 1].callback->name, m->phases[i].turn_name,
                                  device->table->name(device));
    return MASS_OK;
}

/* Refuses nodes in turn on devices that let actors act at once if they are far apart, and do not find the nodes that
 * edges join. */
static mass_status check_nodes(const mass_model *m, mass_device *device, mass_error *error)
{
    const bool can = device->table->launch->together || device->table->agents->turn->join;
    for (uint32_t i = 0; !can && i < m->phase_count; i++)
        if (mass_phase_turns_nodes(&m->phases[i]))
            return mass_error_set(error, MASS_BAD_USAGE, "nodes act in turn in callback %s, which %s cannot do: use "
                                  "--device cpu", m->phases[i].callback->name, device->table->name(device));
    return MASS_OK;
}

mass_status mass_turn_check(const mass_model *m, mass_device *device, const mass_share *share, mass_error *error)
{
    const mass_phase_def *turn = mass_turns_first(m);
    const char *const who = turn && turn->population < 0 ? "places" : "agents";
    if (!turn) return MASS_OK;
    for (uint32_t i = 0; i < m->phase_count; i++)
        if (mass_phase_turns_places(&m->phases[i]) &&
            (double)mass_space_places(&m->spaces[m->phases[i].space]) * share->worlds >= PLACES_MOST)
            return mass_error_set(error, MASS_BAD_USAGE, "places act in turn in callback %s, and a rank can do that "
                                  "for less than 2^32 of all its worlds: make --size or --worlds smaller",
                                  m->phases[i].callback->name);
    if (!device->table->agents || !device->table->agents->turn)
        return mass_error_set(error, MASS_BAD_USAGE, "%s act in turn in callback %s, which %s cannot do: use "
                              "--device cpu", who, turn->callback->name, device->table->name(device));
    const mass_status status = check_shared(m, device, error);
    return status == MASS_OK ? check_nodes(m, device, error) : status;
}

/* ---- before the launch ---- */

/* Makes room for the agents of a population, and for `children` children of each. Describes them in *out. */
static mass_status make_room(mass_domain *d, uint32_t population, uint32_t children, mass_turn_population *out,
                             mass_error *error)
{
    const mass_population_def *p = &d->model->populations[population];
    mass_population_state *s = &d->populations[population];
    uint64_t count;
    mass_status status = mass_population_count_own(d, population, &count, error);
    if (status != MASS_OK) return status;
    const uint64_t rows = count * (UINT64_C(1) + children);
    if (rows > s->room) status = mass_population_enlarge(d, population, rows, error);
    if (status == MASS_OK) status = mass_turn_create(d, population, error);
    if (status == MASS_OK) status = mass_turn_make_room(d, population, error);
    if (status != MASS_OK) return status;
    const struct mass_turn_memory *t = s->turn;
    int64_t *const counts = t->counts.address;
    *out = (mass_turn_population){.agents = t->agents.address, .first = t->first.address,
        .id = s->arrays[0].buffer[s->current].address, .count = (uint32_t)count, .children = children,
        .capacity = p->capacity, .born = counts, .died = counts + d->worlds, .unborn = counts + 2 * d->worlds};
    return MASS_OK;
}

/* Returns the attributes of a population's agents. Its first two arrays are ids and marks of refused agents. */
static uint32_t attributes_of(const mass_model *m, uint32_t population)
{
    return m->populations[population].array_count - 2;
}

/* Returns the bytes that a child's first element takes, so that the next one is aligned. */
static size_t padded(size_t size)
{
    const size_t unit = sizeof(mass_turn_array);
    return (size + unit - 1) / unit * unit;
}

/* Returns the bytes of a record: the mass_turn; the attributes of all populations that the phase sees; and the elements
 * with which children start. */
static size_t record_bytes(const mass_model *m, const mass_phase_def *p)
{
    size_t bytes = sizeof(mass_turn);
    for (uint32_t k = 0; k < p->population_count; k++) {
        const mass_population_def *def = &m->populations[p->populations[k]];
        bytes += attributes_of(m, p->populations[k]) * sizeof(mass_turn_array);
        for (uint32_t i = 2; i < def->array_count; i++)
            bytes += padded(m->arrays[def->first_array + i].element_size);
    }
    return bytes;
}

/* Fills a record in host memory. It names its parts by their addresses on the device, where it is at `there`. Completes
 * *turn, with which the record begins. */
static void fill_record(const mass_domain *d, const mass_phase_def *p, mass_turn *turn, char *there, char *record)
{
    const mass_model *m = d->model;
    size_t table = sizeof *turn, element = table;
    for (uint32_t k = 0; k < p->population_count; k++)
        element += attributes_of(m, p->populations[k]) * sizeof(mass_turn_array);
    for (uint32_t k = 0; k < p->population_count; k++) {
        const mass_population_def *def = &m->populations[p->populations[k]];
        const mass_population_state *s = &d->populations[p->populations[k]];
        mass_turn_population *const t = &turn->populations[k];
        t->arrays = (const mass_turn_array *)(there + table);
        t->array_count = attributes_of(m, p->populations[k]);
        for (uint32_t i = 2; i < def->array_count; i++) {
            const size_t size = m->arrays[def->first_array + i].element_size;
            const mass_turn_array a = {s->arrays[i].buffer[s->current].address, there + element, size};
            memcpy(record + table, &a, sizeof a);
            memcpy(record + element, s->arrays[i].initial, size);
            table += sizeof a;
            element += padded(size);
        }
    }
    memcpy(record, turn, sizeof *turn);
}

/* Names the values by which a phase is ordered. Clears the mark for NaN if there are such values. */
static mass_status find_keys(const mass_domain *d, const mass_phase_def *p, mass_turn_keys *keys, mass_error *error)
{
    static const uint32_t none = 0;
    const mass_model *m = d->model;
    *keys = (mass_turn_keys){.by = p->turn_order, .reversed = p->turn_reversed, .nan = d->turn->nan.address};
    if (p->turn_order != MASS_TURN_BY_VALUE) return MASS_OK;
    keys->type = m->attributes[m->arrays[p->turn_array].attribute].type;
    if (p->population < 0) keys->values = mass_turn_copies_buffer(&d->turn->copies, p->turn_array).address;
    else {
        const mass_population_state *s = &d->populations[p->population];
        keys->values = s->arrays[p->turn_array - m->populations[p->population].first_array].buffer[s->current].address;
    }
    return mass_buffer_fill(d->turn->nan, &none, sizeof none, 1, error);
}

/* Refuses values that have no order: waits for the launch, and fails if that found a NaN. Other types have none. p: the
 * first phase of the turn. */
static mass_status check_keys(const mass_domain *d, const mass_phase_def *p, uint64_t step, mass_error *error)
{
    const uint32_t type = d->turn->turn[0].keys.type;
    uint32_t nan = 0;
    if (type != MASS_F32 && type != MASS_F64) return MASS_OK;
    const mass_status status = mass_buffer_download(d->turn->nan, &nan, sizeof nan, error);
    if (status != MASS_OK || !nan) return status;
    return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, step %" PRIu64 ": the .order of its phase is '%s', "
                          "which is NaN, not a number, for some of them", p->callback->name, step, p->turn_by);
}

/* Returns the places of a world on which this rank runs the phase. */
static mass_gidx places_of(const mass_domain *d, const mass_phase_def *p)
{
    return mass_share_is_split(&d->share) ? d->turn->ranks->places : mass_space_places(&d->model->spaces[p->space]);
}

/* Prepares the order of the agents or places that act: sets turn->keys, and queues the order to d->turn->order. The
 * agents or places of `turn` must be counted. */
static mass_status find_order(mass_domain *d, uint32_t phase, uint64_t step, const uint32_t *gates, mass_turn *turn,
                              mass_error *error)
{
    const mass_phase_def *p = &d->model->phases[phase];
    const mass_population_state *s = p->population < 0 ? NULL : &d->populations[p->population];
    const uint32_t count = turn->populations[0].count, k = phase - mass_turn_begin(d->model, phase);
    mass_status status = mass_turn_make_order_room(d, k, count, error);
    if (status == MASS_OK) status = find_keys(d, p, &turn->keys, error);
    if (status != MASS_OK) return status;
    const mass_turn_order_work work = {.turn = turn, .keys = turn->keys, .id = turn->populations[0].id,
        .start = s ? s->start.address : NULL, .count = count,
        .places = s ? s->places : places_of(d, p), .part = turn->part, .worlds = d->worlds, .gates = gates,
        .random_keys = d->random_keys.address, .step = step, .phase = phase, .memory = d->turn->order[k].address,
        .shared = mass_turn_is_shared(d->model, phase)};
    return d->device->table->agents->turn->order(d->device, &work, error);
}

/* Gives the device a record of the k-th phase of a turn: a copy of `turn`, with what its pointers need. Sets the tables
 * of attributes in *turn. */
static mass_status send_record(mass_domain *d, const mass_phase_def *p, uint32_t k, mass_turn *turn, mass_error *error)
{
    const size_t bytes = record_bytes(d->model, p);
    mass_status status = mass_turn_make_record_room(d, k, bytes, error);
    if (status != MASS_OK) return status;
    char *record = calloc(1, bytes);
    if (!record) return mass_error_memory(error, bytes, "a phase in turn");
    fill_record(d, p, turn, d->turn->record[k].address, record);
    status = mass_buffer_upload(d->turn->record[k], record, bytes, error);
    free(record);
    return status;
}

/* Lists the agents by place of all populations that a turn sees. Makes room for their children before, and describes
 * them in d->turn->seen. */
static mass_status list_all(mass_domain *d, uint32_t first, mass_error *error)
{
    const mass_turn_operations *device = d->device->table->agents->turn;
    uint32_t seen[MASS_POPULATIONS_MAX];
    const uint32_t count = mass_turn_populations(d->model, first, seen);
    mass_status status = MASS_OK;
    for (uint32_t k = 0; status == MASS_OK && k < count; k++)
        status = make_room(d, seen[k], mass_turn_children(d->model, first, seen[k]), &d->turn->seen[seen[k]], error);
    for (uint32_t k = 0; status == MASS_OK && k < count; k++) {
        const mass_population_state *s = &d->populations[seen[k]];
        status = device->list(d->device, &d->turn->seen[seen[k]], s->cell[s->current].address, d->worlds, error);
    }
    return status;
}

/* Prepares a phase of a turn: what it sees, its order, and its record on the device. Keeps a copy of the record in
 * d->turn->turn. The agents' lists must be there. */
static mass_status prepare(mass_domain *d, uint32_t phase, uint64_t step, const uint32_t *gates, mass_error *error)
{
    const mass_phase_def *p = &d->model->phases[phase];
    const uint32_t k = phase - mass_turn_begin(d->model, phase);
    mass_turn turn = {.scope = p->turn_scope, .round_counts = d->turn->rounds.address};
    if (mass_share_is_split(&d->share)) turn.part = d->turn->ranks->part;
    if (mass_phase_turns_places(p)) turn.populations[0].count = (uint32_t)places_of(d, p) * (uint32_t)d->worlds;
    for (uint32_t i = 0; i < p->population_count; i++) turn.populations[i] = d->turn->seen[p->populations[i]];
    mass_status status = find_order(d, phase, step, gates, &turn, error);
    if (status == MASS_OK) status = mass_turn_join_nodes(d, phase, &turn.joined, error);
    if (status == MASS_OK) status = send_record(d, p, k, &turn, error);
    if (status == MASS_OK) d->turn->turn[k] = turn;
    return status;
}

mass_status mass_turn_line_up(mass_domain *d, uint32_t first, uint64_t step, const uint32_t *gates, mass_error *error)
{
    const bool split = mass_share_is_split(&d->share);
    mass_status status = mass_turn_stage_create(d, error);
    if (split) status = mass_rpc_agree(d->share.comm, status, error);
    if (status == MASS_OK)
        status = split ? mass_turn_ranks_open(d, first, step, gates, error)
                       : mass_turn_copies_make(d, first, &d->turn->copies, NULL, error);
    if (status != MASS_OK) return status;
    status = list_all(d, first, error);
    for (uint32_t i = first, end = mass_turn_end(d->model, first); status == MASS_OK && i < end; i++)
        status = prepare(d, i, step, gates, error);
    return split ? mass_rpc_agree(d->share.comm, status, error) : status;
}

/* Lets edges lead to the present values of nodes, and not to copies from before the phase. */
static void show_values(const mass_launch *launch, mass_edges *edges)
{
    edges->stride = launch->world_stride;
    edges->none = mass_default_element(launch);
}

void mass_turn_show(const mass_domain *d, uint32_t phase, mass_launch *launch, void **fields,
                    mass_field_memory *memory)
{
    const mass_phase_def *p = &d->model->phases[phase];
    if (!mass_phase_is_in_turn(p)) return;
    launch->turn = d->turn->record[phase - mass_turn_begin(d->model, phase)].address;
    launch->push = 0;
    mass_turn_copies_show(d, phase, &d->turn->copies, launch, fields, memory);
    if (!mass_phase_turns_nodes(p)) return;
    show_values(launch, &launch->edges);
    for (uint32_t k = 0; k < p->callback->set_count; k++) show_values(launch, &launch->sets[k]);
}

/* ---- after the launch ---- */

/* Returns the address of a tally of the population that counts in this step, or NULL. */
static int64_t *tally_at(const mass_domain *d, int tally, bool counted)
{
    const mass_tally_def *t = tally < 0 ? NULL : &d->model->tallies[tally];
    return t && (counted || t->cumulative || t->needed) ? mass_domain_tally_at(d, (uint32_t)tally) : NULL;
}

/* Removes the requests behind those of the agents at the beginning, where new agents may be. */
static mass_status reset_requests(const mass_population_state *s, const mass_turn_population *t, mass_error *error)
{
    static const uint32_t stay = MASS_CELL_STAY, nothing = 0;
    const uint32_t children = t->count * t->children;
    const size_t at = t->count * sizeof stay;
    if (children == 0) return MASS_OK;
    const mass_status status = mass_buffer_fill(mass_buffer_from(s->move, at), &stay, sizeof stay, children, error);
    if (status != MASS_OK) return status;
    return mass_buffer_fill(mass_buffer_from(s->asked, at), &nothing, sizeof nothing, children, error);
}

/* Writes the population's agents to the next arrays, which become the present ones, in canonical order. Children get
 * ids, and births and deaths count. Requests at the indices that new agents may have are removed. counted: as in
 * mass_turn_restore. */
static mass_status rewrite(mass_domain *d, uint32_t population, const mass_turn_population *t, bool counted,
                           mass_error *error)
{
    const mass_population_def *p = &d->model->populations[population];
    mass_population_state *s = &d->populations[population];
    const uint32_t now = s->current, next = now ^ 1u;
    mass_turn_column *columns = calloc(p->array_count, sizeof *columns);
    if (!columns) return mass_error_memory(error, p->array_count * sizeof *columns, "a phase in turn");
    uint32_t count = 0;
    for (uint32_t i = 2; i < p->array_count; i++)
        columns[count++] = (mass_turn_column){s->arrays[i].buffer[now].address, s->arrays[i].buffer[next].address,
                                              d->model->arrays[p->first_array + i].element_size};
    const mass_turn_restore_work w = {.population = t, .places = s->places, .worlds = d->worlds,
        .next_id = (uint64_t *)mass_domain_tally_at(d, p->next_id), .count = s->count.address,
        .start = s->start.address, .occupancy = s->occupancy.address,
        .id_to = s->arrays[0].buffer[next].address, .cell_to = s->cell[next].address,
        .lost = s->arrays[1].buffer[now].address, .lost_to = s->arrays[1].buffer[next].address,
        .column_count = count, .columns = columns, .from_of = s->turn->from_of.address,
        .tallies = {tally_at(d, p->born, counted), tally_at(d, p->died, counted), tally_at(d, p->unborn, counted)}};
    const mass_status status = d->device->table->agents->turn->restore(d->device, &w, error);
    free(columns);
    if (status != MASS_OK) return status;
    s->current ^= 1u;
    return reset_requests(s, t, error);
}

mass_status mass_turn_restore(mass_domain *d, uint32_t first, uint32_t index, uint64_t step, bool counted,
                              mass_error *error)
{
    const mass_phase_def *p = &d->model->phases[first];
    const bool own = p->population < 0 || (uint32_t)p->population == index;
    mass_status status = own ? check_keys(d, p, step, error) : MASS_OK;
    if (own && status == MASS_OK) status = mass_turn_copies_write(d, &d->turn->copies, error);
    const bool split = mass_share_is_split(&d->share);
    if (p->population < 0) return split ? mass_rpc_agree(d->share.comm, status, error) : status;
    if (split) return mass_turn_ranks_close(d, index, counted, status, error);
    return status != MASS_OK ? status : rewrite(d, index, &d->turn->seen[index], counted, error);
}

mass_status mass_turn_take_rounds(mass_domain *d, uint64_t *rounds, uint64_t *most, mass_error *error)
{
    static const uint64_t none = 0;
    uint64_t counts[2] = {0, 0};
    mass_status status = MASS_OK;
    if (d->turn) status = mass_buffer_download(d->turn->rounds, counts, sizeof counts, error);
    if (d->turn && status == MASS_OK) status = mass_buffer_fill(d->turn->rounds, &none, sizeof none, 2, error);
    *rounds = counts[0];
    *most = counts[1];
    return status;
}
