/* SPDX-License-Identifier: Apache-2.0 */
/* Tries a callback over places. It runs several times on copies of its memory, in which everything that it may not read
 * is poison: bits without a meaning. It must compute the same each time:
 *   Over all places, with one poison and with its complement. If it reads poison, or does not write what it must
 *   write, the two results differ.
 *   With another form, if the first one was a form that reports accesses.
 *   Over two parts of the places, the second part first, for every bit of a row's number and of x: the places with
 *   that bit set, and those without. Any two places differ in some bit, and so are in different parts once. A call
 *   for one of them cannot write the other, or read its result, unnoticed. A large launch tries one bit in a step,
 *   and the others in the following steps.
 * Numbers must be in the ranges of their attributes, and NaNs must be canonical. */
#include "device/paranoid/try_places.h"
#include "device/paranoid/canonical.h"
#include "device/paranoid/reach.h"
#include "device/paranoid/report.h"
#include "device/paranoid/runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE = 1 << 20 }; /* places of a launch that tries one bit a step */

/* Keeps the present values of all fields that the callback writes, to compare later runs with. */
static void keep_results(const mass_trial *t)
{
    for (uint32_t i = 0; i < t->callback->field_count; i++) {
        const mass_copy *c = &t->copies[i];
        if (c->written) memcpy(c->result, c->memory, c->total);
    }
}

/* Returns whether bytes differ from the kept results, and sets *byte to the first. */
static bool differs(const mass_copy *c, size_t at, size_t bytes, size_t *byte)
{
    if (memcmp(c->memory + at, c->result + at, bytes) == 0) return false;
    *byte = at + mass_first_difference(c->memory + at, c->result + at);
    return true;
}

/* Returns whether any place of an open world differs from the kept results, and sets *byte to the first. */
static bool places_differ(const mass_trial *t, const mass_copy *c, size_t *byte)
{
    for (int64_t row = 0; row < rows_of_copy(t, c); row++) {
        const mass_row r = row_of_copy(t, c, row);
        if (is_open(t->launch, r.world) && differs(c, byte_of_row(t, c, &r), bytes_of_row(t, c), byte)) return true;
    }
    return false;
}

/* Returns a field whose result differs from the first run, and its first such byte; or NULL. */
static const mass_copy *find_difference(const mass_trial *t, size_t *byte)
{
    for (uint32_t i = 0; i < t->callback->field_count; i++) {
        const mass_copy *c = &t->copies[i];
        if (!c->written) continue;
        if (c->on_places && places_differ(t, c, byte)) return c;
        if (!c->on_places && differs(c, c->guard, c->bytes, byte)) return c;
    }
    return NULL;
}

/* Returns whether a byte is poison after both runs, so that it was never written. */
static bool is_unwritten(const mass_trial *t, const mass_copy *c, size_t byte)
{
    const unsigned char poison = mass_trial_poison_byte(t, (uint32_t)(c - t->copies), byte);
    return c->on_places && mass_access_of(c->field->access)->buffer == MASS_BUFFER_NEW &&
           c->result[byte] == poison && c->memory[byte] == (unsigned char)~poison;
}

/* Explains why a run with the complement of all poison had another result, first in `byte` of `changed`. Repeats the
 * first run, and then gives one copy after the other the complement. Always returns a failure. */
static mass_status explain_poison(const mass_trial *t, const mass_copy *changed, size_t byte)
{
    char where[PLACE_TEXT];
    if (is_unwritten(t, changed, byte))
        return mass_trial_report(t, changed, "it is in %s, but is left unwritten at %s",
                                 mass_access_of(changed->field->access)->entry,
                                 mass_trial_describe(t, changed, byte, where));
    mass_status status = mass_trial_run(t, mass_cut_none, NONE);
    if (status != MASS_OK) return status;
    size_t at;
    const mass_copy *c = find_difference(t, &at);
    if (c) return mass_trial_report_state(t, c, at);
    for (uint32_t i = 0; i < t->count; i++) {
        status = mass_trial_run(t, mass_cut_none, (int)i);
        if (status != MASS_OK) return status;
        c = find_difference(t, &at);
        if (c) return mass_trial_report_read(t, &t->copies[i], c, at);
    }
    return mass_trial_report(t, changed, "its value for %s depends on values that the callback may not read",
                            mass_trial_describe(t, changed, byte, where));
}

/* Runs the callback with two kinds of poison, and reports results that differ. Keeps the results. */
static mass_status try_poison(const mass_trial *t)
{
    mass_status status = mass_trial_run(t, mass_cut_none, NONE);
    if (status != MASS_OK) return status;
    keep_results(t);
    status = mass_trial_run(t, mass_cut_none, ALL);
    if (status != MASS_OK) return status;
    size_t byte;
    const mass_copy *changed = find_difference(t, &byte);
    return changed ? explain_poison(t, changed, byte) : MASS_OK;
}

