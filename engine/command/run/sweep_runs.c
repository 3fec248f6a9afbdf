/* SPDX-License-Identifier: Apache-2.0 */
#include "command/run/sweep_runs.h"
#include "base/plural.h"
#include "command/options/arguments.h"
#include "command/report/means.h"
#include "command/run/sweep_child.h"
#include "command/run/sweep_files.h"
#include "comm/launched.h"
#include "process/progress.h"
#include "process/signals.h"
#include "process/standard.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Refuses several runs with --view, or under a launcher. */
static mass_status check(const mass_options *o, uint32_t runs, mass_error *error)
{
    if (o->view)
        return mass_error_set(error, MASS_BAD_USAGE, "the rows of %s make %" PRIu32 " runs, one after the other, and "
                              "--view is for one: leave it out, or give such rows a table of their own", o->sweep,
                              runs);
    if (mass_comm_launched().size > 1)
        return mass_error_set(error, MASS_BAD_USAGE, "the rows of %s make %" PRIu32 " runs, and a launcher starts one: "
                              "use --ranks, which starts each", o->sweep, runs);
    return MASS_OK;
}

mass_status mass_sweep_is_several(const mass_options *o, mass_sweep_rows *rows, bool *several, mass_error *error)
{
    *rows = (mass_sweep_rows){0};
    *several = false;
    if (!o->sweep || o->resume || o->sweep_run || mass_comm_launched().rank > 0) return MASS_OK;
    const mass_status status = mass_sweep_rows_read(o, rows, error);
    *several = status == MASS_OK && rows->run_count > 1;
    if (o->results) return status;
    return *several ? check(o, rows->run_count, error) : status;
}

/* ---- one of the runs ---- */

/* Reports which rows of the sweep a run has, and its size, steps and seed. */
static void say_run(const mass_sweep_rows *rows, uint32_t run)
{
    const mass_sweep_run *r = &rows->runs[run];
    char seed[40] = "", steps[40] = "", size[100] = "", of[60];
    if (r->seed >= 0) snprintf(seed, sizeof seed, ", seed %" PRId64, r->seed);
    if (r->steps >= 0) snprintf(steps, sizeof steps, ", %" PRId64 " step%s", r->steps, mass_plural(r->steps));
    for (uint32_t a = 0; a < r->dimensions; a++) {
        const size_t used = strlen(size);
        snprintf(size + used, sizeof size - used, "%s%" PRId64, a ? "x" : ", size ", r->size[a]);
    }
    if (r->rows == 1) snprintf(of, sizeof of, "row %" PRIu32, r->first_row + 1);
    else snprintf(of, sizeof of, "rows %" PRIu32 " to %" PRIu32, r->first_row + 1, r->first_row + r->rows);
    mass_progress_say("mass-engine: run %" PRIu32 " of %" PRIu32 ": %s of the sweep%s%s%s", run + 1, rows->run_count,
                      of, size, steps, seed);
}

/* ---- all runs ---- */

/* Prints the results of all runs as one JSON object, and closes the standard results. */
static mass_status print(char *const *texts, uint32_t count, mass_error *error)
{
    FILE *to = mass_standard_results();
    fputs("{\"runs\": [", to);
    for (uint32_t i = 0; i < count; i++) fprintf(to, "%s%s", i ? ",\n" : "", texts[i]);
    fputs("]}\n", to);
    return mass_standard_results_end(error);
}

/* Executes one run in a process of its own, and waits for it. seed: a word "--seed=N", or "". *text becomes its result,
 * which the caller frees, also on failure. */
static mass_status run_one(const mass_sweep_rows *rows, uint32_t run, const mass_arguments *a, char seed[40],
                           char **text, mass_error *error)
{
    static const char *const without[] = {"means", NULL};
    char number[40], what[60];
    snprintf(number, sizeof number, "--sweep-run=%" PRIu32, run + 1);
    snprintf(what, sizeof what, "run %" PRIu32 " of %" PRIu32, run + 1, rows->run_count);
    const char *const more[] = {number, "--json", seed[0] ? seed : NULL, NULL};
    return mass_sweep_child(a, without, more, what, text, error);
}

/* Draws one seed for all runs, if neither the table nor the user has one, and writes it as "--seed=N" to word[]; else
 * "". Worlds then differ by their numbers. With --quiet and without --json it prints the seed. */
static void draw_seed(const mass_options *o, const mass_sweep_rows *rows, char word[40])
{
    word[0] = '\0';
    if (rows->seed || o->seed_given) return;
    const uint64_t seed = mass_sweep_draw_seed();
    snprintf(word, 40, "--seed=%" PRIu64, seed);
    if (o->quiet && !o->json) mass_progress_say("mass-engine: seed %" PRIu64, seed);
}

/* Prints the results of the runs that have ended, also if the next one failed. Writes means only for all runs. Does
 * nothing without any. Returns error->status; pass an error that is {0}. */
static mass_status conclude(const mass_options *o, char *const *texts, uint32_t count, bool all, mass_error *error)
{
    mass_error of_means = {0};
    mass_status status = MASS_OK;
    if (count == 0) return MASS_OK;
    if (o->means && all) status = mass_means_write(o->means, o->force, texts, count, &of_means);
    if (o->json) print(texts, count, error);
    if (status != MASS_OK && error->status == MASS_OK) *error = of_means;
    return error->status;
}

/* Executes the runs one after the other until one fails or a signal ends them, then prints results and means. texts:
 * [runs], NULL before, receives their results, which the caller frees. Keeps signals from now on. */
static mass_status run_all(const mass_options *o, const mass_sweep_rows *rows, const mass_arguments *a, char **texts,
                           mass_error *error)
{
    char seed[40];
    uint32_t done = 0;
    mass_error of_results = {0};
    mass_status status = o->means ? mass_means_check(o->means, o->force, error) : MASS_OK;
    draw_seed(o, rows, seed);
    mass_sweep_files_make_folders(o);
    mass_signals_keep();
    while (status == MASS_OK && done < rows->run_count) {
        if (!o->quiet) say_run(rows, done);
        status = run_one(rows, done, a, seed, &texts[done], error);
        if (texts[done] && texts[done][0] == '{') done++;
        else if (status == MASS_OK) status = mass_error_set(error, MASS_FAILED, "a run had no result");
        if (status == MASS_OK && mass_sweep_is_to_end()) status = MASS_INTERRUPTED;
    }
    if (conclude(o, texts, done, status == MASS_OK, &of_results) == MASS_OK || status != MASS_OK) return status;
    *error = of_results;
    return error->status;
}

mass_status mass_sweep_runs(const mass_options *o, const mass_sweep_rows *rows, mass_error *error)
{
    mass_arguments a = {0};
    char **texts = calloc(rows->run_count, sizeof *texts);
    mass_status status = MASS_OK;
    if (!texts || !mass_arguments_read(&a)) status = mass_error_memory(error, rows->run_count * 8, "a sweep");
    if (status == MASS_OK) status = run_all(o, rows, &a, texts, error);
    for (uint32_t i = 0; texts && i < rows->run_count; i++) free(texts[i]);
    free(texts);
    mass_arguments_free(&a);
    return status;
}
