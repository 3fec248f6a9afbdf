/* SPDX-License-Identifier: Apache-2.0 */
/* What differs between a run and that of a checkpoint: the first thing of those that the user has given. */
#include "io/checkpoint/difference.h"

#include "io/checkpoint/checkpoint.h"
#include "text/parameter.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WHY = MASS_WHY_ANOTHER };

static bool same_sweep(const mass_checkpoint *c, const mass_parameter_slot *was, const mass_parameter_slot *is)
{
    if (is->type != was->type) return false;
    if (was->type == MASS_CHOICE) return true; /* whose numbers are others in a checkpoint */
    return memcmp(was->swept, is->swept, (size_t)c->worlds * sizeof *was->swept) == 0;
}

/* A real as people write it. */
static const char *show(const mass_parameter_slot *slot, char text[64])
{
    char bits[64];
    if (slot->type != MASS_REAL) return mass_parameter_format(slot, text);
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(bits, sizeof bits, "%.*g", digits, slot->real);
        if (strtod(bits, NULL) == slot->real || digits == 17) break;
    }
    return strcpy(text, bits);
}

/* False: they are the same. */
static bool tell_parameter(const mass_checkpoint *c, const mass_parameter_slot *was, const mass_parameter_slot *is,
                           char *why)
{
    char then[64], now[64];
    if (!is || is->constant)
        return snprintf(why, WHY, "with a parameter %s, which this does not have", was->name), true;
    if (was->swept && is->swept)
        return !same_sweep(c, was, is) && snprintf(why, WHY, "with another sweep of %s", was->name) > 0;
    if (was->swept || is->swept)
        return snprintf(why, WHY, "with %s %s, and this has it %s", was->name, was->swept ? "swept" : "of one value",
                        is->swept ? "swept" : "of one value"), true;
    const char *before = show(was, then), *after = show(is, now);
    if (strcmp(before, after) == 0) return false;
    snprintf(why, WHY, "with %s=%.100s, and this has %s=%.100s", was->name, before, is->name, after);
    return true;
}

static bool tell_parameters(const mass_checkpoint *c, const mass_model *m, char *why)
{
    const mass_parameters *were = &c->model.parameters;
    for (uint32_t i = 0; i < were->count; i++)
        if (!were->slots[i].constant &&
            tell_parameter(c, &were->slots[i], mass_parameters_find(&m->parameters, were->slots[i].name), why))
            return true;
    for (uint32_t i = 0; i < m->parameters.count; i++) {
        const mass_parameter_slot *is = &m->parameters.slots[i];
        if (!is->constant && !mass_parameters_find(were, is->name))
            return snprintf(why, WHY, "without a parameter %s, which this has", is->name), true;
    }
    return false;
}

static void put_size(const mass_space_def *s, char *text, size_t room)
{
    size_t used = 0;
    for (uint32_t i = 0; i < s->dimensions && used < room; i++)
        used += (size_t)snprintf(text + used, room - used, "%s%" PRId64, i ? "x" : "", s->size[i]);
}

static bool tell_sizes(const mass_checkpoint *c, const mass_model *m, char *why)
{
    char then[80] = "", now[80] = "";
    for (uint32_t i = 0; i < m->space_count; i++) {
        const int was = mass_model_find_space(&c->model, m->spaces[i].name);
        if (was < 0) continue;
        put_size(&c->model.spaces[was], then, sizeof then);
        put_size(&m->spaces[i], now, sizeof now);
        if (strcmp(then, now) != 0) return snprintf(why, WHY, "with size %s, and this has %s", then, now), true;
    }
    return false;
}

static bool tell_worlds(const mass_checkpoint *c, const mass_run_made *made, char *why)
{
    if (c->worlds != made->worlds)
        return snprintf(why, WHY, "with %" PRId32 " world%s, and this has %" PRId32, c->worlds,
                        c->worlds == 1 ? "" : "s", made->worlds), true;
    if (c->first_world != made->first_world)
        return snprintf(why, WHY, "with first world %" PRId32 ", and this has %" PRId32, c->first_world,
                        made->first_world), true;
    return false;
}

static const mass_input *find_input(const mass_inputs *list, const char *name)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (strcmp(list->list[i].name, name) == 0) return &list->list[i];
    return NULL;
}

/* The values of a file of parameters are parameters, too. */
static bool tell_inputs(const mass_inputs *were, const mass_inputs *are, char *why)
{
    for (uint32_t i = 0; i < were->count; i++) {
        const mass_input *was = &were->list[i], *is = find_input(are, was->name);
        if (strcmp(was->name, MASS_INPUT_PARAMETERS) == 0 || (is && strcmp(was->hash, is->hash) == 0)) continue;
        if (!is) snprintf(why, WHY, "with %s loaded from %.100s, and this loads none", was->name, was->file);
        else
            snprintf(why, WHY, "with other numbers of %s: %.100s had the hash %s when it was loaded, and %.100s has %s "
                     "now", was->name, was->file, was->hash, is->file, is->hash);
        return true;
    }
    for (uint32_t i = 0; i < are->count; i++) {
        const mass_input *is = &are->list[i];
        if (strcmp(is->name, MASS_INPUT_PARAMETERS) != 0 && !find_input(were, is->name))
            return snprintf(why, WHY, "without %s loaded, and this loads it from %.100s", is->name, is->file), true;
    }
    return false;
}

void mass_checkpoint_tell_apart(const char *path, const mass_run_made *made, char why[MASS_WHY_ANOTHER])
{
    mass_checkpoint *c;
    mass_error ignored = {0};
    if (!made || mass_checkpoint_open_probed(path, &c, &ignored) != MASS_OK) return;
    if (!tell_parameters(c, made->model, why) && !tell_sizes(c, made->model, why) && !tell_worlds(c, made, why))
        tell_inputs(&c->inputs, made->inputs, why);
    mass_checkpoint_close(c);
}

void mass_checkpoint_tell_apart_in(const char *folder, const char run[33], const mass_run_made *made,
                                   char why[MASS_WHY_ANOTHER])
{
    mass_checkpoint_names names;
    mass_run_facts facts;
    mass_error ignored = {0};
    bool told = !made || !run[0];
    const mass_status status = mass_checkpoint_list(folder, &names, &ignored);
    for (size_t i = 0; status == MASS_OK && !told && i < names.count; i++) {
        told = mass_file_facts(names.paths[i], &facts) == MASS_FILE_CHECKPOINT && strcmp(facts.run, run) == 0;
        if (told) mass_checkpoint_tell_apart(names.paths[i], made, why);
    }
    mass_checkpoint_names_free(&names);
}
