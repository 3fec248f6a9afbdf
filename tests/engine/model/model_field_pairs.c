/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of one callback that may not be together. */
#include "../expect.h"
#include "model_world.h"

/* Two fields on one array: allowed, and if so, whether old and new are kept apart. */
static void expect_pair(uint32_t first, uint32_t second, int32_t radius, bool allowed, bool buffered)
{
    const mass_field fields[] = {FIELD_OF("f", float, first, "flow[1]"), FIELD_OF("x", uint8_t, MASS_UPDATE, "health"),
                                 FIELD_OF("g", float, second, "flow[1]")};
    const mass_callback c = callback("act", fields, 3, radius);
    mass_model *m = world();
    EXPECT_OK(add_phase(m, &c, "grid", MASS_STEP, e));
    if (allowed) {
        EXPECT_OK(mass_model_resolve(m, e));
        for (uint32_t i = 0; i < m->array_count; i++)
            cr_assert_eq(m->arrays[i].buffered, buffered && i == 2, "array %u", i);
    } else {
        EXPECT_REFUSAL(mass_model_resolve(m, e), MASS_BAD_PLUGIN,
                       "callback act: fields f and g are one attribute: a map takes it in UPDATES, a stencil in "
                       "READS and in WRITES");
    }
    discard(m);
}

Test(model, a_stencil_may_read_and_write_one_array_and_no_other_pair_is_allowed)
{
    for (uint32_t first = MASS_READ; first <= MASS_UPDATE; first++)
        for (uint32_t second = MASS_READ; second <= MASS_UPDATE; second++)
            for (int32_t radius = 0; radius <= 1; radius++) {
                const bool reads = first == MASS_READ && second == MASS_READ;
                const bool swaps = radius > 0 && ((first == MASS_READ && second == MASS_WRITE) ||
                                                  (first == MASS_WRITE && second == MASS_READ));
                expect_pair(first, second, radius, reads || swaps, swaps);
            }
}

/* Two fields of attributes of places, of which one is added to. */
static mass_status resolve_scattered(mass_field first, mass_field second, mass_error *error)
{
    const mass_field fields[] = {first, second};
    const mass_callback c = callback("act", fields, 2, 1);
    mass_model *m = world();
    add_attribute(m, "grid", "pile", MASS_I64, 2, MASS_PLANES);
    add_attribute(m, "grid", "count", MASS_I16, 0, MASS_PLANES);
    EXPECT_OK(add_phase(m, &c, "grid", MASS_STEP, e));
    const mass_status status = mass_model_resolve(m, error);
    discard(m);
    return status;
}

Test(model, what_is_added_to_is_an_integer_of_32_or_64_bits)
{
    const mass_field read = FIELD_OF("g", int64_t, MASS_READ, "pile[1]");
    EXPECT_REFUSAL(resolve_scattered((mass_field)FIELD_OF("f", int16_t, MASS_SCATTER_ADD, "count"), read, e),
                   MASS_BAD_PLUGIN, "callback act, field f: it adds to attribute 'count' of type i16: SCATTERS "
                   "takes i32, u32, i64 and u64");
    EXPECT_REFUSAL(resolve_scattered((mass_field)FIELD_OF("f", float, MASS_SCATTER_ADD, "flow[2]"), read, e),
                   MASS_BAD_PLUGIN, "callback act, field f: it adds to attribute 'flow[2]' of type f32: SCATTERS "
                   "takes i32, u32, i64 and u64");
    EXPECT_OK(resolve_scattered((mass_field)FIELD_OF("f", int64_t, MASS_SCATTER_ADD, "pile[0]"), read, e));
}

Test(model, what_is_added_to_is_in_no_other_field)
{
    static const uint32_t others[] = {MASS_READ, MASS_WRITE, MASS_UPDATE, MASS_SCATTER_ADD};
    for (size_t i = 0; i < COUNT(others); i++) {
        const mass_field adds = FIELD_OF("f", int64_t, MASS_SCATTER_ADD, "pile[0]");
        const mass_field other = FIELD_OF("g", int64_t, others[i], "pile[0]");
        EXPECT_REFUSAL(resolve_scattered(adds, other, e), MASS_BAD_PLUGIN,
                       "callback act: fields f and g are one attribute: one that is in SCATTERS is in no other "
                       "entry of the callback");
    }
}

static mass_status resolve_counted(const mass_field *fields, uint32_t count, int32_t radius, mass_error *error)
{
    const mass_callback c = callback("act", fields, count, radius);
    mass_model *m = world();
    EXPECT_OK(mass_model_add_tally(m, &(mass_tally){.name = "seen", .access = MASS_SUM, .keys = MASS_KEYS_NUMBERS}, e));
    EXPECT_OK(mass_model_add_tally(m, &(mass_tally){.name = "words", .access = MASS_SUM, .keys = MASS_KEYS_TEXTS}, e));
    EXPECT_OK(add_phase(m, &c, "grid", MASS_STEP, e));
    const mass_status status = mass_model_resolve(m, error);
    discard(m);
    return status;
}

Test(model, a_callback_that_counts_by_key_does_nothing_else)
{
    static const char alone[] = "callback act counts by key, and may have no other tally and write nothing";
    const mass_field keys = FIELD_OF("k", int64_t, MASS_KEYS, "seen");
    const mass_field words = FIELD_OF("k", int64_t, MASS_KEYS, "words");
    const mass_field read = FIELD_OF("f", uint8_t, MASS_READ, "health");
    const mass_field write = FIELD_OF("f", uint8_t, MASS_WRITE, "health");
    const mass_field adds = FIELD_OF("a", int64_t, MASS_SUM, "births");
    const mass_field items = FIELD_OF("i", uint8_t, MASS_ITEMS, "health");
    EXPECT_OK(resolve_counted((mass_field[]){keys, read}, 2, 1, e));
    EXPECT_OK(resolve_counted((mass_field[]){words, items}, 2, 0, e));
    EXPECT_REFUSAL(resolve_counted((mass_field[]){keys, write}, 2, 0, e), MASS_BAD_PLUGIN, alone);
    EXPECT_REFUSAL(resolve_counted((mass_field[]){keys, adds}, 2, 0, e), MASS_BAD_PLUGIN, alone);
    EXPECT_REFUSAL(resolve_counted((mass_field[]){keys, words, items}, 3, 0, e), MASS_BAD_PLUGIN, alone);
    EXPECT_REFUSAL(resolve_counted((mass_field[]){words, read}, 2, 0, e), MASS_BAD_PLUGIN,
                   "callback act counts texts, and needs one attribute that has them, by ITEMS, SEES or MEETS, "
                   "not 0");
    EXPECT_REFUSAL(resolve_counted((mass_field[]){keys, items}, 2, 1, e), MASS_BAD_PLUGIN,
                   "callback act, field i: ITEMS are of a row, and the callback has a radius of 1: make it a MASS_MAP");
    EXPECT_REFUSAL(resolve_counted((mass_field[]){items, write}, 2, 0, e), MASS_BAD_PLUGIN,
                   "callback act: field i looks at the attribute that field f writes");
}
