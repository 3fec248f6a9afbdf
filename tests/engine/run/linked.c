/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks whose devices are linked compute what one rank computes, recorded or not, in slabs of every height. Exchanges
 * run at the same time as launches or before them, whichever of both comes first. */
#include "../../extended.h"
#include "../comm/threads.h"
#include "linked_cpu.h"
#include "plan/fuse.h"
#include "run/repartition.h"
#include "run/serve.h"
#include "snapshot/create.h"
#include "snapshot/hash.h"
#include "snapshot/save.h"
#include "snapshot/snapshot.h"
#include "state/tally.h"

#include "device/cpu/cpu.h"

#include <criterion/criterion.h>
#include <mass/kernel.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Under a sanitizer, what is recorded is replayed only once or twice: it takes fifty times as long. */
#if MASS_SANITIZED
enum { STEPS = 83 };
#else
enum { STEPS = 203 };
#endif
enum { REACH = 2 };

/* Ranks are threads, which Criterion's assertions do not know of. */
#define EXPECT_OK(CALL)                                               \
    do {                                                              \
        mass_error error_ = {0}, *e = &error_;                        \
        if ((CALL) != MASS_OK) {                                      \
            fprintf(stderr, "linked.c:%d: %s\n", __LINE__, e->text); \
            abort();                                                  \
        }                                                             \
    } while (0)

MASS_MAP(linked_sow, WRITES(TYPED(value, int64_t)))
{
    const mass_random4 r = RANDOM(0);
    OUT(value) = (int64_t)(r.v[0] % 1000);
}

MASS_MAP(linked_sow_3d, WRITES(TYPED(value, int64_t)))
{
    const mass_random4 r = RANDOM(0);
    OUT(value) = (int64_t)(r.v[0] % 1000);
}

/* Reads further than the reach, which is the default. */
MASS_STENCIL(linked_blend, 2, 2, READS(TYPED(old, int64_t, value), TYPED(warm, int32_t)),
             WRITES(TYPED(next, int64_t, value)), UPDATES(TYPED(mark, int32_t)), SUMS(TYPED(odd, int64_t)))
{
    int64_t sum = STEP;
    for (int dy = -REACH; dy <= REACH; dy++)
        for (int dx = -REACH; dx <= REACH; dx++)
            sum += (3 + dx + 7 * (dy + 2)) * (NEAR(old, dx, dy) + NEAR(warm, dx, dy));
    sum += NEAR(old, 0, REACH + (int)(AT_X % 2));
    OUT(next) = sum % 1000003;
    OUT(mark) = (int32_t)((uint32_t)OUT(mark) * 5 + (uint32_t)(sum & 7));
    ADD(odd, sum & 1);
}

MASS_STENCIL(linked_warm, 2, 1, READS(TYPED(old, int32_t, warm)), WRITES(TYPED(next, int32_t, warm)))
{
    OUT(next) = (NEAR(old, 0, -1) * 3 + NEAR(old, 1, 0) + NEAR(old, -1, 1) * 2 + 1) % 10007;
}

MASS_STENCIL(linked_age, 2, 2, READS(TYPED(warm, int32_t)), UPDATES(TYPED(mark, int32_t)))
{
    OUT(mark) = OUT(mark) % 100003 + NEAR(warm, 0, -2) - NEAR(warm, 1, 2);
}

MASS_STENCIL(linked_layers, 3, 1, READS(TYPED(old, int64_t, value)), WRITES(TYPED(next, int64_t, value)))
{
    OUT(next) = (NEAR(old, 0, 0, -1) * 3 + NEAR(old, 0, 0, 1) * 5 + NEAR(old, 1, -1, 1) * 7 + IN(old) + STEP) % 1000003;
}

MASS_MAP(linked_sow_bits, WRITES(TYPED(cell, bool)))
{
    OUT(cell) = RANDOM(0).v[0] % 3 == 0;
}

