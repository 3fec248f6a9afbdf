/* SPDX-License-Identifier: Apache-2.0 */
/* The paranoid device: the CPU, for authors who want to know that a callback keeps its promises.
 *
 * A launch never shows a callback the engine's memory, but copies of it in which everything that
 * the callback may not read is poison. It runs several times and has to compute the same each time:
 *     over the whole range, with one poison and with its complement: it reads no poison, and writes
 *     all that it has to, or one of the two would show;
 *     for every bit of a row's number, over the rows that have it and then over the others, the
 *     last first; and likewise for every bit of x. Any two places are told apart by some bit, so
 *     that a call for one can neither write the other nor look at its result unnoticed. A large
 *     launch tries one bit, and those of the steps after it the others.
 * After each part, all memory but the places asked for has to be as before. A NaN that it computes has to
 * be the canonical one. Only when all of this holds do the results become the engine's. */
#include "device/canonical.h"
#include "device/paranoid_agents.h"
#include "device/paranoid_blame.h"
#include "device/paranoid_stray.h"

#include <stdlib.h>
#include <string.h>

enum { LARGE = 1 << 20 }; /* places of a launch that tries one cut a step */
enum { COPIES = 3 };      /* of an array while a launch uses it */

/* The two parts of a run's places: those whose row or x has a bit, and the others. */
typedef struct cut {
    bool along_x;
    int bit;
} cut;

static const cut whole = {false, 62}; /* no row has that bit */

/* ---- runs ---- */

/* Asks for one part of the places, in calls as long as they can be, the last first. */
static void call_part(const mass_trial *t, cut by, int64_t part)
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

/* Expects what was written at the places of one part; what they add to may be anywhere. */
static void accept_row(const mass_trial *t, const mass_copy *c, cut by, int64_t part, int64_t row)
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

static void accept_places(const mass_trial *t, cut by, int64_t part)
{
    for (uint32_t i = 0; i < t->callback->field_count; i++) {
        const mass_copy *c = &t->copies[i];
        if (!c->on_places || !c->written) continue;
        for (int64_t row = 0; row < rows_of_copy(t, c); row++) accept_row(t, c, by, part, row);
    }
}

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

static size_t first_difference(const unsigned char *a, const unsigned char *b)
{
    size_t at = 0;
    while (a[at] == b[at]) at++;
    return at;
}

static mass_status check_untouched(const mass_trial *t)
{
    for (uint32_t i = 0; i < t->count; i++) {
        const mass_copy *c = &t->copies[i];
        if (memcmp(c->memory, c->expected, c->total) != 0)
            return mass_trial_blame_write(t, c, first_difference(c->memory, c->expected));
    }
    return MASS_OK;
}

/* Exact sums are the same in any order only once they carry nothing. */
static void settle_sums(const mass_trial *t)
{
    for (uint32_t i = 0; i < t->callback->field_count; i++) {
        const mass_copy *c = &t->copies[i];
        if (!c->written || c->field->access != MASS_SUM || c->element != MASS_EXACT_WORDS * sizeof(int64_t)) continue;
        for (int32_t w = 0; w < t->launch->worlds; w++)
            if (is_open(t->launch, w)) mass_exact_normalise((int64_t *)(c->memory + c->guard + (size_t)w * c->element));
    }
}

static void restart_keys(const mass_trial *t)
{
    const mass_copy *input = t->input >= 0 ? &t->copies[t->input] : NULL;
    if (t->keys >= 0)
        mass_cpu_keys_retry(t->work, input ? input->memory + input->guard : NULL, input ? input->bytes : 0);
}

/* A number of all keys and counts stands for them. */
static void settle_keys(const mass_trial *t)
{
    for (int32_t w = 0; t->keys >= 0 && w < t->launch->worlds; w++) {
        const mass_copy *c = &t->copies[t->keys];
        const uint64_t digest = mass_cpu_keys_digest(t->work, w);
        if (is_open(t->launch, w)) memcpy(c->memory + c->guard + (size_t)w * sizeof digest, &digest, sizeof digest);
    }
}

static mass_status run(const mass_trial *t, cut by, int flipped)
{
    for (uint32_t i = 0; i < t->count; i++) mass_trial_poison(t, i, flipped);
    restart_keys(t);
    mass_status status = MASS_OK;
    for (int64_t part = 1; status == MASS_OK && part >= 0; part--) {
        call_part(t, by, part);
        accept_places(t, by, part);
        accept_tallies(t);
        status = mass_check_stray(t->work, &t->stray, t->error);
        if (status == MASS_OK) status = check_untouched(t);
    }
    settle_sums(t);
    settle_keys(t);
    return status;
}

/* ---- results ---- */

