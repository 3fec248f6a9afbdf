/* SPDX-License-Identifier: Apache-2.0 */
/* The model of veer.h as a plain program: one agent after the other, each of which looks at every other one. */
#include <mass/agents.h>

#include "../world_key.h"
#include "veers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FLIES, LURES, GROUPS };

typedef struct agent {
    uint64_t id, trail, key, parent_id;
    double at[3];
    int64_t place, frame, parent_frame; /* place: of its position now */
    int number;                         /* of a child among those of its parent */
    bool dead, child;
} agent;

typedef struct group {
    const char *name;
    int floats;
    int64_t count, room, children;
    uint64_t next_id;
    agent *list;
} group;

typedef struct world {
    mass_host *host;
    int64_t size[3], places, torus, edge, meets, changes, odd, when;
    double cell, sight, length[3];
    uint32_t dimensions;
    int32_t number;
    uint64_t key, step;
    group groups[GROUPS];
    int64_t *marks;
    double *depth;
    int64_t met, born, died;
} world;

/* An agent that a search found. */
typedef struct finding {
    agent *a;
    int64_t by[3], rank;
    double way[3], square;
} finding;

static void *take(size_t count, size_t size)
{
    void *p = calloc(count + 1, size);
    if (!p) abort();
    return p;
}

/* Double arithmetic on floats, rounded once, is float arithmetic: doubles have more than twice the digits. */
static double rounded(int floats, double v) { return floats ? (double)(float)v : v; }

/* ---- places and points ---- */

static int64_t coordinate(const world *w, int64_t place, int a)
{
    return a == 0 ? place % w->size[0] : a == 1 ? place / w->size[0] % w->size[1] : place / w->size[0] / w->size[1];
}

/* Returns the offset of a place along an axis, the short way round. */
static int64_t offset_of(const world *w, int a, int64_t from, int64_t to)
{
    const int64_t size = w->size[a], by = coordinate(w, to, a) - coordinate(w, from, a);
    if (!(w->torus >> a & 1)) return by;
    return 2 * by >= size ? by - size : 2 * by < -size ? by + size : by;
}

static int64_t place_of(const world *w, const double *at)
{
    int64_t place = 0, stride = 1;
    for (uint32_t a = 0; a < w->dimensions; a++) {
        int64_t cell = (int64_t)floor(at[a] / w->cell);
        if (cell > w->size[a] - 1) cell = w->size[a] - 1;
        place += stride * cell;
        stride *= w->size[a];
    }
    return place;
}

/* Brings a point into the space. Returns false over a bounded edge, and if it is none. */
static bool bring_inside(const world *w, int floats, double *at)
{
    for (uint32_t a = 0; a < w->dimensions; a++) {
        const double length = rounded(floats, w->length[a]);
        const bool wraps = w->torus >> a & 1;
        if (isnan(at[a])) return false;
        if (at[a] >= 0 && at[a] < length) continue;
        if (!wraps && w->edge == 0) return false;
        const double below = floats ? (double)nextafterf((float)length, 0) : nextafter(length, 0);
        if (!wraps && w->edge == 1) {
            at[a] = at[a] < 0 ? 0 : below;
            continue;
        }
        const double period = wraps ? length : 2 * length;
        const double times = rounded(floats, floor(rounded(floats, at[a] / period)));
        double v = rounded(floats, at[a] - rounded(floats, times * period));
        if (!(v >= 0 && v < period)) v = 0;
        if (!wraps && v >= length) v = rounded(floats, period - v);
        at[a] = v < 0 ? 0 : v < length ? v : below;
    }
    return true;
}

static bool is_near(const world *w, int64_t frame, int64_t place)
{
    return veer_is_within(offset_of(w, 0, frame, place), offset_of(w, 1, frame, place), offset_of(w, 2, frame, place),
                          w->changes);
}

/* ---- searches ---- */