MASS_STENCIL(linked_live, 2, 1, READS(TYPED(old, bool, cell)), WRITES(TYPED(next, bool, cell)),
             SUMS(TYPED(alive, int64_t), TYPED(born, int64_t)))
{
    const uint8_t n = (uint8_t)(NEAR(old, -1, -1) + NEAR(old, 0, -1) + NEAR(old, 1, -1) + NEAR(old, -1, 0) +
                                NEAR(old, 1, 0) + NEAR(old, -1, 1) + NEAR(old, 0, 1) + NEAR(old, 1, 1));
    const uint8_t now = IN(old), then = (uint8_t)((n == 3) | ((n == 2) & now));
    OUT(next) = then;
    ADD(alive, then);
    ADD(born, (uint8_t)(then & ~now & 1));
}

MASS_SCATTER(linked_throw, 2, 2, READS(TYPED(value, int64_t)), SCATTERS(TYPED(heap, int64_t)))
{
    SCATTER(heap, IN(value) + NEAR(value, 0, 1), (int)(IN(value) % 3) - 1, (int)(IN(value) % 5) - 2);
}

/* ---- models ---- */

typedef struct kind {
    const char *name;
    mass_space space;
    void (*declare)(mass_model *m);
    int32_t worlds;
    bool overlaps; /* some exchange goes on beside a launch */
} kind;

static void add_attribute(mass_model *m, const char *name, uint32_t type)
{
    static const int64_t wide = 17;
    static const int32_t narrow = 5;
    EXPECT_OK(mass_model_add_attribute(m, &(mass_attribute){.space = "s", .name = name, .type = type,
        .initial = type == MASS_I64 ? (const void *)&wide : &narrow}, e));
}

static void add_phase(mass_model *m, uint32_t schedule, const mass_callback *callback, const mass_condition *condition)
{
    EXPECT_OK(mass_model_add_agent_phase(m, &(mass_agent_phase){.schedule = schedule, .callback = callback,
                                                                .condition = condition}, e));
}

static void declare_sheet(mass_model *m)
{
    static const mass_condition some = {.tally = "odd", .relation = MASS_AT_LEAST, .value = 60};
    add_attribute(m, "value", MASS_I64);
    add_attribute(m, "warm", MASS_I32);
    add_attribute(m, "mark", MASS_I32);
    EXPECT_OK(mass_model_add_tally(m, &(mass_tally){.name = "odd", .access = MASS_SUM}, e));
    add_phase(m, MASS_START, &linked_sow, NULL);
    add_phase(m, MASS_STEP, &linked_blend, NULL);
    add_phase(m, MASS_STEP, &linked_warm, NULL);
    add_phase(m, MASS_STEP, &linked_age, &some);
}

static void declare_heap(mass_model *m)
{
    add_attribute(m, "value", MASS_I64);
    add_attribute(m, "heap", MASS_I64);
    add_phase(m, MASS_START, &linked_sow, NULL);
    add_phase(m, MASS_STEP, &linked_throw, NULL);
}

static void declare_layers(mass_model *m)
{
    add_attribute(m, "value", MASS_I64);
    add_phase(m, MASS_START, &linked_sow_3d, NULL);
    add_phase(m, MASS_STEP, &linked_layers, NULL);
}

static void declare_life(mass_model *m)
{
    m->effects_size = sizeof(mass_effects);
    EXPECT_OK(mass_model_add_attribute(m, &(mass_attribute){.space = "s", .name = "cell", .type = MASS_BIT}, e));
    EXPECT_OK(mass_model_add_tally(m, &(mass_tally){.name = "alive", .access = MASS_SUM}, e));
    EXPECT_OK(mass_model_add_tally(m, &(mass_tally){.name = "born", .access = MASS_SUM}, e));
    add_phase(m, MASS_START, &linked_sow_bits, NULL);
    add_phase(m, MASS_STEP, &linked_live, NULL);
}

