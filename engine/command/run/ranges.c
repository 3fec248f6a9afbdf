/* SPDX-License-Identifier: Apache-2.0 */
#include "command/run/ranges.h"
#include "text/parameter.h"

#include <stdlib.h>
#include <string.h>

mass_status mass_ranges_add(mass_ranges *r, const mass_model *world, mass_error *error)
{
    if (!r->all) {
        r->count = world->attribute_count;
        r->all = calloc(r->count ? r->count : 1, sizeof *r->all);
        if (!r->all) return mass_error_memory(error, r->count * sizeof *r->all, "ranges");
        if (r->count) memcpy(r->all, world->attributes, r->count * sizeof *r->all);
    }
    for (uint32_t i = 0; i < r->count && i < world->attribute_count; i++)
        mass_range_widen(&r->all[i], &world->attributes[i]);
    return MASS_OK;
}

void mass_ranges_give(const mass_ranges *r, mass_model *m)
{
    for (uint32_t i = 0; r->all && i < r->count && i < m->attribute_count; i++) {
        m->attributes[i].ranged = r->all[i].ranged;
        m->attributes[i].least = r->all[i].least;
        m->attributes[i].most = r->all[i].most;
    }
}

void mass_ranges_free(mass_ranges *r)
{
    free(r->all);
    *r = (mass_ranges){0};
}

/* Returns a world's value of a swept parameter as text, in `text` or of the parameter's choices. */
static const char *value_in(const mass_parameter_slot *slot, int32_t world, char text[64])
{
    mass_parameter_slot own = *slot;
    if (slot->type == MASS_CHOICE) return slot->choices[slot->swept[world]];
    if (slot->type == MASS_INTEGER) own.integer = (int64_t)slot->swept[world];
    else memcpy(&own.real, &slot->swept[world], sizeof own.real);
    return mass_parameter_format(&own, text);
}

/* Opens the plugin for one world and adds the world's ranges. settings, texts: [opening->setting_count] for its use. */
static mass_status add_world(mass_ranges *r, mass_engine_host *h, const mass_plugin *plugin,
                             const mass_opening *opening, const mass_model *stored, int32_t world,
                             mass_setting *settings, char (*texts)[64], mass_error *error)
{
    mass_opening own = *opening;
    mass_model model = {0};
    own.settings = settings;
    for (uint32_t i = 0; i < opening->setting_count; i++) {
        settings[i] = opening->settings[i];
        const mass_parameter_slot *slot = mass_parameters_find(&stored->parameters, settings[i].name);
        if (slot && slot->swept) settings[i].value = value_in(slot, world, texts[i]);
    }
    mass_status status = mass_host_open(h, plugin, &own, &model, error);
    if (status == MASS_OK) status = mass_ranges_add(r, &model, error);
    mass_model_free(&model);
    return status;
}

mass_status mass_ranges_find(mass_ranges *r, mass_engine_host *h, const mass_plugin *plugin,
                             const mass_opening *opening, const mass_model *stored, mass_error *error)
{
    const size_t count = opening->setting_count ? opening->setting_count : 1;
    mass_setting *settings = calloc(count, sizeof *settings);
    char (*texts)[64] = calloc(count, sizeof *texts);
    mass_status status = settings && texts ? MASS_OK : mass_error_memory(error, count * sizeof *settings, "parameters");
    for (int32_t w = 0; status == MASS_OK && w < stored->parameters.worlds; w++)
        status = add_world(r, h, plugin, opening, stored, w, settings, texts, error);
    free(settings);
    free(texts);
    return status;
}
