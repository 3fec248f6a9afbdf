/* SPDX-License-Identifier: Apache-2.0 */
/* Who stands where at the start. */
#include "../expect.h"
#include "population/populate.h"
#include "snapshot/create.h"
#include "snapshot/save.h"
#include "snapshot/snapshot.h"

#include "device/cpu/cpu.h"

#include <stdlib.h>

enum { SIDE = 100, AGENTS = 2000 };

static void read_places(mass_domain *d, uint32_t population, int64_t places[AGENTS])
{
    mass_snapshot s;
    EXPECT_OK(mass_domain_save(d, &s, e));
    const uint32_t first = d->model->populations[population].first_attribute;
    const uint64_t *id = s.attributes[first + MASS_AGENT_ID];
    const int64_t *place = s.attributes[first + MASS_AGENT_PLACE];
    cr_assert_eq(s.agents[population], AGENTS);
    for (int i = 0; i < AGENTS; i++) places[id[i]] = place[i];
    mass_snapshot_free(&s);
}

/* By chance one agent in 10,000 stands where that of another population with its number does. */
Test(populate, populations_are_placed_independently)
{
    static mass_model m;
    static const uint32_t capacities[] = {0, 0, 1, 1};
    static int64_t places[4][AGENTS];
    static char names[4][2] = {"a", "b", "c", "d"};
    mass_device *device = NULL;
    mass_domain *d = NULL;
    EXPECT_OK(mass_model_add_space(&m, &(mass_space){.name = "s", .dimensions_min = 2, .dimensions_max = 2,
                                                     .size = {SIDE, SIDE}}, NULL, 0, e));
    for (int p = 0; p < 4; p++)
        EXPECT_OK(mass_model_add_population(&m, &(mass_population){.name = names[p], .space = "s", .count = AGENTS,
                                                                   .capacity = capacities[p]}, e));
    EXPECT_OK(mass_model_resolve(&m, e));
    EXPECT_OK(mass_device_open("cpu", 1, false, &device, e));
    EXPECT_OK(mass_domain_create(&m, device, &(mass_domain_options){.partitions = 1, .worlds = 1, .seed = 5}, &d, e));
    for (uint32_t p = 0; p < 4; p++) EXPECT_OK(mass_population_populate(d, p, e));
    for (uint32_t p = 0; p < 4; p++) {
        read_places(d, p, places[p]);
        for (uint32_t other = 0; other < p; other++) {
            int same = 0;
            for (int i = 0; i < AGENTS; i++) same += places[p][i] == places[other][i];
            cr_expect_lt(same, 10, "%d agents of %s stand where those of %s do", same, names[p], names[other]);
        }
    }
    mass_domain_free(d);
    mass_device_close(device);
    mass_model_free(&m);
}
