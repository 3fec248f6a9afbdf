/* SPDX-License-Identifier: Apache-2.0 */
/* Adds a plugin's declarations to its model, in the engine's struct sizes, with the user's settings applied. Plugins
 * call each declare_X() through a table of the SDK. It returns a failure, with the error set, if the declaration is
 * wrong, or comes after open. */
#include "plugin/services.h"
#include "text/list.h"
#include "text/series.h"
#include "text/parameter.h"

#include <string.h>

/* Checks that the plugin may declare: open is running, and nothing has failed. */
static mass_status may_declare(mass_engine_host *h, const char *what)
{
    if (h->error->status != MASS_OK) return h->error->status;
    return h->domain ? mass_error_set(h->error, MASS_BAD_PLUGIN, "%s: declared after open", what) : MASS_OK;
}

mass_status mass_host_take(mass_engine_host *h, const mass_sized *s, void *own, const void *d, uint32_t size)
{
    const mass_status status = may_declare(h, s->what);
    return status == MASS_OK ? mass_sized_take(s, own, d, size, h->error) : status;
}

/* Sets a declared parameter to the user's values for it, the last of which remains. Refuses a value that it cannot
 * have. */
static mass_status apply_setting(mass_engine_host *h, mass_parameter_slot *slot)
{
    const mass_opening *o = h->opening;
    for (uint32_t i = 0; i < o->setting_count; i++) {
        if (strcmp(o->settings[i].name, slot->name) != 0) continue;
        mass_error why = {0};
        if (mass_parameter_set(slot, o->settings[i].value, &why) != MASS_OK)
            return mass_host_refuse_setting(&o->settings[i], &why, h->error);
    }
    return MASS_OK;
}

/* Adds a parameter to the model and sets its default and then the user's value, if there is one. */
static mass_status declare_parameter(mass_host *host, const mass_parameter *d)
{
    mass_parameter own;
    mass_status status = TAKE(parameter, name);
    mass_parameters *list = &self(host)->model->parameters;
    if (status == MASS_OK) status = mass_parameters_add(list, &own, self(host)->error);
    if (status != MASS_OK) return status;
    mass_parameter_slot *slot = &list->slots[list->count - 1];
    if (slot->list) status = mass_list_set_default(slot, own.text, self(host)->error);
    return status == MASS_OK ? apply_setting(self(host), slot) : status;
}

/* Declares a constant. A resumed run takes its constants from the checkpoint, like its parameters. */
static mass_status declare_constant(mass_host *host, const mass_constant *d)
{
    mass_constant own;
    mass_status status = TAKE(constant, name);
    mass_parameters *list = &self(host)->model->parameters;
    if (status == MASS_OK) status = mass_parameters_add_constant(list, &own, self(host)->error);
    return status == MASS_OK && self(host)->opening->resumed
               ? apply_setting(self(host), &list->slots[list->count - 1]) : status;
}

/* Applies one number of --size to every axis, unless the plugin allows a space of one dimension. Returns the number of
 * axes. */
static uint32_t spread_size(const mass_opening *o, const mass_space *d, mass_gidx size[3])
{
    if (o->dimensions > 1 || d->dimensions_min < 2 || d->dimensions_max > 3) return o->dimensions;
    const uint32_t axes = d->size[2] || d->dimensions_min > 2 ? 3 : 2;
    for (uint32_t a = 1; a < axes; a++) size[a] = size[0];
    return axes;
}

/* Adds a space to the model. A checkpoint's size replaces the plugin's; so does the user's for the first space. A limit
 * of extents cuts it. */
