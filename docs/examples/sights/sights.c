/* SPDX-License-Identifier: Apache-2.0 */
/* Tourists who walk from one sight of a town to the next, along its paths. */
#include <mass/model.h>

MASS_PARAMETER(int64_t, tourists, 2000, 0, 1000000, "in the town")
MASS_NETWORK(town, .nodes = 200, .generator = MASS_PREFERENTIAL, .degree = 2)
MASS_EDGE_ATTRIBUTE(town, float, beauty, .initial = 1)
MASS_ATTRIBUTE(town, uint32_t, visits)
MASS_ATTRIBUTE(town, uint8_t, closed, .most = 1)
MASS_POPULATION(guests, town, .count = VALUE(tourists))
MASS_AGENT_ATTRIBUTE(guests, uint32_t, walked)

MASS_MAP(sights_close, WRITES(closed)) { OUT(closed) = RANDOM(0).v[0] < 1u << 29; }

MASS_AGENT_ON_NODES(sights_walk, guests, town, LINKED(closed), EDGES(beauty), UPDATES(walked), SCATTERS(visits))
{
    SCATTER(visits, 1, 0);
    const mass_edge way = ONE_EDGE(0);
    if (!IS_EDGE(way) || OF(closed, way) || EDGE(beauty, way) <= 0) return;
    MIGRATE_ALONG(way);
    OUT(walked)++;
}

MASS_SCHEDULE(STARTS(sights_close), STEPS(sights_walk), MANAGES(guests))
MASS_PICTURE(town, visits, 0, 500, 0x000000, 0xffe0a0)
MASS_PLUGIN(.name = "sights", .version = "1.0.0", .help = "tourists who walk from sight to sight");
