/* SPDX-License-Identifier: Apache-2.0 */
#include "io/picture/picture.h"
#include "base/plural.h"
#include "model/heading.h"
#include "model/positions.h"
#include "population/gather.h"
#include "state/box.h"
#include "text/number.h"

#include <mass/math.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BAND_PLACES = 1 << 20, GLANCES = 4 /* places read for a pixel, along each side */ };

/* Returns whether the model has attributes of places. */
static bool has_places(const mass_model *m)
{
    for (uint32_t i = 0; i < m->attribute_count; i++)
        if (m->attributes[i].population < 0) return true;
    return false;
}

mass_status mass_picture_check(const mass_model *m, mass_gidx slice, mass_error *error)
{
    if (!m->picture.declared)
        return mass_error_set(error, MASS_BAD_USAGE, "%s declares no picture: leave out --image and --movie, or add "
                              "MASS_PICTURE to the model%s", m->plugin, has_places(m) ? "" : ", and an attribute of "
                              "places for it, over which its agents are drawn");
    const mass_space_def *s = &m->spaces[m->attributes[m->picture.attribute].space];
    if (slice >= s->size[2])
        return mass_error_set(error, MASS_BAD_USAGE, "--slice %lld is beyond the %lld layer%s of space %s",
                              (long long)slice, (long long)s->size[2], mass_plural(s->size[2]), s->name);
    return MASS_OK;
}

mass_status mass_picture_palette(const mass_model *m, mass_palette *out, mass_error *error)
{
    const mass_picture_def *p = &m->picture;
    uint32_t spots[MASS_DRAWN_COLOURS_ALL], count = 0;
    for (uint32_t i = 0; i < m->population_count; i++) {
        memcpy(spots + count, m->populations[i].palette, m->populations[i].colours * sizeof *spots);
        count += m->populations[i].colours;
    }
    return mass_palette_make_spotted(out, p->low, p->high, p->palette, p->colours, spots, count, error);
}

/* Converts `count` values of type T, `stride` bytes apart, to doubles. Ends a case of a switch. */
#define TO_DOUBLES(T)                                                  \
    for (size_t i = 0; i < count; i++) {                               \
        T value;                                                       \
        memcpy(&value, (const char *)from + i * stride, sizeof value); \
        to[i] = (double)value;                                         \
    }                                                                  \
    break

/* Converts `count` numbers of a type, `stride` bytes apart, to doubles. */
static void to_doubles(double *to, const void *from, uint32_t type, size_t stride, size_t count)
{
    switch (type) {
    case MASS_I8: TO_DOUBLES(int8_t);
    case MASS_U8:
    case MASS_BIT: TO_DOUBLES(uint8_t);
    case MASS_I16: TO_DOUBLES(int16_t);
    case MASS_U16: TO_DOUBLES(uint16_t);
    case MASS_I32: TO_DOUBLES(int32_t);
    case MASS_U32: TO_DOUBLES(uint32_t);
    case MASS_I64: TO_DOUBLES(int64_t);
    case MASS_U64: TO_DOUBLES(uint64_t);
    case MASS_F32: TO_DOUBLES(float);
    default: TO_DOUBLES(double);
    }
}

/* The places that are drawn: every n-th one along both axes of a layer. */
typedef struct sight {
    mass_domain *domain;
    const mass_space_def *space;
    mass_gidx layer, every;
    mass_gidx width, height; /* number of these places */
} sight;

/* Returns a view of the picture's space: a slice of z (the middle one if negative), every `every`-th place. */
static sight look_at(mass_domain *d, mass_gidx slice, mass_gidx every)
{
    const mass_space_def *s = &d->model->spaces[d->model->attributes[d->model->picture.attribute].space];
    return (sight){d, s, slice >= 0 ? slice : s->size[2] / 2, every, (s->size[0] - 1) / every + 1,
                   (s->size[1] - 1) / every + 1};
}

/* Returns how many rows to read at once; one if rows between them are skipped. */
static mass_gidx band_of(const sight *v)
{
    const mass_gidx rows = v->every == 1 && v->width < BAND_PLACES ? BAND_PLACES / v->width : 1;
    return rows < v->height ? rows : v->height;
}

/* Reads the pictured attribute band by band, which saves memory, and adds its values to the drawing. bytes and values:
 * room for a band. Rank 0 calls it. */
static mass_status draw_bands(const sight *v, void *bytes, double *values, mass_drawing *drawing, mass_error *error)
{
    const mass_picture_def *p = &v->domain->model->picture;
    const mass_attribute_def *a = &v->domain->model->attributes[p->attribute];
    const mass_gidx band = band_of(v);
    for (mass_gidx y = 0; y < v->height; y += band) {
        const mass_gidx rows = band < v->height - y ? band : v->height - y;
        const mass_status status = mass_domain_read(v->domain, p->attribute, 0,
                                                    (const mass_gidx[3]){0, y * v->every, v->layer},
                                                    (const mass_gidx[3]){v->space->size[0], rows, 1}, bytes, error);
        if (status != MASS_OK) return status;
        to_doubles(values, (const char *)bytes + p->component * a->component_size, a->type,
                   (size_t)v->every * mass_element_size(a), (size_t)(rows * v->width));
        mass_raster_rows(drawing, rows, values);
    }
    return MASS_OK;
}