static mass_status declare_space(mass_host *host, const mass_space *d)
{
    mass_engine_host *h = self(host);
    mass_space own;
    mass_status status = TAKE(space, size);
    if (status != MASS_OK) return status;
    const mass_opening *o = h->opening;
    const int stored = o->stored && own.name ? mass_model_find_space(o->stored, own.name) : -1;
    const bool sized = o->dimensions && h->model->space_count == 0;
    mass_gidx size[3] = {o->size[0], o->size[1], o->size[2]};
    const uint32_t dimensions = sized ? spread_size(o, &own, size) : 0;
    if (stored >= 0)
        status = mass_model_add_space(h->model, &own, o->stored->spaces[stored].size,
                                      o->stored->spaces[stored].dimensions, h->error);
    else status = mass_model_add_space(h->model, &own, sized ? size : NULL, dimensions, h->error);
    for (int a = 0; status == MASS_OK && o->extent_limit && a < 3; a++) {
        mass_gidx *extent = &h->model->spaces[h->model->space_count - 1].size[a];
        if (*extent > o->extent_limit) *extent = o->extent_limit;
    }
    return status;
}

/* Adds an attribute, with its struct's members, to the model. */
static mass_status declare_attribute(mass_host *host, const mass_attribute *d)
{
    static const mass_sized sized = {"member", sizeof(mass_member), MASS_THROUGH(mass_member, offset)};
    mass_error *const error = self(host)->error;
    mass_attribute own;
    mass_member members[MASS_MEMBERS_MAX];
    mass_status status = TAKE(attribute, name);
    if (status == MASS_OK && own.members && own.member_count <= MASS_MEMBERS_MAX) {
        status = mass_sized_take_all(&sized, members, own.members, own.member_size, own.member_count, error);
        own.members = members;
    }
    return status == MASS_OK ? mass_model_add_attribute(self(host)->model, &own, error) : status;
}

/* Add a tally, and a phase; set the picture. The model checks them. Refused after open. */
static mass_status declare_tally(mass_host *host, const mass_tally *d)
{
    mass_tally own;
    const mass_status status = TAKE(tally, name);
    return status == MASS_OK ? mass_model_add_tally(self(host)->model, &own, self(host)->error) : status;
}

static mass_status declare_phase(mass_host *host, const mass_phase *d)
{
    mass_phase own;
    const mass_status status = TAKE(phase, callback);
    return status == MASS_OK ? mass_model_add_phase(self(host)->model, &own, self(host)->error) : status;
}

static mass_status declare_picture(mass_host *host, const mass_picture *d)
{
    mass_picture own;
    const mass_status status = TAKE(picture, palette);
    return status == MASS_OK ? mass_model_set_picture(self(host)->model, &own, self(host)->error) : status;
}

/* Sets the number of steps that a run has by default. Refuses 2^40 and more. */
static mass_status declare_steps(mass_host *host, uint64_t steps)
{
    mass_engine_host *h = self(host);
    const mass_status status = may_declare(h, "number of steps");
    if (status != MASS_OK) return status;
    if (steps > MASS_STEPS_MAX)
        return mass_error_set(h->error, MASS_BAD_PLUGIN, "it declares more than 2^40 - 1 steps");
    h->model->default_steps = steps;
    return MASS_OK;
}

/* Add a series and a reduction to the model, which checks them. Refused after open. */
static mass_status declare_series(mass_host *host, const mass_series *d)
{
    mass_series own;
    const mass_status status = TAKE(series, expression);
    return status == MASS_OK ? mass_model_add_series(self(host)->model, &own, self(host)->error) : status;
}

static mass_status declare_reduction(mass_host *host, const mass_reduction *d)
{
    mass_reduction own;
    const mass_status status = TAKE(reduction, attribute);
    return status == MASS_OK ? mass_model_add_reduction(self(host)->model, &own, self(host)->error) : status;
}

/* Notes that results do not depend on the seed. */
static mass_status declare_seed_unused(mass_host *host)
{
    mass_engine_host *h = self(host);
    const mass_status status = may_declare(h, "seed that is not used");
    if (status == MASS_OK) h->model->seedless = true;
    return status;
}

const mass_declare_table mass_host_declare_table = {sizeof mass_host_declare_table, declare_parameter, declare_constant,
    declare_space, declare_attribute, declare_tally, declare_phase, declare_picture, declare_steps};
const mass_series_table mass_host_series_table = {sizeof mass_host_series_table, declare_series};
const mass_reductions_table mass_host_reductions_table = {sizeof mass_host_reductions_table, declare_reduction};
const mass_seed_table mass_host_seed_table = {sizeof mass_host_seed_table, declare_seed_unused};