static void keep_results(const mass_trial *t)
{
    for (uint32_t i = 0; i < t->callback->field_count; i++) {
        const mass_copy *c = &t->copies[i];
        if (c->written) memcpy(c->result, c->memory, c->total);
    }
}

static bool differs(const mass_copy *c, size_t at, size_t bytes, size_t *byte)
{
    if (memcmp(c->memory + at, c->result + at, bytes) == 0) return false;
    *byte = at + first_difference(c->memory + at, c->result + at);
    return true;
}

static bool places_differ(const mass_trial *t, const mass_copy *c, size_t *byte)
{
    for (int64_t row = 0; row < rows_of_copy(t, c); row++) {
        const mass_row r = row_of_copy(t, c, row);
        if (is_open(t->launch, r.world) && differs(c, byte_of_row(t, c, &r), bytes_of_row(t, c), byte)) return true;
    }
    return false;
}

/* A field, and the first byte of it, whose result is not that of the first run. */
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

/* Whether a byte is poison after both runs, and was never written. */
static bool is_unwritten(const mass_trial *t, const mass_copy *c, size_t byte)
{
    const unsigned char poison = mass_trial_poison_byte(t, (uint32_t)(c - t->copies), byte);
    return c->on_places && mass_access_of(c->field->access)->buffer == MASS_BUFFER_NEW &&
           c->result[byte] == poison && c->memory[byte] == (unsigned char)~poison;
}

/* After a run with the complement of all poison that came to other results: repeats the first run,
 * and then gives one copy after the other the complement. */
static mass_status explain_poison(const mass_trial *t, const mass_copy *changed, size_t byte)
{
    char where[PLACE_TEXT];
    if (is_unwritten(t, changed, byte))
        return mass_trial_blame(t, changed, "it is WRITE, but is left unwritten at %s",
                                mass_trial_describe(t, changed, byte, where));
    mass_status status = run(t, whole, NONE);
    if (status != MASS_OK) return status;
    size_t at;
    const mass_copy *c = find_difference(t, &at);
    if (c) return mass_trial_blame_state(t, c, at);
    for (uint32_t i = 0; i < t->count; i++) {
        status = run(t, whole, (int)i);
        if (status != MASS_OK) return status;
        c = find_difference(t, &at);
        if (c) return mass_trial_blame_read(t, &t->copies[i], c, at);
    }
    return mass_trial_blame(t, changed, "its value for %s depends on values that the callback may not read",
                            mass_trial_describe(t, changed, byte, where));
}

static mass_status try_poison(const mass_trial *t)
{
    mass_status status = run(t, whole, NONE);
    if (status != MASS_OK) return status;
    keep_results(t);
    status = run(t, whole, ALL);
    if (status != MASS_OK) return status;
    size_t byte;
    const mass_copy *changed = find_difference(t, &byte);
    return changed ? explain_poison(t, changed, byte) : MASS_OK;
}

static mass_status try_form(const mass_trial *t)
{
    const mass_status status = run(t, whole, NONE);
    if (status != MASS_OK) return status;
    size_t byte;
    const mass_copy *changed = find_difference(t, &byte);
    return changed ? mass_trial_blame_form(t, changed, byte) : MASS_OK;
}

static mass_status try_cut(const mass_trial *t, cut by)
{
    const mass_status status = run(t, by, NONE);
    if (status != MASS_OK) return status;
    size_t byte;
    const mass_copy *changed = find_difference(t, &byte);
    return changed ? mass_trial_blame_order(t, changed, byte) : MASS_OK;
}

static int bits_of(int64_t last)
{
    int bits = 0;
    while (last >> bits) bits++;
    return bits;
}

/* From the highest bit on: two places are then in one call until they are in different parts, so
 * that a write from one to the other shows as such. */
static mass_status try_cuts(const mass_trial *t)
{
    const int64_t rows = rows_of(t->launch), width = t->launch->extent[0];
    const int of_rows = bits_of(rows - 1), count = of_rows + bits_of(width - 1);
    const bool large = width * rows > LARGE;
    const int first = large ? (int)(t->work->step % (uint64_t)count) : 0;
    const int last = large ? first : count - 1;
    mass_status status = MASS_OK;
    for (int i = first; status == MASS_OK && i <= last; i++)
        status = try_cut(t, i < of_rows ? (cut){false, of_rows - 1 - i} : (cut){true, count - 1 - i});
    return status;
}

