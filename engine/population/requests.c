/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the manage of a population: on its device, or over the ranks that hold its places. */
#include "halo/counts.h"
#include "population/capacity.h"
#include "population/manage/manage_of_devices.h"
#include "population/population.h"
#include "population/positions.h"
#include "population/requests.h"
#include "ranks/rpc.h"
#include "state/tally.h"

#include <stdlib.h>
#include <string.h>

/* Returns a tally's accumulators, or NULL if the tally does not count in this step. */
static int64_t *counter(const mass_domain *d, int tally, bool counted)
{
    const mass_tally_def *t = tally < 0 ? NULL : &d->model->tallies[tally];
    if (!t || (!counted && !t->cumulative && !t->needed)) return NULL;
    return mass_domain_tally_at(d, (uint32_t)tally);
}

mass_manage_order mass_population_order(const mass_domain *d, uint32_t population, mass_manage_order planned,
                                        bool recorded)
{
    const mass_population_state *s = &d->populations[population];
    const bool by_hosts = s->first_place && !recorded; /* the hosts carry agents between ranks */
    mass_manage_order order = planned;
    if (by_hosts && d->device->table->agents->remote) return (mass_manage_order){MASS_ORDER_SORTED, MASS_ORDER_SORTED};
    if (!s->sorts_always) return order;
    order.leaves = MASS_ORDER_SORTED;
    if (by_hosts) order.finds = MASS_ORDER_SORTED; /* the manage that saw a birth or a death has sorted */
    return order;
}

/* The arguments of a manage. */
typedef struct request {
    mass_domain *d;
    uint32_t phase;
    uint64_t step;
    bool relative, counted;
    mass_manage_order order;
    const uint32_t *gates;
} request;

/* Returns the arguments of a manage for the device: addresses of the present and next buffers, which swap later.
 * `arrays` must outlive them. */
static mass_manage_work work_of(const request *r, mass_agent_array arrays[MASS_ARRAYS_OF_AGENTS_MAX])
{
    static const uint32_t orders[3][3] = {[MASS_SPAWN_KILL_MIGRATE] = {MASS_SPAWN, MASS_KILL, MASS_MIGRATE},
        [MASS_KILL_SPAWN_MIGRATE] = {MASS_KILL, MASS_SPAWN, MASS_MIGRATE},
        [MASS_KILL_MIGRATE_SPAWN] = {MASS_KILL, MASS_MIGRATE, MASS_SPAWN}};
    mass_domain *d = r->d;
    const mass_phase_def *def = &d->model->phases[r->phase];
    const mass_population_def *p = &d->model->populations[def->population];
    const mass_population_state *s = &d->populations[def->population];
    const uint32_t now = s->current, next = now ^ 1u;
    uint32_t count = 0;
    for (uint32_t i = 2; i < p->array_count && count < MASS_ARRAYS_OF_AGENTS_MAX; i++) {
        const mass_array_def *a = &d->model->arrays[p->first_array + i];
        arrays[count++] = (mass_agent_array){s->arrays[i].buffer[now].address, s->arrays[i].buffer[next].address,
                                             a->element_size, s->arrays[i].child.address, s->arrays[i].initial};
    }
    mass_manage_work w = {.places = s->places, .worlds = d->worlds,
        .gates = r->gates, .random_keys = d->random_keys.address, .step = r->step,
        .clock = r->relative ? d->clock.address : NULL, .phase = r->phase, .capacity = p->capacity,
        .conflict = p->conflict, .children = p->children, .room = s->room, .count = s->count.address,
        .next_id = (uint64_t *)mass_domain_tally_at(d, (uint32_t)p->next_id),
        .id = s->arrays[0].buffer[now].address, .cell = s->cell[now].address,
        .id_to = s->arrays[0].buffer[next].address, .cell_to = s->cell[next].address,
        .lost = s->arrays[1].buffer[now].address, .lost_to = s->arrays[1].buffer[next].address,
        .start = s->start.address, .occupancy = s->occupancy.address, .move = s->move.address,
            .asked = s->asked.address,
        .child_cell = s->child_cell.address, .remote_move = s->remote_move.address,
            .remote_child = s->remote_child.address,
        .array_count = count, .arrays = arrays, .born = counter(d, p->born, r->counted),
        .died = counter(d, p->died, r->counted), .refused = counter(d, p->unborn, r->counted),
        .closed = r->relative ? d->closed.address : NULL};
    memcpy(w.sub_phases, orders[def->order], sizeof w.sub_phases);
    w.order = mass_population_order(d, (uint32_t)def->population, r->order, r->relative);
    if (w.order.leaves == MASS_ORDER_ANY) {
        w.cell_to = s->cell[now].address;
        w.lost_to = s->arrays[1].buffer[now].address;
    }
    if (p->priority >= 0) {
        w.priority = mass_population_array(d, (uint32_t)def->population, (uint32_t)p->priority).address;
        w.priority_type = d->model->attributes[d->model->arrays[p->priority].attribute].type;
    }
    return w;
}

