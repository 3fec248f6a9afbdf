/* SPDX-License-Identifier: Apache-2.0 */
/* The device's operations on populations: what is done to the agents of all places at once, outside callbacks. Failures
 * and order: see device.h. */
#ifndef MASS_ENGINE_DEVICE_AGENTS_H
#define MASS_ENGINE_DEVICE_AGENTS_H

#include "base/error.h"
#include "device/queued.h"
#include "anybody.h"
#include "remote.h"
#include "manage.h"
#include "relink.h"
#include "reposition.h"
#include "sprouts.h"
#include "turn.h"

#include <stdbool.h>

typedef struct mass_device mass_device;

/* This rank's part of a manage of agents whose places are divided among ranks, in steps, on a device with memory of its
 * own (population/manage/manage_of_devices.h). Between the steps, the caller exchanges messages with other ranks. One
 * manage at a time. Lists that a step returns are in host memory, and valid until the next step. No step before commit
 * writes to the population, except that conclude changes requests. */
typedef struct mass_remote_operations {
    uint32_t struct_size;
    /* Begins a manage. first_place: [ranks + 1] as in mass_weights. `work` must live until pack. */
    mass_status (*begin)(mass_device *, const mass_manage_work *work, const int64_t *first_place, int32_t ranks,
                         mass_error *error);
    /* Lists the claims of this rank's agents, if `moves`, and of its births, if `births`, to cells of other ranks. */
    mass_status (*ask)(mass_device *, bool moves, bool births, const mass_remote_claim **claims, uint32_t *count,
                       mass_error *error);
    /* Takes claims of other ranks; they replace earlier ones. */
    mass_status (*arrive)(mass_device *, const mass_remote_claim *claims, uint32_t count, mass_error *error);
    /* Decides a sub-phase: MASS_SPAWN, MASS_KILL or MASS_MIGRATE. Lists the claims of other ranks that are refused. */
    mass_status (*decide)(mass_device *, uint32_t sub_phase, const mass_remote_refusal **refused, uint32_t *count,
                          mass_error *error);
    /* Takes back this rank's claims that other ranks refused, by their index. Lists the claims of other ranks that are
     * refused because of it. */
    mass_status (*refuse)(mass_device *, uint32_t sub_phase, const uint32_t *index, uint32_t index_count,
                          const mass_remote_refusal **refused, uint32_t *count, mass_error *error);
    /* Ends the decisions. Sets *stay to the agents that will be here, without arrivals from other ranks, and
     * *travellers to the agents that leave. Sets born[worlds] to the births of this rank's agents that happen, on any
     * rank, and next_id[worlds] to work->next_id. */
    mass_status (*conclude)(mass_device *, uint64_t *stay, uint32_t *travellers, int64_t *born, uint64_t *next_id,
                            mass_error *error);
    /* Packs the agents that leave, with their values (remote.h). id_base[worlds]: the id of this rank's first birth. */
    mass_status (*pack)(mass_device *, const uint64_t *id_base, const char **travellers, mass_error *error);
    /* Prepares memory for the commit of this many arrivals. work: as before, but with arrays that have room for all. */
    mass_status (*make_room)(mass_device *, const mass_manage_work *work, uint32_t arrivals, mass_error *error);
    /* Applies the manage, with the arrivals. Queued. */
    mass_status (*commit)(mass_device *, const mass_manage_work *work, const char *arrivals, uint32_t count,
                          mass_error *error);
    /* Between manages: sets counts[worlds][count] to the agents on each of the first `low` and the last `count - low`
     * places of every world. Uses the bitmap `occupancy`, or if that is NULL, `start` as in mass_agents. The
     * result is at *there on the device until the next manage (queued) and, if `here` is not NULL, in host memory. */
    mass_status (*count_bands)(mass_device *, const uint32_t *start, const mass_seats *occupancy, int64_t places,
                               int32_t worlds, int64_t low, int64_t count, uint32_t **there, const uint32_t **here,
                               mass_error *error);
    /* Sorts agents in any order (MASS_ORDER_ANY) and their requests into canonical order, in the present arrays. For
     * places that hold one agent; needs work->occupancy. Queued. */
    mass_status (*order)(mass_device *, const mass_manage_work *work, mass_error *error);
    /* After count_bands: returns host memory for the data that is sent next; then copies it to the device. Queued. */
    mass_status (*stage)(mass_device *, size_t bytes, void **out, mass_error *error);
    mass_status (*send)(mass_device *, void *to, size_t bytes, mass_error *error);
} mass_remote_operations;

/* Agents that places bring forth (sprouts.h), in steps. Not recorded. */
typedef struct mass_sprout_operations {
    uint32_t struct_size;
    /* Computes work->before. Sets *born to the agents that are born, and *any if a place of an open world has a
     * request. Waits. */
    mass_status (*count)(mass_device *, const mass_sprout_work *work, uint64_t *born, bool *any, mass_error *error);
    /* Adds them, from the present arrays to the next ones, which have room for all. Queued. */
    mass_status (*grow)(mass_device *, const mass_sprout_work *work, mass_error *error);
    /* Clears the requests of open worlds, and counts in work->unborn those that are not born. Without work->before, it
     * instead sets *work->ignored, if not NULL, if there is a request. Queued. */
    mass_status (*clear)(mass_device *, const mass_sprout_work *work, mass_error *error);
} mass_sprout_operations;

