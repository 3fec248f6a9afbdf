/* SPDX-License-Identifier: Apache-2.0 */
/* Minesweeper as a plain sequential program: what the README of the model says, in its order, with floats. */
#include "minesweeper.h"

#include <criterion/criterion.h>
#include <mass/random.h>
#include <stdlib.h>
#include <string.h>

enum { BEGIN = 1, ACT = 3, RESTART = 7 }; /* numbers of the phases that draw */

typedef struct setting {
    int nx, ny, mines, agents;
    bool corner;
    double alpha, gamma, epsilon, epsilon_step, epsilon_min, restart;
} setting;

typedef struct walker {
    int place, action;
    bool active;
} walker;

typedef struct play {
    const setting *set;
    int places, active;
    uint8_t *mine, *flag;
    float (*q)[4], (*old)[4];
    uint32_t (*visits)[4];
    walker *walkers; /* by id */
    uint64_t key, step;
    int64_t episode, flags, mines_hit;
} play;

static void start_episode(play *p, uint32_t phase)
{
    for (int i = 0; i < p->set->agents; i++) {
        const mass_random4 r = mass_random_block(p->key, (uint64_t)i, p->step, phase, 0);
        const int x = (int)mass_below_u32((uint32_t)p->set->nx, r.v[0], r.v[1]);
        const int y = (int)mass_below_u32((uint32_t)p->set->ny, r.v[2], r.v[3]);
        p->walkers[i].place = p->set->corner ? 0 : y * p->set->nx + x;
        p->walkers[i].active = true;
    }
}

static int beyond(const play *p, int place, int action)
{
    static const int dx[] = {1, 0, -1, 0}, dy[] = {0, 1, 0, -1};
    const int x = place % p->set->nx + dx[action], y = place / p->set->nx + dy[action];
    return x < 0 || x >= p->set->nx || y < 0 || y >= p->set->ny ? place : y * p->set->nx + x;
}

static int greedy(const float q[4])
{
    int best = 0;
    for (int a = 1; a < 4; a++)
        if (q[a] > q[best]) best = a;
    return best;
}

static void choose(play *p)
{
    double epsilon = p->set->epsilon - (double)p->episode * p->set->epsilon_step;
    if (epsilon < p->set->epsilon_min) epsilon = p->set->epsilon_min;
    for (int i = 0; i < p->set->agents; i++) {
        const mass_random4 r = mass_random_block(p->key, (uint64_t)i, p->step, ACT, 0);
        walker *a = &p->walkers[i];
        a->action = mass_unit_f64(r.v[0], r.v[1]) < epsilon ? (int)(r.v[2] >> 30) : greedy(p->q[a->place]);
    }
}

static void learn_and_move(play *p)
{
    memcpy(p->old, p->q, (size_t)p->places * sizeof *p->q);
    for (int i = 0; i < p->set->agents; i++) {
        walker *a = &p->walkers[i];
        if (!a->active) continue;
        const int to = beyond(p, a->place, a->action);
        const float reward = p->mine[to] ? -1 : p->flag[to] ? 1 : 0;
        const float target = reward != 0 ? reward : (float)p->set->gamma * p->old[to][greedy(p->old[to])];
        float *q = &p->q[a->place][a->action];
        *q += (float)p->set->alpha * (target - *q);
        p->visits[a->place][a->action]++;
        a->place = to;
        a->active = reward == 0;
        p->flags += reward > 0;
        p->mines_hit += reward < 0;
    }
}

static void advance(play *p)
{
    p->step++;
    choose(p);
    learn_and_move(p);
    p->active = 0;
    for (int i = 0; i < p->set->agents; i++) p->active += p->walkers[i].active;
    if (p->active > p->set->restart * p->set->agents) return;
    p->episode++;
    start_episode(p, RESTART);
}

/* ---- the engine's ---- */

static const char *options_of(const setting *s)
{
    return text("--seed 11 --set mines=%d --set agents=%d --set start=%s --set alpha=%.17g --set gamma=%.17g "
                "--set epsilon=%.17g --set epsilon_step=%.17g --set epsilon_min=%.17g --set restart=%.17g", s->mines,
                s->agents, s->corner ? "corner" : "random", s->alpha, s->gamma, s->epsilon, s->epsilon_step,
                s->epsilon_min, s->restart);
}

