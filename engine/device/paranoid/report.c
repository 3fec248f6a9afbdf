/* SPDX-License-Identifier: Apache-2.0 */
#include "device/paranoid/report.h"
#include "device/paranoid/reach.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* Reports a fault of the callback, with field and step, in the trial's error. Returns MASS_BAD_PLUGIN. */
mass_status mass_trial_report(const mass_trial *t, const mass_copy *c, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return mass_error_set(t->error, MASS_BAD_PLUGIN, "callback %s%s%s, step %" PRIu64 ": %s",
                          t->callback->name, c->field ? ", field " : "",
                          c->field ? c->field->name : "", t->work->step, text);
}

typedef struct spot {
    int64_t world, at[3];
    bool inside; /* inside the array, for a copy on places */
    bool own;    /* a place of the partition */
} spot;

/* Returns the place of a copy's byte, or that it is in a guard (not `inside`). A copy that is not of places has only
 * the number of the element, as world. */
static spot locate(const mass_trial *t, const mass_copy *c, size_t byte)
{
    const mass_launch *l = &t->record;
    spot s = {.inside = byte >= c->guard && byte - c->guard < c->bytes};
    if (!s.inside) return s;
    int64_t element = (int64_t)((byte - c->guard) / c->element);
    if (!c->on_places) {
        s.world = element;
        return s;
    }
    element -= c->first - l->ghost[2] * l->plane - l->ghost[1] * l->pitch - l->ghost[0]; /* from the first ghost on */
    if (element < 0) {
        s.at[0] = element - l->ghost[0];
        s.at[1] = -l->ghost[1];
        s.at[2] = -l->ghost[2];
        return s;
    }
    s.world = element / l->world_stride;
    element %= l->world_stride;
    s.at[2] = element / l->plane - l->ghost[2];
    element %= l->plane;
    s.at[1] = element / l->pitch - l->ghost[1];
    s.at[0] = element % l->pitch - l->ghost[0];
    s.own = s.world < l->worlds;
    for (int a = 0; a < 3; a++) s.own &= s.at[a] >= 0 && s.at[a] < l->extent[a];
    return s;
}

/* Writes "place (3, 4) of world 0", in global coordinates; without the word "place" for one beyond the partition.
 * Returns text. */
static const char *describe(const mass_trial *t, const spot *s, char text[PLACE_TEXT])
{
    const mass_launch *l = t->launch;
    const mass_gidx at[3] = {l->origin[0] + s->at[0], l->origin[1] + s->at[1], l->origin[2] + s->at[2]};
    char numbers[NUMBERS_TEXT];
    snprintf(text, PLACE_TEXT, "%s%s of world %" PRId64, s->own ? "place " : "", mass_describe_numbers(l, at, numbers),
             l->first_world + s->world);
    return text;
}

const char *mass_trial_describe(const mass_trial *t, const mass_copy *c, size_t byte, char text[PLACE_TEXT])
{
    const spot s = locate(t, c, byte);
    if (c->on_places) return describe(t, &s, text);
    snprintf(text, PLACE_TEXT, "world %" PRId64, t->launch->first_world + s.world);
    return text;
}

mass_status mass_trial_report_write(const mass_trial *t, const mass_copy *c, size_t byte)
{
    const spot s = locate(t, c, byte);
    const int64_t world = t->launch->first_world + s.world;
    char place[PLACE_TEXT];
    if (!c->field) return mass_trial_report(t, c, "it writes to %s, which it may only read", c->name);
    if (!s.inside) return mass_trial_report(t, c, "it is written outside its array");
    const mass_access_traits *access = mass_access_of(c->field->access);
    if (c->on_places) {
        describe(t, &s, place);
        if (access->effect == MASS_EFFECT_READS)
            return mass_trial_report(t, c, "it is in %s, but is written at %s", access->entry, place);
        if (!s.own) return mass_trial_report(t, c, "it is written outside the partition, at %s", place);
        if (!is_open(t->launch, s.world))
            return mass_trial_report(t, c, "it is written at %s, whose gate is closed", place);
        return mass_trial_report(t, c, "it is written at %s by a call for other places", place);
    }
    if (c->of_agents) return mass_trial_report(t, c, "it is in %s, but is written", access->entry);
    if (access->effect == MASS_EFFECT_READS)
        return mass_trial_report(t, c, "it is in %s, but is written for world %" PRId64, access->entry, world);
    if (c->written)
        return mass_trial_report(t, c, "it is added to for world %" PRId64 ", whose gate is closed", world);
    return mass_trial_report(t, c, "it is added to for world %" PRId64 " in the form without tallies", world);
}

/* Returns words for where poison was read, for a message. `text` is memory for them. */
static const char *describe_poison(const mass_trial *t, const mass_copy *c, char text[64])
{
    const bool quiet_tally = c->field && mass_access_is_tally(c->field->access) && !c->written;
    if (!c->on_places) return quiet_tally ? "in the form without tallies" : "outside its array";
    const mass_access_traits *access = mass_access_of(c->field->access);
    if (access->buffer == MASS_BUFFER_NEW) return "before it is written";
    if (access->reach == MASS_REACH_ROW) return "outside the partition's row";
    if (access->reach == MASS_REACH_OWN || t->callback->radius == 0) return "elsewhere than at the own place";
    snprintf(text, 64, "farther than %d away", t->callback->radius);
    return text;
}

mass_status mass_trial_report_read(const mass_trial *t, const mass_copy *read, const mass_copy *changed, size_t byte)
{
    char where[PLACE_TEXT], how[64];
    return mass_trial_report(t, read, "%s read %s, to compute field %s for %s", read->field ? "it is" : read->name,
                            describe_poison(t, read, how), changed->name,
                            mass_trial_describe(t, changed, byte, where));
}

mass_status mass_trial_report_state(const mass_trial *t, const mass_copy *c, size_t byte)
{
    char where[PLACE_TEXT];
    return mass_trial_report(t, c, "its value for %s differs when the same call is repeated",
                            mass_trial_describe(t, c, byte, where));
}

mass_status mass_trial_report_order(const mass_trial *t, const mass_copy *c, size_t byte)
{
    char where[PLACE_TEXT];
    return mass_trial_report(t, c, "its value for %s depends on the order in which places are computed",
                            mass_trial_describe(t, c, byte, where));
}

mass_status mass_trial_report_form(const mass_trial *t, const mass_copy *c, size_t byte)
{
    char where[PLACE_TEXT];
    return mass_trial_report(t, c, "its value for %s differs if the callback is compiled in another way: a "
                            "variable may be used without a value", mass_trial_describe(t, c, byte, where));
}
