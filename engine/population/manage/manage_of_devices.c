/* SPDX-License-Identifier: Apache-2.0 */
#include "population/manage/manage_of_devices.h"
#include "ranks/record_buffers.h"

#include <stdlib.h>
#include <string.h>

/* Statistics of a phase's manages so far, over all ranks. */
typedef struct learned {
    uint64_t notes;  /* kinds of claims: OF_... */
    uint32_t rounds; /* the most rounds of refusals */
} learned;

/* Flags that ranks send with claims. */
enum { OF_MOVES = 1, OF_BIRTHS = 2 };

/* Messages of a manage and statistics of earlier ones. Its memory serves one manage after another. */
struct mass_manage_messages {
    mass_record_buffers claims, refusals, travellers;
    int64_t *numbers;  /* [1 + ranks][worlds][2] births of this rank and its share of next_id; then those of all
                          ranks */
    uint64_t *id_base; /* [worlds] */
    int64_t *born;     /* [worlds] */
    uint64_t *next_id; /* [worlds] */
    uint64_t *most;    /* [2][ranks] the most claims in one exchange, to and from each rank */
    learned *phases;   /* [phase_count] */
    uint32_t phase_count;
    uint64_t lessons;  /* how often a statistic has grown */
};

/* The arguments of a decision in progress. */
typedef struct parley {
    mass_device *device;
    const mass_remote_operations *remote;
    const mass_manage_work *w;
    mass_comm *comm;
    mass_manage_messages *messages;
} parley;

/* Allocates the memory for messages between ranks. On failure frees everything and leaves *out alone. */
static mass_status make(const mass_manage_work *w, mass_comm *comm, mass_manage_messages **out, mass_error *error)
{
    const size_t worlds = (size_t)w->worlds, ranks = (size_t)comm->size;
    mass_manage_messages *l = calloc(1, sizeof *l);
    if (!l) return mass_error_memory(error, sizeof *l, "a manage");
    *l = (mass_manage_messages){.claims = {.comm = comm, .size = sizeof(mass_remote_claim)},
        .refusals = {.comm = comm, .size = sizeof(uint32_t)}, .travellers = {.comm = comm},
        .numbers = calloc(2 * worlds * (ranks + 1), sizeof *l->numbers), .id_base = calloc(worlds, sizeof *l->id_base),
        .born = calloc(worlds, sizeof *l->born), .next_id = calloc(worlds, sizeof *l->next_id),
        .most = calloc(2 * ranks, sizeof *l->most)};
    if (l->numbers && l->id_base && l->born && l->next_id && l->most) {
        *out = l;
        return MASS_OK;
    }
    mass_manage_messages_free(l);
    return mass_error_memory(error, worlds * (ranks + 4) * 16, "a manage");
}

/* ---- statistics ---- */

/* Makes the list of phases long enough for this phase. Fails if memory is short. */
static mass_status learn_phase(mass_manage_messages *l, uint32_t phase, mass_error *error)
{
    if (phase < l->phase_count) return MASS_OK;
    learned *phases = realloc(l->phases, (phase + 1) * sizeof *phases);
    if (!phases) return mass_error_memory(error, (phase + 1) * sizeof *phases, "a manage");
    memset(phases + l->phase_count, 0, (phase + 1 - l->phase_count) * sizeof *phases);
    l->phases = phases;
    l->phase_count = phase + 1;
    return MASS_OK;
}

/* Raises *most to `count`, and counts that a statistic grew. Does nothing if *most is as large. */
static void grow(mass_manage_messages *l, uint64_t *most, uint64_t count)
{
    if (count <= *most) return;
    *most = count;
    l->lessons++;
}

/* Updates the statistics of a phase after an exchange of claims, and counts a lesson if the notes say something new. */
static void learn_claims(mass_manage_messages *l, uint32_t phase)
{
    const size_t ranks = (size_t)l->claims.comm->size;
    learned *const of_phase = &l->phases[phase];
    l->lessons += (l->claims.note & ~of_phase->notes) != 0;
    of_phase->notes |= l->claims.note;
    for (size_t r = 0; r < ranks; r++) {
        const mass_record_buffer_pair *const pair = &l->claims.pairs[r];
        grow(l, &l->most[r], pair->sent);
        grow(l, &l->most[ranks + r], pair->received);
    }
}

bool mass_manage_messages_can_queue(const mass_manage_messages *l)
{
    uint64_t notes = 0;
    for (uint32_t i = 0; l && i < l->phase_count; i++) notes |= l->phases[i].notes;
    return l && !(notes & OF_BIRTHS);
}

/* Allows for one round of refusals at least, because a move can be refused. A queued manage that needs more rounds
 * than its shape has stops. */
