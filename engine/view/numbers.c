/* SPDX-License-Identifier: Apache-2.0 */
/* /run/numbers: the run's state, speed, tallies and messages. */
#include "process/progress.h"
#include "state/key_counts.h"
#include "state/tally.h"
#include "view/json.h"
#include "view/state.h"

#include <math.h>
#include <stdlib.h>

enum { BINS_MOST = 1024, KEYS_MOST = 100, LINES_MOST = 100, STRETCH_WORDS = 1 << 16 };

/* ---- rows ---- */

typedef enum part { LAST, LOW, HIGH } part;

/* Returns one number of a span: its last, least or greatest value. */
static json_t *span_json(const mass_view_span *s, part which)
{
    return mass_view_number(which == LAST ? s->last : which == LOW ? s->low : s->high);
}

/* Adds a row's columns: numbers, or with several worlds a list with one for each pen. */
static void add_columns(const mass_view_rows *r, uint32_t row, part which, json_t *to)
{
    const mass_view_span *span = r->spans + (size_t)row * r->row;
    for (uint32_t c = 0; c < r->columns; c++) {
        json_t *pens = r->pens > 1 ? json_array() : NULL;
        for (uint32_t p = 0; p < r->pens; p++, span++)
            json_array_append_new(pens ? pens : to, span_json(span, which));
        if (pens) json_array_append_new(to, pens);
    }
}

/* Returns the first row with steps after those that the page knows, or the number of rows. It may know the first part
 * of that row. */
static uint32_t first_row(const mass_view_rows *r, const mass_view_question *q)
{
    uint32_t first = 0;
    while (q->has_after && first < r->count && r->steps[first] <= q->after) first++;
    return first;
}

/* Returns a new list of rows from `first` on, each as its last step and the values of that. */
static json_t *rows_json(const mass_view_rows *r, uint32_t first)
{
    json_t *list = json_array();
    for (uint32_t i = first; i < r->count; i++) {
        json_t *row = json_array();
        json_array_append_new(row, json_integer((json_int_t)r->steps[i]));
        add_columns(r, i, LAST, row);
        json_array_append_new(list, row);
    }
    return list;
}

/* Lists the least or greatest values of the same rows; an empty list if each row is one step. */
static json_t *ends_json(const mass_view_rows *r, uint32_t first, part which)
{
    json_t *list = json_array();
    for (uint32_t i = first; r->width > 1 && i < r->count; i++) {
        json_t *row = json_array();
        add_columns(r, i, which, row);
        json_array_append_new(list, row);
    }
    return list;
}

/* ---- bins and keys ---- */

/* Returns a count; null if a sum in fixed point is too large to be represented. */
static json_t *count_json(const mass_tally_def *t, int64_t sum)
{
    const bool fixed = t->kind == MASS_TALLY_FIXED;
    if (fixed && mass_beyond_fixed(sum) < 0) return json_null();
    return fixed ? json_real(ldexp((double)sum, -(int)t->fraction_bits)) : json_integer((json_int_t)sum);
}

/* Adds the bins, in at most BINS_MOST sums of neighbouring ones. Reads a limited number of bins at a time. */
static mass_status add_bins(mass_domain *d, uint32_t tally, int32_t world, json_t *to, mass_error *error)
{
    const mass_tally_def *t = &d->model->tallies[tally];
    const uint32_t each = (t->bins - 1) / BINS_MOST + 1;
    const uint32_t stretch = each < STRETCH_WORDS ? STRETCH_WORDS / each * each : STRETCH_WORDS;
    int64_t *words = malloc(stretch * sizeof *words), sum = 0;
    mass_status status = words ? MASS_OK : mass_error_memory(error, stretch * sizeof *words, "--view");
    for (uint32_t first = 0; status == MASS_OK && first < t->bins; first += stretch) {
        const uint32_t count = stretch < t->bins - first ? stretch : t->bins - first;
        status = mass_domain_read_tally(d, tally, world, first, count, words, error);
        for (uint32_t b = first; status == MASS_OK && b < first + count; b++) {
            sum = t->kind == MASS_TALLY_FIXED ? mass_sum_fixed(sum, words[b - first])
                                              : mass_sum_i64(sum, words[b - first]);
            if ((b + 1) % each != 0 && b + 1 < t->bins) continue;
            json_array_append_new(to, count_json(t, sum));
            sum = 0;
        }
    }
    free(words);
    return status;
}

/* Adds the values of a world attribute that is an array. */
static mass_status add_values(mass_domain *d, uint32_t tally, int32_t world, json_t *to, mass_error *error)
{
    const mass_tally_def *t = &d->model->tallies[tally];
    int64_t words[MASS_WORLD_LENGTH_MAX];
    const mass_status status = mass_domain_read_tally(d, tally, world, 0, t->bins, words, error);
    for (uint32_t i = 0; status == MASS_OK && i < t->bins; i++)
        json_array_append_new(to, t->kind == MASS_TALLY_INTEGER ? json_integer((json_int_t)words[i])
                                                                : mass_view_number(mass_tally_value(t, &words[i])));
    return status;
}

/* Lists the bins of each tally that has bins and is not hidden; an empty list for one without a value yet. */
static mass_status bins_json(mass_domain *d, int32_t world, uint64_t step, json_t *to, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < d->model->tally_count; i++) {
        const mass_tally_def *t = &d->model->tallies[i];
        if (t->hidden || !t->bins) continue;
        json_t *counts = json_array();
        json_array_append_new(to, counts);
        if (mass_tally_is_kept(t)) status = add_values(d, i, world, counts, error);
        else if (!mass_tally_is_unknown(t, step)) status = add_bins(d, i, world, counts, error);
    }
    return status;
}

