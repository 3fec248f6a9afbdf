/* SPDX-License-Identifier: Apache-2.0 */
/* Options and spaces that are refused, and how much memory a domain asks a device for. */
#include "../expect.h"
#include "typed_model.h"
#include "snapshot/create.h"
#include "snapshot/snapshot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- devices that have little memory, or run out of it ---- */

static size_t free_bytes;       /* what the poor device says it has */
static int allocations_allowed; /* before the short device fails */
static mass_device_table poor_table, short_table;
static mass_memory_operations poor_memory, short_memory;

static mass_status poor_available(mass_device *device, size_t *bytes, mass_error *error)
{
    (void)device;
    (void)error;
    *bytes = free_bytes;
    return MASS_OK;
}

static mass_status short_allocate(mass_device *device, size_t bytes, void **out, mass_error *error)
{
    if (allocations_allowed-- <= 0) return mass_error_memory(error, bytes, "an attribute");
    return mass_cpu_table.memory->allocate(device, bytes, out, error);
}

static void make_tables(void)
{
    poor_table = short_table = mass_cpu_table;
    poor_memory = short_memory = *mass_cpu_table.memory;
    poor_memory.available = poor_available;
    short_memory.allocate = short_allocate;
    poor_table.memory = &poor_memory;
    short_table.memory = &short_memory;
}

TestSuite(domain, .init = make_tables);

/* ---- what is refused ---- */

static void expect_no_domain(const mass_model *m, mass_device *device, mass_domain_options o, mass_status status,
                             const char *text)
{
    mass_domain *d = (mass_domain *)(uintptr_t)0x77;
    EXPECT_REFUSAL(mass_domain_create(m, device, &o, &d, e), status, text);
    cr_assert_eq((uintptr_t)d, 0x77);
}

Test(domain, bad_options_are_the_users_to_mend)
{
    static const char least[] = "there have to be at least 1 partition and 1 world";
    mass_model *m = make_model(2, (const mass_gidx[3]){9, 7, 1});
    mass_device *device = open_device(&mass_cpu_table);
    expect_no_domain(m, device, (mass_domain_options){0, 1, 0, 1, NULL, NULL, false}, MASS_BAD_USAGE, least);
    expect_no_domain(m, device, (mass_domain_options){-1, 1, 0, 1, NULL, NULL, false}, MASS_BAD_USAGE, least);
    expect_no_domain(m, device, (mass_domain_options){1, 0, 0, 1, NULL, NULL, false}, MASS_BAD_USAGE, least);
    expect_no_domain(m, device, (mass_domain_options){1, 1, -1, 1, NULL, NULL, false}, MASS_BAD_USAGE, least);
    expect_no_domain(m, device, (mass_domain_options){1, 2, INT32_MAX - 1, 1, NULL, NULL, false},
                     MASS_BAD_USAGE, least);
    expect_no_domain(m, device, (mass_domain_options){8, 1, 0, 1, NULL, NULL, false}, MASS_BAD_USAGE,
                     "--partitions 8 is more than the 7 rows of space s");
    mass_device_close(device);
    free_model(m);
    m = make_model(2, (const mass_gidx[3]){9, 12, 1});
    device = open_device(&mass_cpu_table);
    expect_no_domain(m, device, (mass_domain_options){10, 1, 0, 1, NULL, NULL, false}, MASS_BAD_USAGE,
                     "--partitions 10 is more than the 9 rows of space other");
    mass_device_close(device);
    free_model(m);
}

/* A model of one space of single bytes. */
static mass_model *bytes_model(uint32_t dimensions, const mass_gidx *size)
{
    mass_model *m = calloc(1, sizeof *m);
    snprintf(m->plugin, sizeof m->plugin, "trial");
    const mass_space s = {.name = "s", .dimensions_min = 1, .dimensions_max = 3};
    EXPECT_OK(mass_model_add_space(m, &s, size, dimensions, e));
    EXPECT_OK(mass_model_add_attribute(m, &(mass_attribute){.space = "s", .name = "a", .type = MASS_U8}, e));
    EXPECT_OK(mass_model_resolve(m, e));
    return m;
}

