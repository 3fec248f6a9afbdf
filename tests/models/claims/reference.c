/* SPDX-License-Identifier: Apache-2.0 */
/* The decisions of claims.c in a plain program: for each claim, a loop over all others. */
#include <mass/agents.h>

#include "claims.h"

#include <stdlib.h>
#include <string.h>

/* The agents of a population in one world, in canonical order. */
typedef struct flock {
    const char *name;
    int64_t count;
    uint64_t *id;
    int64_t *place;
    int32_t *value;
} flock;

/* The claims of one round. Within one population, `by` and `on` are the same. */
typedef struct round {
    mass_host *host;
    int32_t world;
    mass_gidx size[3];
    uint32_t torus;
    int64_t far;
    const flock *by, *on;
    const noted *made;
    const gotten *got_by, *got_on;
} round;

static void *read_column(mass_host *host, int32_t world, const flock *f, const char *name, size_t size)
{
    void *p = calloc((size_t)f->count + 1, size);
    if (!p || mass_agents_of(host)->read(host, f->name, name, world, f->count, p) != MASS_OK) abort();
    return p;
}

static flock read_flock(mass_host *host, int32_t world, const char *name)
{
    flock f = {.name = name};
    if (mass_agents_of(host)->count(host, name, world, &f.count) != MASS_OK) abort();
    f.id = read_column(host, world, &f, "id", 8);
    f.place = read_column(host, world, &f, "place", 8);
    f.value = read_column(host, world, &f, "value", 4);
    return f;
}

static void free_flock(flock *f) { free(f->id), free(f->place), free(f->value); }

static int64_t find(const flock *f, uint64_t id)
{
    for (int64_t i = 0; i < f->count; i++)
        if (f->id[i] == id) return i;
    return -1;
}

/* All 64-bit integers and doubles fit into it. */
static long double number(const noted *n)
{
    double real;
    memcpy(&real, &n->bits, sizeof real);
    return n->kind == NOTED_REAL ? (long double)real
         : n->kind == NOTED_UNSIGNED ? (long double)n->bits : (long double)(int64_t)n->bits;
}

static int counts(const round *r, int64_t i) { return r->made[i].kind != NOTED_NONE && r->made[i].far <= r->far; }

static int is_better(const round *r, int64_t a, int64_t b)
{
    const noted *x = &r->made[a], *y = &r->made[b];
    if (number(x) != number(y)) return number(x) > number(y);
    return x->lot != y->lot ? x->lot > y->lot : r->by->id[a] < r->by->id[b];
}

/* Returns whether two claims have an end in common. */
static int touch(const round *r, int64_t a, int64_t b)
{
    const int within = r->by == r->on;
    return r->made[a].aim == r->made[b].aim ||
           (within && (r->made[a].aim == r->by->id[b] || r->made[b].aim == r->by->id[a]));
}

static int is_pair(const round *r, int64_t a)
{
    if (!counts(r, a)) return 0;
    for (int64_t b = 0; b < r->by->count; b++)
        if (b != a && counts(r, b) && touch(r, a, b) && !is_better(r, a, b)) return 0;
    return 1;
}

/* Returns the offset from one place to another along an axis, the short way round. */
static int32_t offset(const round *r, int axis, int64_t from, int64_t to)
{
    const mass_gidx n = r->size[axis], stride = axis == 0 ? 1 : axis == 1 ? r->size[0] : r->size[0] * r->size[1];
    mass_gidx d = to / stride % n - from / stride % n;
    if (r->torus >> axis & 1) {
        while (d > (n - 1) / 2) d -= n;
        while (d < -(n / 2)) d += n;
    }
    return (int32_t)d;
}

static gotten alone(int refused)
{
    return (gotten){.partner = UINT64_MAX, .value = -1, .refused = refused};
}

/* Writes down that agent i of f is paired with agent k of g. */
static gotten paired(const round *r, const flock *f, int64_t i, const flock *g, int64_t k, int claimant)
{
    return (gotten){g->id[k], g->value[k], offset(r, 0, f->place[i], g->place[k]),
                    offset(r, 1, f->place[i], g->place[k]), offset(r, 2, f->place[i], g->place[k]), 1, claimant, 0, 1};
}

