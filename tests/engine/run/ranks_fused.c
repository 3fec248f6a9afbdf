/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks on CPUs that compute several steps at once give the same result as one rank, step by step. Slabs have every
 * shape, and some are thinner than their ghosts. Runs also resume on another number of ranks. */
#include "../expect.h"
#include "on_ranks.h"
#include "state/box.h"

#include "device/cpu/cpu.h"
#include "snapshot/memory_check.h"
#include "plan/fuse.h"
#include "run/fuse_memory.h"
#include "run/fuse_tuner.h"

#include <mass/kernel.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Two attributes that see each other, and one that stays as it is. */
#define FIELDS READS(TYPED(u, int64_t, u), TYPED(v, uint8_t, v), TYPED(hill, uint16_t, hill)), \
    WRITES(TYPED(u2, int64_t, u), TYPED(v2, uint8_t, v)), SUMS(TYPED(sum, int64_t, sum))
#define MIXED(AROUND_U, AROUND_V, HILL)                                                                              \
    {                                                                                                                \
        OUT(u2) = ((AROUND_U) + 3 * (HILL) + AT_X + 5 * AT_Y + 7 * AT_Z + 11 * (int64_t)STEP + RANDOM(1).v[0] % 13) % \
                  1000003;                                                                                           \
        OUT(v2) = (uint8_t)((AROUND_V) + IN(u) + 1);                                                                 \
        ADD(sum, OUT(u2));                                                                                           \
    }

MASS_STENCIL(flat1, 2, 1, FIELDS)
MIXED(NEAR(u, -1, 0) + 2 * NEAR(u, 1, 1) + 3 * NEAR(u, 0, -1) + 5 * NEAR(u, 0, 1) + IN(u),
      NEAR(v, -1, -1) + 2 * NEAR(v, 1, 1), NEAR(hill, 1, -1) + EXISTS(0, 1))
MASS_STENCIL(flat2, 2, 2, FIELDS)
MIXED(NEAR(u, -2, 0) + 2 * NEAR(u, 2, -1) + 3 * NEAR(u, 0, -2) + 5 * NEAR(u, 1, 2) + IN(u),
      NEAR(v, -2, -2) + 2 * NEAR(v, 1, 2), NEAR(hill, 1, 2) + EXISTS(0, -2))
MASS_STENCIL(solid1, 3, 1, FIELDS)
MIXED(NEAR(u, -1, 0, 0) + 2 * NEAR(u, 1, 1, 0) + 3 * NEAR(u, 0, -1, 1) + 5 * NEAR(u, 0, 0, -1) + IN(u),
      NEAR(v, -1, -1, 1) + 2 * NEAR(v, 0, 1, -1), NEAR(hill, 0, 1, -1) + EXISTS(0, 0, 1))
MASS_STENCIL(solid2, 3, 2, FIELDS)
MIXED(NEAR(u, -2, 0, 0) + 2 * NEAR(u, 1, 2, 0) + 3 * NEAR(u, 0, -2, 1) + 5 * NEAR(u, 0, 0, -2) + IN(u),
      NEAR(v, -2, -1, 2) + 2 * NEAR(v, 0, 1, 2), NEAR(hill, 0, 1, -2) + EXISTS(0, 0, -2))

/* Of bits, by a rule that is found in its body. */
MASS_STENCIL(live, 2, 1, READS(TYPED(old, bool, cell)), WRITES(TYPED(next, bool, cell)), SUMS(TYPED(sum, int64_t, sum)))
{
    const uint8_t n = (uint8_t)(NEAR(old, -1, -1) + NEAR(old, 0, -1) + NEAR(old, 1, -1) + NEAR(old, -1, 0) +
                                NEAR(old, 1, 0) + NEAR(old, -1, 1) + NEAR(old, 0, 1) + NEAR(old, 1, 1));
    OUT(next) = (uint8_t)((n == 3) | ((n == 2) & IN(old)));
    ADD(sum, OUT(next));
}

typedef struct subject {
    const mass_callback *callback;
    mass_space space;
} subject;

static uint64_t drawn(uint64_t number, uint32_t i) { return mass_random_block(9, number, i, 0, 0).v[0]; }

static uint32_t attributes_of(const subject *s) { return s->callback == &live ? 1 : 3; }