/* Finds the indexes of the keys with the largest counts, in descending order; equal counts in the order of keys.
 * Returns how many there are. */
static uint32_t find_most(const mass_key_list *l, uint64_t most[KEYS_MOST])
{
    uint32_t count = 0;
    for (uint64_t i = 0; i < l->count; i++) {
        if (count == KEYS_MOST && l->counts[i] <= l->counts[most[count - 1]]) continue;
        uint32_t at = count < KEYS_MOST ? count++ : KEYS_MOST - 1;
        for (; at > 0 && l->counts[most[at - 1]] < l->counts[i]; at--) most[at] = most[at - 1];
        most[at] = i;
    }
    return count;
}

/* Returns key i and its count. */
static json_t *key_json(const mass_key_list *l, uint64_t i)
{
    json_t *key;
    if (l->texts) {
        const uint64_t start = i ? l->keys[i - 1] : 0;
        char *text = mass_text_escape(l->bytes + start, l->keys[i] - start, false);
        key = text ? json_string(text) : NULL;
        free(text);
    } else key = json_integer((json_int_t)l->keys[i]);
    return json_pack("[o, I]", key, (json_int_t)l->counts[i]);
}

/* Adds a list of the tally's keys with the largest counts, at most KEYS_MOST. */
static mass_status add_keys(mass_domain *d, uint32_t tally, int32_t world, json_t *to, mass_error *error)
{
    mass_key_list list = {0};
    uint64_t most[KEYS_MOST];
    json_t *keys = json_array();
    const mass_status status = mass_domain_read_keys_of(d, tally, world, 1, &list, error);
    const uint32_t count = status == MASS_OK ? find_most(&list, most) : 0;
    for (uint32_t i = 0; i < count; i++) json_array_append_new(keys, key_json(&list, most[i]));
    json_array_append_new(to, keys);
    mass_key_list_free(&list);
    return status;
}

/* Lists the keys with the largest counts, for each tally that counts by key and is not hidden. */
static mass_status keys_json(mass_domain *d, int32_t world, json_t *to, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < d->model->tally_count; i++)
        if (d->model->tallies[i].keys && !d->model->tallies[i].hidden) status = add_keys(d, i, world, to, error);
    return status;
}

/* ---- the rest ---- */

/* Returns a new list of the log's lines after number `after`, the first LINES_MOST at most. */
static json_t *log_json(mass_view_log *l, uint64_t after)
{
    json_t *list = json_array();
    uint64_t first, last;
    mass_view_log_range(l, after, &first, &last);
    for (uint64_t n = first; n <= last && n < first + LINES_MOST; n++) {
        char text[MASS_VIEW_LINE_SIZE];
        mass_view_log_line(l, n, text);
        json_array_append_new(list, json_pack("{s:I, s:o}", "n", (json_int_t)n, "text", mass_text_json(text)));
    }
    return list;
}

/* Measures the speed over a second or more while the run advances; 0 while it does not. */
static void measure(mass_view *v)
{
    const double now = mass_seconds(), seconds = now - v->mark_time;
    if (v->phase != MASS_VIEW_RUNNING) v->measured = 0;
    else if (seconds < 1 && v->measured > 0) return;
    else if (seconds > 0.02 && v->step > v->mark_step) v->measured = (double)(v->step - v->mark_step) / seconds;
    else return;
    v->mark_time = now;
    v->mark_step = v->step;
}

/* Returns why an ended run cannot go on; null if it can, or has not ended. */
static json_t *why_ended(const mass_view *v)
{
    return v->phase == MASS_VIEW_ENDED && v->no_run_on ? mass_text_json(v->no_run_on) : json_null();
}

mass_status mass_view_answer_numbers(mass_view *v, const mass_view_question *q, mass_view_answer *out,
                                     mass_error *error)
{
    if (q->world >= v->domain->share.worlds) {
        *out = (mass_view_answer){.status = 400};
        return MASS_OK;
    }
    mass_status status = mass_view_rows_add(&v->rows, v->domain, v->step, error);
    if (status != MASS_OK) return status;
    mass_json_begin();
    json_t *bins = json_array(), *keys = json_array();
    status = bins_json(v->domain, q->world, v->step, bins, error);
    if (status == MASS_OK) status = keys_json(v->domain, q->world, keys, error);
    measure(v);
    const bool told = v->measured > 0 && v->phase == MASS_VIEW_RUNNING;
    json_t *left = told ? json_real((double)(v->plan.last_step - v->step) / v->measured) : json_null();
    const uint32_t first = first_row(&v->rows, q);
    json_t *o = json_pack("{s:I, s:I, s:I, s:s, s:o, s:f, s:o, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "run",
                          (json_int_t)v->run, "step", (json_int_t)v->step, "last_step", (json_int_t)v->plan.last_step,
                          "state", mass_view_phases[v->phase], "no_run_on", why_ended(v), "rate",
                          v->measured, "left", left, "width", (json_int_t)v->rows.width, "counts",
                          (json_int_t)mass_view_counted(v), "rows",
                          rows_json(&v->rows, first), "low", ends_json(&v->rows, first, LOW), "high",
                          ends_json(&v->rows, first, HIGH), "bins", bins, "keys", keys,
                          "log", log_json(&v->log, q->log));
    if (status == MASS_OK) return mass_view_answer_json(o, 200, out, error);
    json_decref(o);
    return status;
}
