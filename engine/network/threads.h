/* SPDX-License-Identifier: Apache-2.0 */
/* The threads that draw and sort edges. A network has the same bytes for any number of them. Main thread. */
#ifndef MASS_ENGINE_NETWORK_THREADS_H
#define MASS_ENGINE_NETWORK_THREADS_H

#include "cpu/team.h"

#include <stdint.h>

/* Sets the team that makes networks from now on; NULL: the calling thread alone. The caller keeps the team, and sets
 * another one before it stops this one. */
void mass_network_team(mass_cpu_team *team);
/* Sets the fewest edges for which a second thread is worth its start. */
void mass_network_share(uint64_t edges);

/* Returns into how many parts work on so many edges is divided: one for each thread, or one alone if they are few. */
int mass_network_parts(uint64_t edges);
/* Runs all parts, as mass_cpu_team_run. */
void mass_network_run(int parts, mass_cpu_part *work, void *context);

/* Returns where part `part` of `parts` begins, of `count` elements in blocks of `block`. */
static inline uint64_t mass_network_begin(uint64_t count, uint64_t block, int parts, int part)
{
    const uint64_t blocks = (count + block - 1) / block;
    const uint64_t at = (uint64_t)((unsigned __int128)blocks * (uint64_t)part / (uint64_t)parts) * block;
    return at < count ? at : count;
}

#endif