static void make(mass_model *m, const void *context, mass_error *error)
{
    static const struct { const char *name; uint32_t type; int64_t initial; } attributes[] = {
        {"u", MASS_I64, 5}, {"v", MASS_U8, 3}, {"hill", MASS_U16, 2}, {"cell", MASS_BIT, 0}};
    const subject *s = context;
    m->effects_size = sizeof(mass_effects);
    mass_model_add_space(m, &s->space, NULL, 0, error);
    for (int i = s->callback == &live ? 3 : 0, last = s->callback == &live ? 4 : 3; i < last; i++)
        mass_model_add_attribute(m, &(mass_attribute){.space = "s", .name = attributes[i].name,
            .type = attributes[i].type, .initial = &attributes[i].initial}, error);
    mass_model_add_tally(m, &(mass_tally){.name = "sum", .access = MASS_SUM}, error);
    mass_model_add_phase(m, &(mass_phase){.schedule = MASS_STEP, .callback = s->callback}, error);
}

static void fill(mass_domain *d, const void *context, mass_error *error)
{
    const mass_space_def *s = &d->model->spaces[0];
    const size_t places = (size_t)(s->size[0] * s->size[1] * s->size[2]);
    const mass_gidx zero[3] = {0};
    char *const values = malloc(places * sizeof(uint64_t));
    for (uint32_t a = 0; a < attributes_of(context); a++)
        for (int32_t w = 0; w < d->share.worlds; w++) {
            const size_t size = d->model->attributes[a].component_size;
            for (size_t i = 0; i < places; i++) {
                const uint64_t value = drawn(i, a + 10 * (uint32_t)w) % (d->model->arrays[a].bits ? 2 : 200);
                memcpy(values + i * size, &value, size);
            }
            mass_domain_write(d, a, w, zero, s->size, values, error);
        }
    free(values);
}

static mass_space space_of(uint32_t dimensions, uint32_t torus, mass_gidx x, mass_gidx y, mass_gidx z)
{
    return (mass_space){.name = "s", .dimensions_min = dimensions, .dimensions_max = dimensions, .torus = torus,
                        .size = {x, y, dimensions > 2 ? z : 0}};
}

static trial trial_of(const subject *s, uint64_t steps)
{
    return (trial){.make = make, .fill = fill, .context = s, .dimensions = s->space.dimensions_max, .worlds = 1,
                   .size = {s->space.size[0], s->space.size[1], s->space.size[2]}, .partitions = 1, .steps = steps};
}

/* As one rank comes to step by step; and half of it on other ranks or as many, in other passes. */
static void expect_same_fused(const trial *t, int32_t ranks, int32_t others)
{
    const subject *s = t->context;
    char what[200];
    trial plain = *t, half = *t;
    plain.fuse = plain.tries = 0;
    half.steps = t->steps / 2;
    half.fuse = t->fuse > 2 ? t->fuse / 2 : t->fuse;
    outcome expected = run_on_ranks(&plain, 1, NULL), found = run_on_ranks(t, ranks, NULL);
    outcome middle = run_on_ranks(&half, others, NULL), resumed = run_on_ranks(t, ranks, &middle);
    snprintf(what, sizeof what, "%s, %d x %d x %d, torus %u, %d worlds, fuse %d, tries %d, %d ranks of %d partitions%s",
             s->callback->name, (int)s->space.size[0], (int)s->space.size[1], (int)s->space.size[2], s->space.torus,
             t->worlds, t->fuse, t->tries, ranks, t->partitions, t->uneven ? ", uneven" : "");
    expect_same_outcome(&expected, &found, what);
    snprintf(what + strlen(what), sizeof what - strlen(what), ", after %d ranks", others);
    expect_same_outcome(&expected, &resumed, what);
    free_outcome(&resumed);
    free_outcome(&middle);
    free_outcome(&found);
    free_outcome(&expected);
}

static void try_drawn(uint64_t number)
{
    static const mass_callback *const callbacks[] = {&flat1, &flat2, &solid1, &solid2, &live};
    static const mass_gidx widths[] = {1, 3, 17, 64, 65, 131}, heights[] = {5, 7, 13, 33, 61, 130};
    const mass_callback *callback = callbacks[drawn(number, 0) % 5];
    const bool solid = callback->dimensions == 3;
    const uint32_t dimensions = solid ? 3 : 2;
    const mass_gidx x = widths[drawn(number, 1) % (solid ? 3 : 6)], y = heights[drawn(number, 2) % (solid ? 3 : 6)];
    const subject s = {callback, space_of(dimensions, drawn(number, 4) % (1u << dimensions), x, y,
                                          heights[drawn(number, 3) % 5])};
    trial t = trial_of(&s, 1 + drawn(number, 5) % 90);
    t.partitions = 1 + (int32_t)(drawn(number, 6) % 2);
    t.worlds = 1 + (drawn(number, 7) % 4 == 0);
    t.uneven = drawn(number, 8) % 2 ? number : 0;
    t.every = drawn(number, 9) % 6 == 0;
    *(drawn(number, 10) % 3 ? &t.fuse : &t.tries) = 2 << drawn(number, 11) % 3;
    if (t.tries) t.steps *= 4; /* brief steps are measured for longer */
    const mass_gidx slowest = s.space.size[dimensions - 1];
    const int32_t most = (int32_t)(slowest / t.partitions > 5 ? 5 : slowest / t.partitions);
    expect_same_fused(&t, 2 + (int32_t)(drawn(number, 12) % (uint64_t)(most - 1)), 1 + (int32_t)(number % 2));
}

