/* SPDX-License-Identifier: Apache-2.0 */
#include "io/input/load.h"
#include "base/plural.h"
#include "state/box.h"

#include "model/range.h"
#include "snapshot/state_hash.h"
#include "io/input/load_colours.h"
#include "io/input/load_two.h"
#include "io/input/numbers.h"
#include "text/decimal.h"
#include "text/suggest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

/* Lists the attributes of places that can be loaded, for messages: "grid.health, grid.temperature". Structs and streams
 * cannot. Returns `out`; a long list is cut off. */
static const char *list_attributes(const mass_model *m, char out[400])
{
    out[0] = '\0';
    for (uint32_t i = 0; i < m->attribute_count; i++) {
        const mass_attribute_def *a = &m->attributes[i];
        const size_t used = strlen(out);
        if (a->population < 0 && a->type != MASS_STRUCT && !a->streamed)
            snprintf(out + used, 400 - used, "%s%s.%s", used ? ", " : "", m->spaces[a->space].name, a->name);
    }
    return out;
}

/* Removes "[3]" from the end of a name: false if that is not a component. *component: -1 without one. */
static bool take_component(char *name, int64_t *component)
{
    char *bracket = strchr(name, '[');
    *component = -1;
    if (!bracket) return true;
    const size_t length = strlen(bracket);
    if (bracket[length - 1] != ']') return false;
    bracket[length - 1] = '\0';
    *bracket = '\0';
    return mass_read_i64(bracket + 1, component) && *component >= 0;
}

/* Returns the attribute of places with a name that has no component, or -1. Cuts the name at its dot. */
static int find_attribute(const mass_model *m, char *name)
{
    char *dot = strchr(name, '.');
    if (dot) *dot = '\0';
    const int space = mass_model_find_space(m, dot ? name : NULL);
    return space < 0 ? -1 : mass_model_find_attribute(m, (uint32_t)space, dot ? dot + 1 : name);
}

/* Returns the agents' attribute with a name such as "wealth" or "ants.wealth", or NULL. */
static const mass_attribute_def *find_of_agents(const mass_model *m, const char *name)
{
    for (uint32_t i = 0; i < m->attribute_count; i++) {
        const mass_attribute_def *a = &m->attributes[i];
        char full[MASS_SUGGESTION_SIZE];
        snprintf(full, sizeof full, "%s.%s", mass_owner_name(m, a), a->name);
        if (a->population >= 0 && (strcmp(name, a->name) == 0 || strcmp(name, full) == 0)) return a;
    }
    return NULL;
}

/* Refuses to load an attribute of agents, and points to the population's table, if it has one. */
static mass_status refuse_agents(const mass_model *m, const mass_attribute_def *a, mass_error *error)
{
    const mass_population_def *p = &m->populations[a->population];
    if (p->table < 0)
        return mass_error_set(error, MASS_BAD_USAGE, "--load %s: it is an attribute of the agents %s, and %s takes no "
                              "table of them", a->name, p->name, m->plugin);
    return mass_error_set(error, MASS_BAD_USAGE, "--load %s: it is an attribute of the agents %s, which a table "
                          "gives: --set %s=FILE.csv, with a column %s", a->name, p->name,
                          m->parameters.slots[p->table].name, a->name);
}

/* Refuses to load a population, and points to its table, if it has one. */
static mass_status refuse_population(const mass_model *m, const mass_population_def *p, mass_error *error)
{
    if (p->table < 0)
        return mass_error_set(error, MASS_BAD_USAGE, "--load %s: it is a population, and %s takes no table of it",
                              p->name, m->plugin);
    return mass_error_set(error, MASS_BAD_USAGE, "--load %s: it is a population, whose agents a table gives: "
                          "--set %s=FILE.csv", p->name, m->parameters.slots[p->table].name);
}

/* Refuses a name. `name`: the text's name without a component; "": the name is right, but the component is not. length:
 * of the name in the text. */
