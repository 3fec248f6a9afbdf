/* SPDX-License-Identifier: Apache-2.0 */
/* Requests of agents: manage applies their moves, births and deaths (kernels/manage.h), on devices, hosts and over
 * ranks. Main thread. */
#ifndef MASS_ENGINE_POPULATION_REQUESTS_H
#define MASS_ENGINE_POPULATION_REQUESTS_H

#include "manage.h"
#include "state/domain.h"

/* Refuses a population over ranks if some ranks hold it on GPUs and others on CPUs, because these decide a manage by
 * different protocols; and if only some use --device paranoid. All ranks call it and get the same result. */
mass_status mass_population_check_devices(mass_domain *d, mass_error *error);

/* Returns the order that a manage finds and leaves: `planned`, or SORTED in place of ANY. recorded: the manage is
 * part of a recording. */
mass_manage_order mass_population_order(const mass_domain *d, uint32_t population, mass_manage_order planned,
                                        bool recorded);

/* Applies the requests of a manage phase, and enlarges arrays if needed. Agents that ask to move get their new
 * positions first (positions.h). It reads the present buffers and writes the other ones. The caller then swaps them.
 * relative: it is recorded, and the step counts from the device's clock. gates NULL: in all worlds. counted: add to the
 * population's tallies that restart in each step. order: the planned one, for mass_population_order. A manage that
 * leaves ANY sorts if an agent dies or is born, and so do all later ones (sorts_always). Sprouts are not added
 * (sprout.h). If ranks split the space, all call it; then the counts that they have of each other's places are updated,
 * too. */
mass_status mass_population_manage(mass_domain *d, uint32_t phase, uint64_t step, bool relative, const uint32_t *gates,
                                   bool counted, mass_manage_order order, mass_error *error);

/* Returns true if steps can be recorded although ranks split the population's places, once there is a link; false if
 * they do not split them. Their manages are then queued (manage_queued.h). The same on all ranks. */
bool mass_population_meets(const mass_domain *d);

/* Reserves device memory for recording from now on, if mass_population_meets. Returns false if this rank cannot record,
 * for example before its first manage; ranks may differ. No recording may exist. */
bool mass_population_prepare_recording(mass_domain *d);

/* Connects devices that never exchanged anything. Call it when all ranks are prepared, before they record. */
mass_status mass_population_notify(mass_domain *d, mass_error *error);

/* Returns true if a recording is still valid for its manages. Only after mass_population_prepare_recording. */
bool mass_population_is_prepared(const mass_domain *d);

/* Returns a number that grows whenever manages show something that recordings must allow for. It is of population 0. */
uint64_t mass_population_lessons(const mass_domain *d);

/* Prepares the hosts to finish a manage in which replays stopped. Sorts agents if the manage finds ANY, because the
 * hosts require order. changes: an agent dies or is born; then later manages sort (sorts_always). All ranks call it. */
mass_status mass_population_resume(mass_domain *d, uint32_t phase, mass_order finds, bool changes, mass_error *error);

#endif
