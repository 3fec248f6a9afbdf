/* SPDX-License-Identifier: Apache-2.0 */
#include "crafting.h"

#include <string.h>

bool craft_applies(const craft *c, const craft_scene *s)
{
    return c->kind != CRAFT_GROUP || strcmp(s->group, "/") != 0;
}

const craft *craft_at(size_t i)
{
    if (i < craft_links_count) return &craft_links[i];
    i -= craft_links_count;
    if (i < craft_sets_count) return &craft_sets[i];
    i -= craft_sets_count;
    return i < craft_around_count ? &craft_around[i] : NULL;
}
