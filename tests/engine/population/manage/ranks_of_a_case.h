/* SPDX-License-Identifier: Apache-2.0 */
/* Divides a case of manage (kernels/manage_case.h) among ranks. */
#ifndef MASS_TESTS_RANKS_OF_A_CASE_H
#define MASS_TESTS_RANKS_OF_A_CASE_H

#include "../../../kernels/manage_case.h"

#include <mass/types.h>

enum { RANKS_MAX = 7 };

/* The part of one rank: places from `first` to before `last` of every world. */
typedef struct part {
    int64_t first, last;
    mass_manage_work w;
    mass_agent_array arrays[ARRAYS];
    mass_manage_order order; /* as in mass_manage_work */
    uint32_t count;
    uint64_t next_id[WORLDS_MAX];
    int64_t tallies[3][WORLDS_MAX];
} part;

/* The number that ranks use for the first place. It is 0, except in tests of spaces with more places than 32 bits can
 * number. */
extern int64_t number_of_first_place;

/* Makes the part of one rank. Tallies begin with their values on rank 0 and with 0 on others. `spare` is the capacity
 * beyond its agents. */
part *cut_part(const population *whole, const shape *s, int64_t first, int64_t last, bool is_rank_0, uint32_t spare);
/* Copies the same agents and requests into larger arrays. */
void enlarge_part(part *p, uint32_t room);
void discard_part(part *p);
/* Returns the number of an array whose elements have the type of priorities. */
int array_of_priorities(const mass_manage_work *w);

/* Writes the parts of the ranks after a manage to the case from which they were made, as a manage of the whole would
 * have left it. */
void put_together(population *whole, part *const *parts, int ranks);

#endif
