/* SPDX-License-Identifier: Apache-2.0 */
/* /run/arrows: values of an attribute for arrows, of places or of agents in a box, as many as fit. /run/model lists the
 * attributes: those with two or more components, and single numbers, which are shown as angles. Agents with positions
 * are at these, in units of places. The page shows the attribute of positions itself as points. These, and arrows of
 * the declared heading, have the index of the agent's colour behind the numbers if the population has several. */
#include "model/heading.h"
#include "model/positions.h"
#include "state/box.h"
#include "view/frame.h"
#include "view/json.h"
#include "view/overlay.h"
#include "view/state.h"
#include "view/world_agents.h"

#include <math.h>
#include <stdlib.h>

json_t *mass_view_arrows_json(const mass_model *m)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < m->attribute_count; i++) {
        const mass_attribute_def *a = &m->attributes[i];
        const mass_population_def *p = a->population >= 0 ? &m->populations[a->population] : NULL;
        if (!mass_heading_has_numbers(a) || (p && !mass_view_is_of_agents(m, i, (uint32_t)a->population))) continue;
        const bool angle = mass_heading_is_angle(a);
        json_array_append_new(list, json_pack("{s:i, s:s, s:s, s:i, s:b, s:i, s:o, s:b, s:b, s:b}", "id", (int)i, "of",
                                              p ? p->name : m->spaces[a->space].name, "name", a->name, "space",
                                              (int)(p ? p->space : a->space), "agents", p != NULL, "components",
                                              (int)a->length, "unit", mass_text_json(a->unit), "angle", angle,
                                              "heading", p ? p->heading == (int)i : angle, "point",
                                              p && p->position == (int)i));
    }
    return list;
}

/* Returns component k of an element as a double. */
static double component_at(const mass_attribute_def *a, const char *element, uint32_t k)
{
    return mass_number_double(mass_number_at(a->type, element + k * a->component_size));
}

/* Returns a coordinate: a whole number for a place, which is shorter. */
static json_t *coordinate(double v)
{
    return v == floor(v) ? json_integer((json_int_t)v) : json_real(v);
}

/* Returns [x, y, value] or [x, y, first, second]; NULL: the first is not finite. Places are at whole numbers x and
 * y. */
static json_t *arrow_at(const mass_attribute_def *a, double x, double y, const char *element)
{
    const double first = component_at(a, element, 0);
    if (!isfinite(first)) return NULL;
    json_t *arrow = json_pack("[o, o, f]", coordinate(x), coordinate(y), first);
    if (a->length > 1) json_array_append_new(arrow, mass_view_number(component_at(a, element, 1)));
    return arrow;
}

/* Appends an arrow to a list; NULL: none. */
static void append(json_t *to, json_t *arrow)
{
    if (arrow) json_array_append_new(to, arrow);
}

/* ---- places: one of each block of places ---- */

/* Adds arrows for places of the question's slice: on a grid so coarse that there are about q->most. */
static mass_status add_places(mass_domain *d, const mass_view_question *q, json_t *to, mass_error *error)
{
    const mass_attribute_def *a = &d->model->attributes[q->attribute];
    const size_t size = mass_element_size(a);
    const double each = ceil(sqrt((double)q->extent[0] * (double)q->extent[1] / q->most));
    const mass_gidx step = each > 1 ? (mass_gidx)each : 1;
    char *row = malloc((size_t)q->extent[0] * size);
    mass_status status = row ? MASS_OK : mass_error_memory(error, (size_t)q->extent[0] * size, "arrows");
    for (mass_gidx y = q->at[1] + step / 2; status == MASS_OK && y < q->at[1] + q->extent[1]; y += step) {
        status = mass_domain_read(d, q->attribute, q->world, (const mass_gidx[3]){q->at[0], y, q->slice},
                                  (const mass_gidx[3]){q->extent[0], 1, 1}, row, error);
        for (mass_gidx x = step / 2; status == MASS_OK && x < q->extent[0]; x += step)
            append(to, arrow_at(a, (double)(q->at[0] + x), (double)y, row + (size_t)x * size));
    }
    free(row);
    return status;
}

/* ---- agents: all in the box, or every n-th of them ---- */

typedef struct crowd {
    mass_world_agents in;
    int64_t *places;
    char *values;
    char *points; /* their positions, or NULL */
    char *drawn;  /* values of the attribute that chooses colours, or NULL */
} crowd;

/* Reads the places and values of all agents, and finds the range of the world's. The caller frees the arrays, on
 * failure too. */
