/* SPDX-License-Identifier: Apache-2.0 */
/* The last step of blur.c in a plain program, axis by axis. */
#include <mass/agents.h>

#include "blur.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct scene {
    mass_host *host;
    const char *space;
    int32_t world;
    uint32_t dimensions, torus;
    mass_gidx size[3], places;
    double cell;
    float *warmth;
    int32_t *count;
    int64_t *laid, *expected;
    mass_status status;
} scene;

static void *take(int64_t count, size_t size)
{
    void *p = calloc((size_t)count + 1, size);
    if (!p) abort();
    return p;
}

/* Finds the places along an axis around a coordinate, and the weight of the second one. */
static double around(const scene *s, uint32_t axis, double at, mass_gidx out[2])
{
    const mass_gidx size = s->size[axis];
    const double u = at / s->cell - 0.5, down = floor(u);
    for (int k = 0; k < 2; k++) {
        out[k] = (mass_gidx)down + k;
        if (s->torus >> axis & 1) out[k] = ((out[k] % size) + size) % size;
        else out[k] = out[k] < 0 ? 0 : out[k] >= size ? size - 1 : out[k];
    }
    return out[0] == out[1] ? 0 : u - down;
}

/* Returns a field at a point: first along x. */
static double at_point(const scene *s, int warm, int axis, const double at[3], mass_gidx place, mass_gidx stride)
{
    mass_gidx next[2];
    if (axis < 0) return warm ? (double)s->warmth[place] : s->count[place];
    stride /= s->size[axis];
    const double w = around(s, (uint32_t)axis, at[axis], next);
    const double a = at_point(s, warm, axis - 1, at, place + stride * next[0], stride);
    const double b = at_point(s, warm, axis - 1, at, place + stride * next[1], stride);
    return a + (b - a) * w;
}

/* Returns the same as a sum over all places around, with products of weights. */
static double as_sum(const scene *s, int warm, const double at[3])
{
    double sum = 0;
    for (int corner = 0; corner < 1 << s->dimensions; corner++) {
        mass_gidx place = 0, stride = 1, next[2];
        double weight = 1;
        for (uint32_t a = 0; a < s->dimensions; a++) {
            const double w = around(s, a, at[a], next);
            weight *= corner >> a & 1 ? w : 1 - w;
            place += stride * next[corner >> a & 1];
            stride *= s->size[a];
        }
        sum += weight * (warm ? (double)s->warmth[place] : s->count[place]);
    }
    return sum;
}

/* Adds an amount to the places around a point: first divided along z. */
static void scatter(scene *s, int axis, const double at[3], mass_gidx place, mass_gidx stride, int64_t amount)
{
    mass_gidx next[2];
    if (axis < 0) {
        s->expected[place] += amount;
        return;
    }
    stride /= s->size[axis];
    const double w = around(s, (uint32_t)axis, at[axis], next);
    const int64_t high = (int64_t)floor((double)amount * w + 0.5);
    scatter(s, axis - 1, at, place + stride * next[0], stride, amount - high);
    scatter(s, axis - 1, at, place + stride * next[1], stride, high);
}

static int is_near(double a, double b) { return fabs(a - b) <= 1e-9 * (1 + fabs(a) + fabs(b)); }

static const char *name_of(const scene *s, const char *what)
{
    static char name[100];
    snprintf(name, sizeof name, "%s_%s", what, s->space);
    return name;
}

static void read_field(scene *s, const char *what, void *to)
{
    const mass_gidx zero[3] = {0, 0, 0};
    if (s->status == MASS_OK)
        s->status = mass_run_of(s->host)->read(s->host, s->space, name_of(s, what), s->world, zero, s->size, to);
}

/* Compares what the agents saw and left. */
static void compare(scene *s)
{
    char population[100];
    int64_t count = 0, wrong = -1, all = 0, laid = 0;
    const int last = (int)s->dimensions - 1;
    snprintf(population, sizeof population, "%s", name_of(s, "specks"));
    s->status = mass_agents_of(s->host)->count(s->host, population, s->world, &count);
    blur_seen *seen = take(count, sizeof *seen);
    if (s->status == MASS_OK)
        s->status = mass_agents_of(s->host)->read(s->host, population, name_of(s, "blurred"), s->world, count, seen);
    read_field(s, "warmth", s->warmth);
    read_field(s, "count", s->count);
    read_field(s, "laid", s->laid);
    for (int64_t i = 0; s->status == MASS_OK && i < count; i++) {
        const double from[] = {seen[i].from_x, seen[i].from_y, seen[i].from_z};
        const double at[] = {seen[i].x, seen[i].y, seen[i].z};
        const double here = at_point(s, 1, last, from, 0, s->places), there = at_point(s, 1, last, at, 0, s->places);
        const double counted = at_point(s, 0, last, at, 0, s->places);
        if (here != seen[i].here || there != seen[i].there || counted != seen[i].count ||
            !is_near(here, as_sum(s, 1, from)) || !is_near(counted, as_sum(s, 0, at)))
            wrong = i;
        scatter(s, last, at, 0, s->places, (int64_t)seen[i].amount);
        all += (int64_t)seen[i].amount;
    }
    free(seen);
    if (s->status == MASS_OK && wrong >= 0)
        s->status = s->host->fail(s->host, MASS_BAD_PLUGIN, "%s: agent %d saw something else", s->space, (int)wrong);
    for (mass_gidx p = 0; s->status == MASS_OK && p < s->places; p++) {
        laid += s->laid[p];
        if (s->laid[p] != s->expected[p])
            s->status = s->host->fail(s->host, MASS_BAD_PLUGIN, "%s: place %d got something else", s->space, (int)p);
    }
    if (s->status == MASS_OK && all != laid)
        s->status = s->host->fail(s->host, MASS_BAD_PLUGIN, "%s: some of the amounts was lost", s->space);
}

mass_status blur_compare(mass_host *host)
{
    static const char *const spaces[] = {"line", "sheet", "block"};
    const mass_run_table *run = mass_run_of(host);
    mass_status status = MASS_OK;
    for (int i = 0; i < 3; i++)
        for (int32_t w = 0; status == MASS_OK && run->step(host) > 0 && w < run->worlds(host); w++) {
            scene s = {.host = host, .space = spaces[i], .world = w, .size = {1, 1, 1}};
            mass_values_of(host)->size(host, s.space, s.size, &s.dimensions);
            s.torus = (uint32_t)mass_values_of(host)->integer(host, "torus");
            s.cell = mass_values_of(host)->real(host, "cell");
            s.places = s.size[0] * s.size[1] * s.size[2];
            s.warmth = take(s.places, sizeof *s.warmth);
            s.count = take(s.places, sizeof *s.count);
            s.laid = take(s.places, sizeof *s.laid);
            s.expected = take(s.places, sizeof *s.expected);
            compare(&s);
            status = s.status;
            free(s.warmth), free(s.count), free(s.laid), free(s.expected);
        }
    return status;
}