static mass_status refuse_name(const mass_model *m, const char *text, int length, const char *name, mass_error *error)
{
    char list[400], meant[MASS_SUGGESTION_SIZE];
    const mass_attribute_def *of_agents = find_of_agents(m, name);
    const int population = mass_model_find_population(m, name);
    if (of_agents) return refuse_agents(m, of_agents, error);
    if (population >= 0) return refuse_population(m, &m->populations[population], error);
    const bool near = mass_suggest_attribute(m, name, false, meant)[0];
    return mass_error_set(error, MASS_BAD_USAGE, "--load %.*s: there is no such attribute of places; %s%s%s%s has %s",
                          length > 200 ? 200 : length, text, near ? "did you mean " : "", meant, near ? "? " : "",
                          m->plugin, list_attributes(m, list)[0] ? list : "none");
}

mass_status mass_load_find(const mass_load_request *request, const char *text, mass_load *out, mass_error *error)
{
    const mass_model *m = request->model;
    const int length = (int)strcspn(text, "=");
    char name[sizeof out->name], whole[sizeof out->name];
    int64_t component = -1;
    const bool fits = (size_t)snprintf(name, sizeof name, "%.*s", length, text) < sizeof name;
    const bool named = fits && take_component(name, &component);
    memcpy(whole, name, sizeof whole);
    const int index = named ? find_attribute(m, name) : -1;
    if (index < 0 || component >= (int64_t)m->attributes[index].length)
        return refuse_name(m, text, length, index < 0 ? whole : "", error);
    const mass_attribute_def *a = &m->attributes[index];
    if (a->type == MASS_STRUCT)
        return mass_error_set(error, MASS_BAD_USAGE, "--load %s: it is a struct, which no file can give", name);
    if (a->streamed)
        return mass_error_set(error, MASS_BAD_USAGE, "--load %s: it holds one piece of a stream at a time, which the "
                              "model reads itself", name);
    if (a->length == 1) component = -1;
    *out = (mass_load){.file = text + length + 1, .attribute = (uint32_t)index, .component = (int32_t)component};
    const int used = snprintf(out->name, sizeof out->name, "%s.%s", m->spaces[a->space].name, a->name);
    if (component >= 0) snprintf(out->name + used, sizeof out->name - (size_t)used, "[%d]", (int)component);
    return mass_load_threshold(out->file, &out->length, &out->threshold, error);
}

/* ---- extents ---- */

/* The expected axes of the values of one world, outermost first. */
typedef struct wanted {
    uint32_t rank;
    uint64_t extent[MASS_NUMBERS_AXES];
    const char *label[MASS_NUMBERS_AXES];
} wanted;

/* Appends an axis to the wanted extents. */
static void add_axis(wanted *w, const char *label, uint64_t extent)
{
    w->label[w->rank] = label;
    w->extent[w->rank++] = extent;
}

/* Returns the axes that a load has to have for one world: z, y, x, then components. */
static wanted axes_of(const mass_model *m, const mass_load *l)
{
    static const char *const labels[] = {"x", "y", "z"};
    const mass_attribute_def *a = &m->attributes[l->attribute];
    const mass_space_def *s = &m->spaces[a->space];
    wanted w = {0};
    for (uint32_t i = s->dimensions; i-- > 0;) add_axis(&w, labels[i], (uint64_t)s->size[i]);
    if (l->component < 0 && a->length > 1) add_axis(&w, "component", a->length);
    return w;
}

/* Formats extents as --size does, x first. `extent` is outermost first: perhaps worlds, then the space's `axes`, then
 * components if `components` and there are as many axes. */
static void show_extents(const uint64_t *extent, uint32_t rank, uint32_t axes, bool components, char out[200])
{
    const uint32_t behind = components && rank > axes, before = rank == axes + behind + 1;
    int used = snprintf(out, 200, "%s", rank ? "" : "none");
    for (uint32_t i = rank - behind; i-- > before;)
        used += snprintf(out + used, 200 - (size_t)used, "%" PRIu64 "%s", extent[i], i > before ? "x" : "");
    if (behind) used += snprintf(out + used, 200 - (size_t)used, " with %" PRIu64 " component%s", extent[rank - 1],
                             mass_plural(extent[rank - 1]));
    if (before)
        snprintf(out + used, 200 - (size_t)used, " in %" PRIu64 " world%s", extent[0], mass_plural(extent[0]));
}

