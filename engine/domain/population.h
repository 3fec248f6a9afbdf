/* SPDX-License-Identifier: Apache-2.0 */
/* The agents of a domain: who starts where, room that grows, manage, and access in canonical order.
 * Main thread. */
#ifndef MASS_ENGINE_POPULATION_H
#define MASS_ENGINE_POPULATION_H

#include "domain/domain.h"

/* How many agents a world starts with, as far as its rule tells (a table and an attribute do not), and
 * the bytes that a population needs on its device. */
double mass_population_estimate(const mass_model *m, uint32_t population);
double mass_population_bytes(const mass_model *m, uint32_t population, int32_t worlds);
double mass_population_bytes_of_agent(const mass_model *m, uint32_t population);

/* Whether a world can start with `count` of the declaration, as far as its rule tells. MASS_BAD_USAGE. */
mass_status mass_population_check_start(const mass_model *m, const mass_population_def *p, int64_t count,
                                        mass_error *error);

/* Room for what does not depend on the number of agents. */
mass_status mass_population_create(mass_domain *d, uint32_t population, mass_error *error);
void mass_population_free(mass_domain *d, uint32_t population);

/* The initial agents, of the table or by the population's rule, of this rank's worlds. Once. */
mass_status mass_population_populate(mass_domain *d, uint32_t population, mass_error *error);

/* `count` agents of all worlds of this rank in canonical order, from the values of a snapshot, or (values NULL) with
 * every attribute at its default; ids and cells are taken. */
mass_status mass_population_set(mass_domain *d, uint32_t population, uint32_t count, const uint64_t *id,
                                const uint32_t *cell, void *const *values, mass_error *error);

/* The same, with ids, worlds and places among the values, [attribute_count of the model], as the run counts them. */
mass_status mass_population_set_own(mass_domain *d, uint32_t population, uint64_t count, void *const *values,
                                    mass_error *error);

/* How many agents there are in all worlds of this rank; in each of them, counts[worlds]; and an attribute of all of
 * these, in canonical order, with worlds counted from the rank's first. Waits for the device. */
mass_status mass_population_count_own(mass_domain *d, uint32_t population, uint64_t *count, mass_error *error);
mass_status mass_population_count_worlds_own(mass_domain *d, uint32_t population, uint64_t *counts, mass_error *error);
/* Who stands where (seats.c): its buffers; and what they hold for `count` agents whose cells ascend. */
mass_status mass_population_allocate_seats(mass_domain *d, uint32_t population, mass_error *error);
mass_status mass_population_upload_seats(mass_domain *d, uint32_t population, const uint32_t *cell, uint32_t count,
                                         mass_error *error);
/* Of this rank: the agents in all cells before one (of worlds times its places, or the end), and if `here` is not NULL,
 * in that one. Waits for the device. */
mass_status mass_population_find(const mass_domain *d, uint32_t population, uint64_t cell, uint32_t *before,
                                 uint32_t *here, mass_error *error);
mass_status mass_population_read_own(mass_domain *d, uint32_t attribute, void *data, mass_error *error);
/* `count` of them, from agent `first` on, with worlds as the run counts them. */
mass_status mass_population_read_run(mass_domain *d, uint32_t attribute, int64_t first, int64_t count, void *data,
                                     mass_error *error);

/* The first place of a world that this rank holds. */
static inline int64_t mass_population_first_place(const mass_domain *d, uint32_t population)
{
    const int64_t *first = d->populations[population].first_place;
    return first ? first[d->share.comm->rank] : 0;
}

/* Refuses agents over ranks of which some have them on GPUs and some on CPUs: these decide manage in ways of their own.
 * All ranks call it, and all come to the same. */
mass_status mass_population_check_devices(mass_domain *d, mass_error *error);

/* How many agents each rank has in each world, (*out)[ranks][worlds of this rank], where the space is cut. All ranks
 * call it; the caller frees *out. */
mass_status mass_population_count_ranks(mass_domain *d, uint32_t population, uint64_t **out, mass_error *error);

/* Where the agents of every world of this rank begin, among those of all ranks that have agents there: of world w at
 * cell w * *places of *out, on the device. All ranks call it in a step. */
mass_status mass_population_find_starts(mass_domain *d, uint32_t population, mass_buffer *out, int64_t *places,
                                        mass_error *error);

/* ---- of the run, over all ranks: called on rank 0, and by others out of mass_serve, with NULL for data ---- */

/* The initial agents will be those of a table, which has to live until they are there. */
mass_status mass_population_use_table(mass_domain *d, uint32_t population, const mass_table *table, mass_error *error);

/* How many agents there are in all worlds. Waits for the device. */
mass_status mass_population_count(mass_domain *d, uint32_t population, uint64_t *count, mass_error *error);

/* The same in each world: counts[worlds of the run]. */
mass_status mass_population_count_worlds(mass_domain *d, uint32_t population, uint64_t *counts, mass_error *error);