mass_queued_shape mass_manage_messages_shape(const mass_manage_messages *l, uint32_t phase)
{
    if (phase >= l->phase_count) return (mass_queued_shape){0};
    const learned *const p = &l->phases[phase];
    return (mass_queued_shape){p->notes & OF_MOVES, p->rounds ? p->rounds : 1};
}

uint64_t mass_manage_messages_lessons(const mass_manage_messages *l) { return l ? l->lessons : 0; }

/* Returns the capacity of a mailbox. Sender and receiver counted the same claims, so they get the same number. */
static uint32_t room_for(uint64_t most)
{
    enum { FEW = 64 };
    const uint64_t room = most + most / 2 + FEW;
    return (uint32_t)(room < MASS_QUEUED_ROOM_MOST ? room : MASS_QUEUED_ROOM_MOST);
}

void mass_manage_messages_rooms(const mass_manage_messages *l, uint32_t *out, uint32_t *in)
{
    const mass_comm *comm = l->claims.comm;
    for (int32_t r = 0; r < comm->size; r++) {
        out[r] = r == comm->rank ? 0 : room_for(l->most[r]);
        in[r] = r == comm->rank ? 0 : room_for(l->most[comm->size + r]);
    }
}

/* ---- claims ---- */

/* Sends the claims of this rank's agents to the ranks of their cells, and gives the claims that arrive to the
 * device. Refuses more than 2^30 claims on one rank. All ranks call it. */
static mass_status send_claims(const parley *p, bool moves, bool births, mass_error *error)
{
    mass_record_buffers *const sent = &p->messages->claims;
    const mass_remote_claim *claims = NULL;
    uint32_t count = 0;
    mass_status status = p->remote->ask(p->device, moves, births, &claims, &count, error);
    sent->note = 0;
    for (uint32_t i = 0; status == MASS_OK && i < count; i++) {
        mass_remote_claim *const c = mass_record_buffers_add(sent, claims[i].rank, error);
        if (!c) return error->status;
        *c = claims[i];
        c->rank = p->comm->rank;
        sent->note |= c->is_birth ? OF_BIRTHS : OF_MOVES;
    }
    if (status == MASS_OK) status = mass_record_buffers_exchange(sent, error);
    if (status == MASS_OK) learn_claims(p->messages, p->w->phase);
    if (status == MASS_OK && sent->arrived > UINT32_MAX / 4)
        status = mass_error_set(error, MASS_NO_DEVICE, "agents ask for more than 2^30 places of one rank");
    if (status != MASS_OK) return status;
    return p->remote->arrive(p->device, (const mass_remote_claim *)sent->arrivals, (uint32_t)sent->arrived, error);
}

/* ---- refusals ---- */

/* Adds refusals to the messages to the claims' ranks. */
static mass_status add_refusals(const parley *p, const mass_remote_refusal *refused, uint32_t count, mass_error *error)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *index = mass_record_buffers_add(&p->messages->refusals, refused[i].rank, error);
        if (!index) return error->status;
        *index = refused[i].index;
    }
    return MASS_OK;
}

/* Sends refusals to their ranks, and gives those that arrive to the device. *told: a rank had refusals. Adds the
 * refusals that follow from them to the next messages. */
static mass_status tell(const parley *p, uint32_t sub_phase, bool *told, mass_error *error)
{
    mass_record_buffers *const sent = &p->messages->refusals;
    const mass_remote_refusal *refused = NULL;
    uint32_t count = 0;
    sent->note = sent->count > 0;
    mass_status status = mass_record_buffers_exchange(sent, error);
    *told = sent->note != 0;
    if (status != MASS_OK || sent->arrived == 0) return status;
    status = p->remote->refuse(p->device, sub_phase, (const uint32_t *)sent->arrivals, (uint32_t)sent->arrived,
                               &refused,
                            &count, error);
    return status == MASS_OK ? add_refusals(p, refused, count, error) : status;
}

/* Decides one sub-phase. A refused birth refuses no other claim, so one exchange is enough. Moves need rounds until
 * no rank has refusals; their number goes into the statistics. All ranks call it. */
static mass_status decide(const parley *p, uint32_t sub_phase, mass_error *error)
{
    const uint64_t of = sub_phase == MASS_MIGRATE ? OF_MOVES : OF_BIRTHS;
    const mass_remote_refusal *refused = NULL;
    uint32_t count = 0;
    mass_status status = p->remote->decide(p->device, sub_phase, &refused, &count, error);
    if (status == MASS_OK) status = add_refusals(p, refused, count, error);
    learned *const learned_of = &p->messages->phases[p->w->phase];
    bool more = sub_phase != MASS_KILL && (p->messages->claims.note & of);
    for (uint32_t rounds = 0; status == MASS_OK && more;) {
        status = tell(p, sub_phase, &more, error);
        rounds += more;
        if (rounds > learned_of->rounds && rounds <= MASS_QUEUED_ROUNDS_MOST) {
            learned_of->rounds = rounds;
            p->messages->lessons++;
        }
        more &= sub_phase == MASS_MIGRATE;
    }
    return status;
}