/* Refuses numbers of another shape, naming the shape found and the one needed. */
static mass_status refuse_extents(const mass_load_request *q, const mass_load *l, const wanted *w,
                                  const mass_numbers *n, mass_error *error)
{
    const uint32_t axes = q->model->spaces[q->model->attributes[l->attribute].space].dimensions;
    const bool components = w->rank > axes;
    char found[200], needed[200], worlds[80] = "", few[80] = "";
    if (components && n->rank == axes)
        return mass_error_set(error, MASS_BAD_INPUT, "%s: it has one number for each place, and %s has %" PRIu64
                              " components: load one of them, as in --load '%s[0]=%s'", l->file, l->name,
                              w->extent[axes], q->model->attributes[l->attribute].name, l->file);
    show_extents(n->extent, n->rank, axes, components, found);
    show_extents(w->extent, w->rank, axes, components, needed);
    if (q->worlds > 1) snprintf(worlds, sizeof worlds, ", or that behind a first axis of %d worlds", q->worlds);
    if (n->rank < axes)
        snprintf(few, sizeof few, ": it has %s, and the space has %u", n->rank == 1 ? "one axis" : "two axes", axes);
    const char *sized = q->model->attributes[l->attribute].space == 0 ? q->sized : NULL;
    return mass_error_set(error, MASS_BAD_INPUT, "%s: its size is %s, and %s needs %s%s%s%s%s", l->file, found, l->name,
                          needed, sized ? ", the size of --load " : "", sized ? sized : "", worlds, few);
}

/* Checks the numbers' shape. Sets l->by_world if a first axis has a slice for each world. */
static mass_status check_extents(const mass_load_request *q, const wanted *w, const mass_numbers *n, mass_load *l,
                                 mass_error *error)
{
    const uint32_t more = n->rank - w->rank;
    const bool same = n->rank >= w->rank && memcmp(n->extent + more, w->extent, w->rank * sizeof *w->extent) == 0;
    l->by_world = q->worlds > 1 && more == 1 && n->extent[0] == (uint64_t)q->worlds;
    if (same && (more == 0 || l->by_world || (more == 1 && n->extent[0] == 1))) return MASS_OK;
    return refuse_extents(q, l, w, n, error);
}

/* ---- values ---- */

/* Formats the place of value number `index`, such as "(world 1, y 3, x 5)". The world is left out unless the file
 * has values by world. */
static void show_place(const mass_load_request *q, const mass_load *l, const wanted *w, uint64_t index, char out[160])
{
    uint64_t at[MASS_NUMBERS_AXES];
    int used = snprintf(out, 160, "(");
    for (uint32_t i = w->rank; i-- > 0; index /= w->extent[i]) at[i] = index % w->extent[i];
    if (l->by_world)
        used += snprintf(out + used, 160 - (size_t)used, "world %" PRIu64 ", ", (uint64_t)q->first_world + index);
    for (uint32_t i = 0; i < w->rank; i++)
        used += snprintf(out + used, 160 - (size_t)used, "%s%s %" PRIu64, i ? ", " : "", w->label[i], at[i]);
    snprintf(out + used, 160 - (size_t)used, ")");
}

/* Converts the numbers to the attribute's type, in l->values, which the caller frees. Fails at the first number that
 * the attribute cannot have; the message names its place. */
