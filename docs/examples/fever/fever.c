/* SPDX-License-Identifier: Apache-2.0 */
/* A fever that travellers carry from village to village. */
#include <mass/model.h>
#if MASS_HOST
#include <stdlib.h>
#endif

enum { HEALTHY = 0, LAST_DAY = 7, IMMUNE = 8 };

MASS_PARAMETER(int64_t, villages, 1500, 0, 10000000, "villages")
MASS_PARAMETER(int64_t, people, 12, 0, 1000, "people in a village; two of them travel")

MASS_SPACE(land, 2, .size = {96, 72}, .torus = MASS_AXES_ALL)
MASS_TALLY(SUM, int64_t, ill, "people who are ill")
MASS_POPULATION(folk, land, .initial = MASS_BY_LOAD,
                .drawn = &(const mass_drawn){.attribute = "day", .colours = 9,
                                             .palette = (const uint32_t[]){0xe8e2d0, 0xc0392b, 0xc0392b, 0xc0392b,
                                                                           0xc0392b, 0xc0392b, 0xc0392b, 0xc0392b,
                                                                           0x4f8f46}})
MASS_AGENT_ATTRIBUTE(folk, uint8_t, day, .most = IMMUNE, .help = "0 healthy, 1 to 7 the day of the fever, 8 immune")
MASS_AGENT_ATTRIBUTE(folk, uint8_t, travels, .most = 1)
MASS_ATTRIBUTE(land, uint8_t, visited, .most = 1, .help = "somebody has been there")

MASS_AGENT(folk_travel, folk, 2, READS(travels))
{
    const mass_random4 r = RANDOM(0);
    if (IN(travels)) MIGRATE((int)(r.v[0] % 3) - 1, (int)(r.v[1] % 3) - 1);
}

MASS_RESIDENTS(folk_meet, folk, 2, 0, UPDATES(visited), CHANGES(day), SUMS(ill))
{
    int fever = 0;
    EACH_RESIDENT(one) fever |= OF(day, one) != HEALTHY && OF(day, one) <= LAST_DAY;
    EACH_RESIDENT(one) {
        if (fever && OF(day, one) < IMMUNE) OF(day, one)++;
        ADD(ill, OF(day, one) != HEALTHY && OF(day, one) <= LAST_DAY);
        OUT(visited) = 1;
    }
}

MASS_SCHEDULE(STEPS(folk_travel), MANAGES(folk), STEPS(folk_meet))
MASS_PICTURE(land, visited, 0, 1, 0x26302b, 0x3c4a43)

#if MASS_HOST

/* Settles the villages. */
static mass_status settle(mass_host *host)
{
    const int64_t each = VALUE(people), count = VALUE(villages) * each;
    const mass_gidx places = EXTENT(land, 0) * EXTENT(land, 1);
    mass_gidx *place = malloc(((size_t)count + 1) * sizeof *place);
    uint8_t *travels = malloc((size_t)count + 1);
    mass_status status = MASS_OK;
    if (!place || !travels) status = host->fail(host, MASS_FAILED, "there is no memory for so many people");
    for (int64_t i = 0; status == MASS_OK && i < count; i++) {
        place[i] = i / each * 7919 % places;
        travels[i] = i % each < 2;
    }
    if (status == MASS_OK)
        status = MASS_ADD_AGENTS(host, MASS_EVERY_WORLD, folk, count, .place = place,
                                 MASS_COLUMNS(MASS_COLUMN(travels, travels)));
    free(place);
    free(travels);
    return status;
}

static mass_status fever_load(mass_host *host)
{
    /* Three travellers, of whom two have the fever. */
    const mass_gidx nx = EXTENT(land, 0), ny = EXTENT(land, 1), x[] = {0, nx / 2, nx / 3}, y[] = {ny / 4, ny / 2, 0};
    const uint8_t day[] = {1, 3, 0}, travels[] = {1, 1, 1};
    const mass_status status =
        MASS_ADD_AGENTS(host, MASS_EVERY_WORLD, folk, 3, .x = x, .y = y,
                        MASS_COLUMNS(MASS_COLUMN(day, day), MASS_COLUMN(travels, travels)));
    return status == MASS_OK ? settle(host) : status;
}

#endif

MASS_PLUGIN(.name = "fever", .version = "1.0.0", .help = "a fever that travellers carry from village to village",
            .load = fever_load);