Test(domain, a_space_beyond_all_memory_is_refused_before_anything_is_allocated)
{
    mass_model *m = bytes_model(2, (const mass_gidx[3]){2000000000, 1000000});
    mass_device *device = open_device(&short_table);
    allocations_allowed = 0;
    mass_domain *d = NULL;
    mass_error e = {0};
    cr_assert_eq(mass_domain_create(m, device, &(mass_domain_options){1, 1, 0, 1, NULL, NULL, false}, &d, &e),
                 MASS_NO_DEVICE);
    cr_assert_not_null(strstr(e.text, "trial needs 3.6 PiB, cpu has "));
    cr_assert_not_null(strstr(e.text, " free: use a space of at most "));
    cr_assert_eq(allocations_allowed, 0);
    cr_assert_null(d);
    mass_device_close(device);
    free_model(m);
}

/* On a device in host memory, the state and a snapshot of it, one byte a place and world, and what writes it. */
static double needed_by(const mass_model *m, int32_t partitions, int32_t worlds)
{
    const double snapshot = (double)(mass_space_places(&m->spaces[0]) * worlds);
    return mass_domain_bytes(m, partitions, worlds) + snapshot + (double)mass_snapshot_writer_room(snapshot);
}

Test(domain, a_space_is_refused_from_the_first_byte_too_many)
{
    mass_model *m = bytes_model(2, (const mass_gidx[3]){300, 200});
    mass_device *device = open_device(&poor_table);
    mass_domain *d = NULL;
    mass_error refusal = {0};
    free_bytes = (size_t)needed_by(m, 3, 2) - 1;
    const mass_domain_options options = {.partitions = 3, .worlds = 2, .seed = 1};
    cr_assert_eq(mass_domain_create(m, device, &options, &d, &refusal), MASS_NO_DEVICE);
    free_bytes++;
    EXPECT_OK(mass_domain_create(m, device, &options, &d, e));
    mass_domain_free(d);
    mass_device_close(device);
    free_model(m);
}

Test(domain, a_device_with_memory_of_its_own_leaves_snapshots_to_the_host)
{
    mass_model *m = bytes_model(2, (const mass_gidx[3]){300, 200});
    mass_device *device = open_device(&poor_table);
    mass_domain *d = NULL;
    poor_memory.in_host_memory = false;
    free_bytes = (size_t)mass_domain_bytes(m, 3, 2);
    EXPECT_OK(mass_domain_create(m, device, &(mass_domain_options){3, 2, 0, 1, NULL, NULL, false}, &d, e));
    mass_domain_free(d);
    mass_device_close(device);
    free_model(m);
}

static void try_recommended(size_t has, double least)
{
    for (int32_t worlds = 1; worlds <= 4; worlds++) {
        mass_model *m = bytes_model(1, (const mass_gidx[3]){50000000});
        mass_device *device = open_device(&poor_table);
        char together[40] = "";
        free_bytes = has;
        mass_domain *d = NULL;
        mass_error e = {0};
        const mass_domain_options options = {.partitions = 1, .worlds = worlds, .seed = 1};
        cr_assert_eq(mass_domain_create(m, device, &options, &d, &e), MASS_NO_DEVICE);
        char *end = strstr(e.text, "at most ");
        cr_assert_not_null(end);
        m->spaces[0].size[0] = strtoll(end + strlen("at most "), &end, 10) / worlds;
        if (worlds > 1) snprintf(together, sizeof together, " over all %d worlds", worlds);
        cr_assert_eq(strncmp(end, " places", strlen(" places")), 0, "%s", e.text);
        cr_assert_str_eq(end + strlen(" places"), together);
        const double share = needed_by(m, 1, worlds) / (double)free_bytes;
        cr_assert(share > least && share < 1.01, "%lld places need %g of it", (long long)m->spaces[0].size[0], share);
        mass_device_close(device);
        free_model(m);
    }
}

/* Where there is little memory, one whose snapshot is small. */
Test(domain, the_space_that_a_refusal_recommends_fits)
{
    try_recommended(2000000, .99);
    try_recommended(10000000, .2);
    try_recommended(40000000, .99);
}

/* A model of 1000 places and of very many agents. */
static mass_model *crowded_model(uint32_t capacity)
{
    mass_model *m = calloc(1, sizeof *m);
    snprintf(m->plugin, sizeof m->plugin, "trial");
    const mass_space s = {.name = "s", .dimensions_min = 1, .dimensions_max = 3};
    const mass_population p = {.space = "s", .name = "folk", .initial = MASS_RANDOM_PLACES, .count = 900000000,
                               .capacity = capacity};
    EXPECT_OK(mass_model_add_space(m, &s, (const mass_gidx[3]){1000}, 1, e));
    EXPECT_OK(mass_model_add_attribute(m, &(mass_attribute){.space = "s", .name = "a", .type = MASS_U8}, e));
    EXPECT_OK(mass_model_add_population(m, &p, e));
    EXPECT_OK(mass_model_add_attribute(m, &(mass_attribute){.population = "folk", .name = "b", .type = MASS_I64}, e));
    EXPECT_OK(mass_model_resolve(m, e));
    return m;
}