/* Orders the agents of one place: elders by id, then children. */
static int by_birth(const agent *a, const agent *b)
{
    if (a->child != b->child) return a->child ? 1 : -1;
    if (!a->child) return a->id < b->id ? -1 : a->id > b->id;
    if (a->parent_frame != b->parent_frame) return a->parent_frame < b->parent_frame ? -1 : 1;
    if (a->parent_id != b->parent_id) return a->parent_id < b->parent_id ? -1 : 1;
    return a->number - b->number;
}

static int by_offset(const void *first, const void *second)
{
    const finding *x = first, *y = second;
    for (int a = 2; a >= 0; a--)
        if (x->by[a] != y->by[a]) return x->by[a] < y->by[a] ? -1 : 1;
    return by_birth(x->a, y->a);
}

static int by_square(const void *first, const void *second)
{
    const finding *x = first, *y = second;
    if (x->square != y->square) return x->square < y->square ? -1 : 1;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* Finds the agents of group k within a distance of an agent, in the order of a walk from its frame. */
static int64_t find_within(const world *w, const agent *self, int own, int k, double r, finding *out)
{
    const group *g = &w->groups[k];
    const int floats = w->groups[own].floats && g->floats;
    const double distance = rounded(floats, r), most = rounded(floats, distance * distance);
    int64_t cells = (int64_t)ceil(r / w->cell), moved = 0, count = 0;
    for (int a = 0; a < 3; a++) {
        const int64_t by = llabs(offset_of(w, a, self->frame, self->place));
        if (by > moved) moved = by;
    }
    cells += moved;
    if (cells > w->meets) cells = w->meets;
    for (int64_t j = 0; j < g->count; j++) {
        finding o = {.a = &g->list[j]};
        if (o.a == self || o.a->dead) continue;
        bool within = true;
        for (int a = 0; a < 3; a++) {
            const double length = rounded(floats, w->length[a]);
            double d = rounded(floats, o.a->at[a] - self->at[a]);
            if ((uint32_t)a < w->dimensions && w->torus >> a & 1) {
                if (d >= length / 2) d = rounded(floats, d - length);
                else if (d < -length / 2) d = rounded(floats, d + length);
            }
            o.way[a] = d;
            o.square = a == 0 ? rounded(floats, d * d) : rounded(floats, o.square + rounded(floats, d * d));
            o.by[a] = offset_of(w, a, self->frame, o.a->place);
            within &= llabs(o.by[a]) <= cells;
        }
        if (within && o.square <= most) out[count++] = o;
    }
    qsort(out, (size_t)count, sizeof *out, by_offset);
    for (int64_t i = 0; i < count; i++) out[i].rank = i;
    return count;
}

static uint64_t bits_of(const world *w, int own, int k, double v)
{
    return w->groups[own].floats && (k < 0 || w->groups[k].floats) ? mass_bits_f32((float)v) : mass_bits_f64(v);
}

static uint64_t id_of(const finding *o) { return o->a->child ? UINT64_MAX : o->a->id; }

/* ---- the body ---- */

static bool move(const world *w, int own, agent *self, const double to[3])
{
    double at[3] = {to[0], to[1], to[2]};
    if (self->dead || !bring_inside(w, w->groups[own].floats, at)) return false;
    const int64_t place = place_of(w, at);
    if (!is_near(w, self->frame, place)) return false;
    memcpy(self->at, at, sizeof at);
    self->place = place;
    return true;
}

static bool move_by(const world *w, int own, agent *self, const double by[3])
{
    const int floats = w->groups[own].floats;
    double to[3] = {0};
    for (uint32_t a = 0; a < w->dimensions; a++) to[a] = rounded(floats, self->at[a] + rounded(floats, by[a]));
    return move(w, own, self, to);
}

static bool move_to(const world *w, int own, agent *self, const double point[3])
{
    double to[3] = {0};
    for (uint32_t a = 0; a < w->dimensions; a++) to[a] = rounded(w->groups[own].floats, point[a]);
    return move(w, own, self, to);
}

static agent *bear(world *w, int own, const agent *parent, int number, const double point[3])
{
    group *g = &w->groups[own];
    agent child = {.child = true, .parent_id = parent->id, .parent_frame = parent->frame, .number = number};
    for (uint32_t a = 0; a < w->dimensions; a++) child.at[a] = rounded(g->floats, point[a]);
    if (parent->dead || !bring_inside(w, g->floats, child.at)) return NULL;
    child.place = place_of(w, child.at);
    if (!is_near(w, parent->frame, child.place)) return NULL;
    if (own == FLIES) w->born++;
    g->list[g->count] = child;
    return &g->list[g->count++];
}

static void kill(world *w, int k, agent *a)
{
    if (!a->dead && k == FLIES) w->died++;
    a->dead = true;
}

/* Returns the number of a field of cells at a point: between their centres, linear. */
static double see_at(const world *w, const double *at)
{
    int64_t low[3] = {0}, high[3] = {0};
    double weight[3] = {0}, sum[8];
    for (uint32_t a = 0; a < w->dimensions; a++) {
        const double u = at[a] / w->cell - 0.5, down = floor(u);
        const int64_t last = w->size[a] - 1;
        if (w->torus >> a & 1 || (u > 0 && u < (double)last)) {
            low[a] = ((int64_t)down + w->size[a]) % w->size[a];
            high[a] = ((int64_t)down + 1) % w->size[a];
            weight[a] = u - down;
        } else low[a] = high[a] = u > 0 ? last : 0;
    }
    for (int i = 0; i < 8; i++)
        sum[i] = w->depth[((i & 4 ? high[2] : low[2]) * w->size[1] + (i & 2 ? high[1] : low[1])) * w->size[0] +
                          (i & 1 ? high[0] : low[0])];
    for (uint32_t a = 0, n = 4; a < 3; a++, n /= 2)
        for (uint32_t i = 0; i < n; i++)
            sum[i] = a < w->dimensions ? sum[2 * i] + (sum[2 * i + 1] - sum[2 * i]) * weight[a] : sum[2 * i];
    return sum[0];
}

static mass_random4 draw(const world *w, int own, uint64_t id, uint32_t number)
{
    return mass_random_block(w->key, id, w->step, 1 + (uint32_t)own, number); /* after veer_key */
}

static void act(world *w, int own, agent *self, finding *found)
{
    const int other = !own;
    const mass_random4 r = draw(w, own, self->id, 0), u = draw(w, own, self->id, 1), v = draw(w, own, self->id, 2);
    const double nan[3] = {NAN, 0, 0}, none[3] = {0}, at[3] = {self->at[0], self->at[1], self->at[2]};
    double by[3] = {0}, to[3] = {0};
    for (int a = 0; a < 3; a++) {
        const double length = (double)w->size[a] * w->cell;
        by[a] = veer_step(r, a, w->cell, length, at[a], w->changes, w->odd == VEER_FAR);
        to[a] = at[a] + veer_step(u, a, w->cell, length, at[a], w->changes, w->odd == VEER_FAR);
    }
    const double far = veer_sight(v, w->sight, w->meets, w->cell);
    const double less = veer_sight(v, w->sight, w->meets - w->changes, w->cell);
    uint64_t trail = self->trail + mass_bits_f64(see_at(w, at));
    agent *prey = NULL;
    int64_t n = find_within(w, self, own, own, far, found);
    for (int64_t i = 0; i < n; i++) {
        const finding *o = &found[i];
        trail = trail_mix(trail, id_of(o), bits_of(w, own, own, o->square) + bits_of(w, own, own, o->way[0]));
        if (!veer_is_within(o->by[0], o->by[1], o->by[2], w->changes)) continue;
        trail += o->a->trail;
        o->a->trail ^= trail;
    }
    n = find_within(w, self, own, other, far, found);
    qsort(found, (size_t)n, sizeof *found, by_square);
    for (int64_t i = 0; i < n && i < 2; i++) {
        trail = trail_mix(trail, id_of(&found[i]), bits_of(w, own, other, found[i].square));
        if (veer_is_within(found[i].by[0], found[i].by[1], found[i].by[2], w->changes)) prey = found[i].a;
    }
    trail += 5 * (uint64_t)move_by(w, own, self, by);
    trail += bits_of(w, own, -1, self->at[0]);
    n = find_within(w, self, own, other, less, found);
    for (int64_t i = 0; i < n; i++) trail = trail_mix(trail, id_of(&found[i]), bits_of(w, own, other, found[i].way[0]));
    n = find_within(w, self, own, own, less, found);
    for (int64_t i = 0; i < n; i++) {
        trail = trail_mix(trail, id_of(&found[i]), bits_of(w, own, own, found[i].square));
        if (id_of(&found[i]) % 64 == 1) break;
    }
    w->marks[self->frame] += (int64_t)(trail % 7);
    if (prey && v.v[0] % 8 == 0) kill(w, other, prey);
    if (v.v[1] % 6 == 0) {
        agent *child = bear(w, own, self, 0, to);
        trail = trail * 2 + (child != NULL);
        if (child) child->trail = trail;
    }
    trail += 7 * (uint64_t)move_to(w, own, self, to);
    if (v.v[0] % 16 == 1) {
        kill(w, own, self);
        trail += 11 * (uint64_t)move_by(w, own, self, none);
        n = find_within(w, self, own, own, less, found);
        for (int64_t i = 0; i < n; i++) trail = trail_mix(trail, id_of(&found[i]), 5);
    }
    if (w->step == (uint64_t)w->when && w->odd == VEER_NAN) trail += (uint64_t)move_by(w, own, self, nan);
    self->trail = trail;
    w->met += (int64_t)(trail % 1000);
}

/* ---- steps ---- */

static int by_key(const void *x, const void *y)
{
    const agent *a = *(agent *const *)x, *b = *(agent *const *)y;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

static int by_birth_of(const void *x, const void *y) { return by_birth(*(agent *const *)x, *(agent *const *)y); }

/* Buries the dead, and gives ids to the children that live. */
static void settle(group *g)
{
    agent **children = take((size_t)g->count, sizeof *children);
    int64_t alive = 0, born = 0;
    for (int64_t i = 0; i < g->count; i++)
        if (!g->list[i].dead) g->list[alive++] = g->list[i];
    g->count = alive;
    for (int64_t i = 0; i < alive; i++)
        if (g->list[i].child) children[born++] = &g->list[i];
    qsort(children, (size_t)born, sizeof *children, by_birth_of);
    for (int64_t i = 0; i < born; i++) {
        children[i]->id = g->next_id++;
        children[i]->child = false;
    }
    free(children);
}

static void take_turns(world *w, int own)
{
    group *g = &w->groups[own];
    const int64_t n = g->count;
    if (g->room < n * (1 + g->children)) {
        g->room = n * (1 + g->children) + 16;
        g->list = realloc(g->list, (size_t)g->room * sizeof *g->list);
        if (!g->list) abort();
    }
    agent **order = take((size_t)n, sizeof *order);
    finding *found = take((size_t)(w->groups[FLIES].room + w->groups[LURES].room), sizeof *found);
    for (int64_t i = 0; i < n; i++) {
        const mass_random4 r = draw(w, own, g->list[i].id, 65535);
        g->list[i].key = (uint64_t)r.v[0] << 32 | r.v[1];
        g->list[i].frame = g->list[i].place;
        order[i] = &g->list[i];
    }
    qsort(order, (size_t)n, sizeof *order, by_key);
    for (int64_t i = 0; i < n; i++)
        if (!order[i]->dead) act(w, own, order[i], found);
    free(order), free(found);
    for (int k = 0; k < GROUPS; k++) settle(&w->groups[k]);
}

static void begin(world *w, int k, const char *name, int64_t children)
{
    group *g = &w->groups[k];
    *g = (group){.name = name, .floats = k == FLIES, .children = children};
    g->count = g->room = mass_values_of(w->host)->integer(w->host, name);
    g->next_id = (uint64_t)g->count;
    g->list = take((size_t)g->room, sizeof *g->list);
    for (int64_t i = 0; i < g->count; i++) {
        double p[3];
        veer_point(i, w->size, w->cell, g->floats, p);
        g->list[i].id = (uint64_t)i;
        for (uint32_t a = 0; a < w->dimensions; a++) g->list[i].at[a] = p[a];
        g->list[i].place = place_of(w, g->list[i].at);
    }
}

/* ---- the comparison ---- */

static int by_place(const void *x, const void *y)
{
    const agent *a = x, *b = y;
    if (a->place != b->place) return a->place < b->place ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

static mass_status differ(const world *w, const char *name, const char *what, int64_t at)
{
    return w->host->fail(w->host, MASS_BAD_PLUGIN, "world %d: %s of %s, number %lld, is another", w->number, what, name,
                         (long long)at);
}

static void *column(const world *w, const char *population, const char *attribute, int64_t count, size_t size)
{
    void *data = take((size_t)count, size);
    if (mass_agents_of(w->host)->read(w->host, population, attribute, w->number, count, data) != MASS_OK) abort();
    return data;
}

static mass_status compare_group(world *w, int k)
{
    group *g = &w->groups[k];
    int64_t count;
    if (mass_agents_of(w->host)->count(w->host, g->name, w->number, &count) != MASS_OK) return MASS_FAILED;
    if (count != g->count) return differ(w, g->name, "the count", count);
    uint64_t *id = column(w, g->name, "id", count, 8), *trail = column(w, g->name, "trail", count, 8);
    int64_t *place = column(w, g->name, "place", count, 8);
    void *points = column(w, g->name, "position", count, w->dimensions * (g->floats ? sizeof(float) : sizeof(double)));
    mass_status status = MASS_OK;
    qsort(g->list, (size_t)count, sizeof *g->list, by_place);
    for (int64_t i = 0; status == MASS_OK && i < count; i++) {
        const agent *a = &g->list[i];
        if (id[i] != a->id) status = differ(w, g->name, "the id", i);
        else if (place[i] != a->place) status = differ(w, g->name, "the place", i);
        else if (trail[i] != a->trail) status = differ(w, g->name, "the trail", i);
        for (uint32_t x = 0; status == MASS_OK && x < w->dimensions; x++) {
            const size_t at = (size_t)i * w->dimensions + x;
            const double v = g->floats ? (double)((float *)points)[at] : ((double *)points)[at];
            if (v != a->at[x]) status = differ(w, g->name, "the position", i);
        }
    }
    free(id), free(trail), free(place), free(points);
    return status;
}

static mass_status compare_places(const world *w)
{
    const mass_gidx origin[3] = {0, 0, 0};
    int64_t *marks = take((size_t)w->places, 8);
    double *depth = take((size_t)w->places, 8);
    mass_status status = MASS_OK;
    if (mass_run_of(w->host)->read(w->host, "dish", "marks", w->number, origin, w->size, marks) != MASS_OK ||
        mass_run_of(w->host)->read(w->host, "dish", "depth", w->number, origin, w->size, depth) != MASS_OK)
        abort();
    for (int64_t p = 0; status == MASS_OK && p < w->places; p++)
        if (marks[p] != w->marks[p] || depth[p] != w->depth[p]) status = differ(w, "dish", "the place", p);
    free(marks), free(depth);
    return status;
}

/* Compares reductions of positions. Sums of so few numbers are exact in __float128, but for the last rounding. */
static mass_status compare_reductions(const world *w)
{
    const int last = (int)w->dimensions - 1, middle = (int)w->dimensions / 2;
    const group *flies = &w->groups[FLIES], *lures = &w->groups[LURES];
    __float128 x = 0, of_flies = 0, of_lures = 0;
    double most = -INFINITY, least = INFINITY, far = 0;
    for (int64_t i = 0; i < flies->count; i++) {
        x += (__float128)flies->list[i].at[0], of_flies += (__float128)flies->list[i].at[last];
        most = fmax(most, flies->list[i].at[last]);
    }
    for (int64_t i = 0; i < lures->count; i++) {
        of_lures += (__float128)lures->list[i].at[middle];
        least = fmin(least, lures->list[i].at[0]);
        far += lures->list[i].at[last] >= 2;
    }
    const struct { const char *name; double value; int64_t of; } all[] = {
        {"flies_mean", (double)(x / (__float128)flies->count), flies->count}, {"flies_sum", (double)of_flies, 1},
        {"lures_sum", (double)of_lures, 1}, {"flies_most", most, flies->count}, {"lures_least", least, lures->count},
        {"lures_far", far, 1}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        double value;
        int64_t bin;
        if (all[i].of == 0) continue;
        if (i == 5 && mass_tallies_of(w->host)->bins(w->host, all[i].name, w->number, 0, 1, &bin) != MASS_OK)
            return MASS_FAILED;
        if (i < 5 && mass_run_of(w->host)->tally(w->host, all[i].name, w->number, &value) != MASS_OK)
            return MASS_FAILED;
        if (i == 5 ? (double)bin != all[i].value : value != all[i].value)
            return differ(w, all[i].name, "the value", (int64_t)i);
    }
    return MASS_OK;
}

static mass_status compare_tallies(const world *w)
{
    const struct { const char *name; int64_t value; } all[] = {{"met", w->met}, {"born", w->born}, {"died", w->died}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        double value;
        if (mass_run_of(w->host)->tally(w->host, all[i].name, w->number, &value) != MASS_OK) return MASS_FAILED;
        if (value != (double)all[i].value) return differ(w, all[i].name, "the sum", all[i].value);
    }
    return compare_reductions(w);
}

static mass_status compare_world(world *w, uint64_t steps)
{
    w->marks = take((size_t)w->places, 8), w->depth = take((size_t)w->places, 8);
    for (int64_t p = 0; p < w->places; p++) w->marks[p] = 3, w->depth[p] = 0.5;
    begin(w, FLIES, "flies", 2);
    begin(w, LURES, "lures", 1);
    for (w->step = 1; w->step <= steps; w->step++) {
        w->met = 0;
        take_turns(w, FLIES);
        take_turns(w, LURES);
        for (int64_t p = 0; p < w->places; p++) w->depth[p] = w->depth[p] * 0.5 + (double)(w->marks[p] % 100);
    }
    mass_status status = compare_places(w);
    for (int k = 0; status == MASS_OK && k < GROUPS; k++) status = compare_group(w, k);
    if (status == MASS_OK) status = compare_tallies(w);
    for (int k = 0; k < GROUPS; k++) free(w->groups[k].list);
    free(w->marks), free(w->depth);
    return status;
}

mass_status veer_compare(mass_host *host)
{
    const mass_values_table *values = mass_values_of(host);
    const mass_run_table *run = mass_run_of(host);
    mass_status status = MASS_OK;
    if (run->step(host) == 0 || values->integer(host, "shared")) return MASS_OK;
    for (int32_t k = 0; status == MASS_OK && k < run->worlds(host); k++) {
        world w = {.host = host, .number = k, .torus = values->integer(host, "torus"),
                   .edge = values->integer(host, "edge"), .meets = values->integer(host, "meets"),
                   .changes = values->integer(host, "changes"), .odd = values->integer(host, "odd"),
                   .when = values->integer(host, "when"), .cell = values->real(host, "cell"),
                   .sight = values->real(host, "sight"), .key = world_key(host, k, 0), .size = {1, 1, 1}};
        status = values->size(host, "dish", w.size, &w.dimensions);
        w.places = w.size[0] * w.size[1] * w.size[2];
        for (int a = 0; a < 3; a++) w.length[a] = (double)w.size[a] * w.cell;
        if (status == MASS_OK) status = compare_world(&w, run->step(host));
    }
    return status;
}
