/* SPDX-License-Identifier: Apache-2.0 */
#include "population/in_turn.h"
#include "population/population.h"
#include "population/turn_memory.h"
#include "state/tally.h"

#include <stdlib.h>
#include <string.h>

/* Returns the first phase in turn, or NULL. */
static const mass_phase_def *first_turn(const mass_model *m)
{
    for (uint32_t i = 0; i < m->phase_count; i++)
        if (mass_phase_is_in_turn(&m->phases[i])) return &m->phases[i];
    return NULL;
}

const char *mass_turn_device(const mass_model *m, const char *asked)
{
    if (asked && strcmp(asked, "auto") != 0) return asked;
    return first_turn(m) ? "cpu" : "auto";
}

mass_status mass_turn_check(const mass_model *m, mass_device *device, const mass_share *share, mass_error *error)
{
    const mass_phase_def *turn = first_turn(m);
    if (!turn) return MASS_OK;
    if (!device->table->agents || !device->table->agents->turn)
        return mass_error_set(error, MASS_BAD_USAGE, "agents act in turn in callback %s, which %s cannot do: use "
                              "--device cpu", turn->callback->name, device->table->name(device));
    if (mass_share_is_split(share))
        return mass_error_set(error, MASS_BAD_USAGE, "agents act in turn in callback %s, and ranks cannot share their "
                              "space: use one rank, or as many --worlds as ranks", turn->callback->name);
    return MASS_OK;
}

/* ---- before the launch ---- */

/* Makes the lists of a population. `children`: the most that an agent may have in the phase. */
static mass_status list(mass_domain *d, uint32_t population, uint32_t children, mass_turn_population *out,
                        mass_error *error)
{
    const mass_population_def *p = &d->model->populations[population];
    mass_population_state *s = &d->populations[population];
    const uint32_t count = *(const uint32_t *)s->count.address;
    const uint64_t rows = count * (UINT64_C(1) + children);
    mass_status status = rows > s->room ? mass_population_enlarge(d, population, rows, error) : MASS_OK;
    if (status == MASS_OK) status = mass_turn_create(d, population, error);
    if (status == MASS_OK) status = mass_turn_make_room(s, error);
    if (status != MASS_OK) return status;
    struct mass_turn_memory *t = s->turn;
    const uint32_t now = s->current, worlds = (uint32_t)d->worlds;
    uint32_t arrays = 0;
    for (uint32_t i = 2; i < p->array_count; i++)
        t->arrays[arrays++] = (mass_turn_array){s->arrays[i].buffer[now].address, s->arrays[i].initial,
                                                d->model->arrays[p->first_array + i].element_size};
    memset(t->counts, 0, 3 * worlds * sizeof *t->counts);
    *out = (mass_turn_population){.agents = t->agents, .first = t->first, .id = s->arrays[0].buffer[now].address,
        .parent = t->children, .count = count, .rows = count, .room = (uint32_t)rows, .capacity = p->capacity,
        .arrays = t->arrays, .array_count = arrays, .born = t->counts, .died = t->counts + worlds,
        .unborn = t->counts + 2 * worlds};
    return d->device->table->agents->turn->list(d->device, out, s->cell[now].address, error);
}

/* Finds the order of the agents of open worlds. */
static mass_status find_order(const mass_domain *d, uint32_t phase, uint64_t step, const uint32_t *gates,
                              mass_error *error)
{
    const uint32_t population = (uint32_t)d->model->phases[phase].population;
    const mass_population_state *s = &d->populations[population];
    const uint32_t *start = s->start.address;
    struct mass_turn_memory *t = s->turn;
    mass_status status = MASS_OK;
    for (int32_t w = 0; status == MASS_OK && w < d->worlds; w++) {
        const uint32_t first = start[w * s->places], end = start[(w + 1) * s->places];
        const mass_turn_order_work work = {s->arrays[0].buffer[s->current].address, first, end,
            ((const uint64_t *)d->random_keys.address)[w], step, phase, t->keys, t->keys + t->order_room,
            t->order + first};
        if (!gates || !gates[w]) status = d->device->table->agents->turn->order(d->device, &work, error);
    }
    return status;
}