Test(ranks, fused_steps_come_to_the_same_as_others)
{
    for (uint64_t number = 0; number < 80; number++) try_drawn(number);
}

/* Two ranks of a torus are each other's neighbours on both sides; slabs so thick that ghosts are for several passes. */
Test(ranks, fused_steps_of_thick_slabs_come_to_the_same)
{
    for (uint32_t i = 0; i < 8; i++) {
        const subject s = {i % 2 ? &live : &flat1, space_of(2, i / 2, i % 2 ? 70 : 12, 400, 0)};
        trial t = trial_of(&s, i < 4 ? 77 : 277);
        *(i < 4 ? &t.fuse : &t.tries) = i % 4 < 2 ? 4 : 2;
        expect_same_fused(&t, 2, 2);
    }
}

/* ---- what crosses a cut, and how often ---- */

/* Ghosts of both ends of slabs of 4096 rows, for passes of so many steps. */
static int32_t ghosts_of(const mass_callback *callback, mass_gidx width, int32_t steps)
{
    const subject s = {callback, space_of(2, 0, width, 8192, 0)};
    mass_device *device;
    mass_model m = {0};
    EXPECT_OK((make(&m, &s, e), e->status));
    EXPECT_OK(mass_model_resolve(&m, e));
    EXPECT_OK(mass_cpu_open(&mass_cpu_table, 1, &device, e));
    mass_fuse_thicken(&m, steps);
    mass_fuse_deepen(&m, device, steps, 2);
    const int32_t ghosts = m.spaces[0].ghost[1];
    mass_device_close(device);
    mass_model_free(&m);
    return ghosts;
}

/* Where rows are long, what passes compute twice costs more than to exchange; of bits, less. */
Test(ranks, ghosts_are_for_as_many_passes_as_pay)
{
    cr_assert_eq(ghosts_of(&flat1, 64, 4), 8 * 4);
    cr_assert_eq(ghosts_of(&flat1, 1 << 20, 4), 4);
    cr_assert_eq(ghosts_of(&live, 1024, 4), 8 * 4);
    cr_assert_eq(ghosts_of(&live, 4096, 4), 4 * 4);
    cr_assert_eq(ghosts_of(&live, 1 << 20, 16), 16);
    cr_assert_gt(ghosts_of(&flat1, 1024, 4), ghosts_of(&flat1, 8192, 4));
    cr_assert_gt(ghosts_of(&flat1, 2048, 2), 2);
}

/* Ranks share the cache of their host: what counts is all that its ranks have. */
Test(ranks, several_steps_are_tried_where_a_host_has_more_than_fits_into_a_cache)
{
    const subject s = {&flat1, space_of(2, 0, 2048, 4096, 0)};
    const mass_comm self = *mass_comm_self();
    mass_comm together = self, apart = self;
    mass_device *device;
    mass_model m = {0};
    together.size = together.local_size = apart.size = 4;
    apart.local_size = 1;
    EXPECT_OK((make(&m, &s, e), e->status));
    EXPECT_OK(mass_model_resolve(&m, e));
    EXPECT_OK(mass_cpu_open(&mass_cpu_table, 1, &device, e));
    cr_assert_gt(mass_fuse_tuner_most(&m, device, 1, &self), 1);
    cr_assert_gt(mass_fuse_tuner_most(&m, device, 1, &together), 1);
    cr_assert_eq(mass_fuse_tuner_most(&m, device, 1, &apart), 1);
    mass_device_close(device);
    mass_model_free(&m);
}

/* ---- what memory they take ---- */

static size_t free_bytes;

static mass_status have_so_much(mass_device *device, size_t *bytes, mass_error *error)
{
    (void)device, (void)error;
    *bytes = free_bytes;
    return MASS_OK;
}