static mass_status convert(const mass_load_request *q, const wanted *w, const mass_numbers *n, mass_load *l,
                           mass_error *error)
{
    const mass_attribute_def *a = &q->model->attributes[l->attribute];
    const size_t from = mass_type_size(n->type), to = a->component_size;
    uint8_t *values = malloc(n->count * to + 1);
    if (!values) return mass_error_memory(error, n->count * to, "an attribute");
    l->values = values;
    if (n->type == a->type && !mass_number_is_real(a->type)) {
        memcpy(values, n->values, n->count * to);
        return MASS_OK;
    }
    for (uint64_t i = 0; i < n->count; i++) {
        const mass_number number = mass_number_at(n->type, (const char *)n->values + i * from);
        if (n->decimal ? mass_number_store(a->type, number, values + i * to)
                       : mass_number_store_exactly(a->type, number, values + i * to))
            continue;
        char shown[MASS_NUMBER_SIZE], place[160], advice[200];
        show_place(q, l, w, i, place);
        if (a->type == MASS_BIT)
            return mass_error_set(error, MASS_BAD_INPUT, "%s: %s at %s is not a value that %s has: 0 or 1%s", l->file,
                                  mass_number_show(number, shown), place, l->name,
                                  mass_load_advice(l, a, n->picture, advice));
        return mass_error_set(error, MASS_BAD_INPUT, "%s: %s at %s is %s of type %s, which %s has", l->file,
                              mass_number_show(number, shown), place,
                              mass_number_is_real(a->type) ? "not exactly a value" : "no value",
                              mass_type_name(a->type), l->name);
    }
    return MASS_OK;
}

/* Returns true if the model draws the attribute in black and white. Such a picture may mean any values. */
static bool is_drawn_in_black_and_white(const mass_load_request *q, const mass_load *l)
{
    const mass_picture_def *p = &q->model->picture;
    bool two = p->declared && p->attribute == l->attribute;
    for (uint32_t i = 0; two && i < p->colours; i++) two = p->palette[i] == 0 || p->palette[i] == 0xffffff;
    return two;
}

/* Checks that the attribute may have every loaded value; the error names the first place that fails. */
static mass_status check_range(const mass_load_request *q, const wanted *w, const mass_numbers *n, const mass_load *l,
                               mass_error *error)
{
    const mass_attribute_def *a = &q->model->attributes[l->attribute];
    const size_t first = mass_range_find(a, l->values, n->count);
    if (first == n->count) return MASS_OK;
    char shown[MASS_NUMBER_SIZE], place[160], range[MASS_RANGE_TEXT], advice[200];
    show_place(q, l, w, first, place);
    const mass_number number = mass_number_at(a->type, (const char *)l->values + first * a->component_size);
    return mass_error_set(error, MASS_BAD_INPUT, "%s: %s at %s is not a value that %s has: %s%s", l->file,
                          mass_number_show(number, shown), place, l->name, mass_range_show(a, range),
                          mass_load_advice(l, a, n->picture, advice));
}

/* Reads a load's file, then turns colours or black and white into values, or cuts at the threshold. *out starts as all
 * zero; the caller frees it, also on failure. */
static mass_status read_numbers(const mass_load_request *q, const mass_load *l, mass_numbers *out, mass_error *error)
{
    const mass_attribute_def *a = &q->model->attributes[l->attribute];
    char file[MASS_NUMBERS_PATH];
    const int length = snprintf(file, sizeof file, "%.*s", (int)l->length, l->file);
    if (length < 0 || (size_t)length >= sizeof file)
        return mass_error_set(error, MASS_BAD_INPUT, "--load %s: the name of its file is too long", l->name);
    const mass_status status = mass_numbers_read(file, a, out, error);
    if (status != MASS_OK) return status;
    const bool drawn = out->colours && (out->grow >= 0 || is_drawn_in_black_and_white(q, l));
    if (l->threshold > 0) mass_load_cut(out, l->threshold);
    else if (mass_load_is_of_two(a) && !drawn && mass_load_is_black_and_white(out)) mass_load_take_black_and_white(out);
    return out->colours ? mass_load_colours(q, l, out, error) : MASS_OK;
}