static const kind kinds[] = {
    {"sheet", {.name = "s", .dimensions_min = 2, .dimensions_max = 2, .torus = 3, .size = {13, 33}}, declare_sheet, 1,
     true},
    {"bounded sheet", {.name = "s", .dimensions_min = 2, .dimensions_max = 2, .torus = 1, .size = {9, 31}},
     declare_sheet, 1, true},
    {"low sheet", {.name = "s", .dimensions_min = 2, .dimensions_max = 2, .torus = 2, .size = {13, 7}}, declare_sheet,
     1, false},
    {"two sheets", {.name = "s", .dimensions_min = 2, .dimensions_max = 2, .torus = 3, .size = {13, 33}},
     declare_sheet, 2, true},
    {"heap", {.name = "s", .dimensions_min = 2, .dimensions_max = 2, .torus = 3, .size = {13, 33}}, declare_heap, 1,
     true},
    {"layers", {.name = "s", .dimensions_min = 3, .dimensions_max = 3, .torus = 5, .size = {7, 6, 17}},
     declare_layers, 1, true},
    {"long layers", {.name = "s", .dimensions_min = 3, .dimensions_max = 3, .torus = 4, .size = {7, 6, 200}},
     declare_layers, 1, true},
    {"long bounded layers", {.name = "s", .dimensions_min = 3, .dimensions_max = 3, .size = {7, 6, 200}},
     declare_layers, 1, true},
    {"life", {.name = "s", .dimensions_min = 2, .dimensions_max = 2, .torus = 3, .size = {64, 260}}, declare_life, 1,
     true},
    {"bounded life", {.name = "s", .dimensions_min = 2, .dimensions_max = 2, .size = {50, 190}}, declare_life, 1,
     true},
};

/* One rank's part of a run, or all of it. */
typedef struct scene {
    mass_device_table table; /* of a device that pretends */
    mass_launch_operations launch;
    mass_model *model;
    mass_device *device;
    mass_link *link;
    mass_domain *domain;
    mass_stepper *stepper;
} scene;

typedef struct plan {
    const kind *kind;
    mass_beside beside;
    bool linked, overlap, uneven;
    uint64_t rebalance;
    int32_t fuse, tries; /* steps at once, as told or as found; 0: one */
    int32_t thick;       /* ghosts are for so many steps at once, which are not done; 0: for those that are */
    size_t short_path;        /* of the link */
    char hex[33];
    uint64_t repartitions;
    linked_cpu_counts counted; /* on rank 0 */
    /* With `every`: tallies count in each step. Those of each, on one rank; and by all ranks those of the first three
     * of the last four steps that went together. */
    bool every;
    int64_t steps[STEPS + 1][2], earlier[3][2];
    /* Instead of STEPS at once: so many, up to each multiple of `piece`; and what is being tried at their end. */
    uint64_t chunk, all;
    int32_t tried;
} plan;

static _Thread_local mass_comm *own_comm;
static _Thread_local const mass_launch_operations *own_launch;
static _Thread_local uint64_t pretences;

/* Whatever was worked looks like a second more or less. */
static mass_status pretend(mass_device *device, mass_error *error)
{
    own_comm->waited -= 1e-3 * (mass_random_block(5, pretences++ / 32, 0, 0, (uint32_t)own_comm->rank).v[0] % 1000);
    return own_launch->synchronise(device, error);
}

static void make_pretend(scene *s, mass_comm *comm)
{
    own_comm = comm;
    own_launch = s->device->table->launch;
    s->table = *s->device->table;
    s->launch = *own_launch;
    s->launch.synchronise = pretend;
    s->table.launch = &s->launch;
    s->device->table = &s->table;
}

static void make_scene(scene *out, const plan *p, mass_comm *comm)
{
    static const int32_t shares[] = {3, 1, 7, 2, 5};
    const kind *k = p->kind;
    scene s = {.model = calloc(1, sizeof *s.model)};
    EXPECT_OK(mass_model_add_space(s.model, &k->space, NULL, 0, e));
    k->declare(s.model);
    EXPECT_OK(mass_model_resolve(s.model, e));
    if (p->linked) EXPECT_OK(linked_cpu_open(comm, p->beside, &s.device, &s.link, e));
    else EXPECT_OK(mass_cpu_open(&mass_cpu_table, 1, &s.device, e));
    const int32_t several = p->fuse + p->tries + p->thick;
    if (several > 1) {
        mass_fuse_thicken(s.model, several);
        mass_fuse_deepen(s.model, s.device, several, comm->size);
    }
    const mass_domain_options options = {.partitions = 1, .worlds = k->worlds, .seed = 3, .comm = comm,
                                         .shares = p->uneven ? shares : NULL};
    EXPECT_OK(mass_domain_create(s.model, s.device, &options, &s.domain, e));
    EXPECT_OK(mass_stepper_create(s.domain, NULL, 0, &s.stepper, e));
    s.domain->share.link = s.link;
    if (s.link) s.link->short_path = p->short_path;
    s.stepper->overlap = p->overlap;
    s.stepper->chunk_seconds = 1e6; /* on a busy host, too, there are as many steps as are recorded */
    if (p->every) EXPECT_OK(mass_stepper_follow_rules(s.stepper, e));
    if (p->fuse) EXPECT_OK(mass_stepper_fuse(s.stepper, p->fuse, e));
    if (p->tries) EXPECT_OK(mass_stepper_try_fuse(s.stepper, p->tries, e));
    mass_repartition_every(s.stepper, p->rebalance);
    *out = s;
    if (p->rebalance) make_pretend(out, comm);
}

