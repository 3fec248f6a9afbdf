/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of small worlds, as they are made from a plan, on a CPU that says it had blocks. */
#include "../expect.h"
#include "run/block_program.h"
#include "snapshot/create.h"

#include "device/cpu/cpu.h"
#include "plugin/host.h"
#include "plugin/load.h"
#include "run/stepper.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t memory_of_a_block;

static size_t some_memory(mass_device *device)
{
    (void)device;
    return memory_of_a_block;
}

static size_t memory_of_two_blocks;

static size_t some_memory_of_two(mass_device *device, int32_t worlds, uint32_t threads)
{
    (void)device, (void)threads;
    cr_assert_eq(worlds, 3);
    return memory_of_two_blocks;
}

static int first_number;

/* The same for some callbacks of a population, of which a program says the same. */
static int number_of(mass_device *device, const char *name)
{
    (void)device;
    return first_number + (int)(strlen(name) % MASS_WORLD_CALLS);
}

typedef struct world {
    mass_loaded loaded;
    mass_opening opening;
    mass_engine_host host;
    mass_model model;
    mass_device *device;
    mass_domain *domain;
    mass_stepper *stepper;
} world;

static world *make_world(const char *plugin, int32_t partitions)
{
    static const mass_block_world_operations small = {.struct_size = sizeof small, .memory = some_memory,
                                                      .memory_of_two = some_memory_of_two,
                                                      .callback = number_of};
    static mass_device_table table;
    world *w = calloc(1, sizeof *w);
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s.so", getenv("MASS_PLUGINS"), plugin);
    table = mass_cpu_table;
    table.small_worlds = &small;
    memory_of_a_block = 1 << 17;
    memory_of_two_blocks = 0;
    first_number = 0;
    w->opening = (mass_opening){.dimensions = 2, .size = {16, 16, 1}, .seed = 1, .quiet = true};
    EXPECT_OK(mass_plugin_load(path, &w->loaded, e));
    EXPECT_OK(mass_host_open(&w->host, w->loaded.entry, &w->opening, &w->model, e));
    EXPECT_OK(mass_cpu_open(&table, 1, &w->device, e));
    const mass_domain_options options = {.partitions = partitions, .worlds = 3, .seed = 1};
    EXPECT_OK(mass_domain_create(&w->model, w->device, &options, &w->domain, e));
    EXPECT_OK(mass_stepper_create(w->domain, NULL, 0, &w->stepper, e));
    EXPECT_OK(mass_host_load(&w->host, w->loaded.entry, w->domain, e));
    EXPECT_OK(mass_stepper_start(w->stepper, e));
    return w;
}

static void discard_world(world *w)
{
    mass_stepper_free(w->stepper);
    mass_domain_free(w->domain);
    mass_device_close(w->device);
    mass_model_free(&w->model);
    mass_plugin_unload(&w->loaded);
    free(w);
}

static mass_block_worlds *program_of(const world *w)
{
    mass_block_worlds *p;
    EXPECT_OK(mass_block_program_create(w->domain, w->stepper->plan, &p, e));
    return p;
}

/* Launches and manages of a step that nobody looks at, in the plan's order, and what ends it; twice. */
static void check_phases(const world *w, const mass_block_program *p)
{
    const mass_world_phase *const phases = p->phases, *h = phases;
    uint32_t together = 0;
    const mass_plan_list *step = &w->stepper->plan->step;
    for (int twice = 0; twice < 2; twice++) {
        bool gated = false;
        for (uint32_t i = 0; i < step->count; i++) {
            const mass_plan_operation *op = &step->list[i];
            if (op->when != MASS_ALWAYS) continue;
            gated |= op->kind == MASS_PLAN_GATE;
            if (op->kind != MASS_PLAN_LAUNCH && op->kind != MASS_PLAN_MANAGE) continue;
            const mass_callback *c = w->model.phases[op->phase].callback;
            cr_assert_eq(h->kind, c ? MASS_WORLD_CALL : MASS_WORLD_MANAGE);
            if (c) cr_assert_eq(h->callback, strlen(c->name) % MASS_WORLD_CALLS);
            if (c) cr_assert_eq(h->phase, op->phase);
            if (c) cr_assert_eq(h->tallies, op->counts == MASS_ALWAYS);
            cr_assert_eq(h->conditional != 0, gated);
            const bool apart = c && !gated && h > phases && h[-1].kind == MASS_WORLD_CALL && !h[-1].conditional &&
                               h[1].kind == MASS_WORLD_MANAGE && !h[1].conditional;
            cr_assert_eq(h->waits, (c || gated) && !apart, "who sees nothing of others need not wait for them");
            together += apart;
            gated = false;
            h++;
        }
        cr_assert_eq(h->waits, 0);
        cr_assert_eq(h++->kind, MASS_WORLD_END_STEP);
    }
    cr_assert_eq((uint32_t)(h - phases), 2 * p->phase_count);
    cr_assert_eq(together, 2, "to learn, and to move");
}

