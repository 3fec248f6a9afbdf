/* SPDX-License-Identifier: Apache-2.0 */
#include "device/paranoid/runs.h"
#include "device/paranoid/reach.h"
#include "device/paranoid/report.h"

#include <string.h>

/* Calls the callback for one part of the places, with ranges as long as possible, the last range first. */
static void call_part(const mass_trial *t, mass_cut by, int64_t part)
{
    const mass_copy *record = &t->copies[t->record_at], *pointers = &t->copies[t->pointers_at];
    const void *fields = pointers->memory + pointers->guard;
    const mass_launch *l = (const void *)(record->memory + record->guard);
    const int64_t rows = rows_of(t->launch), width = t->launch->extent[0];
    const int64_t count = by.along_x ? width : rows, length = (int64_t)1 << by.bit;
    for (int64_t first = (count - 1) / length * length; first >= 0; first -= length) {
        if ((first >> by.bit & 1) != part) continue;
        const int64_t last = first + length < count ? first + length : count;
        mass_range range = {0, rows, 0, (mass_lidx)width};
        if (by.along_x) range.first_x = (mass_lidx)first, range.last_x = (mass_lidx)last;
        else range.first_row = first, range.last_row = last;
        t->loop(fields, l, &range);
    }
}

/* Copies the present values of a row to the expected ones: those of the part's places, which the callback was called
 * for. If the field is added to, those of all places. */
static void accept_row(const mass_trial *t, const mass_copy *c, mass_cut by, int64_t part, int64_t row)
{
    const int64_t width = t->launch->extent[0], length = (int64_t)1 << by.bit;
    const mass_row r = row_of_copy(t, c, row);
    const size_t at = byte_of_row(t, c, &r);
    if (!is_open(t->launch, r.world)) return;
    if (is_scattered(c)) {
        memcpy(c->expected + at, c->memory + at, bytes_of_row(t, c));
        return;
    }
    if (!by.along_x && (row >> by.bit & 1) == part)
        memcpy(c->expected + at, c->memory + at, (size_t)width * c->element);
    for (int64_t x = part * length; by.along_x && x < width; x += 2 * length) {
        const int64_t count = x + length < width ? length : width - x;
        const size_t from = at + (size_t)x * c->element;
        memcpy(c->expected + from, c->memory + from, (size_t)count * c->element);
    }
}

/* Copies the present values of a part to the expected ones (accept_row), in all rows of all fields of places that the
 * callback writes. */
static void accept_places(const mass_trial *t, mass_cut by, int64_t part)
{
    for (uint32_t i = 0; i < t->callback->field_count; i++) {
        const mass_copy *c = &t->copies[i];
        if (!c->on_places || !c->written) continue;
        for (int64_t row = 0; row < rows_of_copy(t, c); row++) accept_row(t, c, by, part, row);
    }
}

/* Copies the present values of all tallies to the expected ones, in open worlds. */
static void accept_tallies(const mass_trial *t)
{
    for (uint32_t i = 0; i < t->callback->field_count; i++) {
        const mass_copy *c = &t->copies[i];
        if (c->on_places || !c->written) continue;
        for (int32_t w = 0; w < t->launch->worlds; w++) {
            const size_t at = c->guard + (size_t)w * c->element;
            if (is_open(t->launch, w)) memcpy(c->expected + at, c->memory + at, c->element);
        }
    }
}

size_t mass_first_difference(const unsigned char *a, const unsigned char *b)
{
    size_t at = 0;
    while (a[at] == b[at]) at++;
    return at;
}

/* Reports the first byte of any copy that differs from what is expected. */
static mass_status check_untouched(const mass_trial *t)
{
    for (uint32_t i = 0; i < t->count; i++) {
        const mass_copy *c = &t->copies[i];
        if (memcmp(c->memory, c->expected, c->total) != 0)
            return mass_trial_report_write(t, c, mass_first_difference(c->memory, c->expected));
    }
    return MASS_OK;
}

/* Normalises the exact sums of open worlds. Only then do equal sums that were added in different orders have equal
 * words. */
static void settle_sums(const mass_trial *t)
{
    for (uint32_t i = 0; i < t->callback->field_count; i++) {
        const mass_copy *c = &t->copies[i];
        if (!c->written || c->field->access != MASS_SUM || c->element != MASS_EXACT_WORDS * sizeof(int64_t)) continue;
        for (int32_t w = 0; w < t->launch->worlds; w++)
            if (is_open(t->launch, w)) mass_exact_normalise((int64_t *)(c->memory + c->guard + (size_t)w * c->element));
    }
}

/* Points counting by key at this trial's copy of the input, if the callback counts by key. */
static void restart_keys(const mass_trial *t)
{
    const mass_copy *input = t->input >= 0 ? &t->copies[t->input] : NULL;
    if (t->keys >= 0)
        mass_cpu_keys_retry(t->work, input ? input->memory + input->guard : NULL, input ? input->bytes : 0);
}

/* Puts a digest of a world's keys and counts into the copies, where the results of runs are compared. */
static void settle_keys(const mass_trial *t)
{
    for (int32_t w = 0; t->keys >= 0 && w < t->launch->worlds; w++) {
        const mass_copy *c = &t->copies[t->keys];
        const uint64_t digest = mass_cpu_keys_digest(t->work, w);
        if (is_open(t->launch, w)) memcpy(c->memory + c->guard + (size_t)w * sizeof digest, &digest, sizeof digest);
    }
}

mass_status mass_trial_run(const mass_trial *t, mass_cut by, int flipped)
{
    for (uint32_t i = 0; i < t->count; i++) mass_trial_poison(t, i, flipped);
    restart_keys(t);
    mass_status status = MASS_OK;
    for (int64_t part = 1; status == MASS_OK && part >= 0; part--) {
        call_part(t, by, part);
        accept_places(t, by, part);
        accept_tallies(t);
        status = mass_cpu_kept_floats() ? MASS_OK : mass_cpu_refuse_floats(t->work, t->error);
        if (status == MASS_OK) status = mass_check_reach(t->work, &t->diagnostics, t->error);
        if (status == MASS_OK) status = check_untouched(t);
    }
    settle_sums(t);
    settle_keys(t);
    return status;
}
