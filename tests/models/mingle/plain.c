/* SPDX-License-Identifier: Apache-2.0 */
/* The model of mingle.c as a plain program: one agent after the other, in plain lists that are searched from end to
 * end. */
#include "plain.h"

#include <mass/random.h>
#include <stdlib.h>

/* Who acts, and whom it meets. */
typedef struct role {
    int own, prey, other, children;
    int64_t radius;
} role;

typedef void deed(world *w, const role *j, agent *self);

/* An agent that a walk met, and its offset. */
typedef struct meeting {
    agent *a;
    int by[3];
} meeting;

void *mingle_take(int64_t count, size_t size)
{
    void *p = calloc((size_t)count + 1, size);
    if (!p) abort();
    return p;
}

/* Returns the place at an offset, or -1 over an edge. */
static int64_t place_at(const world *w, int64_t from, int x, int y, int z)
{
    const int64_t by[3] = {x, y, z}, *n = w->size;
    int64_t at[3] = {from % n[0], from / n[0] % n[1], from / n[0] / n[1]};
    for (int a = 0; a < 3; a++) {
        at[a] += by[a];
        if (at[a] >= 0 && at[a] < n[a]) continue;
        if (!(w->torus >> a & 1)) return -1;
        at[a] = (at[a] % n[a] + n[a]) % n[a];
    }
    return (at[2] * n[1] + at[1]) * n[0] + at[0];
}

static int64_t count_on(const population *p, int64_t place)
{
    int64_t count = 0;
    for (int64_t i = 0; i < p->count; i++) count += !p->list[i].dead && p->list[i].place == place;
    return count;
}

/* ---- orders ---- */

#define BY(x, y) \
    if ((x) != (y)) return (x) < (y) ? -1 : 1

/* Orders the agents of one place: elders by id, then children. */
static int by_rank(const agent *a, const agent *b)
{
    BY(a->child, b->child);
    if (!a->child) {
        BY(a->id, b->id);
        return 0;
    }
    BY(a->parent_frame, b->parent_frame);
    BY(a->parent_id, b->parent_id);
    return a->number - b->number;
}

static int by_offset(const void *x, const void *y)
{
    const meeting *a = x, *b = y;
    for (int axis = 2; axis >= 0; axis--) BY(a->by[axis], b->by[axis]);
    return by_rank(a->a, b->a);
}

static int by_birth(const void *x, const void *y) { return by_rank(*(agent *const *)x, *(agent *const *)y); }

static int by_id(const void *x, const void *y)
{
    BY((*(agent *const *)x)->id, (*(agent *const *)y)->id);
    return 0;
}

static int by_key(const void *x, const void *y)
{
    BY((*(agent *const *)x)->key, (*(agent *const *)y)->key);
    return by_id(x, y);
}

static int by_food(const void *x, const void *y)
{
    BY((*(agent *const *)x)->food, (*(agent *const *)y)->food);
    return by_id(x, y);
}

static int by_mood(const void *x, const void *y)
{
    BY((*(agent *const *)x)->mood, (*(agent *const *)y)->mood);
    return by_id(x, y);
}

static int by_trail(const void *x, const void *y)
{
    BY((*(agent *const *)x)->trail, (*(agent *const *)y)->trail);
    return by_id(x, y);
}

static int (*const orders[])(const void *, const void *) = {by_key, by_id, by_food, by_mood, by_trail};

/* ---- deeds ---- */

/* Returns the shortest offset along an axis; at half the extent the negative one. */
static int64_t offset(const world *w, int axis, int64_t from, int64_t to)
{
    const int64_t n = w->size[axis];
    if (!(w->torus >> axis & 1)) return to - from;
    const int64_t up = ((to - from) % n + n) % n;
    return up > (n - 1) / 2 ? up - n : up;
}

/* Lists the agents within r of a frame, without `self`. Returns their number. The caller frees *out. */
static int64_t walk(const world *w, const population *p, const agent *self, int64_t r, meeting **out)
{
    const int64_t f = self->frame, *n = w->size;
    meeting *const all = *out = mingle_take(p->count, sizeof *all);
    int64_t count = 0;
    for (int64_t i = 0; i < p->count; i++) {
        agent *const a = &p->list[i];
        const int64_t x = offset(w, 0, f % n[0], a->place % n[0]);
        const int64_t y = offset(w, 1, f / n[0] % n[1], a->place / n[0] % n[1]);
        const int64_t z = offset(w, 2, f / n[0] / n[1], a->place / n[0] / n[1]);
        if (!a->dead && a != self && llabs(x) <= r && llabs(y) <= r && llabs(z) <= r)
            all[count++] = (meeting){a, {(int)x, (int)y, (int)z}};
    }
    qsort(all, (size_t)count, sizeof *all, by_offset);
    return count;
}

