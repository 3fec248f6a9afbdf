/* SPDX-License-Identifier: Apache-2.0 */
/* Counts by key on the host: sets that grow, and their sorted lists. */
#include "base/keys.h"

#include <criterion/criterion.h>
#include <string.h>

static mass_key_list list_of(mass_key_set *s)
{
    mass_error e = {0};
    mass_key_list l;
    cr_assert_eq(mass_key_list_of(s, &l, &e), MASS_OK);
    return l;
}

Test(keys, numbers_are_counted_and_sorted_without_a_sign)
{
    mass_key_set s = {0};
    for (uint64_t i = 0; i < 100000; i++) mass_key_set_add_number(&s, (i % 30000) * 0x9e3779b97f4a7c15u, 1);
    mass_key_set_add_number(&s, UINT64_MAX, 5);
    mass_key_list l = list_of(&s);
    cr_assert_eq(l.count, 30001);
    cr_assert(mass_key_list_is_sound(&l, 0));
    cr_assert_eq(mass_key_list_total(&l), 100005);
    cr_assert(l.keys[0] == 0 && l.counts[0] == 4 && l.keys[30000] == UINT64_MAX && l.counts[30000] == 5);
    mass_key_list_free(&l);
    mass_key_set_free(&s);
}

Test(keys, texts_are_any_bytes)
{
    static const struct { const char *text; uint64_t length; } texts[] = {
        {"", 0}, {"\0", 1}, {"\0\0", 2}, {"a", 1}, {"a\0", 2}, {"ab", 2}, {"abcdefgh", 8}, {"abcdefghi", 9},
        {"\xff\xfe", 2}};
    enum { TEXTS = sizeof texts / sizeof *texts };
    mass_key_set s = {.texts = true};
    for (int round = 0; round < 3; round++)
        for (int i = TEXTS - 1; i >= 0; i--) mass_key_set_add_text(&s, texts[i].text, texts[i].length, 1);
    mass_key_list l = list_of(&s);
    cr_assert_eq(l.count, TEXTS);
    for (uint64_t i = 0; i < TEXTS; i++) {
        uint64_t length;
        const uint8_t *text = mass_key_list_text(&l, i, &length);
        cr_assert(length == texts[i].length && memcmp(text, texts[i].text, length) == 0, "text %d", (int)i);
        cr_assert_eq(l.counts[i], 3, "text %d", (int)i);
    }
    mass_key_list_free(&l);
    mass_key_set_free(&s);
}

/* Texts of all lengths about 16 bytes, which differ in their last byte, among other bytes that can be read too. */
Test(keys, a_queue_counts_as_one_by_one_once_it_is_settled)
{
    enum { LENGTHS = 40, ROUNDS = 3 };
    char bytes[2 * LENGTHS];
    for (int i = 0; i < 2 * LENGTHS; i++) bytes[i] = (char)('a' + i % 3);
    mass_key_set queued = {.texts = true}, direct = {.texts = true};
    mass_key_queue q = {0};
    for (int round = 0; round < ROUNDS; round++)
        for (uint64_t length = 0; length < LENGTHS; length++)
            for (uint64_t from = 0; from < 3; from++) {
                const uint64_t readable = round ? sizeof bytes - from : length;
                mass_key_queue_text(&q, &queued, bytes + from, length, readable);
                mass_key_set_add_text(&direct, bytes + from, length, 1);
            }
    mass_key_queue_settle(&q);
    cr_assert_eq(queued.count, 1 + 3 * (LENGTHS - 1)); /* one empty text */
    cr_assert_eq(mass_key_set_digest(&queued), mass_key_set_digest(&direct));
    mass_key_list l = list_of(&queued);
    cr_assert(mass_key_list_is_sound(&l, mass_key_list_bytes(&l)));
    cr_assert_eq(l.counts[0], 3 * ROUNDS);
    for (uint64_t i = 1; i < l.count; i++) cr_assert_eq(l.counts[i], ROUNDS);
    mass_key_list_free(&l);
    mass_key_set_free(&queued), mass_key_set_free(&direct);
}