/* What was there before is not the callback's. */
static mass_status check_number(const mass_trial *t, uint32_t field, const char *real, size_t at)
{
    const mass_copy *c = &t->copies[field];
    const mass_attribute_def *a = t->work->memory[field].attribute;
    char where[PLACE_TEXT], value[MASS_DECLARED_TEXT];
    const bool canonical = mass_is_canonical(c->field, a, c->result + at);
    if ((canonical && mass_is_declared(a, c->result + at, value)) || memcmp(real, c->result + at, c->element) == 0)
        return MASS_OK;
    mass_trial_describe(t, c, at, where);
    if (canonical) return mass_trial_blame(t, c, "at %s it is %s", where, value);
    return mass_trial_blame(t, c, "it is a NaN of other bits than the canonical one at %s: store what "
                            "mass_canonical_f32 or _f64 makes of it", where);
}

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

static mass_status check_all_numbers(const mass_trial *t)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < t->callback->field_count; i++)
        if (t->copies[i].on_places && t->copies[i].written) status = check_numbers(t, i);
    return status;
}

static void hand_over_places(const mass_trial *t, const mass_copy *c)
{
    for (int64_t row = 0; row < rows_of_copy(t, c); row++) {
        const mass_row r = row_of_copy(t, c, row);
        if (is_open(t->launch, r.world))
            memcpy(real_row(t, c, &r), c->result + byte_of_row(t, c, &r), bytes_of_row(t, c));
    }
}

static void hand_over_tally(const mass_copy *c)
{
    int64_t *total = c->real;
    for (size_t i = 0; i < c->bytes / sizeof *total; i++) {
        int64_t added;
        memcpy(&added, c->result + c->guard + i * sizeof added, sizeof added);
        total[i] = mass_accumulator_combine(mass_access_of(c->field->access)->combine, total[i], added);
    }
}

static mass_status hand_over(const mass_trial *t)
{
    for (uint32_t i = 0; i < t->callback->field_count; i++) {
        const mass_copy *c = &t->copies[i];
        if (!c->written || c->field->access == MASS_KEYS) continue;
        if (c->on_places) hand_over_places(t, c);
        else hand_over_tally(c);
    }
    return t->keys >= 0 ? mass_cpu_keys_end(t->work, 1, t->error) : MASS_OK;
}

/* ---- the device ---- */

static bool has_tally(const mass_callback *c)
{
    for (uint32_t i = 0; i < c->field_count; i++)
        if (mass_access_is_tally(c->fields[i].access)) return true;
    return false;
}

static mass_status launch(mass_device *device, const mass_work *work, mass_error *error)
{
    const mass_prepared *p = work->prepared;
    if (p->callback->over != MASS_OVER_PLACES) return mass_paranoid_agents(device, work, error);
    mass_trial *t = calloc(1, sizeof *t);
    if (!t) return mass_error_memory(error, sizeof *t, "the paranoid device");
    t->work = work;
    t->callback = p->callback;
    t->launch = work->launch;
    t->tallies = work->tallies && has_tally(p->callback);
    const mass_form *plain = t->tallies ? p->tally : p->quiet, *telling = p->telling[t->tallies];
    t->loop = (telling ? telling : plain)->loop;
    t->error = error;
    mass_cpu_set_float_environment();
    t->keys = t->tallies ? mass_keys_field(t->callback) : -1;
    t->input = mass_keys_input(t->callback);
    mass_status status = t->keys >= 0 ? mass_cpu_keys_begin(work, 1, error) : MASS_OK;
    if (status == MASS_OK) status = mass_trial_add_copies(t);
    if (status == MASS_OK) status = try_poison(t);
    t->loop = plain->loop;
    if (status == MASS_OK && telling) status = try_form(t);
    if (status == MASS_OK) status = try_cuts(t);
    mass_pass_on_vain(work, &t->stray);
    if (status == MASS_OK) status = check_all_numbers(t);
    if (status == MASS_OK) status = hand_over(t);
    mass_trial_free_copies(t);
    free(t);
    return status;
}

static mass_status open_paranoid(int ordinal, int threads, mass_device **out, mass_error *error)
{
    (void)ordinal;
    const mass_status status = mass_cpu_open(&mass_paranoid_table, threads, out, error);
    if (status == MASS_OK) ((mass_cpu *)*out)->copies = COPIES;
    return status;
}

static const char *name_of_paranoid(mass_device *device)
{
    (void)device;
    return "paranoid";
}

static const mass_launch_operations launching = {
    .struct_size = sizeof launching,
    .prepare = mass_cpu_prepare,
    .launch = launch,
    .form = mass_cpu_form,
    .synchronise = mass_cpu_synchronise,
};

/* All but launches is the CPU's. */
const mass_device_table mass_paranoid_table = {
    .struct_size = sizeof mass_paranoid_table,
    .open = open_paranoid,
    .close = mass_cpu_close,
    .name = name_of_paranoid,
    .memory = &mass_cpu_memory,
    .launch = &launching,
    .conditions = &mass_cpu_conditions,
    .keys = &mass_cpu_keys,
    .agents = &mass_cpu_agents,
};
