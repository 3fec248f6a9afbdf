/* SPDX-License-Identifier: Apache-2.0 */
/* A case of manage (kernels/manage_case.h) cut into what ranks hold. */
#ifndef MASS_TESTS_RANKS_OF_A_CASE_H
#define MASS_TESTS_RANKS_OF_A_CASE_H

#include "../../../kernels/manage_case.h"

#include <mass/types.h>

enum { RANKS_MAX = 7 };

/* What one rank holds: places from `first` to before `last` of every world. */
typedef struct part {
    int64_t first, last;
    mass_manage_work w;
    mass_agent_array arrays[ARRAYS];
    mass_manage_order order; /* as in mass_manage_work */
    uint32_t count;
    uint64_t next_id[WORLDS_MAX];
    int64_t tallies[3][WORLDS_MAX];
} part;

/* What ranks call the first place: others follow. 0, but for tests of spaces with more places than 32 bits can tell. */
extern int64_t number_of_first_place;

/* Tallies begin on rank 0 as they were and on the others with 0. `spare` is room beyond the agents that it has. */
part *cut_part(const population *whole, const shape *s, int64_t first, int64_t last, bool is_rank_0, uint32_t spare);
/* The same agents and requests in larger arrays. */
void enlarge_part(part *p, uint32_t room);
void discard_part(part *p);
/* The number of an array with elements like priorities. */
int array_of_priorities(const mass_manage_work *w);

/* Writes what ranks hold after a manage over the case that they were cut from, as a manage over all would have left
 * it. */
void put_together(population *whole, part *const *parts, int ranks);

#endif