static int64_t count_near(const world *w, const population *p, const agent *self, int64_t r)
{
    meeting *all;
    const int64_t count = walk(w, p, self, r, &all);
    free(all);
    return count;
}

static bool has_seat(const population *p, int64_t place) { return !p->seats || count_on(p, place) < p->seats; }

static bool move(const world *w, const population *p, agent *a, int x, int y, int z)
{
    const int64_t to = place_at(w, a->frame, x, y, z);
    if (a->dead || to < 0 || (to != a->place && !has_seat(p, to))) return false;
    a->place = to;
    return true;
}

static agent *bear(world *w, int kind, const agent *parent, int number, int x, int y, int z)
{
    population *p = &w->all[kind];
    const int64_t to = place_at(w, parent->frame, x, y, z);
    if (parent->dead || to < 0) return NULL;
    if (!has_seat(p, to)) {
        w->unborn += kind == ANTS;
        return NULL;
    }
    w->born += kind == ANTS;
    agent *child = &p->list[p->count++];
    *child = (agent){.food = MINGLE_FOOD, .place = to, .child = true, .parent_id = parent->id,
                     .parent_frame = parent->frame, .number = number};
    return child;
}

static void kill(world *w, int kind, agent *a)
{
    if (a->dead) return;
    a->dead = true;
    if (kind == ANTS) w->died++;
    else w->lost++;
}

static mass_random4 draw(const world *w, const agent *a, uint32_t number)
{
    return mass_random_block(w->key, a->id, w->step, w->phase, number);
}

static uint64_t mix(uint64_t trail, const meeting *o, int64_t value)
{
    return mingle_mix(trail, o->a->child ? UINT64_MAX : o->a->id, value, o->by[0], o->by[1], o->by[2]);
}

/* Returns one of those whose food is even. */
static agent *even_one(const meeting *all, int64_t count, mass_random4 r)
{
    const uint64_t words = (uint64_t)r.v[0] << 32 | r.v[1];
    int64_t even = 0;
    for (int64_t i = 0; i < count; i++) even += all[i].a->food % 2 == 0;
    int64_t at = (int64_t)((unsigned __int128)words * (uint64_t)even >> 64);
    for (int64_t i = 0; i < count; i++)
        if (all[i].a->food % 2 == 0 && at-- == 0) return all[i].a;
    return NULL;
}

/* ---- bodies ---- */

/* Mixes all that an agent meets. Gets the prey, and the kin with the least food. */
static uint64_t meet(const world *w, const role *j, agent *self, uint64_t trail, agent **prey, agent **kin)
{
    meeting *own, *preys, *others;
    const int64_t n = walk(w, &w->all[j->own], self, j->radius, &own);
    const int64_t m = walk(w, &w->all[j->prey], self, j->radius, &preys);
    const int64_t o = walk(w, &w->all[j->other], self, 1, &others);
    *kin = NULL;
    for (int64_t i = 0; i < n; i++) trail = mix(trail, &own[i], own[i].a->food);
    for (int64_t i = 0; i < m; i++) trail = mix(trail, &preys[i], preys[i].a->food++);
    for (int64_t i = 0; i < o; i++) trail = mix(trail, &others[i], (int64_t)(others[i].a->trail >> 9));
    for (int64_t i = 0; i < n; i++)
        if (!*kin || own[i].a->food < (*kin)->food) *kin = own[i].a;
    *prey = even_one(preys, m, draw(w, self, 4));
    free(own), free(preys), free(others);
    return trail;
}

/* Mixes the places, and writes on them. */
static uint64_t write_places(world *w, const role *j, const agent *self, uint64_t trail, int x, int y, int z)
{
    const int64_t yxz = place_at(w, self->frame, y, x, z), zzz = place_at(w, self->frame, z, z, z);
    const int64_t xyz = place_at(w, self->frame, x, y, z), yyy = place_at(w, self->frame, y, y, y);
    trail = mingle_mix(trail, 0, yxz < 0 ? MINGLE_MARK : w->mark[yxz], zzz < 0 ? 0 : w->wet[zzz],
                       xyz < 0 ? 0 : (int)count_on(&w->all[j->own], xyz), 0);
    if (xyz >= 0) w->mark[xyz] = (int32_t)(trail >> 40);
    if (yyy >= 0) w->wet[yyy] = trail >> 7 & 1;
    return trail;
}