/* Of a small space with a large crowd, it is the crowd that is too large. */
Test(domain, the_agents_that_a_refusal_recommends_fit)
{
    for (int32_t worlds = 1; worlds <= 3; worlds++) {
        mass_model *m = crowded_model(0);
        mass_device *device = open_device(&poor_table);
        mass_domain *d = NULL;
        mass_error refusal = {0};
        free_bytes = 40000000;
        const mass_domain_options options = {.partitions = 1, .worlds = worlds, .seed = 1};
        cr_assert_eq(mass_domain_create(m, device, &options, &d, &refusal), MASS_NO_DEVICE);
        const char *named = worlds > 1 ? " in population folk of each world, which has 900000000, or fewer worlds"
                                       : " agents in population folk, which has 900000000";
        cr_assert_not_null(strstr(refusal.text, named), "%s", refusal.text);
        const char *most = strstr(refusal.text, "use at most ");
        cr_assert_not_null(most, "%s", refusal.text);
        const int64_t count = m->populations[0].count = strtoll(most + strlen("use at most "), NULL, 10);
        EXPECT_OK(mass_domain_create(m, device, &options, &d, e));
        mass_domain_free(d);
        m->populations[0].count = count + count / 100;
        cr_assert_eq(mass_domain_create(m, device, &options, &d, &refusal), MASS_NO_DEVICE, "%d agents", (int)count);
        mass_device_close(device);
        free_model(m);
    }
}

Test(domain, a_refusal_recommends_no_more_agents_than_places_hold)
{
    mass_model *m = crowded_model(2);
    mass_device *device = open_device(&poor_table);
    mass_domain *d = NULL;
    mass_error e = {0};
    free_bytes = 40000000;
    cr_assert_eq(mass_domain_create(m, device, &(mass_domain_options){1, 1, 0, 1, NULL, NULL, false}, &d, &e),
                 MASS_NO_DEVICE);
    cr_assert_not_null(strstr(e.text, "use at most 2000 agents in population folk, which has 900000000"), "%s", e.text);
    mass_device_close(device);
    free_model(m);
}

Test(domain, what_is_counted_is_what_is_allocated)
{
    mass_model *m = make_model(3, (const mass_gidx[3]){7, 3, 8});
    mass_device *device = open_device(&mass_cpu_table);
    for (int32_t partitions = 1; partitions <= 8; partitions += 3) {
        mass_domain *d = make_domain(m, device, partitions, 2);
        double bytes = 2 * 8 * (1 + 2 + 3); /* keys, parameters and tallies of two worlds */
        for (uint32_t s = 0; s < m->space_count; s++)
            for (int32_t p = 0; p < partitions; p++)
                for (uint32_t i = 0; i < m->array_count; i++) {
                    const mass_array *a = &d->partitions[s][p].arrays[i];
                    for (int b = 0; b < 2; b++) bytes += (double)a->buffer[b].bytes;
                }
        cr_assert_eq(mass_domain_bytes(m, partitions, 2), bytes);
        mass_domain_free(d);
    }
    mass_device_close(device);
    free_model(m);
}

Test(domain, memory_that_runs_out_halfway_is_refused_and_given_back)
{
    mass_model *m = make_model(2, (const mass_gidx[3]){7, 5, 1});
    mass_device *device = open_device(&short_table);
    mass_domain *d = NULL;
    int failures = 0;
    for (mass_status status = MASS_NO_DEVICE; status != MASS_OK; failures++) {
        mass_error e = {0};
        allocations_allowed = failures;
        status = mass_domain_create(m, device, &(mass_domain_options){2, 2, 0, 1, NULL, NULL, false}, &d, &e);
        cr_assert(status == MASS_OK || (status == MASS_NO_DEVICE && !d && strstr(e.text, "does not have free")));
    }
    cr_assert_gt(failures, (int)m->array_count);
    mass_domain_free(d);
    mass_device_close(device);
    free_model(m);
}