static void discard(scene *s)
{
    mass_stepper_free(s->stepper);
    mass_domain_free(s->domain);
    if (s->link) s->link->table->close(s->link);
    mass_device_close(s->device);
    mass_model_free(s->model);
    free(s->model);
}

static mass_status take_row(void *context, uint64_t step, const int64_t *tallies, mass_error *error)
{
    plan *p = context;
    (void)error;
    memcpy(p->steps[step], tallies, sizeof p->steps[step]);
    return MASS_OK;
}

static void step_and_hash(scene *s, plan *p, char hex[33])
{
    mass_snapshot numbers;
    EXPECT_OK(mass_stepper_start(s->stepper, e));
    const mass_step_watch watch = {.every = p->every, .context = p,
                                   .row = p->every && s->domain->share.comm->size == 1 ? take_row : NULL};
    EXPECT_OK(mass_stepper_advance(s->stepper, STEPS, &watch, e));
    EXPECT_OK(mass_domain_save_numbers(s->domain, &numbers, e));
    numbers.step = STEPS;
    EXPECT_OK(mass_domain_hash(s->domain, &numbers, hex, e));
    mass_snapshot_free(&numbers);
}

/* What this rank's places have added in the steps before the last; ranks are threads. */
static void add_earlier(scene *s, plan *p)
{
    int64_t rows[4][2];
    cr_assert_eq(mass_domain_tally_row(s->domain), 2);
    EXPECT_OK(mass_domain_read_history(s->domain, 4, rows[0], e));
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) __atomic_fetch_add(&p->earlier[i][k], rows[i][k], __ATOMIC_SEQ_CST);
}

static void run_rank(mass_comm *comm, void *context)
{
    plan *p = context;
    scene s;
    make_scene(&s, p, comm);
    if (comm->rank > 0) EXPECT_OK(mass_serve(s.domain, s.stepper, e));
    else {
        step_and_hash(&s, p, p->hex);
        p->counted = linked_cpu_counted;
        p->repartitions = s.stepper->repartition.done;
        EXPECT_OK(mass_serve_end(comm, e));
    }
    if (p->every) add_earlier(&s, p);
    discard(&s);
}

static void run_pieces(mass_comm *comm, void *context)
{
    plan *p = context;
    scene s;
    make_scene(&s, p, comm);
    if (comm->rank > 0) EXPECT_OK(mass_serve(s.domain, s.stepper, e));
    else {
        EXPECT_OK(mass_stepper_start(s.stepper, e));
        while (s.stepper->step < p->all) {
            const uint64_t next = (s.stepper->step / p->chunk + 1) * p->chunk;
            EXPECT_OK(mass_stepper_advance(s.stepper, next < p->all ? next : p->all, NULL, e));
        }
        p->counted = linked_cpu_counted;
        p->repartitions = s.stepper->repartition.done;
        p->tried = s.stepper->trial.most;
        EXPECT_OK(mass_serve_end(comm, e));
    }
    discard(&s);
}