/* ---- agents ---- */

/* Reads an attribute of one component of all agents, `count` of them, as doubles; the caller frees *out. */
static mass_status read_agents(mass_domain *d, uint32_t attribute, uint64_t count, double **out, mass_error *error)
{
    const mass_attribute_def *a = &d->model->attributes[attribute];
    void *bytes = malloc((size_t)(count + 1) * a->component_size);
    double *values = malloc((size_t)(count + 1) * sizeof *values);
    mass_status status = bytes && values ? mass_population_read(d, attribute, bytes, error)
                                         : mass_error_memory(error, (size_t)count * sizeof *values, "a picture");
    if (status == MASS_OK) to_doubles(values, bytes, a->type, a->component_size, (size_t)count);
    free(bytes);
    if (status == MASS_OK) *out = values;
    else free(values);
    return status;
}

/* Reads the elements of an attribute of all agents, `count` of them; the caller frees *out. */
static mass_status read_elements(mass_domain *d, uint32_t attribute, uint64_t count, char **out, mass_error *error)
{
    const size_t bytes = (size_t)(count + 1) * mass_element_size(&d->model->attributes[attribute]);
    char *elements = malloc(bytes);
    if (!elements) return mass_error_memory(error, bytes, "a picture");
    const mass_status status = mass_population_read(d, attribute, elements, error);
    if (status == MASS_OK) *out = elements;
    else free(elements);
    return status;
}

/* The agents of a population, of all worlds. The arrays are NULL if the population has no such attribute. */
typedef struct spots {
    uint32_t count;       /* of the first world */
    double *places;
    double *colours;      /* values that choose colours; NULL: they all have the first one */
    char *points, *headings; /* elements of positions and headings */
} spots;

/* Finds the direction of agent i: (0, 0) if it has none. */
static void find_direction(const mass_attribute_def *a, const char *headings, uint32_t i, double to[2])
{
    const char *const element = headings + i * mass_element_size(a);
    const double first = mass_number_double(mass_number_at(a->type, element));
    if (mass_heading_is_angle(a)) {
        const double angle = mass_heading_is_in_degrees(a) ? first * (0x1.921fb54442d18p+1 / 180) : first;
        to[0] = mass_cos_f64(angle);
        to[1] = mass_sin_f64(angle);
    } else {
        to[0] = first;
        to[1] = mass_number_double(mass_number_at(a->type, element + a->component_size));
    }
    if (!isfinite(to[0]) || !isfinite(to[1])) to[0] = to[1] = 0;
}

/* Finds the place of agent i. Returns whether it is in the layer that is drawn. */
static bool find_place(const sight *v, const spots *s, uint32_t i, mass_gidx *x, mass_gidx *y)
{
    const mass_gidx place = (mass_gidx)s->places[i], row = place / v->space->size[0];
    *x = place % v->space->size[0];
    *y = row % v->space->size[1];
    return row / v->space->size[1] == v->layer;
}

/* Returns the length of the longest direction of an agent in the layer; 0: none has a direction. */
static double find_longest(const sight *v, const mass_attribute_def *a, const spots *s)
{
    double longest = 0, to[2];
    mass_gidx x, y;
    for (uint32_t i = 0; i < s->count; i++) {
        if (!find_place(v, s, i, &x, &y)) continue;
        find_direction(a, s->headings, i, to);
        const double length = hypot(to[0], to[1]);
        if (length > longest) longest = length;
    }
    return longest;
}

/* Draws agent i at its position: a point, or an arrow if `longest` is not 0. */
static void draw_at_position(const sight *v, const mass_population_def *p, const spots *s, uint32_t i, double longest,
                             uint8_t colour, mass_drawing *drawing)
{
    const mass_model *m = v->domain->model;
    const uint32_t population = (uint32_t)(p - m->populations);
    const char *const point = s->points + i * mass_element_size(&m->attributes[p->position]);
    const double unit = v->space->cell * (double)v->every;
    const double x = mass_positions_coordinate(m, population, point, 0) / unit;
    const double y = v->space->dimensions > 1 ? mass_positions_coordinate(m, population, point, 1) / unit : 0.5;
    double to[2] = {0, 0};
    if (longest > 0) find_direction(&m->attributes[p->heading], s->headings, i, to);
    if (longest > 0)
        mass_raster_arrow(drawing, x, y, to[0] / longest, to[1] / longest, v->space->torus, colour);
    else mass_raster_point(drawing, x, y, colour);
}

