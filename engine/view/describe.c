/* SPDX-License-Identifier: Apache-2.0 */
/* /run/model: what the run is, and what can be viewed. */
#include "model/value_names.h"
#include "io/picture/picture.h"
#include "view/json.h"
#include "view/overlay.h"
#include "view/state.h"

#include <inttypes.h>
#include <stdio.h>

static json_t *integer(int64_t value) { return json_integer((json_int_t)value); }

/* ---- spaces and pictures ---- */

/* Returns a new object for a space, with three extents and which of them are bounded. */
static json_t *space_json(const mass_space_def *s)
{
    json_t *extent = json_array(), *bounded = json_array();
    for (uint32_t a = 0; a < 3; a++) {
        json_array_append_new(extent, integer(s->size[a]));
        json_array_append_new(bounded, json_boolean(!(s->torus >> a & 1)));
    }
    return json_pack("{s:s, s:o, s:i, s:o, s:I}", "name", s->name, "extent", extent, "dimensions", (int)s->dimensions,
                     "bounded", bounded, "place_count", (json_int_t)mass_space_places(s));
}

/* Returns a colour as text, such as "#00ff00". */
static json_t *colour_json(uint32_t rgb)
{
    char text[8];
    snprintf(text, sizeof text, "#%06" PRIx32, rgb & 0xffffff);
    return json_string(text);
}

/* Returns the palette's 256 colours as "#rrggbb". */
static json_t *colours_json(const mass_palette *p)
{
    json_t *list = json_array();
    for (int i = 0; i < 256; i++) json_array_append_new(list, colour_json(p->rgb[i]));
    return list;
}

/* Returns a new list of the populations that are drawn over the model's own picture, with their colours. */
static json_t *legend_json(const mass_model *m, const mass_view_picture *p)
{
    json_t *list = json_array();
    for (uint32_t i = 0; p->declared && i < m->population_count; i++) {
        const mass_population_def *of = &m->populations[i];
        json_t *colours = json_array();
        if (of->space == p->space)
            for (uint32_t c = 0; c < of->colours; c++) json_array_append_new(colours, colour_json(of->palette[c]));
        const bool drawn = json_array_size(colours) > 0;
        if (drawn) json_array_append_new(list, json_pack("{s:s, s:o}", "population", of->name, "colours", colours));
        else json_decref(colours);
    }
    return list;
}

/* Returns a new list of what colours mean, for values that have names: [[0, "empty", "#000000"], ...]. */
static json_t *names_json(const mass_attribute_def *a, const mass_view_picture *p)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < a->name_count; i++) {
        const double value = a->first_name + i;
        if (!a->names[i]) continue;
        json_array_append_new(list, json_pack("[f, o, o]", value, mass_text_json(a->names[i]),
                                              colour_json(p->palette.rgb[mass_palette_level(&p->palette, value)])));
    }
    return list;
}

/* Returns a picture's facts for the page: palette, range, names, legend, and whether agents can be drawn on it. */
static json_t *picture_json(const mass_model *m, const mass_view_picture *p, uint32_t id)
{
    const mass_attribute_def *a = &m->attributes[p->attribute];
    return json_pack("{s:i, s:s, s:i, s:i, s:i, s:s, s:o, s:i, s:o, s:o, s:o, s:o, s:s, s:b, s:o, s:o}", "id", (int)id,
                     "label", p->label, "space", (int)p->space, "components", (int)a->length, "component",
                     (int)p->component, "kind", p->declared ? "model" : "attribute", "colours",
                     colours_json(&p->palette), "last", p->palette.last, "low",
                     p->ranged ? mass_view_number(p->palette.low) : json_null(), "high",
                     p->ranged ? mass_view_number(p->palette.high) : json_null(), "unit", mass_text_json(a->unit),
                     "help", mass_text_json(a->help), "reduce", mass_view_rules[MASS_VIEW_MEAN], "agents",
                     mass_overlay_has_agents(m, p->space), "names", names_json(a, p), "legend", legend_json(m, p));
}

/* ---- tallies ---- */

/* Returns a new list of the names of bins that count one value each; null for the others. */
static json_t *bin_names_json(const mass_model *m, uint32_t tally)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < m->tallies[tally].bins && i < MASS_VALUE_NAMES; i++) {
        const char *name = mass_bin_name(m, tally, i);
        json_array_append_new(list, name ? mass_text_json(name) : json_null());
    }
    return list;
}

/* Returns a tally's name, unit and help, and for bins their range, number and names. */
static json_t *tally_json(const mass_model *m, uint32_t tally)
{
    const mass_tally_def *t = &m->tallies[tally];
    json_t *o = json_pack("{s:s, s:o, s:o, s:b}", "name", t->name, "unit", mass_text_json(t->unit), "help",
                          mass_text_json(t->help), "outside", t->outside);
    if (!t->bins) return o;
    json_object_set_new(o, "low", t->low < t->high ? mass_view_number(t->low) : json_null());
    json_object_set_new(o, "high", t->low < t->high ? mass_view_number(t->high) : json_null());
    json_object_set_new(o, "count", integer(t->bins));
    json_object_set_new(o, "names", bin_names_json(m, tally));
    return o;
}

