/* SPDX-License-Identifier: Apache-2.0 */
/* Agents as a run leaves them: in canonical order, with ids, some of them refused. */
#ifndef MASS_TESTS_CROWD_H
#define MASS_TESTS_CROWD_H

#include "snapshot/snapshot.h"

/* Returns the values of an attribute of agents by its number in the population. */
static inline void *crowd_column(const mass_snapshot *s, uint32_t population, uint32_t column)
{
    return s->attributes[s->model->populations[population].first_attribute + column];
}

/* Returns the next ids of a population's worlds. */
static inline int64_t *crowd_next_ids(const mass_snapshot *s, uint32_t population)
{
    return s->tallies + s->model->populations[population].next_id * (size_t)s->worlds;
}

/* Spreads a population's agents over all worlds and places. Ids increase on a place and decrease from one place to the
 * next. If there are more agents than places, places have two or more. */
static inline void crowd_stand(mass_snapshot *s, uint32_t population)
{
    const uint64_t count = s->agents[population], worlds = (uint64_t)s->worlds, each = (count + worlds - 1) / worlds;
    const mass_space_def *space = &s->model->spaces[s->model->populations[population].space];
    const uint64_t places = (uint64_t)mass_space_places(space);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t place = i % each * places / each;
        ((int32_t *)crowd_column(s, population, MASS_AGENT_WORLD))[i] = (int32_t)(i / each);
        ((int64_t *)crowd_column(s, population, MASS_AGENT_PLACE))[i] = (int64_t)place;
        ((uint64_t *)crowd_column(s, population, MASS_AGENT_ID))[i] = (places - 1 - place) * each + i % each;
        ((uint8_t *)crowd_column(s, population, MASS_AGENT_LOST))[i] = (uint8_t)(i % 3 == 1);
    }
    for (uint64_t w = 0; w < worlds; w++) crowd_next_ids(s, population)[w] = (int64_t)(places * each + each);
}

/* Does so for all populations. */
static inline void crowd_stand_all(mass_snapshot *s)
{
    for (uint32_t p = 0; p < s->model->population_count; p++) crowd_stand(s, p);
}

#endif