static mass_status read_crowd(mass_domain *d, const mass_view_question *q, uint32_t population, crowd *c,
                              mass_error *error)
{
    const mass_population_def *const p = &d->model->populations[population];
    void *places = NULL, *values = NULL, *points = NULL, *drawn = NULL;
    const bool shown = p->position == (int)q->attribute || p->heading == (int)q->attribute;
    const bool coloured = shown && p->drawn >= 0 && p->colours > 1;
    mass_status status = mass_world_agents_find(d, population, q->world, &c->in, error);
    if (status == MASS_OK)
        status = mass_world_agents_read(d, p->first_attribute + MASS_AGENT_PLACE, &c->in, &places, error);
    if (status == MASS_OK) status = mass_world_agents_read(d, q->attribute, &c->in, &values, error);
    if (status == MASS_OK && p->position >= 0)
        status = mass_world_agents_read(d, (uint32_t)p->position, &c->in, &points, error);
    if (status == MASS_OK && coloured)
        status = mass_world_agents_read(d, (uint32_t)p->drawn, &c->in, &drawn, error);
    c->places = places;
    c->values = values;
    c->points = points;
    c->drawn = drawn;
    return status;
}

/* Adds the arrow of an agent on a place, at its position if it has one. */
static void add_agent(const mass_domain *d, const mass_view_question *q, const crowd *c, uint64_t i, mass_gidx x,
                      mass_gidx y, json_t *to)
{
    const mass_model *m = d->model;
    const mass_attribute_def *a = &m->attributes[q->attribute];
    double at[2] = {(double)x, (double)y};
    if (c->points) mass_positions_in_places(m, (uint32_t)a->population, c->points, i, at);
    json_t *arrow = arrow_at(a, at[0], at[1], c->values + i * mass_element_size(a));
    if (arrow && c->drawn)
        json_array_append_new(arrow, json_integer(mass_overlay_colour(m, &m->populations[a->population], c->drawn, i)));
    append(to, arrow);
}

/* Returns whether a place is in the box, and stores its coordinates. */
static bool is_in(const mass_view_question *q, const mass_gidx *size, int64_t place, mass_gidx *x, mass_gidx *y)
{
    *x = place % size[0];
    *y = place / size[0] % size[1];
    return place / size[0] / size[1] == q->slice && *x >= q->at[0] && *x < q->at[0] + q->extent[0] &&
           *y >= q->at[1] && *y < q->at[1] + q->extent[1];
}

/* Adds arrows for the agents in the box: each or, above q->most, every so many of them. */
static mass_status add_agents(mass_domain *d, const mass_view_question *q, json_t *to, mass_error *error)
{
    const uint32_t population = (uint32_t)d->model->attributes[q->attribute].population;
    const mass_gidx *size = d->model->spaces[d->model->populations[population].space].size;
    crowd c = {0};
    mass_gidx x, y;
    uint64_t in = 0, seen = 0;
    const mass_status status = read_crowd(d, q, population, &c, error);
    for (uint64_t i = c.in.first; status == MASS_OK && i < c.in.end; i++) in += is_in(q, size, c.places[i], &x, &y);
    const uint64_t each = in / (uint64_t)q->most + 1;
    for (uint64_t i = c.in.first; status == MASS_OK && i < c.in.end; i++)
        if (is_in(q, size, c.places[i], &x, &y) && seen++ % each == 0)
            add_agent(d, q, &c, i, x, y, to);
    free(c.places);
    free(c.values);
    free(c.points);
    free(c.drawn);
    return status;
}

/* Clips the box to the space. Returns false if there is no such attribute, world or place, or arrows cannot show it. */
static bool clip(const mass_domain *d, mass_view_question *q)
{
    if (q->attribute >= d->model->attribute_count || q->world >= d->share.worlds) return false;
    const mass_attribute_def *a = &d->model->attributes[q->attribute];
    if (!mass_heading_has_numbers(a)) return false;
    const bool agents = a->population >= 0;
    if (agents && !mass_view_is_of_agents(d->model, q->attribute, (uint32_t)a->population)) return false;
    return mass_frame_clip_box(&d->model->spaces[agents ? d->model->populations[a->population].space : a->space], q);
}

mass_status mass_view_answer_arrows(mass_view *v, mass_view_question *q, mass_view_answer *out, mass_error *error)
{
    mass_domain *d = v->domain;
    if (!clip(d, q)) {
        *out = (mass_view_answer){.status = 400};
        return MASS_OK;
    }
    mass_json_begin();
    json_t *arrows = json_array();
    const bool agents = d->model->attributes[q->attribute].population >= 0;
    const mass_status status = agents ? add_agents(d, q, arrows, error) : add_places(d, q, arrows, error);
    json_t *o = json_pack("{s:I, s:I, s:o}", "run", (json_int_t)v->run, "step", (json_int_t)v->step, "arrows", arrows);
    if (status == MASS_OK) return mass_view_answer_json(o, 200, out, error);
    json_decref(o);
    return status;
}