mass_status mass_turn_line_up(mass_domain *d, uint32_t phase, uint64_t step, const uint32_t *gates,
                              mass_error *error)
{
    const mass_phase_def *p = &d->model->phases[phase];
    const uint32_t own = (uint32_t)p->population;
    mass_turn turn = {0};
    mass_status status = MASS_OK;
    for (uint32_t k = 0; status == MASS_OK && k < p->population_count; k++)
        status = list(d, p->populations[k], k ? 0 : d->model->populations[own].children, &turn.populations[k], error);
    if (status == MASS_OK)
        status = mass_turn_make_order_room(d->populations[own].turn, turn.populations[0].count, error);
    if (status != MASS_OK) return status;
    struct mass_turn_memory *t = d->populations[own].turn;
    turn.order = t->order;
    t->turn = turn;
    status = find_order(d, phase, step, gates, error);
    return status != MASS_OK ? status : mass_turn_copies_make(d, phase, &t->copies, error);
}

void mass_turn_show(const mass_domain *d, uint32_t phase, mass_launch *launch, void **fields,
                    mass_field_memory *memory)
{
    const mass_phase_def *p = &d->model->phases[phase];
    if (!mass_phase_is_in_turn(p)) return;
    struct mass_turn_memory *t = d->populations[p->population].turn;
    launch->turn = &t->turn;
    launch->push = 0;
    mass_turn_copies_show(d, phase, &t->copies, launch, fields, memory);
}

/* ---- after the launch ---- */

/* Adds to a tally of the population what the phase counted. */
static void add_counts(const mass_domain *d, int tally, const int64_t *counts, bool counted)
{
    const mass_tally_def *t = tally < 0 ? NULL : &d->model->tallies[tally];
    if (!t || (!counted && !t->cumulative && !t->needed)) return;
    int64_t *const to = mass_domain_tally_at(d, (uint32_t)tally);
    for (int32_t w = 0; w < d->worlds; w++) to[w] = mass_sum_i64(to[w], counts[w]);
}

/* Sets no requests for agents that are new. */
static mass_status reset_requests(const mass_population_state *s, uint32_t before, uint32_t after, mass_error *error)
{
    static const uint32_t stay = MASS_CELL_STAY, nothing = 0;
    if (after <= before) return MASS_OK;
    const size_t at = before * sizeof stay;
    const mass_status status = mass_buffer_fill(mass_buffer_from(s->move, at), &stay, sizeof stay, after - before,
                                                error);
    if (status != MASS_OK) return status;
    return mass_buffer_fill(mass_buffer_from(s->asked, at), &nothing, sizeof nothing, after - before, error);
}

/* Writes the population's agents to the next arrays, which become the present ones. */
static mass_status rewrite(mass_domain *d, uint32_t population, mass_turn_population *t, mass_error *error)
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
        .next_id = (uint64_t *)mass_domain_tally_at(d, p->next_id), .rank = s->turn->children + s->turn->room,
        .count = s->count.address, .start = s->start.address, .occupancy = s->occupancy.address,
        .cell = s->cell[now].address, .id_to = s->arrays[0].buffer[next].address, .cell_to = s->cell[next].address,
        .lost = s->arrays[1].buffer[now].address, .lost_to = s->arrays[1].buffer[next].address,
        .column_count = count, .columns = columns};
    const mass_status status = d->device->table->agents->turn->restore(d->device, &w, s->turn->from_of, error);
    free(columns);
    if (status != MASS_OK) return status;
    s->current ^= 1u;
    return reset_requests(s, t->count, *w.count, error);
}

mass_status mass_turn_restore(mass_domain *d, uint32_t phase, uint32_t population, bool counted, mass_error *error)
{
    const mass_phase_def *p = &d->model->phases[phase];
    const mass_population_def *def = &d->model->populations[population];
    struct mass_turn_memory *own = d->populations[p->population].turn;
    uint32_t k = 0;
    while (p->populations[k] != population) k++;
    mass_turn_population *const t = &own->turn.populations[k];
    if (k == 0) {
        mass_turn_copies_write(d, &own->copies);
        mass_turn_copies_free(&own->copies);
    }
    add_counts(d, def->born, t->born, counted);
    add_counts(d, def->died, t->died, counted);
    add_counts(d, def->unborn, t->unborn, counted);
    return rewrite(d, population, t, error);
}
