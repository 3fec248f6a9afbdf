/* SPDX-License-Identifier: Apache-2.0 */
/* What a test of manage over ranks has a rank do: by the host (manage_part_host.c), or by a GPU that the ranks share
 * (manage_part_cuda.c, which also ends the program as skipped where there is none). */
#ifndef MASS_TESTS_MANAGE_PART_H
#define MASS_TESTS_MANAGE_PART_H

#include "population/manage/manage_over_ranks.h"
#include "ranks_of_a_case.h"

/* Before the ranks begin. */
void open_parts(void);

/* Decides and commits one rank's part, in arrays that are made as large as it takes; whether that had to be. */
mass_status manage_part(part *p, const mass_weights *holders, int *enlarged, mass_error *error);

/* Whether cells may hold more agents than their capacity when a manage begins. */
bool takes_overfull(uint32_t capacity);

/* How many parts were managed so far with the hosts carrying nothing; -1: none ever are. */
int queued_parts(void);

#endif