/* An attribute of all agents, in canonical order. */
mass_status mass_population_read(mass_domain *d, uint32_t attribute, void *data, mass_error *error);

/* ---- part of pieces.c, on all ranks ---- */

/* How many agents lie on each rank, in each part of the canonical order: counts [parts][ranks]. */
mass_status mass_population_divide(mass_domain *d, uint32_t population, uint64_t *counts, mass_error *error);
/* Of this rank alone: adds `count` agents, by where they stand, to what counts says of those who hold the places. */
void mass_population_count_holders(mass_domain *d, uint32_t population, const int32_t *world, const int64_t *place,
                                   uint64_t count, uint64_t *counts);
/* `count` agents become those of this rank, in canonical order, with values [attribute_count] whose worlds and places
 * are the run's; all have been checked before. */
mass_status mass_population_set_share(mass_domain *d, uint32_t population, uint64_t count, void *const *values,
                                      mass_error *error);

/* ---- of this rank ---- */

/* Part of mass_population_free: what use_table has kept. */
void mass_population_free_table(const mass_model *m, mass_population_state *s);

/* What launches are told. */
mass_agents mass_population_agents(const mass_domain *d, const mass_phase_def *phase);
/* The array of an attribute that holds the present values; and the one that takes those of children. */
mass_buffer mass_population_array(const mass_domain *d, uint32_t population, uint32_t array);
mass_buffer mass_population_child(const mass_domain *d, uint32_t population, uint32_t array);

/* The order of a population's agents in their arrays. */
typedef enum mass_order {
    MASS_ORDER_SORTED, /* by world, place and id: the canonical order */
    MASS_ORDER_ANY     /* by world alone. As a requirement: sorted agents do as well */
} mass_order;

/* What a manage finds and what it leaves. */
typedef struct mass_manage_order {
    mass_order finds, leaves;
} mass_manage_order;

/* Applies what agents ask for in a manage phase, and enlarges arrays if it has to: from the buffers that hold the
 * present values to the other ones, which the caller makes the present ones. gates NULL: in all worlds. counted: add to
 * the population's tallies that restart each step. A manage that leaves ANY sorts all the same if an agent dies or is
 * born in it, and so do all later ones (orders_always). */
mass_status mass_population_manage(mass_domain *d, uint32_t phase, uint64_t step, bool relative, const uint32_t *gates,
                                   bool counted, mass_manage_order order, mass_error *error);

/* Whether steps of agents whose places are divided among ranks can be recorded at all, once there is a link: their
 * manages over ranks are then queued (manage_queued.h). The same on all ranks. */
bool mass_population_meets(const mass_domain *d);
/* Whether they can be from here on; has the device ready for it. It may differ between ranks; no recording may be there
 * any more. */
bool mass_population_prepare_recording(mass_domain *d);
/* Once all ranks are prepared, and before they record: has devices that never exchanged anything find each other. */
mass_status mass_population_meet(mass_domain *d, mass_error *error);
/* Whether a recording can still be replayed, for all that its manages need. */
bool mass_population_is_prepared(const mass_domain *d);
/* Grows with all that manages show of what recordings have to be made for. */
uint64_t mass_population_lessons(const mass_domain *d);
/* Once replays have stopped in a manage, which the hosts then do: sorts agents, which hosts require, if the manage
 * finds ANY. changes: the stop said that an agent dies or is born. All ranks call it. */
mass_status mass_population_resume(mass_domain *d, uint32_t phase, mass_order finds, bool changes, mass_error *error);

/* Larger buffers with the same agents and requests, for `agents` or more. On failure the old ones stay. */
mass_status mass_population_enlarge(mass_domain *d, uint32_t population, uint64_t agents, mass_error *error);

/* Births may take more room. */
bool mass_population_can_grow(const mass_model *m);

/* Checks before a step that there is memory for all agents that its manages could bring forth, so that the step cannot
 * fail in its middle; MASS_NO_DEVICE if there is not. *scarce tells whether the step after it might lack memory. Sets
 * the populations' safe_count (domain.h). Where all have at most that many agents, it only reads their number. */
mass_status mass_population_check_room(mass_domain *d, uint64_t step, bool *scarce, mass_error *error);

/* The same in steps that are recorded, where the host cannot ask: has the replay stop before a step that begins with
 * more agents than safe_count, so that the host checks. Queued. */
mass_status mass_population_guard(mass_domain *d, uint64_t step, mass_error *error);

/* Takes back requests that no manage has carried out. ignored: no manage of the schedule could have, so that if there
 * are any, the population's diagnostics note it, for the user to be told. */
mass_status mass_population_drop_requests(mass_domain *d, uint32_t population, bool ignored, mass_error *error);

/* Adds up the agents of every world in the tally that the population names, if it does. */
mass_status mass_population_census(mass_domain *d, uint32_t population, mass_error *error);

#endif