/* Decides all sub-phases. If births come last, their claims are sent after the moves: a child may be born where its
 * parent went. */
static mass_status decide_all(const parley *p, mass_error *error)
{
    const mass_manage_work *w = p->w;
    const bool late = w->sub_phases[2] == MASS_SPAWN;
    mass_status status = send_claims(p, true, !late && w->children, error);
    for (int i = 0; status == MASS_OK && i < 3; i++) {
        if (w->sub_phases[i] == MASS_SPAWN && w->children == 0) continue;
        if (w->sub_phases[i] == MASS_SPAWN && late) status = send_claims(p, false, true, error);
        if (status == MASS_OK) status = decide(p, w->sub_phases[i], error);
    }
    return status;
}

/* ---- after the decision ---- */

/* Sets the first id of each world's births (id_base), if there can be any, by canonical order: rank after rank, and by
 * parent within a rank. Each rank has a share of next_id. All ranks call it together. */
static mass_status number(const parley *p, mass_error *error)
{
    mass_manage_messages *const l = p->messages;
    const size_t worlds = (size_t)p->w->worlds;
    int64_t *const own = l->numbers, *const all = own + 2 * worlds;
    memset(l->id_base, 0, worlds * sizeof *l->id_base);
    if (p->w->children == 0) return MASS_OK;
    for (size_t i = 0; i < worlds; i++) {
        own[2 * i] = l->born[i];
        own[2 * i + 1] = (int64_t)l->next_id[i];
    }
    const mass_status status = p->comm->table->all_gather(p->comm, own, 2 * worlds * sizeof *own, all, error);
    for (size_t i = 0; status == MASS_OK && i < worlds; i++)
        for (int32_t r = 0; r < p->comm->size; r++) {
            const int64_t *const of_rank = all + 2 * (worlds * (size_t)r + i);
            l->id_base[i] += (uint64_t)of_rank[1] + (r < p->comm->rank ? (uint64_t)of_rank[0] : 0);
        }
    return status;
}

/* Sends `count` agents and children with their values to other ranks, and receives theirs in messages->travellers. */
static mass_status send_travellers(const parley *p, uint32_t count, mass_error *error)
{
    mass_record_buffers *const sent = &p->messages->travellers;
    const char *all = NULL;
    sent->size = mass_remote_value(p->w, p->w->array_count);
    const mass_status status = p->remote->pack(p->device, p->messages->id_base, &all, error);
    for (uint32_t i = 0; status == MASS_OK && i < count; i++) {
        mass_remote_traveller t;
        const char *const one = all + i * sent->size;
        memcpy(&t, one, sizeof t);
        char *const record = mass_record_buffers_add(sent, t.rank, error);
        if (!record) return error->status;
        memcpy(record, one, sent->size);
    }
    return status == MASS_OK ? mass_record_buffers_exchange(sent, error) : status;
}

mass_status mass_manage_messages_decide(mass_device *device, const mass_manage_work *w, const mass_weights *weights,
                                mass_manage_messages **kept, uint64_t *after, mass_error *error)
{
    mass_status status = *kept ? MASS_OK : make(w, weights->comm, kept, error);
    if (status != MASS_OK) return status;
    const parley p = {device, device->table->agents->remote, w, weights->comm, *kept};
    uint32_t travellers = 0;
    status = learn_phase(p.messages, w->phase, error);
    if (status == MASS_OK) status = p.remote->begin(device, w, weights->first_place, p.comm->size, error);
    if (status == MASS_OK && w->capacity) status = decide_all(&p, error);
    if (status == MASS_OK)
        status = p.remote->conclude(device, after, &travellers, p.messages->born, p.messages->next_id, error);
    if (status == MASS_OK) status = number(&p, error);
    if (status == MASS_OK) status = send_travellers(&p, travellers, error);
    *after += p.messages->travellers.arrived;
    return status;
}

mass_status mass_manage_messages_prepare(mass_device *device, const mass_manage_messages *l, const mass_manage_work *w,
                                 mass_error *error)
{
    return device->table->agents->remote->make_room(device, w, (uint32_t)l->travellers.arrived, error);
}

mass_status mass_manage_messages_commit(mass_device *device, const mass_manage_messages *l, const mass_manage_work *w,
                                mass_error *error)
{
    return device->table->agents->remote->commit(device, w, l->travellers.arrivals, (uint32_t)l->travellers.arrived,
                                              error);
}

void mass_manage_messages_free(mass_manage_messages *l)
{
    if (!l) return;
    void *const all[] = {l->numbers, l->id_base, l->born, l->next_id, l->most, l->phases};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    mass_record_buffers_free(&l->claims);
    mass_record_buffers_free(&l->refusals);
    mass_record_buffers_free(&l->travellers);
    free(l);
}