/* Phases in turn (turn.h). Addresses in the arguments are the device's, except those of `population` and of the works,
 * which are in host memory. Queued. Not recorded. */
typedef struct mass_turn_operations {
    uint32_t struct_size;
    /* Makes the lists of a population from its cells, which ascend; all lists are empty before. Clears its counts. */
    mass_status (*list)(mass_device *, const mass_turn_population *population, const uint32_t *cell, int32_t worlds,
                        mass_error *error);
    /* Returns the bytes of memory that `order` needs for so many agents. */
    size_t (*order_bytes)(uint32_t count);
    /* Prepares the order in which agents act. It is for the next launch; what *work points to must live until then. */
    mass_status (*order)(mass_device *, const mass_turn_order_work *work, mass_error *error);
    /* Brings a population back to canonical order, and empties its lists. */
    mass_status (*restore)(mass_device *, const mass_turn_restore_work *work, mass_error *error);
    /* Copies places of a partition to the copy of the space, or back. */
    mass_status (*copy_places)(mass_device *, const mass_turn_places_work *work, bool back, mass_error *error);
    /* Finds the nodes that edges join, for nodes in turn. If work->counts_pairs, it waits and sets *most to the most
     * visits of a search for a node's rivals that goes along two edges. NULL: launches do not need these nodes; or the
     * device lets no nodes act in turn, if it cannot launch callbacks together. */
    mass_status (*join)(mass_device *, const mass_turn_join_work *work, uint64_t *most, mass_error *error);
} mass_turn_operations;

/* Changes of a network's edges (relink.h), in steps. Works are in host memory. Not recorded. All but merge wait. */
typedef struct mass_relink_operations {
    uint32_t struct_size;
    mass_status (*end)(mass_device *, const mass_relink_end_work *work, mass_relink_counts *counts, mass_error *error);
    /* *refused: the number of refused requests. */
    mass_status (*judge)(mass_device *, const mass_relink_judge_work *work, uint64_t *refused, mass_error *error);
    mass_status (*collect)(mass_device *, const mass_relink_collect_work *work, mass_relink_found *found,
                           mass_error *error);
    mass_status (*merge)(mass_device *, const mass_relink_merge_work *work, mass_error *error);
} mass_relink_operations;

typedef struct mass_agents_operations {
    uint32_t struct_size;
    bool takes_any_order; /* manages accept MASS_ORDER_ANY in work->order (plan/order.c) */
    bool occupied_requires_order; /* loops over occupied places need agents in canonical order */
    uint32_t room_most; /* most elements of an array of agents; 0: any number. Arrays of children may have twice as
                           many */
    bool knows_seats; /* manages and launches use the occupancy bitmap of a population, if it has one */
    /* Applies the requests of agents (manage.h). Sets *agents to the number of agents afterwards. If that is more than
     * work->room, nothing has changed, and the caller calls again with larger arrays. UINT64_MAX: work->order leaves
     * ANY, an agent dies or asks for a birth, and nothing has changed. Also after MASS_NO_DEVICE, for lack of memory
     * for the sort, nothing has changed. Queued if there can be no births (work->children is 0, and work->order leaves
     * SORTED) or if it is recorded; then a device may set *agents to 0. */
    mass_status (*manage)(mass_device *, const mass_manage_work *work, uint64_t *agents, mass_error *error);
    /* Gives agents that move their new positions (reposition.h). Queued. */
    mass_status (*reposition)(mass_device *, const mass_reposition_work *work, mass_error *error);
    /* Discards requests that no manage has applied (manage.h). Queued. */
    mass_status (*drop)(mass_device *, const mass_discard_work *work, mass_error *error);
    /* Sets tally[w] to the number of agents in world w, of `places` places, from `start` as in mass_agents. Queued. */
    mass_status (*census)(mass_device *, const uint32_t *start, int64_t places, int32_t worlds, int64_t *tally,
                          mass_error *error);
    const mass_remote_operations *remote; /* optional: a manage over ranks */
    const mass_queued_operations *queued; /* optional: a manage over ranks that is all queued */
    /* Returns the device's own threads that work in host memory, for a manage over ranks; or NULL. */
    struct mass_cpu_team *(*team)(mass_device *);
    /* Fill the index of agents by their ids, and the bitmap of full places (anybody.h). Queued. */
    mass_status (*index)(mass_device *, const mass_index_work *work, mass_error *error);
    mass_status (*find_full)(mass_device *, const mass_full_work *work, mass_error *error);
    const mass_sprout_operations *sprout;
    const mass_turn_operations *turn; /* optional: phases in turn */
    const mass_relink_operations *relink; /* optional: else edges change in host memory */
} mass_agents_operations;

#endif
