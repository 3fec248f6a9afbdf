/* SPDX-License-Identifier: Apache-2.0 */
/* The last step of points.h in a plain program: every agent looks at every other one. */
#include <mass/agents.h>

#include "trail.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct group {
    const char *name;
    int floats;
    int64_t count;
    uint64_t *id, *trail;
    int64_t *place;
    double *at;      /* [count][3] */
    float *sight;
    trail_three *from, *by;
    int32_t *moved;
    uint8_t *refused;
} group;

typedef struct scene {
    mass_host *host;
    int32_t world;
    mass_gidx size[3];
    uint32_t dimensions, torus, edge;
    double cell, length[3];
    int64_t reach;
    group specks, motes;
    mass_status status;
} scene;

/* An agent that was found. */
typedef struct other {
    int64_t agent, by[3], rank;
    double way[3], square;
} other;

static void *take(size_t count, size_t size)
{
    void *p = calloc(count + 1, size);
    if (!p) abort();
    return p;
}

static void *read_column(scene *s, const group *g, const char *attribute, size_t size)
{
    void *p = take((size_t)g->count, size);
    if (s->status == MASS_OK)
        s->status = mass_agents_of(s->host)->read(s->host, g->name, attribute, s->world, g->count, p);
    return p;
}

static void read_group(scene *s, group *g, const char *name)
{
    g->name = name;
    g->floats = strcmp(name, "specks") == 0;
    s->status = mass_agents_of(s->host)->count(s->host, name, s->world, &g->count);
    g->id = read_column(s, g, "id", 8);
    g->trail = read_column(s, g, "trail", 8);
    g->place = read_column(s, g, "place", 8);
    g->sight = read_column(s, g, "sight", 4);
    g->from = read_column(s, g, "from", sizeof(trail_three));
    g->by = read_column(s, g, "by", sizeof(trail_three));
    g->moved = read_column(s, g, "moved", 4);
    g->refused = read_column(s, g, "lost", 1);
    g->at = take(3 * (size_t)g->count, 8);
    void *points = read_column(s, g, "position", s->dimensions * (g->floats ? 4 : 8));
    for (int64_t i = 0; i < g->count; i++)
        for (uint32_t a = 0; a < s->dimensions; a++)
            g->at[3 * i + a] = g->floats ? (double)((float *)points)[i * s->dimensions + a]
                                         : ((double *)points)[i * s->dimensions + a];
    free(points);
}