/* Runs the present form of the callback, and reports results that differ from the kept ones. */
static mass_status try_form(const mass_trial *t)
{
    const mass_status status = mass_trial_run(t, mass_cut_none, NONE);
    if (status != MASS_OK) return status;
    size_t byte;
    const mass_copy *changed = find_difference(t, &byte);
    return changed ? mass_trial_report_form(t, changed, byte) : MASS_OK;
}

/* Runs the places in two parts, and reports results that depend on the order. */
static mass_status try_cut(const mass_trial *t, mass_cut by)
{
    const mass_status status = mass_trial_run(t, by, NONE);
    if (status != MASS_OK) return status;
    size_t byte;
    const mass_copy *changed = find_difference(t, &byte);
    return changed ? mass_trial_report_order(t, changed, byte) : MASS_OK;
}

/* Returns the number of bits of a number. */
static int bits_of(int64_t last)
{
    int bits = 0;
    while (last >> bits) bits++;
    return bits;
}

/* Tries all divisions, from the highest bit on; in a large launch, only one, which the step selects. Two places are
 * then in one call until they are in different parts, so that a write from one to the other shows. */
static mass_status try_cuts(const mass_trial *t)
{
    const int64_t rows = rows_of(t->launch), width = t->launch->extent[0];
    const int of_rows = bits_of(rows - 1), count = of_rows + bits_of(width - 1);
    const bool large = width * rows > LARGE;
    const int first = large ? (int)(t->work->step % (uint64_t)count) : 0;
    const int last = large ? first : count - 1;
    mass_status status = MASS_OK;
    for (int i = first; status == MASS_OK && i <= last; i++)
        status = try_cut(t, i < of_rows ? (mass_cut){false, of_rows - 1 - i} : (mass_cut){true, count - 1 - i});
    return status;
}

/* Checks that a number that the callback changed is canonical and in its attribute's range. A trial that forgives
 * passes any NaN. */
static mass_status check_number(const mass_trial *t, uint32_t field, const char *real, size_t at)
{
    const mass_copy *c = &t->copies[field];
    const mass_attribute_def *a = t->work->memory[field].attribute;
    char where[PLACE_TEXT], value[MASS_DECLARED_TEXT];
    const bool canonical = mass_is_canonical(c->field, a, c->result + at);
    if (!canonical && t->forgives) return MASS_OK;
    if ((canonical && mass_is_declared(a, c->result + at, value)) || memcmp(real, c->result + at, c->element) == 0)
        return MASS_OK;
    mass_trial_describe(t, c, at, where);
    if (canonical) return mass_trial_report(t, c, "at %s it is %s", where, value);
    return mass_trial_report(t, c, "it is a NaN, as of 0/0, with other bits than the canonical one at %s: "
                            "if it is meant, store what mass_canonical_f32 or _f64 makes of it", where);
}

/* Reports the first number of a field that the callback changed and that is not canonical or outside its attribute's
 * range. */
static mass_status check_numbers(const mass_trial *t, uint32_t field)
{
    const mass_copy *c = &t->copies[field];
    for (int64_t row = 0; row < rows_of_copy(t, c); row++) {
        const mass_row r = row_of_copy(t, c, row);
        const size_t at = byte_of_row(t, c, &r);
        const char *real = real_row(t, c, &r);
        for (size_t b = 0; is_open(t->launch, r.world) && b < bytes_of_row(t, c); b += c->element) {
            const mass_status status = check_number(t, field, real + b, at + b);
            if (status != MASS_OK) return status;
        }
    }
    return MASS_OK;
}

/* Reports a double of a world attribute that is infinite, or a NaN with other bits than the canonical one. */
static mass_status check_kept_number(const mass_trial *t, const mass_copy *c, size_t at)
{
    static const mass_field number = {.type = MASS_F64, .size = sizeof(double)};
    double value;
    char where[PLACE_TEXT];
    memcpy(&value, c->result + at, sizeof value);
    if (isinf(value))
        return mass_trial_report(t, c, "it is infinite in %s: store a finite number, or for no value what "
                                 "mass_canonical_f64 makes of NAN", mass_trial_describe(t, c, at, where));
    if (mass_is_canonical(&number, NULL, c->result + at)) return MASS_OK;
    return mass_trial_report(t, c, "it is a NaN, as of 0/0, with other bits than the canonical one in %s: if it is "
                             "meant, store what mass_canonical_f64 makes of it", mass_trial_describe(t, c, at, where));
}

