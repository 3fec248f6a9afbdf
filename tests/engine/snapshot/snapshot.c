/* SPDX-License-Identifier: Apache-2.0 */
/* The canonical hashes of a state, against xxHash called on bytes put together by hand. */
#include "snapshot/snapshot.h"
#include "snapshot/state_hash.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { KIB4 = 1 << 12 };

/* Two spaces, so that the order of names is not that of declaration. */
static mass_model two_spaces(int64_t width)
{
    mass_model m = {0};
    mass_error e = {0};
    mass_model_add_space(
        &m, &(mass_space){.name = "b", .dimensions_min = 1, .dimensions_max = 1, .size = {width}},
        NULL, 0, &e);
    mass_model_add_space(
        &m, &(mass_space){.name = "a", .dimensions_min = 2, .dimensions_max = 2, .size = {3, 2}},
        NULL, 0, &e);
    mass_model_add_attribute(
        &m, &(mass_attribute){.space = "b", .name = "p", .type = MASS_U8, .length = 3}, &e);
    mass_model_add_attribute(&m, &(mass_attribute){.space = "a", .name = "q", .type = MASS_F64},
                             &e);
    mass_model_add_tally(&m, &(mass_tally){.name = "t", .access = MASS_SUM}, &e);
    cr_assert_eq(e.status, MASS_OK, "%s", e.text);
    return m;
}

/* A population on each: one name before those of the spaces, and one between them. */
static void add_populations(mass_model *m)
{
    mass_error e = {0};
    mass_model_add_population(m, &(mass_population){.name = "aa", .space = "b"}, &e);
    mass_model_add_population(m, &(mass_population){.name = "Z", .space = "a", .capacity = 3}, &e);
    mass_model_add_attribute(m, &(mass_attribute){.population = "aa", .name = "r", .type = MASS_I16, .length = 4}, &e);
    cr_assert_eq(e.status, MASS_OK, "%s", e.text);
}

static mass_snapshot filled(const mass_model *m, int32_t worlds)
{
    mass_snapshot s;
    mass_error e = {0};
    const uint64_t agents[2] = {7, 0};
    cr_assert_eq(mass_snapshot_allocate(&s, m, worlds, agents, &e), MASS_OK);
    for (uint32_t i = 0; i < m->attribute_count; i++)
        for (size_t b = 0; b < mass_snapshot_size(&s, i); b++)
            ((uint8_t *)s.attributes[i])[b] = (uint8_t)(b * 37 + i);
    return s;
}

static void digest(const void *bytes, size_t count, uint8_t out[16])
{
    XXH128_canonical_t c;
    XXH128_canonicalFromHash(&c, XXH3_128bits(bytes, count));
    memcpy(out, c.digest, 16);
}