static void expect_same(const kind *k, const char *hex, int32_t ranks, mass_beside beside, bool overlap)
{
    plan p = {.kind = k, .beside = beside, .linked = true, .overlap = overlap};
    mass_run_as_ranks(ranks, run_rank, &p);
    cr_assert_str_eq(p.hex, hex, "%s on %d ranks%s", k->name, ranks, overlap ? ", overlapped" : "");
    cr_assert(p.counted.exchanges >= STEPS, "%s: %d exchanges", k->name, p.counted.exchanges);
    cr_assert(p.counted.replays > 0, "%s is not recorded", k->name);
    if (!overlap || !k->overlaps) cr_assert(p.counted.entered == 0, "%s overlaps", k->name);
    else if (ranks == 2) cr_assert(p.counted.entered > 0, "%s does not overlap", k->name);
}

static void try_kind(const kind *k)
{
    plan alone = {.kind = k};
    run_rank(mass_comm_self(), &alone);
    for (int32_t ranks = k->worlds + 1; ranks <= 5; ranks += unsanitized(3, 1))
        for (int32_t way = 0; way < 3; way++)
            if (takes_part((size_t)(k - kinds + ranks + way), 3))
                expect_same(k, alone.hex, ranks, way < 2 ? MASS_BESIDE_FIRST : MASS_BESIDE_LAST, way > 0);
}

/* Slabs that are unequal, and become others. */
static void try_repartition(const kind *k)
{
    plan alone = {.kind = k};
    run_rank(mass_comm_self(), &alone);
    for (int32_t ranks = 3; ranks <= unsanitized(3, 5); ranks += 2)
        for (int way = 1; way < 4; way++) {
            if (!takes_part((size_t)(k - kinds + way), 2)) continue;
            plan p = {.kind = k, .linked = true, .overlap = way % 2, .beside = way % 2 ? MASS_BESIDE_LAST : 0,
                      .uneven = way < 3, .rebalance = way > 1 ? 90 : 0};
            mass_run_as_ranks(ranks, run_rank, &p);
            cr_assert_str_eq(p.hex, alone.hex, "%s on %d ranks, way %d", k->name, ranks, way);
            cr_assert_eq(p.repartitions > 0, p.rebalance > 0, "%d repartitions", (int)p.repartitions);
        }
}

/* Slabs of five layers and more, ghosts of up to four; which number of steps is found differs from run to run. */
Test(linked, steps_at_once_as_told_and_as_ranks_find_together)
{
    const kind *k = &kinds[5];
    plan alone = {.kind = k};
    run_rank(mass_comm_self(), &alone);
    for (int way = 0; way < 8; way += unsanitized(3, 1)) {
        plan p = {.kind = k, .linked = true, .overlap = way % 2 == 0, .uneven = way == 7,
                  .beside = way % 4 ? MASS_BESIDE_LAST : MASS_BESIDE_FIRST};
        *(way < 4 ? &p.fuse : &p.tries) = way % 3 ? 4 : 2;
        mass_run_as_ranks(2 + way % 2, run_rank, &p);
        cr_assert_str_eq(p.hex, alone.hex, "way %d", way);
        if (p.fuse) cr_assert_lt(p.counted.exchanges, STEPS, "way %d: %d exchanges", way, p.counted.exchanges);
    }
}

/* Ghosts as thick as several launches need, which compute those that the later ones look at: slabs of 66 layers and
 * more, and ghosts of up to sixteen. */
Test(linked, steps_at_once_that_exchange_less_often)
{
    for (int way = 0; way < 12; way += unsanitized(5, 1)) {
        const kind *k = &kinds[6 + way % 2];
        plan alone = {.kind = k}, p = {.kind = k, .linked = true, .overlap = way % 4 < 2,
                                       .beside = way % 3 ? MASS_BESIDE_LAST : MASS_BESIDE_FIRST};
        run_rank(mass_comm_self(), &alone);
        *(way < 8 ? &p.fuse : &p.tries) = way % 3 == 1 ? 4 : 2;
        mass_run_as_ranks(2 + way / 2 % 2, run_rank, &p);
        cr_assert_str_eq(p.hex, alone.hex, "way %d", way);
        if (p.fuse) cr_assert_lt(p.counted.exchanges, STEPS / p.fuse * 3 / 4, "%d: %d", way, p.counted.exchanges);
    }
}

/* What takes less time than the edges of several steps goes before these; of single steps, as the last ones are, it
 * goes beside. */
