/* SPDX-License-Identifier: Apache-2.0 */
#include "io/input/load_colours.h"
#include "io/input/load_two.h"
#include "io/picture/image.h"
#include "io/picture/picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The meaning of a colour. */
typedef struct meaning {
    uint32_t rgb;
    double value;
    bool agent; /* an agent drawn over the place, whose own colour is unknown */
} meaning;

typedef struct key {
    meaning of[256];
} key;

/* Orders a key's entries for qsort: by colour, then places before agents, then by value. */
static int by_colour(const void *a, const void *b)
{
    const meaning *x = a, *y = b;
    if (x->rgb != y->rgb) return x->rgb < y->rgb ? -1 : 1;
    if (x->agent != y->agent) return x->agent - y->agent;
    return (x->value > y->value) - (x->value < y->value);
}

/* Makes the picture's key: the value of each of the palette's 256 colours, ordered by colour. Unless `real`, values are
 * rounded to integers. */
static void make_key(const mass_palette *p, bool real, key *out)
{
    for (int i = 0; i < 256; i++) {
        const double value = p->low + (p->high - p->low) * i / p->last;
        out->of[i] = (meaning){p->rgb[i], real ? value : nearbyint(value), i > p->last};
    }
    qsort(out->of, 256, sizeof *out->of, by_colour);
}

/* Returns the first meaning of a colour, or NULL if the model does not draw it. The key is sorted by colour. */
static const meaning *find(const key *k, uint32_t rgb)
{
    int first = 0, end = 256;
    while (first < end) {
        const int middle = (first + end) / 2;
        if (k->of[middle].rgb < rgb) first = middle + 1;
        else end = middle;
    }
    return first < 256 && k->of[first].rgb == rgb ? &k->of[first] : NULL;
}

/* Refuses a coloured image unless the load is of the component that the model's picture shows. */
static mass_status check_attribute(const mass_load_request *q, const mass_load *l, mass_error *error)
{
    const mass_model *m = q->model;
    const mass_picture_def *p = &m->picture;
    const bool drawn = p->declared && p->attribute == l->attribute;
    const uint32_t component = l->component < 0 ? 0 : (uint32_t)l->component;
    if (drawn && component == p->component && (l->component >= 0 || m->attributes[l->attribute].length == 1))
        return MASS_OK;
    char advice[200];
    mass_load_advice(l, &m->attributes[l->attribute], true, advice);
    if (!p->declared)
        return mass_error_set(error, MASS_BAD_INPUT, "%s: its pixels are colours, and not 1 to 16 bits of grey%s",
                              l->file, advice);
    const mass_attribute_def *a = &m->attributes[p->attribute];
    char of[24] = "";
    if (a->length > 1) snprintf(of, sizeof of, "[%u]", p->component);
    return mass_error_set(error, MASS_BAD_INPUT, "%s: its pixels are colours, and not 1 to 16 bits of grey: only "
                          "%s%s can be read from colours, as the pictures of %s show it%s", l->file, a->name, of,
                          m->plugin, advice);
}

/* Returns how many pixels a place has along each side: what a picture of the engine says of itself, or else what
 * --image would have made of the space; 1 for other pictures. */
static uint64_t find_grow(const mass_load_request *q, const mass_load *l, const mass_numbers *n)
{
    const mass_space_def *s = &q->model->spaces[q->model->attributes[l->attribute].space];
    int32_t width, height;
    if (n->grow > 0 && n->extent[0] % (uint64_t)n->grow == 0 && n->extent[1] % (uint64_t)n->grow == 0)
        return (uint64_t)n->grow;
    mass_raster_size(s->size[0], s->size[1], MASS_IMAGE_LIMIT, &width, &height);
    const bool enlarged = n->extent[1] == (uint64_t)width && n->extent[0] == (uint64_t)height && width > s->size[0];
    return enlarged ? n->extent[1] / (uint64_t)s->size[0] : 1;
}

enum { NAMED = 8 /* most colours in a message */ };

