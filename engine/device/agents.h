/* SPDX-License-Identifier: Apache-2.0 */
/* The device's part for populations: what is done to the agents of all places at once, outside callbacks. Failures and
 * order: see device.h. */
#ifndef MASS_ENGINE_DEVICE_AGENTS_H
#define MASS_ENGINE_DEVICE_AGENTS_H

#include "base/error.h"
#include "device/queued.h"
#include "far.h"
#include "manage.h"

#include <stdbool.h>

typedef struct mass_device mass_device;

/* A manage of agents whose places are divided among ranks, where the device's memory is not the host's: this rank's
 * part of it, step by step (population/manage/manage_of_devices.h). In between, the caller carries to other ranks what
 * the steps leave for them. One manage at a time. Lists that a step gives lie in the host's memory until the next step.
 * Up to conclude, nothing of the population is written; conclude changes requests alone. */
typedef struct mass_far_operations {
    uint32_t struct_size;
    /* Begins one. first_place: [ranks + 1] as in mass_holders. `work` has to live until pack. */
    mass_status (*begin)(mass_device *, const mass_manage_work *work, const int64_t *first_place, int32_t ranks,
                         mass_error *error);
    /* The claims of this rank's agents, if `moves`, and of its births, if `births`, to cells of other ranks. */
    mass_status (*ask)(mass_device *, bool moves, bool births, const mass_far_claim **claims, uint32_t *count,
                       mass_error *error);
    /* Takes claims of other ranks, in place of earlier ones. */
    mass_status (*arrive)(mass_device *, const mass_far_claim *claims, uint32_t count, mass_error *error);
    /* Decides a sub-phase: MASS_SPAWN, MASS_KILL or MASS_MIGRATE. Claims of other ranks that are not granted come
     * back. */
    mass_status (*decide)(mass_device *, uint32_t sub_phase, const mass_far_refusal **refused, uint32_t *count,
                          mass_error *error);
    /* Some of this rank's claims have come back, by their index. */
    mass_status (*refuse)(mass_device *, uint32_t sub_phase, const uint32_t *index, uint32_t index_count,
                          const mass_far_refusal **refused, uint32_t *count, mass_error *error);
    /* All is decided: *stay agents will be here, but for those who come from other ranks, and *travellers leave.
     * born[worlds] births happen to this rank's agents, wherever; next_id[worlds] is work->next_id. */
    mass_status (*conclude)(mass_device *, uint64_t *stay, uint32_t *travellers, int64_t *born, uint64_t *next_id,
                            mass_error *error);
    /* Those who leave, with their values (far.h). id_base[worlds]: the id of this rank's first birth. */
    mass_status (*pack)(mass_device *, const uint64_t *id_base, const char **travellers, mass_error *error);
    /* Has memory ready for the commit of so many arrivals. work: as it was, but for larger arrays, with room for
     * all. */
    mass_status (*make_room)(mass_device *, const mass_manage_work *work, uint32_t arrivals, mass_error *error);
    /* Carries it out, with those who come. Queued. */
    mass_status (*commit)(mass_device *, const mass_manage_work *work, const char *arrivals, uint32_t count,
                          mass_error *error);
    /* Between manages: counts[worlds][count], how many agents stand on each of the first `low` and the last
     * `count - low` places of every world, by `start` as in mass_agents, or by `seats` if it is not NULL. On the
     * device, *there, until the next manage: queued; and if `here` is not NULL, in the host's memory. */
    mass_status (*count_bands)(mass_device *, const uint32_t *start, const mass_seats *seats, int64_t places,
                               int32_t worlds, int64_t low, int64_t count, uint32_t **there, const uint32_t **here,
                               mass_error *error);
    /* Puts agents that were left in no order (manage.h: loose) in canonical order, with what they ask for, in the
     * arrays where they are. Of places that hold one agent, by work->seats. Queued. */
    mass_status (*order)(mass_device *, const mass_manage_work *work, mass_error *error);
    /* Memory of the host for what is sent next, and its copy to the device. Queued. */
    mass_status (*stage)(mass_device *, size_t bytes, void **out, mass_error *error);
    mass_status (*send)(mass_device *, void *to, size_t bytes, mass_error *error);
} mass_far_operations;

typedef struct mass_agents_operations {
    uint32_t struct_size;
    bool keeps_order; /* manages go by work->loose and work->keeps */
    bool occupied_by_order; /* loops over occupied places find agents by their order */
    uint32_t room_most; /* elements of arrays of agents, at most; 0: any number. Of those of children, twice as many */
    bool knows_seats; /* manages and launches go by the seats of a population, where they are given */
    /* Carries out what agents asked for (manage.h). *agents is how many there would be afterwards: where that is more
     * than work->room, nothing was done, and the caller calls again with larger arrays. Queued where there can be no
     * births (work->children is 0, and not work->keeps) or it is being recorded; *agents is then 0 on devices that need
     * not know it. UINT64_MAX: with work->keeps, somebody dies or is born, and nothing was done. After
     * MASS_NO_DEVICE, for lack of memory to sort agents in, nothing was done either. */
    mass_status (*manage)(mass_device *, const mass_manage_work *work, uint64_t *agents, mass_error *error);
    /* Takes back requests that no manage has carried out (manage.h). Queued. */
    mass_status (*drop)(mass_device *, const mass_drop_work *work, mass_error *error);
    /* tally[w] = the number of agents in world w, of `places` places, by `start` as in mass_agents. Queued. */
    mass_status (*census)(mass_device *, const uint32_t *start, int64_t places, int32_t worlds, int64_t *tally,
                          mass_error *error);
    const mass_far_operations *far; /* optional: a manage over ranks */
    const mass_queued_operations *queued; /* optional: one of which all is queued */
    /* The threads that do this in host memory, for a manage over ranks; or NULL. The device's own. */
    struct mass_cpu_team *(*team)(mass_device *);
} mass_agents_operations;

#endif