/* Swaps the two buffers of all arrays after a manage that kept agents in place. The caller's swap then makes the
 * right one present. Recordings become invalid. */
static void exchange_buffers(mass_domain *d, uint32_t population)
{
    mass_population_state *s = &d->populations[population];
    const mass_buffer cell = s->cell[0];
    s->cell[0] = s->cell[1];
    s->cell[1] = cell;
    for (uint32_t i = 0; i < d->model->populations[population].array_count; i++) {
        mass_buffer *const buffer = s->arrays[i].buffer, first = buffer[0];
        buffer[0] = buffer[1];
        buffer[1] = first;
    }
    d->changes++;
}

/* Runs a manage on the device. Repeats it with sorted agents or larger arrays if it asks for that. */
static mass_status manage_on_device(const request *r, uint32_t population, mass_error *error)
{
    mass_domain *d = r->d;
    for (;;) {
        mass_agent_array arrays[MASS_ARRAYS_OF_AGENTS_MAX];
        mass_manage_work w = work_of(r, arrays);
        uint64_t agents = 0;
        bool stayed = false;
        if (!r->relative) w.stayed = &stayed;
        mass_status status = d->device->table->agents->manage(d->device, &w, &agents, error);
        if (stayed) exchange_buffers(d, population);
        if (status == MASS_OK && w.order.leaves == MASS_ORDER_ANY && agents == UINT64_MAX) {
            d->populations[population].sorts_always = true;
            d->changes++;
            continue;
        }
        if (status == MASS_OK && agents <= d->populations[population].room) return MASS_OK;
        if (status == MASS_OK) status = mass_population_enlarge(d, population, agents, error);
        if (status != MASS_OK) return status;
    }
}

mass_status mass_population_check_devices(mass_domain *d, mass_error *error)
{
    mass_comm *comm = d->share.comm;
    if (!mass_share_is_split(&d->share) || d->model->population_count == 0) return MASS_OK;
    const mass_agents_operations *agents = d->device->table->agents;
    int64_t kinds[] = {agents->remote != NULL, agents->remote == NULL, agents->knows_seats};
    const mass_status status = comm->table->all_reduce(comm, MASS_REDUCE_SUM, kinds, 3, error);
    if (status != MASS_OK) return status;
    if (kinds[0] == 0 && kinds[2] > 0 && kinds[2] < comm->size)
        return mass_error_set(error, MASS_BAD_USAGE, "only some ranks use --device paranoid, so that they cannot "
                              "share agents: use it on all");
    if (kinds[0] == 0 || kinds[1] == 0) return status;
    return mass_error_set(error, MASS_BAD_USAGE, "%d of %d ranks %s GPUs and the others have none, so that they "
                          "cannot share agents: use --device cpu", (int)kinds[0], (int)comm->size,
                          kinds[0] == 1 ? "has" : "have");
}

/* Decides a manage over ranks: on the device if agents are not in host memory, otherwise on the host. *after: this
 * rank's agents then, or MASS_MANAGE_CHANGES (mass_manage_decide). */
static mass_status decide(const request *r, const mass_manage_work *w, mass_population_state *s, uint64_t *after,
                          mass_error *error)
{
    const mass_domain *d = r->d;
    const mass_agents_operations *agents = d->device->table->agents;
    const mass_weights weights = {.comm = d->share.comm, .first_place = s->first_place,
                                  .team = agents->team ? agents->team(d->device) : NULL};
    return agents->remote ? mass_manage_messages_decide(d->device, w, &weights, &s->messages, after, error)
                       : mass_manage_decide(w, &weights, &s->decision, after, error);
}

/* ---- in recordings ---- */

enum { CONNECTING_RANKS_MOST = 16 }; /* each has a mailbox for every other one */

bool mass_population_meets(const mass_domain *d)
{
    return mass_share_is_split(&d->share) && d->share.link && d->share.comm->size <= CONNECTING_RANKS_MOST &&
           d->device->table->agents && d->device->table->agents->queued && d->model->population_count == 1 &&
           d->model->populations[0].capacity == 1 && !mass_model_sprouts(d->model) &&
           !d->model->populations[0].anywhere && !d->model->populations[0].sought; /* hosts gather all agents */
}

/* Finds a manage of population 0, and sets *phase to it. Returns false if there is none. */
static bool find_manage(const mass_domain *d, uint32_t *phase)
{
    for (uint32_t i = 0; i < d->model->phase_count; i++) {
        *phase = i;
        if (!d->model->phases[i].callback && d->model->phases[i].population == 0) return true;
    }
    return false;
}