Test(linked, swift_exchanges_for_several_passes_go_before_launches)
{
    for (int way = 0; way < 4; way++) {
        const bool short_path = way % 2, several = way < 2;
        plan p = {.kind = &kinds[6], .linked = true, .overlap = true, .short_path = short_path ? 1 << 20 : 0,
                  .fuse = several ? 4 : 0};
        mass_run_as_ranks(2, run_rank, &p);
        cr_assert_eq(p.counted.entered <= STEPS % 4, short_path && several, "way %d: %d", way, p.counted.entered);
    }
}

/* As many layers cross a cut as are looked at, however thick ghosts are. */
Test(linked, single_steps_exchange_what_they_look_at)
{
    plan thin = {.kind = &kinds[6], .linked = true}, thick = {.kind = &kinds[6], .linked = true, .thick = 4};
    mass_run_as_ranks(2, run_rank, &thin);
    mass_run_as_ranks(2, run_rank, &thick);
    cr_assert_str_eq(thin.hex, thick.hex);
    cr_assert_gt(thin.counted.sent, 0);
    cr_assert_lt(thick.counted.sent, 3 * thin.counted.sent, "%zu to %zu", thick.counted.sent, thin.counted.sent);
}

/* Where somebody looks so often that passes hardly fit in between, or not at all. */
Test(linked, trials_end_between_outputs_that_are_close)
{
    for (uint64_t chunk = 4; chunk <= 10; chunk += 2) {
        plan p = {.kind = &kinds[6], .linked = true, .overlap = true, .tries = 4, .chunk = chunk, .all = 600};
        mass_run_as_ranks(2, run_pieces, &p);
        cr_assert_eq(p.tried, 0, "each %d steps", (int)chunk);
    }
}

/* Slabs that were cut anew, and then single steps only until somebody looked: passes that are recorded find room for
 * their ghosts, which are packed. */
Test(linked, passes_that_follow_single_steps_are_recorded)
{
    kind two = kinds[6];
    two.worlds = 2;
    plan p = {.kind = &two, .linked = true, .fuse = 4, .rebalance = 500, .chunk = 1002, .all = 2100};
    mass_run_as_ranks(3, run_pieces, &p);
    cr_assert_gt(p.repartitions, 0);
    cr_assert_gt(p.counted.replays, 0);
}

/* Where tallies of each count, too: every place once, although ranks make those at cuts twice. Which steps went
 * together last differs from run to run; single ones behind them leave the tallies of all but their last. */
Test(linked, steps_at_once_whose_tallies_count)
{
    for (int way = 0; way < 4; way++) {
        const kind *k = &kinds[8 + way % 2];
        plan alone = {.kind = k, .fuse = 4, .every = true}, p = alone, singly = {.kind = k};
        p.uneven = way > 1;
        run_rank(mass_comm_self(), &alone);
        run_rank(mass_comm_self(), &singly);
        mass_run_as_ranks(2 + way % 2, run_rank, &p);
        cr_assert_str_eq(alone.hex, singly.hex, "way %d", way);
        cr_assert_str_eq(p.hex, alone.hex, "way %d", way);
        int step = STEPS - 3;
        while (step > 0 && memcmp(p.earlier, alone.steps[step], sizeof p.earlier) != 0) step--;
        cr_assert_gt(step, 0, "way %d: %d, %d, %d", way, (int)p.earlier[0][0], (int)p.earlier[1][0],
                     (int)p.earlier[2][0]);
    }
}

/* ---- sums in fixed point ---- */

enum { SUMS = 6 };

/* What each of up to three ranks has, and what they have together. */
static const int64_t most = INT64_C(1) << 62, none = INT64_MIN;
static const int64_t own_sums[SUMS][3] = {
    {5, -7, 9}, {none, none, 0}, {none, 1, none}, {most - 1, 1, -2}, {most - 1, most - 1, most - 1}, {none, -3, none}};

static int64_t sum_of(int sum, int32_t ranks)
{
    int64_t all = 0;
    for (int32_t r = 0; r < ranks; r++)
        if (own_sums[sum][r] == none) return none;
    for (int32_t r = 0; r < ranks; r++) all = mass_sum_i64(all, own_sums[sum][r]);
    return sum == 3 && ranks == 2 ? none : sum == 4 ? none : all;
}