/* Lists the colours that the model declares, with their values; if there are many, only the first and the last. */
static void name_colours(const mass_picture_def *p, char *text, size_t room)
{
    const uint32_t step = p->colours > NAMED ? p->colours - 1 : 1;
    size_t used = 0;
    for (uint32_t i = 0; i < p->colours && used < room; i += step) {
        const double value = p->low + (p->high - p->low) * i / (p->colours - 1);
        const int more = snprintf(text + used, room - used, "%s#%06x for %g",
                                  i == 0 ? "" : i + step < p->colours ? ", " : " and ", p->palette[i], value);
        used += (size_t)(more > 0 ? more : 0);
    }
}

/* Refuses a pixel whose colour is an agent's (`found`) or is not one that the model draws. */
static mass_status refuse_colour(const mass_load_request *q, const mass_load *l, const meaning *found, uint32_t rgb,
                                 uint64_t x, uint64_t y, mass_error *error)
{
    if (found)
        return mass_error_set(error, MASS_BAD_INPUT, "%s: an agent hides the place (y %llu, x %llu): draw the picture "
                              "of a smaller space, where agents leave a rim, or load a checkpoint", l->file,
                              (unsigned long long)y, (unsigned long long)x);
    char drawn[NAMED * 48], advice[200];
    name_colours(&q->model->picture, drawn, sizeof drawn);
    return mass_error_set(error, MASS_BAD_INPUT, "%s: colour #%06x at (y %llu, x %llu) is not one that %s draws: it "
                          "draws %s, and steps between them%s", l->file, rgb, (unsigned long long)y,
                              (unsigned long long)x,
                          q->model->plugin, drawn,
                          mass_load_advice(l, &q->model->attributes[l->attribute], true, advice));
}

/* Translates the first pixel of each place from row `first_row` on, and refuses an agent's or an unknown colour.
 * Agents are drawn in a place's middle, if it has several pixels. */
static mass_status translate(const mass_load_request *q, const mass_load *l, const key *k, mass_numbers *n,
                             uint64_t grow, uint64_t first_row, double *values, mass_error *error)
{
    const uint64_t height = n->extent[0] / grow, width = n->extent[1] / grow;
    const uint32_t *pixels = n->memory;
    for (uint64_t y = first_row; y < height; y++)
        for (uint64_t x = 0; x < width; x++) {
            const uint32_t rgb = pixels[y * grow * n->extent[1] + x * grow];
            const meaning *found = find(k, rgb);
            if (!found || found->agent) return refuse_colour(q, l, found, rgb, x, y, error);
            *values++ = found->value;
        }
    return MASS_OK;
}

mass_status mass_load_colours(const mass_load_request *q, const mass_load *l, mass_numbers *n, mass_error *error)
{
    const mass_attribute_def *a = &q->model->attributes[l->attribute];
    const bool line = q->model->spaces[a->space].dimensions == 1;
    mass_palette palette;
    key k;
    mass_status status = check_attribute(q, l, error);
    if (status == MASS_OK && n->grow == 0)
        status = mass_error_set(error, MASS_BAD_INPUT, "%s: it was drawn smaller than its space, so that places share "
                                "pixels: load a checkpoint", l->file);
    if (status == MASS_OK) status = mass_picture_palette(q->model, &palette, error);
    if (status != MASS_OK) return status;
    const uint64_t grow = find_grow(q, l, n), height = n->extent[0] / grow, width = n->extent[1] / grow;
    const uint64_t rows = line ? 1 : height;
    double *values = malloc(rows * width * sizeof *values);
    if (!values) return mass_error_memory(error, rows * width * sizeof *values, "an attribute");
    make_key(&palette, mass_number_is_real(a->type), &k);
    status = translate(q, l, &k, n, grow, height - rows, values, error);
    if (status != MASS_OK) {
        free(values);
        return status;
    }
    free(n->memory);
    n->memory = values;
    n->values = values;
    n->type = MASS_F64;
    n->decimal = mass_number_is_real(a->type);
    n->picture = n->colours = false;
    n->rank = line ? 1 : 2;
    n->extent[0] = line ? width : height;
    n->extent[1] = line ? 0 : width;
    n->count = rows * width;
    return MASS_OK;
}
