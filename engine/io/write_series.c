/* SPDX-License-Identifier: Apache-2.0 */
/* Writes time series: rows of series.h5 in the checkpoint folder, and of a text file. */
#include "io/writers.h"

#include "io/series/row.h"
#include "process/progress.h"
#include "state/tally.h"

#include <stdlib.h>
#include <string.h>

/* Prepares the series' file and text, if any, with room for one row. Writes no rows. */
static mass_status create(mass_output *o, mass_error *error)
{
    const mass_output_plan *p = o->plan;
    if (!p->series_set) return MASS_OK;
    const size_t worlds = (size_t)p->series_set->worlds;
    o->tallies = malloc((o->model->tally_words + 1) * worlds * sizeof *o->tallies);
    const size_t values = mass_series_row_values(p->series_set);
    o->row = malloc((values + 1) * sizeof *o->row);
    if (!o->tallies || !o->row) return mass_error_memory(error, values * sizeof *o->row, "a series");
    mass_status status = MASS_OK;
    if (p->folder)
        status = mass_series_create(p->series_set, p->folder, p->series_source, p->series_found, p->first_step,
                                    &o->series, error);
    const mass_series_text_start start = {p->resumed != NULL, p->first_step, p->folder || p->resumed, o->others.begun};
    if (status == MASS_OK && p->series)
        status = mass_series_text_create(p->series_set, p->series, &start, &o->text, error);
    return status;
}

/* Lets the run go on after a failure of a disk (MASS_FAILED): the rows wait in memory. Reports that once for each file,
 * unless `silent`. Sets *lags to whether rows wait. Returns other errors. */
static mass_status forgive(bool *lags, bool silent, const mass_error *problem, mass_error *error)
{
    if (problem->status != MASS_OK && problem->status != MASS_FAILED)
        return mass_error_set(error, problem->status, "%s", problem->text);
    if (problem->status == MASS_FAILED && !*lags && !silent)
        mass_progress_say("mass-engine: %s; the run goes on, and its rows wait", problem->text);
    *lags = problem->status == MASS_FAILED;
    return MASS_OK;
}

mass_status mass_output_add_row(mass_output *o, mass_domain *d, uint64_t step, const int64_t *tallies,
                                mass_error *error)
{
    mass_error of_text = {0}, of_file = {0};
    if (!o->plan->series_set || step % o->plan->series_set->every != 0) return MASS_OK;
    const bool to_file = o->series && !mass_series_has(o->series, step);
    const bool to_text = o->text && !mass_series_text_has(o->text, step);
    if (!to_file && !to_text) return MASS_OK;
    mass_status status = MASS_OK;
    if (tallies)
        memcpy(o->tallies, tallies, (size_t)d->model->tally_words * (size_t)d->share.worlds * sizeof *tallies);
    else status = mass_domain_read_tallies(d, o->tallies, error);
    if (status == MASS_OK)
        mass_series_fill_row(o->plan->series_set, o->plan->programs, o->model, o->tallies, step, o->row);
    if (status == MASS_OK && to_file) status = mass_series_add(o->series, step, o->row, error);
    if (status == MASS_OK && to_text) mass_series_text_add(o->text, step, o->row, &of_text);
    if (status == MASS_OK && to_text)
        status = forgive(&o->text_lags, o->plan->series_waits_silently, &of_text, error);
    if (status != MASS_OK || !o->series || !mass_series_is_due(o->series) || mass_output_is_writing(o)) return status;
    if (mass_output_check_place(o, &of_file) == MASS_OK) mass_series_publish(o->series, &of_file);
    return forgive(&o->file_lags, false, &of_file, error);
}

/* Opens the text, and removes all after the rows that a resumed run keeps. Writes the row of `step` to the text and the
 * file, if it is due and not there. Syncs the text if checkpoints depend on it, so that errors are found at once. */
static mass_status begin(mass_output *o, mass_domain *d, uint64_t step, mass_error *error)
{
    mass_status status = o->text ? mass_series_text_begin(o->text, error) : MASS_OK;
    if (status == MASS_OK) status = mass_output_add_row(o, d, step, NULL, error);
    if (status == MASS_OK && o->text) status = mass_series_text_flush(o->text, error);
    if (status == MASS_OK && o->text && o->plan->folder) status = mass_series_text_sync(o->text, error);
    return status == MASS_OK && o->series ? mass_series_publish(o->series, error) : status;
}

/* Returns the interval of rows; 0 without a series, or if rows are added one by one. */
static uint64_t every(const mass_output *o)
{
    return o->plan->series_set && !o->by_row ? o->plan->series_set->every : 0;
}

/* Adds the step's row to the file and the text, if it is due and not there. */
static mass_status write_due(mass_output *o, mass_domain *d, uint64_t step, bool wanted, mass_error *error)
{
    (void)wanted;
    return mass_output_add_row(o, d, step, NULL, error);
}

bool mass_output_takes_rows(mass_output *o, bool several)
{
    enum { EVERY_MOST = 16 }; /* above, computing tallies only at rows saves more than not stopping for rows */
    const mass_series_set *set = o->plan->series_set;
    return o->by_row = set && set->every < (several ? EVERY_MOST : 2);
}

mass_status mass_output_row(mass_output *o, mass_domain *d, uint64_t step, const int64_t *tallies, mass_error *error)
{
    const double began = mass_seconds();
    const mass_status status = mass_output_add_row(o, d, step, tallies, error);
    o->seconds += mass_seconds() - began;
    return status;
}

/* Publishes the series' file, if the folder is still this run's. Sets o->file_is_kept, which is true without a file. */
static void end_file(mass_output *o, mass_domain *d, const mass_snapshot *final, mass_error *failure)
{
    (void)d;
    (void)final;
    mass_status status = o->series ? mass_output_check_place(o, failure) : MASS_OK;
    if (o->series && status == MASS_OK) status = mass_series_publish(o->series, failure);
    o->file_is_kept = status == MASS_OK;
}

/* Syncs the series' text if checkpoints depend on it, and flushes it. Sets o->text_is_kept, which is true if nothing
 * had to be synced. */
static void end_text(mass_output *o, mass_domain *d, const mass_snapshot *final, mass_error *failure)
{
    (void)d;
    (void)final;
    const mass_status status = o->text && o->plan->folder ? mass_series_text_sync(o->text, failure) : MASS_OK;
    o->text_is_kept = status == MASS_OK;
    if (o->text && o->text_is_kept) mass_series_text_flush(o->text, failure);
}

/* Frees the series, its text, and the room for a row. */
static void release(mass_output *o)
{
    mass_series_free(o->series);
    mass_series_text_free(o->text);
    free(o->tallies);
    free(o->row);
}

/* mass_output_series writes the rows of both. */
const mass_output_writer mass_output_series = {
    .create = create, .begin = begin, .every = every, .write = write_due, .end = end_file, .release = release};
const mass_output_writer mass_output_text = {
    .end = end_text};
