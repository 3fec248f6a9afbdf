/* SPDX-License-Identifier: Apache-2.0 */
#include "network/threads.h"

#include <stddef.h>

enum { WORTH_SHARING = 100000 }; /* edges: one thread takes some milliseconds for them */

static mass_cpu_team *team_of_networks;
static uint64_t fewest_shared = WORTH_SHARING;

void mass_network_team(mass_cpu_team *team) { team_of_networks = team; }
void mass_network_share(uint64_t edges) { fewest_shared = edges; }

int mass_network_parts(uint64_t edges) { return edges < fewest_shared ? 1 : mass_cpu_team_threads(team_of_networks); }

void mass_network_run(int parts, mass_cpu_part *work, void *context)
{
    mass_cpu_team_run(parts > 1 ? team_of_networks : NULL, parts, work, context);
}