static void act(world *w, const role *j, agent *self)
{
    population *own = &w->all[j->own];
    const mass_random4 r = draw(w, self, 0), v = draw(w, self, 1);
    const int far = (int)j->radius;
    const int x = mingle_offset(r.v[0], far), y = mingle_offset(r.v[1], far), z = mingle_offset(r.v[2], far);
    agent *prey, *kin;
    uint64_t trail = meet(w, j, self, self->trail ^ r.v[3], &prey, &kin);
    trail = write_places(w, j, self, trail, x, y, z);
    if (prey) {
        self->food += prey->food % 1000;
        if (v.v[0] % w->deadly == 0) kill(w, j->prey, prey);
    }
    if (kin) {
        kin->food -= 2;
        if (v.v[1] % w->deadly == 1) kill(w, j->own, kin);
        trail += kin->dead;
    }
    trail = trail * 3 + move(w, own, self, x, y, z);
    for (int k = 0; k < j->children && v.v[2] % w->fertile == 0; k++) {
        agent *child = bear(w, j->own, self, k, k ? z : y, x, k ? y : z);
        if (child) child->food = self->food / 2 + k;
        trail = trail * 3 + (child != NULL);
    }
    trail = trail * 3 + move(w, own, self, y, z, x);
    trail += (uint64_t)count_near(w, own, self, far) + 5 * (uint64_t)count_near(w, &w->all[j->prey], self, far);
    if (v.v[3] % w->deadly == 2) kill(w, j->own, self);
    self->trail = trail;
    self->mood = mingle_mood(trail);
    w->met += (int64_t)(trail % 1000);
    const int64_t near = count_near(w, own, self, 1);
    if (near < w->least) w->least = near;
}

static void act_as_cow(world *w, const role *j, agent *self)
{
    const mass_random4 r = draw(w, self, 0);
    const int x = mingle_offset(r.v[0], 1), y = mingle_offset(r.v[1], 1);
    const int64_t xy = place_at(w, self->frame, x, y, 0), yx = place_at(w, self->frame, y, x, 0);
    self->trail = mingle_mix(self->trail, self->id, xy < 0 ? MINGLE_MARK : w->mark[xy],
                             (int)count_near(w, &w->all[COWS], self, j->radius), 0, 0);
    if (yx >= 0) w->mark[yx] = (int32_t)(self->trail >> 35);
    move(w, &w->all[COWS], self, x, x, y);
    if (self->trail % 7 == 0) bear(w, COWS, self, 0, 0, y, x);
}

/* ---- phases ---- */

/* Buries the dead, and gives ids to the children that live. */
static void settle(population *p)
{
    agent **children = mingle_take(p->count, sizeof *children);
    int64_t alive = 0, born = 0;
    for (int64_t i = 0; i < p->count; i++)
        if (!p->list[i].dead) p->list[alive++] = p->list[i];
    p->count = alive;
    for (int64_t i = 0; i < alive; i++)
        if (p->list[i].child) children[born++] = &p->list[i];
    qsort(children, (size_t)born, sizeof *children, by_birth);
    for (int64_t i = 0; i < born; i++) {
        children[i]->id = p->next_id++;
        children[i]->child = false;
    }
    free(children);
}

/* Makes room for all children, so that no agent is moved in memory while others act. */
static void grow(population *p)
{
    if (p->room > p->count * 3) return;
    p->room = p->count * 3 + 16;
    p->list = realloc(p->list, (size_t)p->room * sizeof *p->list);
    if (!p->list) abort();
}

/* Lists the agents of a population, and prepares them for a turn. The caller frees the list. */
static agent **line_up(world *w, const role *j)
{
    population *p = &w->all[j->own];
    grow(p);
    agent **list = mingle_take(p->count, sizeof *list);
    for (int64_t i = 0; i < p->count; i++) {
        const mass_random4 r = draw(w, &p->list[i], 65535);
        p->list[i].key = (uint64_t)r.v[0] << 32 | r.v[1];
        p->list[i].frame = p->list[i].place;
        list[i] = &p->list[i];
    }
    return list;
}

/* Lets all agents of a population act in turn. */
static void take_turns(world *w, const role *j, int64_t order, bool reversed, deed *body)
{
    agent **list = line_up(w, j);
    const int64_t n = w->all[j->own].count;
    qsort(list, (size_t)n, sizeof *list, orders[order]);
    for (int64_t i = 0; i < n; i++) {
        agent *next = list[reversed ? n - 1 - i : i];
        if (!next->dead) body(w, j, next);
    }
    free(list);
    for (int k = 0; k < KINDS; k++) settle(&w->all[k]);
}