/* Most of small worlds would be computed twice; and the ghosts of many of bits would be most of the memory. */
Test(ranks, several_steps_are_not_tried_where_they_cost_more_than_they_bring)
{
    const subject small = {&flat1, space_of(2, 0, 4, 4, 0)}, bits = {&live, space_of(2, 0, 8, 8, 0)};
    const subject large = {&flat1, space_of(2, 0, 2048, 4096, 0)};
    const mass_share million = mass_share_make(mass_comm_self(), 1000000, 1, NULL);
    mass_model of_small = {0}, of_bits = {0}, of_large = {0};
    EXPECT_OK((make(&of_small, &small, e), make(&of_bits, &bits, e), make(&of_large, &large, e), e->status));
    EXPECT_OK((mass_model_resolve(&of_small, e), mass_model_resolve(&of_bits, e), mass_model_resolve(&of_large, e)));
    cr_assert_eq(mass_fuse_tuner_most_on(false, &of_small, 1000000, mass_comm_self()), 1);
    cr_assert_eq(mass_fuse_tuner_most_on(false, &of_large, 1, mass_comm_self()), 16);
    const int32_t worth = mass_fuse_memory_worth(&of_bits, &million, 16);
    const double single = mass_fuse_memory_bytes(&of_bits, &million, 1);
    cr_assert_lt(worth, 16);
    cr_assert_gt(mass_fuse_memory_bytes(&of_bits, &million, 16), 2 * single);
    cr_assert_leq(mass_fuse_memory_bytes(&of_bits, &million, worth), 1.5 * single);
    mass_model_free(&of_small), mass_model_free(&of_bits), mass_model_free(&of_large);
}

Test(ranks, several_steps_are_not_tried_where_their_ghosts_do_not_fit)
{
    const subject s = {&flat1, space_of(2, 0, 512, 512, 0)};
    const mass_share share = mass_share_make(mass_comm_self(), 30, 1, NULL);
    mass_memory_operations memory = *mass_cpu_table.memory;
    mass_device_table table = mass_cpu_table;
    mass_device *device;
    mass_model m = {0};
    mass_error refusal = {0};
    int32_t most;
    memory.available = have_so_much;
    table.memory = &memory;
    EXPECT_OK((make(&m, &s, e), e->status));
    EXPECT_OK(mass_model_resolve(&m, e));
    EXPECT_OK(mass_cpu_open(&table, 1, &device, e));
    free_bytes = SIZE_MAX;
    EXPECT_OK(mass_fuse_memory_most(&m, device, &share, 16, &most, e));
    cr_assert_eq(most, 16);
    EXPECT_OK(mass_fuse_memory_check(&m, device, &share, 16, e));
    free_bytes = (size_t)mass_memory_of_run(&m, device, &share);
    EXPECT_OK(mass_fuse_memory_most(&m, device, &share, 16, &most, e));
    cr_assert_eq(most, 1);
    cr_assert_eq(mass_fuse_memory_check(&m, device, &share, 16, &refusal), MASS_NO_DEVICE);
    cr_assert_not_null(strstr(refusal.text, "for 16 steps in one pass"), "%s", refusal.text);
    cr_assert_not_null(strstr(refusal.text, "use --fuse 1, which needs "), "%s", refusal.text);
    free_bytes--; /* the advice would not help any more, and what needs so much is said by others */
    EXPECT_OK(mass_fuse_memory_check(&m, device, &share, 16, e));
    mass_device_close(device);
    mass_model_free(&m);
}

/* ---- how long ranks go without asking rank 0 ---- */

static uint64_t singly, at_once; /* launches */

/* So slow that three steps take as long as ranks go by themselves. */
static mass_status launch_slowly(mass_device *device, const mass_work *work, mass_error *error)
{
    nanosleep(&(struct timespec){0, 35000000 * (work->steps > 1 ? work->steps : 1)}, NULL);
    __atomic_fetch_add(work->steps > 1 ? &at_once : &singly, 1, __ATOMIC_RELAXED);
    return mass_cpu_table.launch->launch(device, work, error);
}

/* Two parts, of 1 + 8 + 5 and 28 steps: the first step goes alone, and in each part those that are left over. */
Test(ranks, whole_passes_go_between_two_questions_to_rank_0)
{
    const subject s = {&flat1, space_of(2, 0, 8, 40, 0)};
    trial t = trial_of(&s, 42);
    t.fuse = 4;
    t.launch = launch_slowly;
    outcome o = run_on_ranks(&t, 2, NULL);
    cr_assert_eq(o.error.status, MASS_OK, "%s", o.error.text);
    cr_assert_geq(at_once, 2 * 8, "%d", (int)at_once);
    cr_assert_leq(singly, 2 * 10, "%d", (int)singly);
    free_outcome(&o);
}