/* Returns a new list of the populations whose size has a chart of its own, as no tally counts it. */
static json_t *sizes_json(const mass_view *v)
{
    json_t *list = json_array();
    for (uint32_t c = v->rows.tally_count; c < v->rows.columns; c++) {
        const mass_population_def *p = &v->plan.model->populations[mass_view_rows_population(&v->rows, c)];
        json_array_append_new(list, json_pack("{s:s, s:o}", "name", p->name, "help", mass_text_json(p->help)));
    }
    return list;
}

/* Adds the tallies by kind, and the populations. Leaves out hidden tallies. */
static void add_tallies(const mass_view *v, json_t *to)
{
    const mass_model *m = v->plan.model;
    json_t *tallies = json_array(), *bins = json_array(), *keys = json_array(), *sizes = sizes_json(v);
    for (uint32_t i = 0; i < m->tally_count; i++) {
        const mass_tally_def *t = &m->tallies[i];
        if (!t->hidden) json_array_append_new(t->bins ? bins : t->keys ? keys : tallies, tally_json(m, i));
    }
    json_object_set_new(to, "tallies", tallies);
    json_object_set_new(to, "populations", sizes);
    json_object_set_new(to, "bins", bins);
    json_object_set_new(to, "keys", keys);
}

/* ---- parameters ---- */

/* Returns a parameter's type as the page names it. */
static const char *type_of(const mass_parameter_slot *p)
{
    static const char *const types[] = {[MASS_INTEGER] = "int", [MASS_REAL] = "float", [MASS_TEXT] = "text",
                                        [MASS_CHOICE] = "choice"};
    return p->list ? "text" : types[p->type];
}

/* Returns a parameter's least or most value; null: no bound. */
static json_t *bound_json(const mass_parameter_slot *p, bool is_bound, bool most)
{
    if (!is_bound) return json_null();
    if (p->type == MASS_INTEGER) return integer(most ? p->integer_max : p->integer_min);
    return mass_view_number(most ? p->real_max : p->real_min);
}

/* Returns a new object for a parameter: its value, range, choices and texts. */
static json_t *parameter_json(const mass_parameter_slot *p)
{
    json_t *choices = json_array();
    for (int i = 0; !p->list && p->choices && p->choices[i]; i++)
        json_array_append_new(choices, mass_text_json(p->choices[i]));
    json_t *value = p->type == MASS_INTEGER ? integer(p->integer)
                  : p->type == MASS_REAL    ? mass_view_number(p->real)
                                            : mass_text_json(p->text);
    return json_pack("{s:s, s:s, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o}", "name", p->name, "type", type_of(p),
                     "value", value, "given", p->given, "by_default", mass_text_json(p->by_default),
                     "low", bound_json(p, mass_parameter_has_least(p), false), "high",
                     bound_json(p, mass_parameter_has_most(p), true), "choices", choices, "unit",
                     mass_text_json(p->unit), "help", mass_text_json(p->help));
}

/* Returns a new list of the parameters that a user can set: constants are left out. */
static json_t *parameters_json(const mass_parameters *all)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < all->count; i++)
        if (!all->slots[i].constant) json_array_append_new(list, parameter_json(&all->slots[i]));
    return list;
}

/* ---- all ---- */

mass_status mass_view_answer_model(mass_view *v, mass_view_answer *out, mass_error *error)
{
    const mass_model *m = v->plan.model;
    mass_json_begin();
    json_t *spaces = json_array(), *pictures = json_array();
    for (uint32_t i = 0; i < m->space_count; i++) json_array_append_new(spaces, space_json(&m->spaces[i]));
    for (uint32_t i = 0; i < v->pictures.count; i++)
        json_array_append_new(pictures, picture_json(m, &v->pictures.list[i], i));
    json_t *o = json_pack("{s:I, s:s, s:s, s:o, s:o, s:o, s:i, s:b, s:o, s:I, s:I, s:o, s:i, s:i, s:i, s:o, s:o}",
                          "run", (json_int_t)v->run, "engine", MASS_ENGINE_VERSION, "model", m->plugin, "title",
                          mass_text_json(m->help), "command", mass_text_json(v->plan.command), "device",
                          mass_text_json(v->plan.device), "threads", v->plan.threads, "control",
                          v->address.control, "restart",
                          v->plan.no_restart ? mass_text_json(v->plan.no_restart) : json_null(), "first_step",
                          (json_int_t)v->plan.first_step, "last_step", (json_int_t)v->plan.last_step, "spaces", spaces,
                          "worlds", (int)v->domain->share.worlds, "first_world", (int)v->domain->share.first_world,
                          "ranks", (int)v->domain->share.comm->size, "pictures", pictures, "parameters",
                          parameters_json(&m->parameters));
    json_object_set_new(o, "seed", m->seedless ? json_null() : integer((int64_t)v->plan.seed));
    if (o) add_tallies(v, o);
    if (o) json_object_set_new(o, "agents", mass_view_agents_json(m));
    if (o) json_object_set_new(o, "arrows", mass_view_arrows_json(m));
    if (o) json_object_set_new(o, "networks", mass_view_networks_json(m));
    if (o) json_object_set_new(o, "brushes", mass_view_brushes_json(m));
    return mass_view_answer_json(o, 200, out, error);
}
