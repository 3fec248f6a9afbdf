/* SPDX-License-Identifier: Apache-2.0 */
/* The work of a rank in a test of manage over ranks: on the host (manage_part_host.c), or on a GPU that the ranks share
 * (manage_part_cuda.c). Without a GPU, that one ends the program as skipped. */
#ifndef MASS_TESTS_MANAGE_PART_H
#define MASS_TESTS_MANAGE_PART_H

#include "population/manage/manage_over_ranks.h"
#include "ranks_of_a_case.h"

/* Prepares, before the ranks begin. */
void open_parts(void);

/* Decides and commits one rank's part. It enlarges arrays that are too small, and sets *enlarged if it did. */
mass_status manage_part(part *p, const mass_weights *holders, int *enlarged, mass_error *error);

/* Returns true if cells may hold more agents than their capacity when a manage begins. */
bool takes_overfull(uint32_t capacity);

/* Returns how many parts were managed so far without a copy through the hosts; -1: that never happens. */
int queued_parts(void);

#endif