static void make_sums(mass_model *m)
{
    static const char *const names[SUMS] = {"a", "b", "c", "d", "e", "f"};
    EXPECT_OK(mass_model_add_space(m, &kinds[0].space, NULL, 0, e));
    add_attribute(m, "value", MASS_I64);
    for (int i = 0; i < SUMS; i++)
        EXPECT_OK(mass_model_add_tally(m, &(mass_tally){.name = names[i], .access = MASS_SUM, .fraction_bits = 8,
                                                        .kind = MASS_TALLY_FIXED}, e));
    EXPECT_OK(mass_model_resolve(m, e));
}

/* With worlds more than ranks, each rank has some; with one, a part of it. */
static void add_up(mass_comm *comm, void *context)
{
    const int32_t worlds = *(const int32_t *)context;
    static const uint32_t tallies[SUMS] = {0, 1, 2, 3, 4, 5};
    scene s = {.model = calloc(1, sizeof *s.model)};
    make_sums(s.model);
    EXPECT_OK(linked_cpu_open(comm, MASS_BESIDE_FIRST, &s.device, &s.link, e));
    const mass_domain_options options = {.partitions = 1, .worlds = worlds, .seed = 3, .comm = comm};
    EXPECT_OK(mass_domain_create(s.model, s.device, &options, &s.domain, e));
    for (int linked = 1; linked >= 0; linked--) {
        s.domain->share.link = linked ? s.link : NULL;
        for (uint32_t i = 0; i < SUMS; i++)
            for (int32_t w = 0; w < s.domain->worlds; w++)
                EXPECT_OK(mass_buffer_upload(mass_buffer_from(mass_domain_tally(s.domain, i), (size_t)w * 8),
                                             &own_sums[i][comm->rank], 8, e));
        linked_cpu_counted = (linked_cpu_counts){0};
        EXPECT_OK(mass_domain_reduce_tallies(s.domain, tallies, SUMS, e));
        if (linked && linked_cpu_counted.reductions != SUMS) abort();
        for (uint32_t i = 0; i < SUMS; i++)
            for (int32_t w = 0; w < worlds; w++) {
                int64_t found;
                const int32_t owner = s.domain->share.by_world ? w / (worlds / comm->size) : -1;
                const int64_t expected = owner < 0 ? sum_of((int)i, comm->size) : own_sums[i][owner];
                EXPECT_OK(mass_buffer_download(mass_buffer_from(mass_domain_total(s.domain, i), (size_t)w * 8), &found,
                                               8, e));
                if (found == expected) continue;
                fprintf(stderr, "rank %d of %d, link %d, sum %u, world %d: %lld is not %lld\n", (int)comm->rank,
                        (int)comm->size, linked, i, (int)w, (long long)found, (long long)expected);
                abort();
            }
    }
    mass_domain_free(s.domain);
    s.link->table->close(s.link);
    mass_device_close(s.device);
    mass_model_free(s.model);
    free(s.model);
}

/* What has no sum on one rank, or on two, has none on all; and what leaves the range. */
Test(linked, sums_in_fixed_point_that_are_none)
{
    for (int32_t ranks = 2; ranks <= 3; ranks++)
        for (int32_t worlds = 1; worlds <= 6; worlds += 5) mass_run_as_ranks(ranks, add_up, &worlds);
}

Test(linked, unequal_sheets) { try_repartition(&kinds[0]); }
Test(linked, unequal_worlds_whose_ghosts_are_packed) { try_repartition(&kinds[3]); }
Test(linked, unequal_heaps) { try_repartition(&kinds[4]); }

Test(linked, sheets) { try_kind(&kinds[0]); }
Test(linked, bounded_sheets) { try_kind(&kinds[1]); }
Test(linked, sheets_too_low_for_edges_apart) { try_kind(&kinds[2]); }
Test(linked, worlds_whose_ghosts_are_packed) { try_kind(&kinds[3]); }
Test(linked, sums_over_cuts) { try_kind(&kinds[4]); }
Test(linked, layers_of_three_dimensions) { try_kind(&kinds[5]); }