/* Draws those agents that are in the layer. first: index of the population's first colour. */
static void draw_spots(const sight *v, const mass_population_def *p, const spots *s, int first, mass_drawing *drawing)
{
    const double longest = s->headings ? find_longest(v, &v->domain->model->attributes[p->heading], s) : 0;
    mass_gidx x, y;
    for (uint32_t i = 0; i < s->count; i++) {
        const double value = s->colours ? s->colours[i] : 0, last = p->colours - 1;
        const int colour = first + (value < 0 ? 0 : (int)(value < last ? value : last));
        if (!find_place(v, s, i, &x, &y)) continue;
        if (s->points) draw_at_position(v, p, s, i, longest, (uint8_t)colour, drawing);
        else mass_raster_spot(drawing, x / v->every, y / v->every, (uint8_t)colour);
    }
}

/* Reads a population from all ranks and draws its agents of the first world, which come first in canonical order. */
static mass_status draw_population(const sight *v, uint32_t population, int first, mass_drawing *drawing,
                                   mass_error *error)
{
    mass_domain *d = v->domain;
    const mass_population_def *p = &d->model->populations[population];
    const bool directed = p->heading >= 0 && p->position >= 0 && v->space->dimensions > 1;
    uint64_t all, *agents = malloc((size_t)d->share.worlds * sizeof *agents);
    spots s = {0};
    if (!agents) return mass_error_memory(error, (size_t)d->share.worlds * sizeof *agents, "a picture");
    mass_status status = mass_population_count(d, population, &all, error);
    if (status == MASS_OK) status = mass_population_count_worlds(d, population, agents, error);
    if (status == MASS_OK) status = read_agents(d, p->first_attribute + MASS_AGENT_PLACE, all, &s.places, error);
    if (status == MASS_OK && p->drawn >= 0) status = read_agents(d, (uint32_t)p->drawn, all, &s.colours, error);
    if (status == MASS_OK && p->position >= 0) status = read_elements(d, (uint32_t)p->position, all, &s.points, error);
    if (status == MASS_OK && directed) status = read_elements(d, (uint32_t)p->heading, all, &s.headings, error);
    if (status == MASS_OK) s.count = (uint32_t)agents[0];
    if (status == MASS_OK) draw_spots(v, p, &s, first, drawing);
    free(agents);
    free(s.places);
    free(s.colours);
    free(s.points);
    free(s.headings);
    return status;
}

/* Draws all populations of the picture's space that have colours, later ones over earlier ones. */
static mass_status draw_agents(const sight *v, const mass_palette *palette, mass_drawing *drawing, mass_error *error)
{
    const mass_model *m = v->domain->model;
    int first = palette->last + 1;
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < m->population_count; i++) {
        const mass_population_def *p = &m->populations[i];
        if (p->colours && &m->spaces[p->space] == v->space) status = draw_population(v, i, first, drawing, error);
        first += (int)p->colours;
    }
    return status;
}

/* Draws the places, band by band, then the agents. On failure *out is not set. */
static mass_status draw(const sight *v, int32_t limit, const mass_palette *palette, mass_raster *out,
                        mass_error *error)
{
    const mass_attribute_def *a = &v->domain->model->attributes[v->domain->model->picture.attribute];
    const size_t rows = (size_t)band_of(v), places = rows * (size_t)v->space->size[0];
    void *bytes = malloc(places * mass_element_size(a));
    double *values = malloc(rows * (size_t)v->width * sizeof *values);
    mass_drawing *drawing = NULL;
    mass_status status = bytes && values ? MASS_OK : mass_error_memory(error, places * sizeof *values, "a picture");
    if (status == MASS_OK) status = mass_raster_begin(&drawing, v->width, v->height, limit, palette, error);
    if (status == MASS_OK) {
        status = draw_bands(v, bytes, values, drawing, error);
        if (status == MASS_OK) status = draw_agents(v, palette, drawing, error);
        mass_raster_end(drawing, status == MASS_OK ? out : NULL);
    }
    free(values);
    free(bytes);
    return status;
}

mass_status mass_picture_draw(mass_domain *d, mass_gidx slice, int32_t limit, const mass_palette *palette,
                              mass_raster *out, mass_error *error)
{
    const sight v = look_at(d, slice, 1);
    return draw(&v, limit, palette, out, error);
}

mass_status mass_picture_glance(mass_domain *d, mass_gidx slice, int32_t columns, int32_t rows,
                                const mass_palette *palette, mass_raster *out, mass_error *error)
{
    const sight all = look_at(d, slice, 1);
    const mass_gidx across = all.width / columns / GLANCES, down = all.height / rows / GLANCES;
    const mass_gidx every = across > down ? across : down;
    const sight v = look_at(d, slice, every > 1 ? every : 1);
    return draw(&v, mass_raster_limit(v.width, v.height, columns, rows), palette, out, error);
}