/* One who acts in a shared turn. */
typedef struct actor {
    agent *a;
    int phase; /* its number in the turn */
} actor;

static int by_key_and_phase(const void *x, const void *y)
{
    const actor *a = x, *b = y;
    BY(a->a->key, b->a->key);
    BY(a->phase, b->phase);
    return by_id(&a->a, &b->a);
}

/* Lets the agents of several populations act in one turn. Phases have numbers from the present one on. */
static void take_shared_turn(world *w, const role *roles, deed *const *bodies, int phases)
{
    const uint32_t first = w->phase;
    int64_t n = 0, all = 0;
    for (int k = 0; k < phases; k++) all += w->all[roles[k].own].count;
    actor *actors = mingle_take(all, sizeof *actors);
    for (int k = 0; k < phases; k++, w->phase++) {
        agent **list = line_up(w, &roles[k]);
        for (int64_t i = 0; i < w->all[roles[k].own].count; i++) actors[n++] = (actor){list[i], k};
        free(list);
    }
    qsort(actors, (size_t)n, sizeof *actors, by_key_and_phase);
    for (int64_t i = 0; i < n; i++) {
        const int k = actors[i].phase;
        w->phase = first + (uint32_t)k;
        if (!actors[i].a->dead) bodies[k](w, &roles[k], actors[i].a);
    }
    w->phase = first + (uint32_t)phases - 1;
    free(actors);
    for (int k = 0; k < KINDS; k++) settle(&w->all[k]);
}

static void take_turns_of_ants(world *w)
{
    const role ants = {ANTS, BEES, COWS, 2, w->radius};
    take_turns(w, &ants, w->order, w->reversed & 1, act);
}

/* The stencil that follows. */
static void dry(world *w)
{
    for (int64_t p = 0; p < w->places; p++) {
        const int64_t left = place_at(w, p, -1, 0, 0), right = place_at(w, p, 1, 0, 0);
        w->wet[p] ^= (left < 0 ? MINGLE_MARK : w->mark[left]) > (right < 0 ? MINGLE_MARK : w->mark[right]);
    }
}

static const role bees = {BEES, COWS, ANTS, 1, 2}, cows = {COWS, COWS, COWS, 1, 1};

static bool is_open(const world *w) { return w->gated != 1 || w->step % 3 != 0; }

/* Lets all act in turns of their own. */
static void act_apart(world *w)
{
    for (int64_t k = 0; k < w->times; k++) {
        w->phase++;
        if (is_open(w)) take_turns_of_ants(w);
    }
    w->phase++;
    if (w->gated != 2 || w->lost <= MINGLE_FEW)
        take_turns(w, &bees, w->order_of_bees, (w->reversed >> 1 & 1) != 0, act);
    w->phase++;
    take_turns(w, &cows, 1, w->times == 2, act_as_cow);
}

/* Lets ants and bees act in one turn, and cows in the same one or after it. */
static void act_together(world *w)
{
    const role all[] = {{ANTS, BEES, COWS, 2, w->radius}, bees, cows};
    deed *const bodies[] = {act, act, act_as_cow};
    w->phase++;
    if (is_open(w)) take_shared_turn(w, all, bodies, (int)w->shared + 1);
    else w->phase += (uint32_t)w->shared;
    if (w->shared == 2) return;
    w->phase++;
    take_turns(w, &cows, 1, w->times == 2, act_as_cow);
}

/* Takes a step. Its first phase is the gate. */
static void take_step(world *w)
{
    w->met = w->unborn = w->lost = 0;
    w->least = INT64_MAX;
    w->phase = w->gate;
    if (w->shared) act_together(w);
    else act_apart(w);
    dry(w);
    w->bees_left = w->all[BEES].count;
}

void mingle_begin(world *w, int kind, int64_t most, int64_t seats)
{
    population *p = &w->all[kind];
    p->seats = seats;
    p->room = most + 1;
    p->list = mingle_take(p->room, sizeof *p->list);
    for (int64_t i = 0; i < most; i++) {
        const int64_t place = mingle_place(kind, i, w->places);
        if (!has_seat(p, place)) continue;
        p->list[p->count] = (agent){.id = (uint64_t)p->count, .place = place, .food = MINGLE_FOOD};
        p->count++;
    }
    p->next_id = (uint64_t)p->count;
}

void mingle_run(world *w, uint64_t steps)
{
    w->gate = w->starts != 0;
    if (w->starts) take_turns_of_ants(w);
    w->bees_left = w->all[BEES].count;
    for (w->step = 1; w->step <= steps; w->step++) take_step(w);
}
