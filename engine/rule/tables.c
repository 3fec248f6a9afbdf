/* SPDX-License-Identifier: Apache-2.0 */
#include "rule/tables.h"

#include <stdlib.h>
#include <string.h>

mass_rule_table *mass_rule_tables_add(mass_rule_tables *t, mass_rule_output output)
{
    mass_rule_table *table = &t->list[t->count];
    table->output = output;
    table->bits = calloc((size_t)1 << t->input_count, 1);
    if (!table->bits) return NULL;
    t->count++;
    return table;
}

void mass_rule_tables_free(mass_rule_tables *t)
{
    for (uint32_t i = 0; i < t->count; i++) free(t->list[i].bits);
}

/* Returns whether some output depends on an input. */
static bool depends(const mass_rule_tables *t, uint32_t input)
{
    const size_t entries = (size_t)1 << t->input_count, bit = (size_t)1 << input;
    for (uint32_t o = 0; o < t->count; o++)
        for (size_t i = 0; i < entries; i += 2 * bit)
            if (memcmp(t->list[o].bits + i, t->list[o].bits + i + bit, bit) != 0) return true;
    return false;
}

/* Removes an input from all tables: keeps the entries in which it is 0. */
static void leave_out(mass_rule_tables *t, uint32_t input)
{
    const size_t entries = (size_t)1 << t->input_count, bit = (size_t)1 << input;
    for (uint32_t o = 0; o < t->count; o++)
        for (size_t i = 0; i < entries; i += 2 * bit) memmove(t->list[o].bits + i / 2, t->list[o].bits + i, bit);
    t->input_count--;
    memmove(t->inputs + input, t->inputs + input + 1, (t->input_count - input) * sizeof *t->inputs);
}

void mass_rule_tables_narrow(mass_rule_tables *t)
{
    for (uint32_t i = t->input_count; i-- > 0;)
        if (!depends(t, i)) leave_out(t, i);
}

/* ---- addends of tallies ---- */

/* Compares two int64_t, for qsort(). */
static int compare(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Sorts the values and removes duplicates. Returns how many remain. */
static size_t find_values(int64_t *values, size_t count)
{
    size_t different = 0;
    qsort(values, count, sizeof *values, compare);
    for (size_t i = 0; i < count; i++)
        if (different == 0 || values[i] != values[different - 1]) values[different++] = values[i];
    return different;
}

/* Returns the greatest common divisor. */
static uint64_t divisor_of(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Returns an output that adds `weight` to a sum. */
static mass_rule_output sum_of(uint32_t field, int64_t weight)
{
    return (mass_rule_output){.kind = MASS_RULE_SUM, .field = field, .weight = weight};
}

/* Adds one table for each value but 0, set where that value is added. The list must have room. Returns false if out
 * of memory. */
static bool add_by_value(mass_rule_tables *t, uint32_t field, const int64_t *addends, const int64_t *values,
                         size_t count)
{
    for (size_t v = 0; v < count; v++) {
        if (values[v] == 0) continue;
        mass_rule_table *table = mass_rule_tables_add(t, sum_of(field, values[v]));
        if (!table) return false;
        for (size_t i = 0; i < (size_t)1 << t->input_count; i++) table->bits[i] = addends[i] == values[v];
    }
    return true;
}

/* Adds a table for the least value, and one for each binary digit of the multiples of `step` above it. addends: what
 * each combination of inputs adds. Returns false if memory is short. */
static bool add_by_digit(mass_rule_tables *t, uint32_t field, const int64_t *addends, int64_t least, uint64_t step,
                         int digits)
{
    const size_t entries = (size_t)1 << t->input_count;
    if (least != 0) {
        mass_rule_table *table = mass_rule_tables_add(t, sum_of(field, least));
        if (!table) return false;
        memset(table->bits, 1, entries);
    }
    for (int d = 0; d < digits; d++) {
        mass_rule_table *table = mass_rule_tables_add(t, sum_of(field, (int64_t)(step << d)));
        if (!table) return false;
        for (size_t i = 0; i < entries; i++)
            table->bits[i] = ((uint64_t)addends[i] - (uint64_t)least) / step >> d & 1;
    }
    return true;
}

mass_status mass_rule_add_addends(mass_rule_tables *t, uint32_t field, const int64_t *addends, bool *fits,
                                  mass_error *error)
{
    const size_t entries = (size_t)1 << t->input_count, bytes = entries * sizeof *addends;
    int64_t *values = malloc(bytes);
    if (!values) return mass_error_memory(error, bytes, "a rule");
    memcpy(values, addends, bytes);
    const size_t count = find_values(values, entries);
    const int64_t least = values[0];
    uint64_t step = 0;
    for (size_t v = 1; v < count; v++) step = divisor_of(step, (uint64_t)values[v] - (uint64_t)least);
    int digits = 0;
    for (uint64_t most = step ? ((uint64_t)values[count - 1] - (uint64_t)least) / step : 0; most; most >>= 1) digits++;
    const bool has_zero = bsearch(&(int64_t){0}, values, count, sizeof *values, compare);
    const size_t by_digit = (size_t)digits + (least != 0), by_value = count - has_zero;
    const bool digit = by_digit < by_value;
    *fits = t->count + (digit ? by_digit : by_value) <= MASS_RULE_OUTPUTS_MOST;
    const bool done = !*fits || (digit ? add_by_digit(t, field, addends, least, step, digits)
                                       : add_by_value(t, field, addends, values, count));
    free(values);
    return done ? MASS_OK : mass_error_memory(error, entries, "a rule");
}

/* ---- rules by counts ---- */

enum { CENTRE = 4 };

bool mass_rule_is_counted(const mass_rule_tables *t, bool von_neumann, mass_rule_output *outputs)
{
    const uint32_t neighbours = von_neumann ? 0xaa : 0x1ef;
    for (uint32_t o = 0; o < t->count; o++) {
        uint32_t set[2] = {0}, seen[2] = {0}; /* by the place itself: bits of counts */
        for (uint32_t i = 0; i < 512; i++) {
            const uint32_t own = i >> CENTRE & 1, count = 1u << __builtin_popcount(i & neighbours);
            const bool bit = t->list[o].bits[i];
            if (!(seen[own] & count)) set[own] |= bit ? count : 0;
            else if (bit != !!(set[own] & count)) return false;
            seen[own] |= count;
        }
        outputs[o].birth = set[0];
        outputs[o].survive = set[1];
    }
    return true;
}
