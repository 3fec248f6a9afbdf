/* SPDX-License-Identifier: Apache-2.0 */
#include "io/picture/picture.h"
#include "model/positions.h"
#include "population/gather.h"
#include "state/box.h"

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
        return mass_error_set(error, MASS_BAD_USAGE, "--slice %lld is beyond the %lld layers of space %s",
                              (long long)slice, (long long)s->size[2], s->name);
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

/* Converts every stride-th number of a type to double. */
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

/* Reads the pictured attribute band by band, which saves memory, and adds its values to the drawing. Rank 0 calls
 * it. */
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

/* Reads an attribute of all agents as doubles; the caller frees *out. */
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

/* Reads the positions of all agents; the caller frees *out. */
static mass_status read_points(mass_domain *d, uint32_t attribute, uint64_t count, char **out, mass_error *error)
{
    const size_t bytes = (size_t)(count + 1) * mass_element_size(&d->model->attributes[attribute]);
    char *points = malloc(bytes);
    if (!points) return mass_error_memory(error, bytes, "a picture");
    const mass_status status = mass_population_read(d, attribute, points, error);
    if (status == MASS_OK) *out = points;
    else free(points);
    return status;
}

/* Returns a coordinate of an agent's position, in the space's units of length. */
static double coordinate(const mass_model *m, const mass_population_def *p, const void *point, uint32_t axis)
{
    return mass_positions_coordinate(m, (uint32_t)(p - m->populations), point, axis);
}

/* Draws agents. points: their positions, or NULL. values: choose their colours; NULL: they all have the first one.
 * first: index of the population's first colour. */
static void draw_spots(const sight *v, const mass_population_def *p, uint32_t count, const double *places,
                       const char *points, const double *values, int first, mass_drawing *drawing)
{
    const mass_model *m = v->domain->model;
    const mass_gidx *size = v->space->size;
    const size_t bytes = p->position < 0 ? 0 : mass_element_size(&m->attributes[p->position]);
    const double unit = v->space->cell * (double)v->every;
    for (uint32_t i = 0; i < count; i++) {
        const mass_gidx place = (mass_gidx)places[i], x = place % size[0], row = place / size[0], y = row % size[1];
        const double value = values ? values[i] : 0, last = p->colours - 1;
        const int colour = value < 0 ? 0 : (int)(value < last ? value : last);
        if (row / size[1] == v->layer && points)
            mass_raster_point(drawing, coordinate(m, p, points + i * bytes, 0) / unit,
                              v->space->dimensions > 1 ? coordinate(m, p, points + i * bytes, 1) / unit : 0.5,
                              (uint8_t)(first + colour));
        else if (row / size[1] == v->layer)
            mass_raster_spot(drawing, x / v->every, y / v->every, (uint8_t)(first + colour));
    }
}

/* Reads a population from all ranks and draws its agents of the first world, which come first in canonical order. */
static mass_status draw_population(const sight *v, uint32_t population, int first, mass_drawing *drawing,
                                   mass_error *error)
{
    mass_domain *d = v->domain;
    const mass_population_def *p = &d->model->populations[population];
    uint64_t all, *agents = malloc((size_t)d->share.worlds * sizeof *agents);
    double *places = NULL, *values = NULL;
    char *points = NULL;
    if (!agents) return mass_error_memory(error, (size_t)d->share.worlds * sizeof *agents, "a picture");
    mass_status status = mass_population_count(d, population, &all, error);
    if (status == MASS_OK) status = mass_population_count_worlds(d, population, agents, error);
    if (status == MASS_OK) status = read_agents(d, p->first_attribute + MASS_AGENT_PLACE, all, &places, error);
    if (status == MASS_OK && p->drawn >= 0) status = read_agents(d, (uint32_t)p->drawn, all, &values, error);
    if (status == MASS_OK && p->position >= 0) status = read_points(d, (uint32_t)p->position, all, &points, error);
    if (status == MASS_OK) draw_spots(v, p, (uint32_t)agents[0], places, points, values, first, drawing);
    free(points);
    free(agents);
    free(places);
    free(values);
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