mass_status mass_load_size(const mass_load_request *q, const mass_load *l, mass_gidx size[3], uint32_t *dimensions,
                           mass_error *error)
{
    const wanted axes = axes_of(q->model, l);
    const uint32_t expected = q->model->spaces[q->model->attributes[l->attribute].space].dimensions;
    mass_numbers n = {0};
    *dimensions = 0;
    const mass_status status = read_numbers(q, l, &n, error);
    if (status == MASS_OK) {
        const uint32_t components = axes.rank - expected && n.rank != expected; /* if they miss, reading refuses */
        const uint32_t found = n.rank > components ? n.rank - components : 0;
        const bool worlds = found == expected + 1 && (n.extent[0] == 1 || n.extent[0] == (uint64_t)q->worlds);
        *dimensions = worlds ? expected : found <= 3 ? found : 0;
        for (uint32_t i = 0; i < *dimensions; i++) size[i] = (mass_gidx)n.extent[worlds + *dimensions - 1 - i];
    }
    mass_numbers_free(&n);
    return status;
}

/* Stores the hash of the file in l->hash; with a threshold, the hash of both. */
static void take_hash(mass_load *l, const char hash[33])
{
    char both[80];
    const int length = snprintf(both, sizeof both, "%.32s@%.17g", hash, l->threshold);
    if (l->threshold > 0) mass_hash_file_bytes(both, (size_t)length, l->hash);
    else memcpy(l->hash, hash, sizeof l->hash);
}

mass_status mass_load_read(const mass_load_request *request, mass_load *load, mass_error *error)
{
    const wanted axes = axes_of(request->model, load);
    mass_numbers n = {0};
    mass_status status = read_numbers(request, load, &n, error);
    if (status == MASS_OK) status = check_extents(request, &axes, &n, load, error);
    if (status == MASS_OK) status = convert(request, &axes, &n, load, error);
    if (status == MASS_OK) status = check_range(request, &axes, &n, load, error);
    load->transparent = n.transparent;
    if (status == MASS_OK) take_hash(load, n.hash);
    mass_numbers_free(&n);
    return status;
}

void mass_load_free(mass_load *load)
{
    free(load->values);
    *load = (mass_load){0};
}

/* ---- the attribute ---- */

/* Writes one component of all places of a world, on all ranks, and keeps the other components. */
static mass_status write_component(const mass_load *l, const uint8_t *values, mass_domain *d, int32_t world,
                                   mass_error *error)
{
    static const mass_gidx origin[3] = {0};
    const mass_attribute_def *a = &d->model->attributes[l->attribute];
    const mass_space_def *s = &d->model->spaces[a->space];
    const size_t places = (size_t)mass_space_places(s), size = mass_element_size(a);
    uint8_t *all = malloc(places * size);
    if (!all) return mass_error_memory(error, places * size, "an attribute");
    mass_status status = mass_domain_read(d, l->attribute, world, origin, s->size, all, error);
    for (size_t i = 0; status == MASS_OK && i < places; i++)
        memcpy(all + i * size + (size_t)l->component * a->component_size, values + i * a->component_size,
               a->component_size);
    if (status == MASS_OK) status = mass_domain_write(d, l->attribute, world, origin, s->size, all, error);
    free(all);
    return status;
}

mass_status mass_load_apply(const mass_load *l, mass_domain *d, mass_error *error)
{
    static const mass_gidx origin[3] = {0};
    const mass_attribute_def *a = &d->model->attributes[l->attribute];
    const mass_space_def *s = &d->model->spaces[a->space];
    const size_t bytes = (size_t)mass_space_places(s) * (l->component < 0 ? mass_element_size(a) : a->component_size);
    mass_status status = MASS_OK;
    for (int32_t w = 0; status == MASS_OK && w < d->share.worlds; w++) {
        const uint8_t *values = (const uint8_t *)l->values + (l->by_world ? (size_t)w * bytes : 0);
        status = l->component < 0 ? mass_domain_write(d, l->attribute, w, origin, s->size, values, error)
                                  : write_component(l, values, d, w, error);
    }
    return status;
}
