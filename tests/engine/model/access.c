/* SPDX-License-Identifier: Apache-2.0 */
/* That every access of the SDK has traits, and which. */
#include "model/access.h"

#include <mass/plugin.h>

#include <criterion/criterion.h>
#include <string.h>

/* A second statement of what authors of models rely on: the effects of each access, and its classes over places,
 * agents, residents, occupied places, worlds, agents in turn and nodes in turn. P is a place array, A an agent array, W
 * the world, V the value of a tally, T a tally, K a world attribute, Q a request, S sprouts. L are linked nodes, E
 * edges, and a dash is none. */
static const struct expected {
    uint32_t access;
    const char *name, *classes, *effects;
} all[] = {
    {MASS_READ, "READ", "PAPP-AP", "r"},         {MASS_WRITE, "WRITE", "PAP-K--", "w"},
    {MASS_UPDATE, "UPDATE", "PAPPKAP", "rw"},     {MASS_PARAM, "PARAM", "WWWWWWW", "r"},
    {MASS_SUM, "SUM", "TTTT-TT", "a"},           {MASS_MIN, "MIN", "TTTT-TT", "a"},
    {MASS_MAX, "MAX", "TTTT-TT", "a"},           {MASS_PLACE, "PLACE", "-P---P-", "r"},
    {MASS_CHILD, "CHILD", "-QQQ---", "w"},       {MASS_RESIDENT, "RESIDENT", "--AA-AP", "r"},
    {MASS_RESIDENT_UPDATE, "RESIDENT_UPDATE", "--AA-AP", "rw"}, {MASS_RACE, "RACE", "-P-----", "rw"},
    {MASS_BINS, "BINS", "TTTT-TT", "a"},         {MASS_KEYS, "KEYS", "TTTT---", "a"},
    {MASS_SCATTER_ADD, "SCATTER_ADD", "PPPP---", "a"}, {MASS_ITEMS, "ITEMS", "P------", "r"},
    {MASS_NEARBY, "NEARBY", "AAAA-A-", "r"},     {MASS_NEARBY_ADD, "NEARBY_ADD", "-AAA---", "a"},
    {MASS_TOTAL, "TOTAL", "VVVVVVV", "r"},
    {MASS_LIST, "LIST", "WWWWWWW", "r"},         {MASS_SPROUT, "SPROUT", "S-SS---", "rw"},
    {MASS_WORLD, "WORLD", "KKKKKKK", "r"},
    {MASS_ANYBODY_ADD, "ANYBODY_ADD", "-AAA---", "a"}, {MASS_ANYBODY, "ANYBODY", "-AAA---", "r"},
    {MASS_BY_ID, "BY_ID", "-AAA---", "r"},       {MASS_FREE_PLACES, "FREE_PLACES", "-A-----", "r"},
    {MASS_ALTER, "ALTER", "-----P-", "rw"},
    {MASS_LINKED, "LINKED", "LL----P", "r"},      {MASS_EDGE, "EDGE", "EE----E", "r"},
};
enum { ALL = sizeof all / sizeof *all };

Test(access, every_one_has_its_row)
{
    int rows = 0;
    for (uint32_t a = 1; a < MASS_ACCESS_COUNT; a++) rows += mass_access_of(a)->name != NULL;
    cr_assert_eq(rows, ALL);
    for (int i = 0; i < ALL; i++) {
        const mass_access_traits *t = mass_access_of(all[i].access);
        cr_assert(t->name && t->entry, "%s has no row", all[i].name);
        cr_expect_str_eq(t->name, all[i].name);
        for (uint32_t over = MASS_OVER_PLACES; over <= MASS_OVER_NODES_IN_TURN; over++)
            cr_expect_eq("-PAWVKTQSLE"[mass_access_class_of(all[i].access, over)], all[i].classes[over - 1],
                         "%s over %u", t->name, over);
        cr_expect_eq(t->effect & MASS_EFFECT_READS, strchr(all[i].effects, 'r') ? MASS_EFFECT_READS : 0, "%s", t->name);
        cr_expect_eq(t->effect & MASS_EFFECT_WRITES, strchr(all[i].effects, 'w') ? MASS_EFFECT_WRITES : 0, "%s",
                     t->name);
        cr_expect_eq(t->effect & MASS_EFFECT_ADDS, strchr(all[i].effects, 'a') ? MASS_EFFECT_ADDS : 0, "%s", t->name);
        for (int k = 0; k < i; k++) {
            cr_expect_str_neq(t->name, mass_access_of(all[k].access)->name);
            cr_expect_str_neq(t->entry, mass_access_of(all[k].access)->entry);
        }
    }
}

