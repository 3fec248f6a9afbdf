/* SPDX-License-Identifier: Apache-2.0 */
/* Sheep, of which load gives nothing but places, and birds, of which it gives positions. There are more than a trial
 * has room for. With a parameter they see farther than the .reach of their phases. */
#include <mass/model.h>

enum { WIDTH = 32, HEIGHT = 16, SHEEP = WIDTH * HEIGHT, BIRDS = 200 };

MASS_PARAMETER(int64_t, look, 0, 0, 3, "how far sheep see")
MASS_PARAMETER(int64_t, glance, 0, 0, 1, "how far the later half of birds sees")

MASS_SPACE(field, 2, .size = {WIDTH, HEIGHT}, .torus = MASS_AXES_ALL)
MASS_ATTRIBUTE(field, uint8_t, grass, .initial = &(const uint8_t){1})
MASS_POPULATION(sheep, field, .initial = MASS_BY_LOAD, .capacity = 1)
MASS_AGENT_ATTRIBUTE(sheep, int32_t, found)
MASS_POPULATION(birds, field, .initial = MASS_BY_LOAD)
MASS_POSITIONS(birds, 2, float)
MASS_AGENT_ATTRIBUTE(birds, int32_t, found)

MASS_AGENT(graze, sheep, 2, UPDATES(found), SEES(grass), GIVEN(look))
{
    for (int dx = 0; dx <= (int)PARAM(look); dx++) OUT(found) += SEE(grass, dx, 0);
}

MASS_AGENT(fly, birds, 2, UPDATES(found), SEES(grass), GIVEN(glance))
{
    OUT(found) += SEE(grass, AT_X == 1 ? (int)PARAM(glance) : 0, 0);
}

MASS_SCHEDULE(STEPS(graze), STEPS(fly))
MASS_DEFAULT_STEPS(2)

#if MASS_HOST
static mass_status promise_load(mass_host *host)
{
    static mass_gidx place[SHEEP];
    static mass_attribute_of_birds_position position[BIRDS];
    for (int i = 0; i < SHEEP; i++) place[i] = i;
    for (int i = 0; i < BIRDS; i++) position[i].x = i < 100 ? 0.5f : 1.5f;
    mass_status status = MASS_ADD_AGENTS(host, MASS_EVERY_WORLD, sheep, SHEEP, .place = place);
    if (status == MASS_OK)
        status = MASS_ADD_AGENTS(host, MASS_EVERY_WORLD, birds, BIRDS, MASS_COLUMNS(MASS_COLUMN(position, position)));
    return status;
}
#endif

MASS_PLUGIN(.name = "promise-load", .version = "1.0.0", .help = "keeps its promises, or not", .load = promise_load);
