/* SPDX-License-Identifier: Apache-2.0 */
#include "population/turn_actors.h"
#include "model/shared_turns.h"
#include "population/turn_stage.h"

#include <mass/impl/turn_keys.h>
#include <stdlib.h>

/* An actor that began beyond the slab. */
typedef struct actor {
    uint64_t key, id;
    mass_gidx place;
    uint32_t phase;
} actor;

/* The actors of a window, world by world. */
typedef struct actors {
    mass_domain *d;
    const mass_turn_call *call;
    const mass_turn_ranks *r;
    mass_turn_keys keys;
    uint64_t *random_keys; /* [worlds] */
    uint32_t *gates;       /* [worlds], or NULL */
    char *values;          /* of places, if they make the order; else NULL */
    uint32_t nan;
    uint64_t next[MASS_TURN_PHASES_MAX]; /* by the phases of the turn: the first agent of the next world */
    actor *list;           /* those of one world */
    mass_gidx *place;      /* the same, in order */
    uint64_t room;
} actors;

/* Returns the place of the space that a place of the part is. */
static mass_gidx from_part(const mass_turn_part *p, mass_gidx place)
{
    return place < p->low_end ? place : place + p->gap;
}

/* Orders actors as they act: by key, phase and id (for qsort). */
static int compare(const void *a, const void *b)
{
    const actor *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    if (x->phase != y->phase) return x->phase < y->phase ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* Makes room for one more actor than `count`. On failure the actors so far stay. */
static mass_status grow(actors *a, uint64_t count, mass_error *error)
{
    if (count < a->room) return MASS_OK;
    const uint64_t room = 2 * a->room + 64;
    actor *const list = realloc(a->list, room * sizeof *list);
    if (list) a->list = list;
    mass_gidx *const place = realloc(a->place, room * sizeof *place);
    if (place) a->place = place;
    if (!list || !place) return mass_error_memory(error, room * sizeof *list, "a phase in turn");
    a->room = room;
    return MASS_OK;
}

/* Adds actor i of a phase, which is on a place of the part, to a->list if it is not of the slab, and counts it in
 * *count. id: [of all actors]; NULL: places act, and are named by their numbers. */
static mass_status add(actors *a, uint32_t phase, int32_t world, mass_gidx in_part, const uint64_t *id, uint32_t i,
                       uint64_t *count, mass_error *error)
{
    const mass_gidx place = from_part(&a->r->part, in_part);
    if (mass_turn_window_owns(&a->r->window, place / mass_turn_window_row(&a->r->window))) return MASS_OK;
    const mass_status status = grow(a, *count, error);
    if (status != MASS_OK) return status;
    const uint64_t name = id ? id[i] : (uint64_t)place;
    const uint64_t key = mass_turn_key(&a->keys, a->random_keys[world], a->call->step, phase, name, i);
    a->list[(*count)++] = (actor){key, name, place, phase};
    return MASS_OK;
}

/* Adds the actors of a phase in a world, without those of the slab, and counts them in *count. Call it for one world
 * after the other. */
static mass_status add_phase(actors *a, uint32_t phase, int32_t world, uint64_t *count, mass_error *error)
{
    const int32_t population = a->d->model->phases[phase].population;
    const mass_gidx places = a->r->places;
    uint64_t *const next = &a->next[phase - a->call->phase];
    mass_status status = MASS_OK;
    if (population < 0) {
        for (mass_gidx p = 0; status == MASS_OK && p < places; p++)
            status = add(a, phase, world, p, NULL, (uint32_t)(world * places + p), count, error);
        return status;
    }
    const mass_turn_agents *const all = &a->r->rows[population].agents;
    for (; status == MASS_OK && *next < all->count && all->cell[*next] / (uint64_t)places == (uint64_t)world; ++*next)
        status = add(a, phase, world, all->cell[*next] - world * places,
                     (const uint64_t *)(const void *)all->columns[0], (uint32_t)*next, count, error);
    return status;
}

/* Lists the actors of all phases of the turn in a world. *count: their number. */
static mass_status add_world(actors *a, int32_t world, uint64_t *count, mass_error *error)
{
    mass_status status = MASS_OK;
    *count = 0;
    for (uint32_t i = a->call->phase, end = mass_turn_end(a->d->model, i); status == MASS_OK && i < end; i++)
        status = add_phase(a, i, world, count, error);
    return status;
}

/* Writes down where the actors of a world began, in their order. */
static void put_in_order(actors *a, uint64_t count)
{
    const bool reversed = a->d->model->phases[a->call->phase].turn_reversed;
    if (count) qsort(a->list, count, sizeof *a->list, compare);
    for (uint64_t i = 0; i < count; i++) a->place[i] = a->list[reversed ? count - 1 - i : i].place;
}

/* Copies to the host what decides the order: random keys, gates, and values if actors act by value. `a` owns the
 * copies, also on failure. */
static mass_status read_keys(actors *a, mass_error *error)
{
    const mass_domain *d = a->d;
    const mass_phase_def *p = &d->model->phases[a->call->phase];
    const size_t worlds = (size_t)d->worlds;
    a->keys = (mass_turn_keys){.by = p->turn_order, .nan = &a->nan};
    a->random_keys = malloc(worlds * sizeof *a->random_keys);
    if (!a->random_keys) return mass_error_memory(error, worlds * sizeof *a->random_keys, "a phase in turn");
    mass_status status = mass_buffer_download(d->random_keys, a->random_keys, worlds * sizeof *a->random_keys, error);
    if (status == MASS_OK && a->call->gates) {
        const size_t at = (size_t)((const char *)a->call->gates - (const char *)d->gates.address);
        a->gates = malloc(worlds * sizeof *a->gates);
        if (!a->gates) return mass_error_memory(error, worlds * sizeof *a->gates, "a phase in turn");
        status = mass_buffer_download(mass_buffer_from(d->gates, at), a->gates, worlds * sizeof *a->gates, error);
    }
    if (status != MASS_OK || p->turn_order != MASS_TURN_BY_VALUE) return status;
    a->keys.type = d->model->attributes[d->model->arrays[p->turn_array].attribute].type;
    if (p->population >= 0) {
        const uint32_t column = p->turn_array - d->model->populations[p->population].first_array;
        a->keys.values = a->r->rows[p->population].agents.columns[column];
        return status;
    }
    const mass_buffer copy = mass_turn_copies_buffer(&d->turn->copies, p->turn_array);
    a->values = malloc(copy.bytes);
    if (!a->values) return mass_error_memory(error, copy.bytes, "a phase in turn");
    a->keys.values = a->values;
    return mass_buffer_download(copy, a->values, copy.bytes, error);
}

mass_status mass_turn_actors_suffice(mass_domain *d, const mass_turn_call *call, bool *suffices, mass_error *error)
{
    actors a = {.d = d, .call = call, .r = d->turn->ranks};
    const mass_gidx distance = 2 * (mass_gidx)mass_turn_reach_of(d->model, call->phase);
    uint64_t count = 0;
    *suffices = true;
    if (mass_turn_window_is_whole(&a.r->window)) return MASS_OK;
    mass_status status = read_keys(&a, error);
    for (int32_t w = 0; status == MASS_OK && *suffices && w < d->worlds; w++) {
        status = add_world(&a, w, &count, error);
        if (status != MASS_OK || count == 0 || (a.gates && a.gates[w])) continue;
        put_in_order(&a, count);
        status = mass_turn_window_suffices(&a.r->window, distance, a.place, count, suffices, error);
    }
    free(a.random_keys);
    free(a.gates);
    free(a.values);
    free(a.list);
    free(a.place);
    return status;
}