static void *read_bytes(const char *path, const char *name, size_t size)
{
    const dataset d = dataset_read(path, name);
    cr_assert_eq(d.size, size, "%s has %zu bytes", name, d.size);
    return d.bytes;
}

static void expect_state(const play *p, const char *path, const char *how)
{
    const size_t places = (size_t)p->places, agents = (size_t)p->set->agents;
    uint32_t *q = read_bytes(path, "/places/grid/q", places * sizeof *p->q);
    uint32_t *visits = read_bytes(path, "/places/grid/visits", places * sizeof *p->visits);
    uint64_t *id = read_bytes(path, "/agents/walker/id", agents * 8);
    int64_t *place = read_bytes(path, "/agents/walker/place", agents * 8);
    uint8_t *active = read_bytes(path, "/agents/walker/active", agents);
    cr_assert_arr_eq(q, p->q, places * sizeof *p->q, "values at step %d: %s", (int)p->step, how);
    cr_assert_arr_eq(visits, p->visits, places * sizeof *p->visits, "visits at step %d: %s", (int)p->step, how);
    for (size_t i = 0; i < agents; i++) {
        const walker *a = &p->walkers[id[i]];
        cr_assert(place[i] == a->place && active[i] == a->active, "agent %d at step %d: %s", (int)id[i],
                  (int)p->step, how);
    }
    free(q);
    free(visits);
    free(id);
    free(place);
    free(active);
}

static void expect_minesweeper(const setting *set, const char *where, int steps)
{
    const model m = minesweeper_model(set->nx, set->ny, steps, options_of(set));
    const char *folder = folder_make(), *how = text("%s %s", m.options, where);
    engine_result(text("%s --steps 0 --checkpoint %s", how, folder));
    const size_t places = (size_t)(set->nx * set->ny);
    play p = {.set = set, .places = (int)places, .key = mass_random_key(11, 0),
              .mine = read_bytes(checkpoint_path(folder, 0), "/places/grid/mine", places),
              .flag = read_bytes(checkpoint_path(folder, 0), "/places/grid/flag", places)};
    p.q = calloc(places, sizeof *p.q);
    p.old = calloc(places, sizeof *p.old);
    p.visits = calloc(places, sizeof *p.visits);
    p.walkers = calloc((size_t)set->agents, sizeof *p.walkers);
    if (set->corner) start_episode(&p, BEGIN);
    else {
        int64_t *place = read_bytes(checkpoint_path(folder, 0), "/agents/walker/place", (size_t)set->agents * 8);
        uint64_t *id = read_bytes(checkpoint_path(folder, 0), "/agents/walker/id", (size_t)set->agents * 8);
        for (int i = 0; i < set->agents; i++) p.walkers[id[i]] = (walker){.place = (int)place[i], .active = true};
        free(place);
        free(id);
    }
    outcome o = engine_run(text("%s --steps %d --checkpoint %s --checkpoint-every 1 --keep 0", how, steps, folder));
    while ((int)p.step < steps) {
        advance(&p);
        expect_state(&p, checkpoint_path(folder, p.step), how);
    }
    const int64_t found[] = {tally_of(&o, "active"), tally_of(&o, "episode"), tally_of(&o, "reward_sum"),
                             tally_of(&o, "flags"), tally_of(&o, "mines_hit")};
    const int64_t expected[] = {p.active, p.episode, p.flags - p.mines_hit, p.flags, p.mines_hit};
    cr_expect_arr_eq(found, expected, sizeof found, "tallies of %s", how);
    outcome_free(&o);
    folder_empty(folder);
    free(p.mine);
    free(p.flag);
    free(p.q);
    free(p.old);
    free(p.visits);
    free(p.walkers);
}

void expect_minesweepers(const char *where, int steps)
{
    static const setting all[] = {{1, 1, 0, 3, false, 0.5, 0.9, 1, 0.01, 0, 0.2},
                                  {7, 5, 6, 60, true, 0.5, 0.9, 1, 0.1, 0, 0.5},
                                  {46, 46, 138, 512, false, 0.5, 0.9, 1, 0.3, 0.1, 0.6},
                                  {2, 40, 5, 300, false, 0.9, 0.99, 0.7, 0.05, 0.05, 0.3},
                                  {12, 12, 20, 1, false, 0.25, 0.5, 0.4, 0.03, 0, 0}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) expect_minesweeper(&all[i], where, steps);
}
