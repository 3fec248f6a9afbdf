/* SPDX-License-Identifier: Apache-2.0 */
/* A domain: defaults, tallies, and states saved and restored. */
#include "../expect.h"
#include "typed_model.h"
#include "snapshot/create.h"
#include "snapshot/save.h"
#include "snapshot/snapshot.h"
#include "state/box.h"
#include "state/tally.h"

#include <mass/random.h>

#include <stdlib.h>
#include <string.h>

/* ---- defaults and constants ---- */

Test(domain, every_place_of_every_world_starts_with_the_default)
{
    mass_model *m = make_model(2, (const mass_gidx[3]){13, 6, 1});
    mass_device *device = open_device(&mass_cpu_table);
    mass_domain *d = make_domain(m, device, 4, 3);
    for (uint32_t i = 0; i < m->attribute_count - 1; i++) {
        const mass_attribute_def *a = &m->attributes[i];
        const size_t bytes = 13 * 6 * mass_element_size(a);
        uint8_t *data = malloc(bytes);
        for (int32_t w = 0; w < 3; w++) {
            EXPECT_OK(mass_domain_read(d, i, w, zero, m->spaces[0].size, data, e));
            for (size_t at = 0; at < bytes; at++) cr_assert_eq(data[at], a->initial[at % a->component_size]);
        }
        free(data);
    }
    mass_domain_free(d);
    mass_device_close(device);
    free_model(m);
}

Test(domain, worlds_have_the_keys_of_their_own_numbers_and_the_parameters)
{
    mass_model *m = make_model(1, (const mass_gidx[3]){9, 1, 1});
    mass_device *device = open_device(&mass_cpu_table);
    mass_domain *d = make_domain(m, device, 1, 4);
    const uint64_t *keys = d->random_keys.address, *parameters = d->parameters.address;
    double rate;
    for (uint64_t w = 0; w < 4; w++) {
        cr_assert_eq(keys[w], mass_random_key(42, 3 + w));
        memcpy(&rate, &parameters[w], sizeof rate);
        cr_assert_eq(rate, .75);
        cr_assert_eq((int64_t)parameters[4 + w], -4);
    }
    cr_assert_eq(*(const uint64_t *)d->clock.address, 0);
    mass_domain_free(d);
    mass_device_close(device);
    free_model(m);
}

/* ---- the whole state ---- */

static void expect_same_state(const mass_snapshot *a, const mass_snapshot *b)
{
    for (uint32_t i = 0; i < a->model->attribute_count; i++)
        cr_assert_eq(memcmp(a->attributes[i], b->attributes[i], mass_snapshot_size(a, i)), 0, "%s",
                     a->model->attributes[i].name);
    const size_t tallies = (size_t)a->model->tally_count * (size_t)a->worlds * sizeof *a->tallies;
    cr_assert_eq(memcmp(a->tallies, b->tallies, tallies), 0);
}

Test(domain, a_state_is_restored_on_any_other_number_of_partitions)
{
    mass_model *m = make_model(3, (const mass_gidx[3]){7, 3, 8});
    mass_device *device = open_device(&mass_cpu_table);
    mass_snapshot first, again;
    EXPECT_OK(mass_snapshot_allocate(&first, m, 2, NULL, e));
    for (uint32_t i = 0; i < m->attribute_count; i++) scramble_attribute(&first, i);
    scramble(first.tallies, (size_t)m->tally_count * 2 * sizeof *first.tallies, 77);
    for (int32_t partitions = 1; partitions <= 8; partitions++) {
        mass_domain *d = make_domain(m, device, partitions, 2);
        EXPECT_OK(mass_domain_restore(d, &first, e));
        EXPECT_OK(mass_domain_save(d, &again, e));
        expect_same_state(&first, &again);
        mass_snapshot_free(&again);
        mass_domain_free(d);
    }
    mass_snapshot_free(&first);
    mass_device_close(device);
    free_model(m);
}

Test(domain, a_saved_state_is_what_boxes_read)
{
    mass_model *m = make_model(2, (const mass_gidx[3]){7, 5, 1});
    mass_device *device = open_device(&mass_cpu_table);
    mass_domain *d = make_domain(m, device, 3, 2);
    mass_snapshot s;
    uint8_t *box = malloc(7 * 5 * 64), *read = malloc(7 * 5 * 64);
    for (uint32_t i = 0; i < m->attribute_count - 1; i++) {
        const size_t bytes = 7 * 5 * mass_element_size(&m->attributes[i]);
        if (m->attributes[i].type == MASS_BIT) continue; /* whose boxes are bytes of 0 or 1 */
        scramble(box, bytes, i);
        EXPECT_OK(mass_domain_write(d, i, 1, zero, m->spaces[0].size, box, e));
        EXPECT_OK(mass_domain_save(d, &s, e));
        EXPECT_OK(mass_domain_read(d, i, 1, zero, m->spaces[0].size, read, e));
        cr_assert_eq(memcmp(read, box, bytes), 0);
        cr_assert_eq(memcmp((uint8_t *)s.attributes[i] + bytes, box, bytes), 0);
        mass_snapshot_free(&s);
    }
    free(read);
    free(box);
    mass_domain_free(d);
    mass_device_close(device);
    free_model(m);
}

/* ---- tallies ---- */

Test(domain, tallies_start_neutral_and_restart_unless_cumulative)
{
    mass_model *m = make_model(1, (const mass_gidx[3]){9, 1, 1});
    mass_device *device = open_device(&mass_cpu_table);
    mass_domain *d = make_domain(m, device, 1, 2);
    static const int64_t neutral[6] = {0, 0, INT64_MAX, INT64_MAX, INT64_MIN, INT64_MIN};
    static const int64_t kept[6] = {0, 0, 3, 4, INT64_MIN, INT64_MIN};
    static const int64_t used[6] = {1, 2, 3, 4, 5, 6};
    int64_t values[6];
    EXPECT_OK(mass_domain_read_tallies(d, values, e));
    cr_assert_arr_eq(values, neutral, sizeof values);
    memcpy(d->tallies.address, used, sizeof used);
    EXPECT_OK(mass_domain_reset_tallies(d, false, e));
    EXPECT_OK(mass_domain_read_tallies(d, values, e));
    cr_assert_arr_eq(values, kept, sizeof values);
    EXPECT_OK(mass_domain_reset_tallies(d, true, e));
    EXPECT_OK(mass_domain_read_tallies(d, values, e));
    cr_assert_arr_eq(values, neutral, sizeof values);
    mass_domain_free(d);
    mass_device_close(device);
    free_model(m);
}