bool mass_population_prepare_recording(mass_domain *d)
{
    const mass_population_state *s = &d->populations[0];
    const mass_comm *comm = d->share.comm;
    uint32_t rooms[2 * CONNECTING_RANKS_MOST];
    mass_agent_array arrays[MASS_ARRAYS_OF_AGENTS_MAX];
    mass_error error = {0};
    request r = {.d = d, .relative = true};
    if (!find_manage(d, &r.phase) || !mass_manage_messages_can_queue(s->messages)) return false;
    mass_manage_messages_rooms(s->messages, rooms, rooms + comm->size);
    const mass_manage_work w = work_of(&r, arrays);
    uint32_t give_count = 0, take_count = 0;
    mass_seen_run *gives = NULL, *takes = NULL;
    mass_status status = mass_place_counts_list(d, 0, true, &gives, &give_count, &error);
    if (status == MASS_OK) status = mass_place_counts_list(d, 0, false, &takes, &take_count, &error);
    const mass_queued_rooms q = {comm->size, comm->rank, s->first_place, rooms, rooms + comm->size,
                                 gives, takes, give_count, take_count, s->place_counts.address};
    if (status == MASS_OK) status = d->device->table->agents->queued->reserve(d->device, &w, &q, &error);
    free(gives);
    free(takes);
    return status == MASS_OK;
}

mass_status mass_population_notify(mass_domain *d, mass_error *error)
{
    return mass_manage_notify(d->device, d->share.comm, d->share.link, error);
}

bool mass_population_is_prepared(const mass_domain *d)
{
    return !d->device->table->agents->queued->has_moved(d->device);
}

uint64_t mass_population_lessons(const mass_domain *d)
{
    const mass_population_state *s = &d->populations[0];
    return mass_manage_messages_lessons(s->messages) + s->sorts_always;
}

mass_status mass_population_resume(mass_domain *d, uint32_t phase, mass_order finds, bool changes, mass_error *error)
{
    const request r = {.d = d, .phase = phase};
    mass_agent_array arrays[MASS_ARRAYS_OF_AGENTS_MAX];
    const mass_manage_work w = work_of(&r, arrays);
    if (changes) {
        d->populations[d->model->phases[phase].population].sorts_always = true;
        d->changes++;
    }
    const mass_status status =
        finds == MASS_ORDER_ANY ? d->device->table->agents->remote->order(d->device, &w, error) : MASS_OK;
    return mass_rpc_abandon(d->share.comm, status, error);
}

/* Queues a manage over ranks. If a rank cannot go on, the replay stops on all ranks, and manage_over_ranks resumes
 * the step. */
static mass_status queue_over_ranks(const request *r, uint32_t population, mass_error *error)
{
    mass_domain *d = r->d;
    const mass_comm *comm = d->share.comm;
    mass_agent_array arrays[MASS_ARRAYS_OF_AGENTS_MAX];
    const mass_manage_work w = work_of(r, arrays);
    bool stopped;
    const mass_status status =
        mass_manage_queue(d->device, d->share.link, comm->size, comm->rank, &w,
                          mass_manage_messages_shape(d->populations[population].messages, r->phase), &stopped, error);
    return mass_rpc_abandon(d->share.comm, status, error);
}

/* Runs a manage over ranks, again with sorted agents if it asks for that. All ranks have memory for their agents before
 * any rank writes. Then updates the counts that ranks have of each other's places. */
static mass_status manage_over_ranks(const request *r, uint32_t population, mass_error *error)
{
    mass_domain *d = r->d;
    mass_population_state *s = &d->populations[population];
    mass_comm *comm = d->share.comm;
    mass_agent_array arrays[MASS_ARRAYS_OF_AGENTS_MAX];
    mass_manage_work w = work_of(r, arrays);
    uint64_t after = 0;
    mass_status status = decide(r, &w, s, &after, error);
    if (status == MASS_OK && w.order.leaves == MASS_ORDER_ANY && after == MASS_MANAGE_CHANGES) {
        s->sorts_always = true;
        d->changes++;
        w = work_of(r, arrays);
        status = decide(r, &w, s, &after, error);
    }
    if (status != MASS_OK) return mass_rpc_abandon(comm, status, error);
    if (after > s->room) status = mass_population_enlarge(d, population, after, error);
    w = work_of(r, arrays);
    if (status == MASS_OK && s->messages) status = mass_manage_messages_prepare(d->device, s->messages, &w, error);
    if (s->messages || !mass_decision_fits(s->decision)) status = mass_rpc_agree(comm, status, error);
    if (status != MASS_OK) return status;
    if (!s->messages) mass_manage_commit(s->decision, &w);
    else status = mass_manage_messages_commit(d->device, s->messages, &w, error);
    if (status != MASS_OK) return mass_rpc_abandon(comm, status, error);
    return mass_place_counts_refresh(d, population, error);
}

mass_status mass_population_manage(mass_domain *d, uint32_t phase, uint64_t step, bool relative, const uint32_t *gates,
                                   bool counted, mass_manage_order order, mass_error *error)
{
    const request r = {.d = d, .phase = phase, .step = step, .relative = relative, .counted = counted, .order = order,
                       .gates = gates};
    const uint32_t population = (uint32_t)d->model->phases[phase].population;
    const mass_status moved = mass_population_reposition(d, population, gates, error);
    if (moved != MASS_OK) return mass_rpc_abandon(d->share.comm, moved, error);
    if (!d->populations[population].first_place) return manage_on_device(&r, population, error);
    return relative ? queue_over_ranks(&r, population, error) : manage_over_ranks(&r, population, error);
}