/* Columns that only mean something beside others. */
Test(access, no_row_contradicts_itself)
{
    for (uint32_t a = 1; a < MASS_ACCESS_COUNT; a++) {
        const mass_access_traits *t = mass_access_of(a);
        if (!t->name) continue;
        const mass_access_class class = mass_access_class_of(a, MASS_OVER_PLACES);
        const bool array = !mass_access_is_tally(a) && class != MASS_CLASS_WORLD && class != MASS_CLASS_TOTAL &&
                           class != MASS_CLASS_KEPT;
        const bool reaches = t->reach != MASS_REACH_OWN && t->reach != MASS_REACH_NEARBY &&
                             t->reach != MASS_REACH_ANYBODY && t->reach != MASS_REACH_FREE;
        bool places = false;
        for (uint32_t over = MASS_OVER_PLACES; over <= MASS_OVER_NODES_IN_TURN; over++)
            places |= mass_access_class_of(a, over) == MASS_CLASS_PLACES;
        cr_expect(t->effect, "%s does nothing", t->name);
        cr_expect_eq(t->elements == MASS_ELEMENTS_VALUES, !array, "%s", t->name);
        cr_expect(places || (!reaches && t->buffer == MASS_BUFFER_SAME), "%s", t->name);
        cr_expect(!t->own || array, "%s", t->name);
        cr_expect(!t->addressed || t->effect == MASS_EFFECT_READS, "%s", t->name);
        cr_expect(t->buffer != MASS_BUFFER_OLD || t->effect == MASS_EFFECT_READS, "%s", t->name);
        cr_expect(t->buffer != MASS_BUFFER_NEW || t->effect == MASS_EFFECT_WRITES, "%s", t->name);
        cr_expect(t->buffer != MASS_BUFFER_CLEARED || t->effect == MASS_EFFECT_ADDS, "%s", t->name);
        cr_expect(t->combine == MASS_COMBINE_ADD || mass_access_is_tally(a), "%s", t->name);
    }
}

Test(access, a_number_that_is_none_has_no_class)
{
    static const uint32_t none[] = {0, MASS_ACCESS_COUNT, 31, 32, UINT32_MAX};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        cr_expect_null(mass_access_of(none[i])->name);
        for (uint32_t over = 0; over < 9; over++)
            cr_expect_eq(mass_access_class_of(none[i], over), MASS_CLASS_NONE);
    }
    cr_expect_eq(mass_access_class_of(MASS_READ, 0), MASS_CLASS_NONE);
    cr_expect_eq(mass_access_class_of(MASS_READ, MASS_OVER_NODES_IN_TURN + 1), MASS_CLASS_NONE);
}

Test(access, only_a_stencil_keeps_old_and_new_apart)
{
    for (uint32_t a = 0; a < MASS_ACCESS_COUNT; a++)
        for (uint32_t b = 0; b < MASS_ACCESS_COUNT; b++) {
            cr_expect_eq(mass_access_keeps_apart(a, b, MASS_OVER_PLACES), a == MASS_READ && b == MASS_WRITE);
            cr_expect(!mass_access_keeps_apart(a, b, MASS_OVER_AGENTS));
        }
}

Test(access, accumulators_begin_with_what_changes_nothing)
{
    static const int64_t values[] = {INT64_MIN, -7, 0, 7, INT64_MAX};
    for (uint32_t a = 1; a < MASS_ACCESS_COUNT; a++)
        for (size_t i = 0; mass_access_is_tally(a) && i < sizeof values / sizeof *values; i++) {
            const mass_combine_rule rule = mass_access_of(a)->combine;
            cr_expect_eq(mass_accumulator_combine(rule, mass_accumulator_neutral(rule), values[i]), values[i]);
            cr_expect_eq(mass_accumulator_combine(rule, values[i], mass_accumulator_neutral(rule)), values[i]);
        }
    cr_expect_eq(mass_accumulator_combine(mass_access_of(MASS_SUM)->combine, 3, 4), 7);
    cr_expect_eq(mass_accumulator_combine(mass_access_of(MASS_MIN)->combine, 3, 4), 3);
    cr_expect_eq(mass_accumulator_combine(mass_access_of(MASS_MAX)->combine, 3, 4), 4);
}

Test(access, tallies_have_operations)
{
    static const char *const names[] = {"sum", "min", "max", "mean", "world"};
    static const uint32_t operations[] = {MASS_SUM, MASS_MIN, MASS_MAX, MASS_MEAN, MASS_OF_WORLD};
    for (int i = 0; i < MASS_TALLY_OPERATIONS; i++) {
        const mass_tally_operation *o = mass_tally_operation_named(names[i]);
        cr_assert(o);
        cr_expect_eq(o, mass_tally_operation_of(operations[i]));
        cr_expect_eq(mass_access_is_tally(o->access), o->operation != MASS_OF_WORLD);
    }
    cr_expect_null(mass_tally_operation_named("median"));
    cr_expect_null(mass_tally_operation_of(MASS_BINS));
    cr_expect_null(mass_tally_operation_of(0));
}