/* Reports the first double of a world attribute that is refused. */
static mass_status check_kept(const mass_trial *t, uint32_t field)
{
    const mass_copy *c = &t->copies[field];
    mass_status status = MASS_OK;
    for (size_t at = c->guard; t->work->memory[field].doubles && status == MASS_OK && at < c->guard + c->bytes;
         at += sizeof(double))
        if (is_open(t->launch, (int64_t)((at - c->guard) / c->element))) status = check_kept_number(t, c, at);
    return status;
}

/* Checks the numbers of all fields of places and world attributes that the callback writes. Reports the first that is
 * refused. */
static mass_status check_all_numbers(const mass_trial *t)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < t->callback->field_count; i++)
        if (t->copies[i].on_places && t->copies[i].written) status = check_numbers(t, i);
        else if (t->copies[i].written && !mass_access_is_tally(t->copies[i].field->access)) status = check_kept(t, i);
    return status;
}

/* Copies the kept results of open worlds to the engine's memory. */
static void hand_over_places(const mass_trial *t, const mass_copy *c)
{
    for (int64_t row = 0; row < rows_of_copy(t, c); row++) {
        const mass_row r = row_of_copy(t, c, row);
        if (is_open(t->launch, r.world))
            memcpy(real_row(t, c, &r), c->result + byte_of_row(t, c, &r), bytes_of_row(t, c));
    }
}

/* Copies the world attributes of open worlds to the engine's memory. */
static void hand_over_kept(const mass_trial *t, const mass_copy *c)
{
    for (int32_t w = 0; w < t->launch->worlds; w++) {
        const size_t at = (size_t)w * c->element;
        if (is_open(t->launch, w)) memcpy((char *)c->real + at, c->result + c->guard + at, c->element);
    }
}

/* Combines the kept contributions with the engine's tally. fixed: they are in fixed point. */
static void hand_over_tally(const mass_copy *c, bool fixed)
{
    int64_t *total = c->real;
    for (size_t i = 0; i < c->bytes / sizeof *total; i++) {
        int64_t added;
        memcpy(&added, c->result + c->guard + i * sizeof added, sizeof added);
        total[i] = fixed ? mass_sum_fixed(total[i], added)
                         : mass_accumulator_combine(mass_access_of(c->field->access)->combine, total[i], added);
    }
}

/* Copies the results of the trial to the memory of the work: places, world attributes, tallies and counts by key. */
static mass_status hand_over(const mass_trial *t)
{
    uint32_t sums = 0, bins = 0;
    for (uint32_t i = 0; i < t->callback->field_count; i++) {
        const mass_copy *c = &t->copies[i];
        const bool fixed = mass_field_is_fixed(&t->callback->fields[i], t->launch, &sums, &bins);
        if (!c->written || c->field->access == MASS_KEYS) continue;
        if (c->on_places) hand_over_places(t, c);
        else if (!mass_access_is_tally(c->field->access)) hand_over_kept(t, c);
        else hand_over_tally(c, fixed);
    }
    return t->keys >= 0 ? mass_cpu_keys_end(t->work, 1, t->error) : MASS_OK;
}

/* Returns true if a callback contributes to a tally. */
static bool has_tally(const mass_callback *c)
{
    for (uint32_t i = 0; i < c->field_count; i++)
        if (mass_access_is_tally(c->fields[i].access)) return true;
    return false;
}

mass_status mass_paranoid_places(const mass_work *work, mass_forgiveness forgives, mass_error *error)
{
    const mass_prepared *p = work->prepared;
    mass_trial *t = calloc(1, sizeof *t);
    if (!t) return mass_error_memory(error, sizeof *t, "the paranoid device");
    t->work = work;
    t->callback = p->callback;
    t->launch = work->launch;
    t->forgives = forgives;
    t->tallies = work->tallies && has_tally(p->callback);
    const mass_form *plain = t->tallies ? p->tally : p->quiet, *checked = p->checked[t->tallies];
    t->loop = (checked ? checked : plain)->loop;
    t->error = error;
    mass_floats_settle();
    t->keys = t->tallies ? mass_keys_field(t->callback) : -1;
    t->input = mass_keys_input(t->callback);
    mass_status status = t->keys >= 0 ? mass_cpu_keys_begin(work, 1, error) : MASS_OK;
    if (status == MASS_OK) status = mass_trial_add_copies(t);
    if (status == MASS_OK) status = try_poison(t);
    t->loop = plain->loop;
    if (status == MASS_OK && checked) status = try_form(t);
    if (status == MASS_OK) status = try_cuts(t);
    mass_pass_on_ignored(work, &t->diagnostics);
    if (status == MASS_OK && forgives < MASS_FORGIVES_RANGES) status = check_all_numbers(t);
    if (status == MASS_OK) status = hand_over(t);
    mass_trial_free_copies(t);
    free(t);
    return status;
}