static mass_status compare(const round *r, const flock *f, const gotten *mine, const gotten *theirs, const char *what)
{
    for (int64_t i = 0; i < f->count; i++)
        if (memcmp(&mine[i], &theirs[i], sizeof *mine) != 0)
            return r->host->fail(r->host, MASS_FAILED, "%s: %s %llu of world %d has partner %lld (%d, %d, %d), value "
                                 "%d, flags %d%d%d%d and not %lld (%d, %d, %d), %d, %d%d%d%d", what, f->name,
                                 (unsigned long long)f->id[i], r->world, (long long)theirs[i].partner, theirs[i].dx,
                                 theirs[i].dy, theirs[i].dz, theirs[i].value, theirs[i].paired, theirs[i].claimant,
                                 theirs[i].refused, theirs[i].found, (long long)mine[i].partner, mine[i].dx,
                                 mine[i].dy, mine[i].dz, mine[i].value, mine[i].paired, mine[i].claimant,
                                 mine[i].refused, mine[i].found);
    return MASS_OK;
}

static mass_status decide(const round *r, const char *what)
{
    const int within = r->by == r->on;
    gotten *by = calloc((size_t)r->by->count + 1, sizeof *by);
    gotten *on = within ? by : calloc((size_t)r->on->count + 1, sizeof *on);
    if (!by || !on) abort();
    for (int64_t i = 0; i < r->on->count; i++) on[i] = alone(0);
    for (int64_t i = 0; i < r->by->count; i++) by[i] = alone(r->made[i].kind != NOTED_NONE);
    for (int64_t i = 0; i < r->by->count; i++) {
        if (!is_pair(r, i)) continue;
        const int64_t k = find(r->on, r->made[i].aim);
        const int refused = on[k].refused;
        if (on[k].paired || by[i].paired) abort(); /* two pairs of one agent */
        by[i] = paired(r, r->by, i, r->on, k, 1);
        on[k] = paired(r, r->on, k, r->by, i, 0);
        on[k].refused = refused;
    }
    mass_status status = compare(r, r->by, by, r->got_by, what);
    if (status == MASS_OK && !within) status = compare(r, r->on, on, r->got_on, what);
    free(by);
    if (!within) free(on);
    return status;
}

static mass_status compare_world(mass_host *host, int32_t world)
{
    flock wolves = read_flock(host, world, "wolves"), sheep = read_flock(host, world, "sheep");
    noted *hunt = read_column(host, world, &wolves, "hunt_noted", sizeof *hunt);
    noted *wed = read_column(host, world, &sheep, "wed_noted", sizeof *wed);
    noted *again = read_column(host, world, &sheep, "again_noted", sizeof *again);
    gotten *wolves_got = read_column(host, world, &wolves, "hunt_gotten", sizeof *wolves_got);
    gotten *sheep_got = read_column(host, world, &sheep, "hunt_gotten", sizeof *sheep_got);
    gotten *wed_got = read_column(host, world, &sheep, "wed_gotten", sizeof *wed_got);
    gotten *again_got = read_column(host, world, &sheep, "again_gotten", sizeof *again_got);
    uint32_t dimensions;
    round r = {.host = host, .world = world, .torus = (uint32_t)mass_values_of(host)->integer(host, "torus"),
               .far = mass_values_of(host)->integer(host, "far"), .by = &wolves, .on = &sheep, .made = hunt,
               .got_by = wolves_got, .got_on = sheep_got};
    mass_status status = mass_values_of(host)->size(host, "field", r.size, &dimensions);
    for (uint32_t a = dimensions; a < 3; a++) r.size[a] = 1;
    if (status == MASS_OK) status = decide(&r, "hunt");
    r.by = r.on = &sheep, r.made = wed, r.got_by = r.got_on = wed_got;
    if (status == MASS_OK) status = decide(&r, "wed");
    r.made = again, r.got_by = r.got_on = again_got;
    if (status == MASS_OK) status = decide(&r, "wed again");
    free(hunt), free(wed), free(again), free(wolves_got), free(sheep_got), free(wed_got), free(again_got);
    free_flock(&wolves), free_flock(&sheep);
    return status;
}

mass_status claims_compare(mass_host *host)
{
    mass_status status = MASS_OK;
    if (mass_run_of(host)->step(host) == 0 || mass_values_of(host)->integer(host, "mistake")) return MASS_OK;
    for (int32_t w = 0; status == MASS_OK && w < mass_run_of(host)->worlds(host); w++)
        status = compare_world(host, w);
    return status;
}
