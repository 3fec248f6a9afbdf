/* SPDX-License-Identifier: Apache-2.0 */
/* The hash that a device computes where the state lies is that of the saved state. */
#include "../expect.h"
#include "../state/typed_model.h"
#include "population/gather.h"
#include "snapshot/create.h"
#include "snapshot/hash.h"
#include "snapshot/save.h"
#include "snapshot/snapshot.h"

#include "device/cpu/cpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void hash_of(mass_domain *d, char hex[33])
{
    mass_snapshot numbers;
    EXPECT_OK(mass_domain_save_numbers(d, &numbers, e));
    numbers.step = 12;
    EXPECT_OK(mass_domain_hash(d, &numbers, hex, e));
    mass_snapshot_free(&numbers);
}

static void fill(mass_snapshot *s)
{
    for (uint32_t i = 0; i < s->model->attribute_count; i++) scramble_attribute(s, i);
    scramble(s->tallies, (size_t)s->model->tally_words * (size_t)s->worlds * sizeof *s->tallies, 77);
    s->step = 12;
}

/* Every type in planes and interleaved, with rows that end anywhere in a block, on any number of partitions. */
static void expect_hash_of_saved(uint32_t dimensions, const mass_gidx size[3], int32_t most, int32_t worlds)
{
    mass_model *m = make_model(dimensions, size);
    mass_device *device = open_device(&mass_cpu_table);
    mass_snapshot s;
    char expected[33], hex[33];
    EXPECT_OK(mass_snapshot_allocate(&s, m, worlds, NULL, e));
    fill(&s);
    mass_snapshot_hash(&s, expected);
    for (int32_t partitions = 1; partitions <= most; partitions += partitions < 3 ? 1 : most - 3) {
        mass_domain *d = make_domain(m, device, partitions, worlds);
        EXPECT_OK(mass_domain_restore(d, &s, e));
        hash_of(d, hex);
        cr_assert_str_eq(hex, expected);
        mass_domain_free(d);
    }
    mass_snapshot_free(&s);
    mass_device_close(device);
    free_model(m);
}

Test(hash, of_a_line_is_that_of_what_is_saved) { expect_hash_of_saved(1, (const mass_gidx[3]){9001, 1, 1}, 9, 2); }
Test(hash, of_a_grid_is_that_of_what_is_saved) { expect_hash_of_saved(2, (const mass_gidx[3]){613, 9, 1}, 9, 2); }
Test(hash, of_a_box_is_that_of_what_is_saved) { expect_hash_of_saved(3, (const mass_gidx[3]){17, 21, 8}, 8, 3); }

static mass_status no_download(mass_device *device, const mass_strided *copy, mass_error *error)
{
    (void)device, (void)copy;
    return mass_error_set(error, MASS_FAILED, "values were copied to the host");
}

Test(hash, is_computed_where_the_state_lies)
{
    mass_model *m = make_model(2, (const mass_gidx[3]){613, 9, 1});
    mass_device_table table = mass_cpu_table;
    mass_memory_operations memory = *table.memory;
    memory.download_box = no_download;
    table.memory = &memory;
    mass_device *device = open_device(&table);
    mass_domain *d = make_domain(m, device, 3, 2);
    char hex[33];
    hash_of(d, hex);
    mass_domain_free(d);
    mass_device_close(device);
    free_model(m);
}

static void add_agents(mass_model *m)
{
    snprintf(m->plugin, sizeof m->plugin, "trial");
    EXPECT_OK(mass_model_add_space(m, &(mass_space){.name = "s", .dimensions_min = 2, .dimensions_max = 2,
                                                    .size = {40, 30}}, NULL, 0, e));
    EXPECT_OK(mass_model_add_population(m, &(mass_population){.name = "p", .space = "s"}, e));
    EXPECT_OK(mass_model_add_population(m, &(mass_population){.name = "none", .space = "s"}, e));
    EXPECT_OK(mass_model_add_attribute(m, &(mass_attribute){.population = "p", .name = "planes", .type = MASS_F32,
                                                            .length = 3}, e));
    EXPECT_OK(mass_model_add_attribute(m, &(mass_attribute){.population = "p", .name = "together", .type = MASS_I16,
                                                            .length = 3, .layout = MASS_INTERLEAVED}, e));
    EXPECT_OK(mass_model_resolve(m, e));
}

/* By world and place. */
static void stand(mass_snapshot *s, int64_t places)
{
    const uint32_t first = s->model->populations[0].first_attribute;
    const int64_t count = (int64_t)s->agents[0];
    for (int64_t i = 0; i < count; i++) {
        const int64_t cell = i * (places * s->worlds) / count;
        ((uint64_t *)s->attributes[first + MASS_AGENT_ID])[i] = (uint64_t)i;
        ((int32_t *)s->attributes[first + MASS_AGENT_WORLD])[i] = (int32_t)(cell / places);
        ((int64_t *)s->attributes[first + MASS_AGENT_PLACE])[i] = cell % places;
    }
}

Test(hash, of_agents_is_that_of_what_is_saved)
{
    enum { WORLDS = 70 }; /* so many that their agents are counted together */
    mass_model *m = calloc(1, sizeof *m);
    mass_device *device = open_device(&mass_cpu_table);
    mass_snapshot s;
    char expected[33], hex[33];
    add_agents(m);
    EXPECT_OK(mass_snapshot_allocate(&s, m, WORLDS, (const uint64_t[]){5003, 0}, e));
    fill(&s);
    stand(&s, 40 * 30);
    mass_snapshot_hash(&s, expected);
    for (int32_t partitions = 1; partitions <= 4; partitions += 3) {
        mass_domain *d = make_domain(m, device, partitions, WORLDS);
        uint64_t counts[WORLDS], saved[WORLDS];
        EXPECT_OK(mass_domain_restore(d, &s, e));
        hash_of(d, hex);
        cr_assert_str_eq(hex, expected);
        EXPECT_OK(mass_population_count_worlds(d, 0, counts, e));
        mass_snapshot_count_agents(&s, 0, saved);
        cr_assert_arr_eq(counts, saved, sizeof saved);
        mass_domain_free(d);
    }
    mass_snapshot_free(&s);
    mass_device_close(device);
    free_model(m);
}