static void free_group(group *g)
{
    void *const all[] = {g->id, g->trail, g->place, g->at, g->sight, g->from, g->by, g->moved, g->refused};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

/* Rounds to a float where the numbers are floats. Double arithmetic on floats, rounded once, is float arithmetic: for
 * sums, products and quotients, doubles have more than twice the digits. */
static double rounded(int floats, double v) { return floats ? (double)(float)v : v; }

/* ---- moves ---- */

static double below(int floats, double v) { return floats ? (double)nextafterf((float)v, 0) : nextafter(v, 0); }

/* Brings a coordinate into the space. Returns 0 if the move is refused. */
static int bring_inside(const scene *s, int floats, uint32_t a, double *v)
{
    const double length = rounded(floats, s->length[a]);
    if (*v >= 0 && *v < length) return 1;
    if (!(s->torus >> a & 1) && s->edge == 0) return 0;
    if (!(s->torus >> a & 1) && s->edge == 1) {
        *v = *v < 0 ? 0 : below(floats, length);
        return 1;
    }
    const double period = s->torus >> a & 1 ? length : 2 * length;
    const double times = rounded(floats, floor(rounded(floats, *v / period)));
    const double share = rounded(floats, *v / period); /* beyond 2^62 it is whole anyway */
    double w = rounded(floats, *v - rounded(floats, (fabs(share) < 0x1p62 ? times : share) * period));
    if (!(w >= 0 && w < period)) w = 0;
    if (!(s->torus >> a & 1)) {
        if (w >= length) w = rounded(floats, period - w);
        w = w < 0 ? 0 : w < length ? w : below(floats, length);
    }
    *v = w;
    return 1;
}

/* Returns the place of a point. */
static int64_t place_of(const scene *s, const double *at)
{
    int64_t place = 0, stride = 1;
    for (uint32_t a = 0; a < s->dimensions; a++) {
        int64_t cell = (int64_t)floor(at[a] / s->cell);
        if (cell > s->size[a] - 1) cell = s->size[a] - 1;
        place += stride * cell;
        stride *= s->size[a];
    }
    return place;
}

/* Checks an agent's place, and where its last move led. */
static int check_move(const scene *s, const group *g, int64_t i)
{
    double to[3];
    int kept = 1;
    for (uint32_t a = 0; a < s->dimensions; a++)
        if (!(g->at[3 * i + a] >= 0 && g->at[3 * i + a] < rounded(g->floats, s->length[a]))) return 0;
    if (place_of(s, g->at + 3 * i) != g->place[i]) return 0;
    if (g->moved[i] == 0) return 1; /* it was born in this step */
    const double from[] = {g->from[i].x, g->from[i].y, g->from[i].z}, by[] = {g->by[i].x, g->by[i].y, g->by[i].z};
    for (uint32_t a = 0; a < s->dimensions; a++) {
        to[a] = g->moved[i] == 1 ? rounded(g->floats, from[a] + rounded(g->floats, by[a]))
                                 : rounded(g->floats, from[a] + by[a]);
        kept &= g->moved[i] == 3 || bring_inside(s, g->floats, a, &to[a]);
    }
    for (uint32_t a = 0; a < s->dimensions; a++)
        if (g->at[3 * i + a] != (g->moved[i] == 3 || !kept ? from[a] : to[a])) return 0;
    return g->refused[i] == !kept;
}

/* ---- searches ---- */

/* Returns the offset between two cells along an axis, the short way round. */
static int64_t offset_of(const scene *s, uint32_t a, int64_t from, int64_t to)
{
    const int64_t size = s->size[a], by = to - from;
    if (!(s->torus >> a & 1)) return by;
    return 2 * by >= size ? by - size : 2 * by < -size ? by + size : by;
}

static int by_offset(const void *first, const void *second)
{
    const other *x = first, *y = second;
    for (int a = 2; a >= 0; a--)
        if (x->by[a] != y->by[a]) return x->by[a] < y->by[a] ? -1 : 1;
    return x->rank < y->rank ? -1 : x->rank > y->rank; /* by id: agents of a place come in this order */
}

static int by_square(const void *first, const void *second)
{
    const other *x = first, *y = second;
    if (x->square != y->square) return x->square < y->square ? -1 : 1;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* Finds the agents of a group within the distance of agent i of another one, in the order of a walk. */
static int64_t find_within(const scene *s, const group *of, int64_t i, const group *g, other *out)
{
    const int floats = of->floats && g->floats;
    const double r = floats ? (double)of->sight[i] : (double)of->sight[i], most = rounded(floats, r * r);
    int64_t cells = (int64_t)ceil(r / s->cell), count = 0;
    if (cells > s->reach) cells = s->reach;
    for (int64_t j = 0; j < g->count; j++) {
        other o = {.agent = j, .rank = j};
        int64_t here = of->place[i], there = g->place[j];
        int within = of != g || i != j;
        for (uint32_t a = 0; a < s->dimensions; a++) {
            const double length = rounded(floats, s->length[a]);
            double d = rounded(floats, g->at[3 * j + a] - of->at[3 * i + a]);
            if (s->torus >> a & 1) {
                if (d >= length / 2) d = rounded(floats, d - length);
                else if (d < -length / 2) d = rounded(floats, d + length);
            }
            o.way[a] = d;
            o.square = a == 0 ? rounded(floats, d * d) : rounded(floats, o.square + rounded(floats, d * d));
            o.by[a] = offset_of(s, a, here % s->size[a], there % s->size[a]);
            within &= llabs(o.by[a]) <= cells;
            here /= s->size[a], there /= s->size[a];
        }
        if (within && o.square <= most) out[count++] = o;
    }
    qsort(out, (size_t)count, sizeof *out, by_offset);
    for (int64_t k = 0; k < count; k++) out[k].rank = k;
    return count;
}

static uint64_t bits_of(int floats, double v) { return floats ? mass_bits_f32((float)v) : mass_bits_f64(v); }

/* What points_look does. */
static uint64_t look(const scene *s, int64_t i, other *found)
{
    const group *g = &s->specks, *m = &s->motes;
    uint64_t trail = g->id[i];
    float sum = 0;
    int64_t count = find_within(s, g, i, g, found);
    for (int64_t k = 0; k < count; k++) {
        trail = trail_mix(trail, g->id[found[k].agent], bits_of(1, found[k].square));
        sum += (float)found[k].way[0] * g->sight[found[k].agent];
        if (found[k].way[0] >= 0.5 * sqrt(found[k].square)) trail += 77;
    }
    trail = trail_mix(trail, 1, mass_bits_f32(sum));
    other *all = take((size_t)count, sizeof *all);
    memcpy(all, found, (size_t)count * sizeof *all);
    int64_t motes = find_within(s, g, i, m, found);
    for (int64_t k = 0; k < motes; k++) {
        const uint64_t id = m->id[found[k].agent];
        if (id % 4 == 0) continue;
        trail = trail_mix(trail, id, mass_bits_f64(found[k].square) + mass_bits_f64(found[k].way[0]));
        if (id % 64 == 1) break;
    }
    qsort(all, (size_t)count, sizeof *all, by_square);
    for (int64_t k = 0; k < count && k < 3; k++)
        trail = trail_mix(trail, g->id[all[k].agent], bits_of(1, all[k].way[0]));
    qsort(found, (size_t)motes, sizeof *found, by_square);
    if (motes) trail = trail_mix(trail, m->id[found[0].agent], mass_bits_f64(found[0].square));
    free(all);
    return trail;
}

/* What points_look_back does. */
static uint64_t look_back(const scene *s, int64_t i, other *found)
{
    const group *g = &s->motes, *m = &s->specks;
    uint64_t trail = g->id[i];
    double sum = 0;
    int64_t count = find_within(s, g, i, g, found);
    for (int64_t k = 0; k < count; k++) sum += found[k].square;
    trail = trail_mix(trail, 2, mass_bits_f64(sum));
    count = find_within(s, g, i, m, found);
    for (int64_t k = 0; k < count; k++)
        trail = trail_mix(trail, m->id[found[k].agent], mass_bits_f64(found[k].way[0]));
    qsort(found, (size_t)count, sizeof *found, by_square);
    for (int64_t k = 0; k < count && k < 2; k++)
        trail = trail_mix(trail, m->id[found[k].agent], mass_bits_f64(found[k].square));
    return trail;
}

/* ---- the comparison ---- */

/* Fails the run at the first agent of a group whose move or trail is wrong. */
static void compare(scene *s, const group *g, uint64_t (*trail)(const scene *, int64_t, other *))
{
    other *found = take((size_t)(s->specks.count + s->motes.count), sizeof *found);
    for (int64_t i = 0; s->status == MASS_OK && i < g->count; i++) {
        const int moved = check_move(s, g, i), saw = trail(s, i, found) == g->trail[i];
        if (!moved || !saw)
            s->status = s->host->fail(s->host, MASS_BAD_PLUGIN, "%s: agent %llu of world %d %s", g->name,
                                      (unsigned long long)g->id[i], (int)s->world,
                                      moved ? "saw something else" : "went elsewhere");
    }
    free(found);
}

mass_status points_compare(mass_host *host)
{
    const mass_values_table *values = mass_values_of(host);
    const mass_run_table *run = mass_run_of(host);
    scene s = {.host = host, .size = {1, 1, 1}, .status = MASS_OK};
    values->size(host, "dish", s.size, &s.dimensions);
    s.torus = (uint32_t)values->integer(host, "torus");
    s.edge = (uint32_t)values->integer(host, "edge");
    s.cell = values->real(host, "cell");
    for (int a = 0; a < 3; a++) s.length[a] = (double)s.size[a] * s.cell;
    s.reach = (int64_t)ceil(values->real(host, "sight") * s.cell / s.cell);
    for (s.world = 0; run->step(host) > 0 && s.status == MASS_OK && s.world < run->worlds(host); s.world++) {
        read_group(&s, &s.specks, "specks");
        if (s.status == MASS_OK) read_group(&s, &s.motes, "motes");
        if (s.status == MASS_OK) compare(&s, &s.specks, look);
        if (s.status == MASS_OK) compare(&s, &s.motes, look_back);
        free_group(&s.specks);
        free_group(&s.motes);
        memset(&s.specks, 0, sizeof s.specks), memset(&s.motes, 0, sizeof s.motes);
    }
    return s.status;
}