Test(snapshot, holds_all_worlds_and_components)
{
    mass_model m = two_spaces(5);
    mass_snapshot s = filled(&m, 4);
    cr_assert_eq(mass_snapshot_size(&s, 0), 4u * 5 * 3);
    cr_assert_eq(mass_snapshot_size(&s, 1), 4u * 6 * 8);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

Test(snapshot, holds_the_agents_of_all_worlds_together)
{
    mass_model m = two_spaces(5);
    add_populations(&m);
    mass_snapshot s = filled(&m, 4);
    const uint32_t r = (uint32_t)mass_model_find_agent_attribute(&m, 0, "r");
    const uint32_t place = m.populations[0].first_attribute + MASS_AGENT_PLACE;
    const uint32_t nobodys = m.populations[1].first_attribute + MASS_AGENT_ID;
    cr_assert_eq(mass_snapshot_size(&s, r), 7u * 4 * 2);
    cr_assert_eq(mass_snapshot_size(&s, place), 7u * 8);
    cr_assert_eq(mass_snapshot_size(&s, nobodys), 0);
    cr_assert_not_null(s.attributes[nobodys]);
    mass_snapshot_free(&s);
    mass_error e = {0};
    cr_assert_eq(mass_snapshot_allocate(&s, &m, 4, NULL, &e), MASS_OK);
    cr_assert_eq(mass_snapshot_size(&s, r), 0);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

Test(snapshot, counts_agents_by_world)
{
    mass_model m = two_spaces(5);
    add_populations(&m);
    mass_snapshot s = filled(&m, 3);
    const int32_t worlds[7] = {0, 0, 2, 2, 2, 2, 2};
    uint64_t counts[3];
    memcpy(s.attributes[m.populations[0].first_attribute + MASS_AGENT_WORLD], worlds, sizeof worlds);
    mass_snapshot_count_agents(&s, 0, counts);
    cr_assert(counts[0] == 2 && counts[1] == 0 && counts[2] == 5);
    mass_snapshot_count_agents(&s, 1, counts);
    cr_assert(counts[0] == 0 && counts[1] == 0 && counts[2] == 0);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

Test(snapshot, is_zero_when_allocated)
{
    mass_model m = two_spaces(5);
    mass_snapshot s;
    mass_error e = {0};
    mass_snapshot_allocate(&s, &m, 2, NULL, &e);
    for (size_t b = 0; b < mass_snapshot_size(&s, 1); b++)
        cr_assert_eq(((uint8_t *)s.attributes[1])[b], 0);
    cr_assert_eq(s.tallies[0] | s.tallies[1], 0);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

Test(snapshot, beyond_counting_is_refused_and_holds_nothing)
{
    mass_model m = two_spaces(INT32_MAX - 5000);
    mass_error e = {0};
    mass_snapshot s;
    m.spaces[0].size[0] = INT64_MAX / 8192; /* of three bytes, in 2^31 worlds */
    cr_assert_eq(mass_snapshot_allocate(&s, &m, INT32_MAX, NULL, &e), MASS_NO_DEVICE);
    cr_assert_null(s.attributes);
    cr_assert_null(s.tallies);
    m.spaces[0].size[0] = 5;
    add_populations(&m);
    const uint64_t agents[2] = {UINT64_MAX / 8, 0};
    cr_assert_eq(mass_snapshot_allocate(&s, &m, 1, agents, &e), MASS_NO_DEVICE);
    cr_assert_null(s.agents);
    mass_model_free(&m);
}

Test(snapshot, hashes_an_attribute_by_blocks_of_4_kib)
{
    const int64_t widths[] = {1, KIB4 / 3, 2 * KIB4 / 3, KIB4, KIB4 + 1};
    for (size_t k = 0; k < sizeof widths / sizeof *widths; k++) {
        mass_model m = two_spaces(widths[k]);
        mass_snapshot s = filled(&m, 1);
        const size_t size = mass_snapshot_size(&s, 0);
        uint64_t blocks[4];
        uint8_t expected[16], hash[16];
        size_t count = 0;
        for (size_t at = 0; at < size; at += KIB4, count++)
            blocks[count] = XXH64((uint8_t *)s.attributes[0] + at, size - at < KIB4 ? size - at : KIB4, 0);
        digest(blocks, count * 8, expected);
        mass_snapshot_hash_attribute(&s, 0, hash);
        cr_assert_arr_eq(hash, expected, 16);
        mass_snapshot_free(&s);
        mass_model_free(&m);
    }
}

static uint8_t *put_u64(uint8_t *at, uint64_t value)
{
    for (int i = 0; i < 8; i++) *at++ = (uint8_t)(value >> 8 * i);
    return at;
}

static uint8_t *put_attribute(uint8_t *at, const mass_snapshot *s, uint32_t i, const char *name,
                              const uint64_t seven[7])
{
    memcpy(at, name, strlen(name) + 1);
    at += strlen(name) + 1;
    for (int k = 0; k < 7; k++) at = put_u64(at, seven[k]);
    mass_snapshot_hash_attribute(s, i, at);
    return at + 16;
}

/* Of one accumulator in each of two worlds. */
static uint8_t *put_tally(uint8_t *at, const char *name, const int64_t values[2])
{
    memcpy(at, name, strlen(name) + 1);
    at = put_u64(put_u64(at + strlen(name) + 1, 2), 1);
    digest(values, 2 * sizeof *values, at);
    return at + 16;
}

static void expect_hash_of(const uint8_t *bytes, const uint8_t *end, const mass_snapshot *s)
{
    uint8_t hash[16];
    char hex[33], expected[33];
    digest(bytes, (size_t)(end - bytes), hash);
    for (int i = 0; i < 16; i++) snprintf(expected + 2 * i, 3, "%02x", hash[i]);
    mass_snapshot_hash(s, hex);
    cr_assert_str_eq(hex, expected);
}

Test(snapshot, state_hash_is_made_as_promised)
{
    mass_model m = two_spaces(5);
    mass_snapshot s = filled(&m, 2);
    uint8_t bytes[500];
    s.step = 0x0102030405060708;
    s.tallies[0] = 7, s.tallies[1] = -7;
    uint8_t *end = put_attribute(bytes, &s, 1, "a.q", (uint64_t[7]){MASS_F64, 1, 2, 1, 2, 3, 8});
    end = put_attribute(end, &s, 0, "b.p", (uint64_t[7]){MASS_U8, 3, 2, 1, 1, 5, 1});
    end = put_tally(end, "t", (int64_t[2]){7, -7});
    end = put_u64(end, s.step);
    expect_hash_of(bytes, end, &s);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

/* Names in the order of bytes: "Z.", "a.", "aa.", "b.". */
Test(snapshot, state_hash_of_agents_is_made_as_promised)
{
    mass_model m = two_spaces(5);
    add_populations(&m);
    mass_snapshot s = filled(&m, 2);
    uint8_t bytes[2000];
    const uint32_t first = m.populations[0].first_attribute, none = m.populations[1].first_attribute;
    const uint32_t r = (uint32_t)mass_model_find_agent_attribute(&m, 0, "r");
    uint8_t *end = put_attribute(bytes, &s, none, "Z.id", (uint64_t[7]){MASS_U64, 1, 2, 1, 1, 0, 8});
    end = put_attribute(end, &s, none + 1, "Z.lost", (uint64_t[7]){MASS_U8, 1, 2, 1, 1, 0, 1});
    end = put_attribute(end, &s, none + 3, "Z.place", (uint64_t[7]){MASS_I64, 1, 2, 1, 1, 0, 8});
    end = put_attribute(end, &s, none + 2, "Z.world", (uint64_t[7]){MASS_I32, 1, 2, 1, 1, 0, 4});
    end = put_attribute(end, &s, 1, "a.q", (uint64_t[7]){MASS_F64, 1, 2, 1, 2, 3, 8});
    end = put_attribute(end, &s, first, "aa.id", (uint64_t[7]){MASS_U64, 1, 2, 1, 1, 7, 8});
    end = put_attribute(end, &s, first + 1, "aa.lost", (uint64_t[7]){MASS_U8, 1, 2, 1, 1, 7, 1});
    end = put_attribute(end, &s, first + 3, "aa.place", (uint64_t[7]){MASS_I64, 1, 2, 1, 1, 7, 8});
    end = put_attribute(end, &s, r, "aa.r", (uint64_t[7]){MASS_I16, 4, 2, 1, 1, 7, 2});
    end = put_attribute(end, &s, first + 2, "aa.world", (uint64_t[7]){MASS_I32, 1, 2, 1, 1, 7, 4});
    end = put_attribute(end, &s, 0, "b.p", (uint64_t[7]){MASS_U8, 3, 2, 1, 1, 5, 1});
    end = put_tally(end, "Z_next_id", (int64_t[2]){0, 0});
    end = put_tally(end, "aa_next_id", (int64_t[2]){0, 0});
    end = put_tally(end, "t", (int64_t[2]){0, 0});
    end = put_u64(end, s.step);
    expect_hash_of(bytes, end, &s);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

/* Of each world how many keys it has, all keys or where all texts end, the texts, and how often each was counted. */
Test(snapshot, hashes_counts_by_key_as_promised)
{
    uint64_t ends[] = {1, 3}, more[] = {2}, numbers[] = {0, UINT64_MAX};
    int64_t counts[] = {5, 6};
    const mass_key_list texts[3] = {{true, 2, ends, (uint8_t *)"abc", counts}, {.texts = true},
                                    {true, 1, more, (uint8_t *)"xy", counts}};
    const mass_key_list keys[2] = {{.keys = NULL}, {false, 2, numbers, NULL, counts}};
    const struct { uint64_t sizes[3], ends[3]; } head = {{2, 0, 1}, {1, 3, 5}};
    const int64_t all[] = {5, 6, 5};
    uint8_t bytes[200], expected[16], hash[16];
    memcpy(bytes, &head, sizeof head);
    memcpy(bytes + sizeof head, "abcxy", 5);
    memcpy(bytes + sizeof head + 5, all, sizeof all);
    digest(bytes, sizeof head + 5 + sizeof all, expected);
    mass_tally_hash(&(mass_tally_def){.keys = MASS_KEYS_TEXTS}, 3, NULL, texts, hash);
    cr_assert_arr_eq(hash, expected, 16);
    digest((const uint64_t[]){0, 2, 0, UINT64_MAX, 5, 6}, 48, expected);
    mass_tally_hash(&(mass_tally_def){.keys = MASS_KEYS_NUMBERS}, 2, NULL, keys, hash);
    cr_assert_arr_eq(hash, expected, 16);
}

Test(snapshot, state_hash_sees_tallies_and_leaves_the_seed_out)
{
    mass_model m = two_spaces(5);
    mass_snapshot s = filled(&m, 1);
    char before[33], after[33];
    mass_snapshot_hash(&s, before);
    s.seed = 7;
    mass_snapshot_hash(&s, after);
    cr_assert_str_eq(before, after);
    s.tallies[0] = 7;
    mass_snapshot_hash(&s, after);
    cr_assert_str_neq(before, after);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

Test(snapshot, state_hash_sees_every_byte_and_the_step)
{
    mass_model m = two_spaces(5);
    mass_snapshot s = filled(&m, 1);
    char before[33], after[33];
    mass_snapshot_hash(&s, before);
    for (uint32_t i = 0; i < 2; i++)
        for (size_t b = 0; b < mass_snapshot_size(&s, i); b++) {
            ((uint8_t *)s.attributes[i])[b] ^= 1;
            mass_snapshot_hash(&s, after);
            cr_assert_str_neq(before, after);
            ((uint8_t *)s.attributes[i])[b] ^= 1;
        }
    s.step++;
    mass_snapshot_hash(&s, after);
    cr_assert_str_neq(before, after);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}