Test(keys, merged_in_any_order_they_are_the_same)
{
    mass_key_set a = {0}, b = {0}, ab = {0}, ba = {0};
    for (uint64_t i = 0; i < 5000; i++) mass_key_set_add_number(i % 3 ? &a : &b, i * i % 1999, 1);
    mass_key_set_merge(&ab, &a);
    mass_key_set_merge(&ab, &b);
    mass_key_set_merge(&ba, &b);
    mass_key_set_merge(&ba, &a);
    cr_assert_eq(mass_key_set_digest(&ab), mass_key_set_digest(&ba));
    cr_assert_neq(mass_key_set_digest(&ab), mass_key_set_digest(&a));
    mass_key_set_clear(&ab);
    cr_assert_eq(ab.count, 0);
    mass_key_set_add_number(&ab, 7, 2);
    mass_key_list l = list_of(&ab);
    cr_assert(l.count == 1 && l.keys[0] == 7 && l.counts[0] == 2);
    mass_key_list_free(&l);
    mass_key_set_free(&a), mass_key_set_free(&b), mass_key_set_free(&ab), mass_key_set_free(&ba);
}

Test(keys, the_largest_counts_come_first_and_equals_by_key)
{
    mass_key_set s = {0};
    for (uint64_t i = 0; i < 20; i++) mass_key_set_add_number(&s, 100 - i, (int64_t)(i % 4) + 1);
    mass_key_list l = list_of(&s);
    uint64_t top[7];
    cr_assert_eq(mass_key_list_top(&l, 7, top), 7);
    const uint64_t keys[7] = {81, 85, 89, 93, 97, 82, 86};
    for (int i = 0; i < 7; i++) cr_assert_eq(l.keys[top[i]], keys[i]);
    mass_key_list_free(&l);
    for (uint64_t i = 0; i < 2000; i++) mass_key_set_add_number(&s, 1000 + i * 7919 % 2000, (int64_t)(i % 11) + 1);
    l = list_of(&s);
    uint64_t few[256], many[257]; /* which are found in two ways */
    cr_assert(mass_key_list_top(&l, 256, few) == 256 && mass_key_list_top(&l, 257, many) == 257);
    cr_assert_eq(memcmp(few, many, sizeof few), 0);
    cr_assert_eq(mass_key_list_top(&l, 0, few), 0);
    mass_key_list_free(&l);
    mass_key_set_free(&s);
}

static size_t granted; /* bytes that may be taken at once */
static int asked;

static bool grant(size_t bytes)
{
    asked++;
    return bytes <= granted;
}

/* Of 65,537 numbers, entries take 4 MiB, before that 2; of 300 texts of 5,000 bytes, those take 2. */
Test(keys, what_has_no_room_is_not_taken)
{
    mass_key_set numbers = {0}, merged = {0}, texts = {.texts = true};
    mass_key_list l = {0};
    mass_error e = {0};
    char text[5000] = "";
    mass_keys_ask(grant);
    for (uint64_t i = 0; i < 1000; i++) mass_key_set_add_number(&numbers, i, 1);
    cr_assert_eq(asked, 0); /* which would take longer than so little */
    granted = 2 << 20;
    for (uint64_t i = 1000; i < 65537 && !numbers.failed; i++) mass_key_set_add_number(&numbers, i, 1);
    cr_assert(numbers.failed && asked > 0);
    cr_assert_eq(numbers.wanted, 4 << 20);
    mass_key_set_merge(&merged, &numbers);
    cr_assert_eq(merged.wanted, 4 << 20);
    cr_assert_eq(mass_key_list_of(&merged, &l, &e), MASS_NO_DEVICE);
    cr_assert_not_null(strstr(e.text, "counting by key needs 4.0 MiB"), "%s", e.text);
    granted = 1 << 20;
    for (int i = 0; i < 300; i++) {
        memcpy(text, &i, sizeof i);
        mass_key_set_add_text(&texts, text, sizeof text, 1);
    }
    cr_assert(texts.failed);
    cr_assert_eq(texts.wanted, 2 << 20);
    mass_keys_ask(NULL);
    mass_key_set_free(&numbers), mass_key_set_free(&merged), mass_key_set_free(&texts);
}

/* The list of what was counted takes memory of its own. */
Test(keys, a_list_that_has_no_room_is_none)
{
    mass_key_set s = {0};
    mass_key_list l;
    mass_error e = {0};
    for (uint64_t i = 0; i < 60000; i++) mass_key_set_add_number(&s, i, 1);
    mass_keys_ask(grant);
    granted = 1 << 20;
    cr_assert_eq(mass_key_list_of(&s, &l, &e), MASS_NO_DEVICE);
    cr_assert(!l.keys && !l.counts && l.count == 0);
    cr_assert_null(mass_keys_take((1 << 20) + 1));
    mass_keys_ask(NULL);
    l = list_of(&s);
    cr_assert_eq(l.count, 60000);
    mass_key_list_free(&l);
    mass_key_set_free(&s);
}