Test(world_program, has_the_launches_and_manages_of_a_pair_of_steps)
{
    world *w = make_world("minesweeper", 1);
    mass_block_worlds *made = program_of(w);
    cr_assert_null(mass_block_program_why_not(w->domain, w->stepper->plan));
    cr_assert_not_null(made);
    const mass_block_program *p = &made->program;
    cr_assert_eq(p->phase_count, 7);
    check_phases(w, p);
    const mass_world_population *walkers = (const void *)((const char *)p->tables + p->populations);
    cr_assert_neq(walkers[0].occupied, MASS_WORLD_NONE, "places that have walkers learn");
    cr_assert_eq(walkers[0].drops, 1, "a manage applies the requests of the next step");
    mass_block_program_free(made);
    discard_world(w);
}

/* Between steps, buffers that hold the present values may be the other ones. */
Test(world_program, begins_with_the_buffers_that_hold_the_present_values)
{
    world *w = make_world("minesweeper", 1);
    for (uint64_t n = 0; n < 3; n++) {
        EXPECT_OK(mass_stepper_advance(w->stepper, n, NULL, e));
        mass_block_worlds *made = program_of(w);
        const mass_block_program *p = &made->program;
        const mass_world_array *a = (const void *)((const char *)p->tables + p->arrays);
        const mass_population_state *s = &w->domain->populations[0];
        uint32_t cells = 0;
        for (uint32_t i = 0; i < p->array_count; i++) {
            if (a[i].kind != MASS_WORLD_CELLS) continue;
            cr_assert_eq(a[i].global, s->cell[s->current].address);
            cells++;
        }
        cr_assert_eq(cells, 1);
        mass_block_program_free(made);
    }
    discard_world(w);
}

Test(world_program, is_not_made_where_a_block_lacks_the_memory)
{
    world *w = make_world("minesweeper", 1);
    memory_of_a_block = 4096;
    cr_assert_null(program_of(w));
    discard_world(w);
}

/* Arrays of places of 16 x 16 places that lie beside, and the bytes of an element of the last of them. */
static uint32_t count_beside(const mass_block_program *p, uint32_t *size)
{
    const mass_world_array *a = (const void *)((const char *)p->tables + p->arrays);
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->array_count; i++) {
        if (!(a[i].local & MASS_WORLD_BESIDE)) continue;
        cr_assert_eq(a[i].kind, MASS_WORLD_PLACES);
        cr_assert_leq((a[i].local & ~MASS_WORLD_BESIDE) + a[i].size * a[i].elements, p->beside_bytes);
        if (a[i].elements == 1) continue; /* a default */
        *size = a[i].size;
        count++;
    }
    return count;
}

/* Agents see q; visits and value are of places' own callbacks alone, of 16 and 4 bytes. */
Test(world_program, puts_the_largest_arrays_that_nobody_else_looks_at_beside_the_block)
{
    world *w = make_world("minesweeper", 1);
    mass_block_worlds *whole = program_of(w);
    uint32_t size = 0;
    cr_assert_eq(count_beside(&whole->program, &size), 0);
    const uint32_t bytes = whole->program.bytes;
    memory_of_two_blocks = bytes - 1;
    mass_block_worlds *made = program_of(w);
    cr_assert_eq(count_beside(&made->program, &size), 1);
    cr_assert_eq(size, 4 * sizeof(uint32_t));
    cr_assert_lt(made->program.bytes, bytes);
    memory_of_two_blocks = made->program.bytes - 1;
    mass_block_program_free(made);
    made = program_of(w);
    cr_assert_eq(count_beside(&made->program, &size), 2);
    memory_of_two_blocks = 4096; /* too little for two in any case: as if nobody had asked */
    mass_block_program_free(made);
    made = program_of(w);
    cr_assert_eq(count_beside(&made->program, &size), 0);
    cr_assert_eq(made->program.bytes, bytes);
    mass_block_program_free(made);
    mass_block_program_free(whole);
    discard_world(w);
}

/* A kernel's arguments have room for what the first callbacks find. */
Test(world_program, is_not_made_of_more_callbacks_than_a_kernel_knows)
{
    world *w = make_world("minesweeper", 1);
    first_number = MASS_WORLD_CALLS;
    cr_assert_str_eq(mass_block_program_why_not(w->domain, w->stepper->plan),
                     "the plugin's MASS_WORLD_STEPS has too many callbacks");
    cr_assert_null(program_of(w));
    discard_world(w);
}

static void check_refused(const char *plugin, int32_t partitions, const char *why)
{
    world *w = make_world(plugin, partitions);
    cr_assert_str_eq(mass_block_program_why_not(w->domain, w->stepper->plan), why);
    cr_assert_null(program_of(w));
    discard_world(w);
}

Test(world_program, is_not_made_of_what_a_block_cannot_do)
{
    check_refused("sugarscape", 1, "agents are born or die");
    check_refused("minesweeper", 2, "the space is cut");
    check_refused("life", 1, "an attribute is of bits");
    check_refused("heat", 1, "no agents move");
}
