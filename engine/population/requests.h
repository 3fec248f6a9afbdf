/* SPDX-License-Identifier: Apache-2.0 */
/* What agents ask for: manage applies their moves, births and deaths (kernels/manage.h), on devices, hosts and over
 * ranks. Main thread. */
#ifndef MASS_ENGINE_POPULATION_REQUESTS_H
#define MASS_ENGINE_POPULATION_REQUESTS_H

#include "manage.h"
#include "state/domain.h"

/* Refuses agents over ranks of which some have them on GPUs and some on CPUs: these decide manage in ways of their own.
 * All ranks call it, and all come to the same. */
mass_status mass_population_check_devices(mass_domain *d, mass_error *error);

/* What a manage finds and leaves, of which the plan says `planned`: the same, or SORTED in place of ANY. recorded: it
 * is part of a recording. */
mass_manage_order mass_population_order(const mass_domain *d, uint32_t population, mass_manage_order planned,
                                        bool recorded);

/* Applies what agents ask for in a manage phase, and enlarges arrays if it has to: from the buffers that hold the
 * present values to the other ones, which the caller makes the present ones. gates NULL: in all worlds. counted: add to
 * the population's tallies that restart each step. A manage that leaves ANY sorts all the same if an agent dies or is
 * born in it, and so do all later ones (sorts_always). */
mass_status mass_population_manage(mass_domain *d, uint32_t phase, uint64_t step, bool relative, const uint32_t *gates,
                                   bool counted, mass_manage_order order, mass_error *error);

/* Whether steps of agents whose places are divided among ranks can be recorded at all, once there is a link: their
 * manages over ranks are then queued (manage_queued.h). The same on all ranks. */
bool mass_population_meets(const mass_domain *d);

/* Whether they can be from here on; has the device ready for it. It may differ between ranks; no recording may be there
 * any more. */
bool mass_population_prepare_recording(mass_domain *d);

/* Once all ranks are prepared, and before they record: has devices that never exchanged anything find each other. */
mass_status mass_population_notify(mass_domain *d, mass_error *error);

/* Whether a recording can still be replayed, for all that its manages need. */
bool mass_population_is_prepared(const mass_domain *d);

/* Grows with all that manages show of what recordings have to be made for. */
uint64_t mass_population_lessons(const mass_domain *d);

/* Once replays have stopped in a manage, which the hosts then do: sorts agents, which hosts require, if the manage
 * finds ANY. changes: the stop said that an agent dies or is born. All ranks call it. */
mass_status mass_population_resume(mass_domain *d, uint32_t phase, mass_order finds, bool changes, mass_error *error);

#endif
