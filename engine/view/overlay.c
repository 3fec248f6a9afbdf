/* SPDX-License-Identifier: Apache-2.0 */
#include "view/overlay.h"
#include "population/gather.h"
#include "text/number.h"

#include <stdlib.h>

/* Returns whether any population is on the space. */
bool mass_overlay_has_agents(const mass_model *m, uint32_t space)
{
    for (uint32_t i = 0; i < m->population_count; i++)
        if (m->populations[i].space == space) return true;
    return false;
}

bool mass_overlay_is_drawn(const mass_model *m, uint32_t space)
{
    for (uint32_t i = 0; i < m->population_count; i++)
        if (m->populations[i].space == space && m->populations[i].colours) return true;
    return false;
}

/* The agents of one population and world. */
typedef struct crowd {
    uint64_t all, first, count; /* agents of all worlds; range of the world's agents */
    int64_t *places;            /* [all] */
    char *colours;              /* [all] values of the attribute that chooses colours; or NULL */
} crowd;

/* Reads an attribute of all agents of all worlds, `count`, which the caller frees. */
static mass_status read_attribute(mass_domain *d, uint32_t attribute, uint64_t count, void **out, mass_error *error)
{
    const size_t bytes = (size_t)(count + 1) * d->model->attributes[attribute].component_size;
    void *data = malloc(bytes);
    if (!data) return mass_error_memory(error, bytes, "a picture");
    const mass_status status = mass_population_read(d, attribute, data, error);
    if (status == MASS_OK) *out = data;
    else free(data);
    return status;
}

/* Reads the places of a population's agents, and their colours if `spots`. *c is zero before. The caller frees
 * both, on failure too. */
static mass_status read_crowd(mass_domain *d, uint32_t population, int32_t world, bool spots, crowd *c,
                              mass_error *error)
{
    const mass_population_def *p = &d->model->populations[population];
    uint64_t *counts = malloc((size_t)d->share.worlds * sizeof *counts);
    void *places = NULL, *colours = NULL;
    if (!counts) return mass_error_memory(error, (size_t)d->share.worlds * sizeof *counts, "a picture");
    mass_status status = mass_population_count(d, population, &c->all, error);
    if (status == MASS_OK) status = mass_population_count_worlds(d, population, counts, error);
    for (int32_t w = 0; status == MASS_OK && w < world; w++) c->first += counts[w];
    c->count = status == MASS_OK ? counts[world] : 0;
    free(counts);
    if (status == MASS_OK) status = read_attribute(d, p->first_attribute + MASS_AGENT_PLACE, c->all, &places, error);
    if (status == MASS_OK && spots && p->drawn >= 0)
        status = read_attribute(d, (uint32_t)p->drawn, c->all, &colours, error);
    c->places = places;
    c->colours = colours;
    return status;
}

uint32_t mass_overlay_colour(const mass_model *m, const mass_population_def *p, const char *values, uint64_t i)
{
    if (!values) return 0;
    const mass_attribute_def *a = &m->attributes[p->drawn];
    const double value = mass_number_double(mass_number_at(a->type, values + i * a->component_size));
    const double last = (double)p->colours - 1;
    return value > 0 ? (uint32_t)(value < last ? value : last) : 0;
}

/* Draws agents into pixels. first: the first colour of the population, and the highest colour of a pixel stays; 0:
 * count agents. */
static void put_crowd(const mass_domain *d, const mass_population_def *p, const mass_view_question *q, const crowd *c,
                      mass_gidx factor, uint32_t first, uint8_t *pixels)
{
    const mass_gidx *size = d->model->spaces[p->space].size, columns = (q->extent[0] - 1) / factor + 1;
    for (uint64_t i = c->first; i < c->first + c->count; i++) {
        const mass_gidx row = c->places[i] / size[0];
        const mass_gidx x = c->places[i] % size[0] - q->at[0], y = row % size[1] - q->at[1];
        if (row / size[1] != q->slice || x < 0 || x >= q->extent[0] || y < 0 || y >= q->extent[1]) continue;
        uint8_t *pixel = &pixels[y / factor * columns + x / factor];
        const uint32_t value = first               ? first + mass_overlay_colour(d->model, p, c->colours, i)
                               : *pixel < UINT8_MAX ? *pixel + 1u
                                                    : *pixel;
        if (*pixel < value) *pixel = (uint8_t)value;
    }
}

mass_status mass_overlay_draw(mass_domain *d, const mass_view_picture *picture, const mass_view_question *q,
                              mass_gidx factor, bool spots, uint8_t *pixels, mass_error *error)
{
    const mass_model *m = d->model;
    uint32_t first = (uint32_t)picture->palette.last + 1;
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < m->population_count; i++) {
        const mass_population_def *p = &m->populations[i];
        crowd c = {0};
        if (p->space == picture->space && (!spots || p->colours)) {
            status = read_crowd(d, i, q->world, spots, &c, error);
            if (status == MASS_OK) put_crowd(d, p, q, &c, factor, spots ? first : 0, pixels);
        }
        first += p->colours;
        free(c.places);
        free(c.colours);
    }
    return status;
}
