/* SPDX-License-Identifier: Apache-2.0 */
#include "command/run/sweep_results.h"
#include "base/plural.h"
#include "base/file.h"
#include "base/memory_stream.h"
#include "command/options/run_file.h"
#include "command/options/run_print.h"
#include "command/run/result_series.h"
#include "command/run/sweep_child.h"
#include "comm/launched.h"
#include "io/folder/names.h"
#include "io/folder/temporary.h"
#include "process/progress.h"
#include "process/signals.h"
#include "process/standard.h"
#include "snapshot/state_hash.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first group is small, so that there are results soon. A group then takes about GROUP_SECONDS, and at least twenty
 * times as long as the file takes to be copied. It has a bounded number of worlds, so that the memory for them and for
 * their results does not grow with the rows. On a GPU, where a run takes long to start, the bound is higher. */
enum { FIRST_GROUP = 8, GROUP_MOST = 512, GROUP_MOST_ON_GPU = 8192, PARAMETERS_BYTES = 1 << 20 };
static const double GROUP_SECONDS = 4, WRITE_FACTOR = 20, GROWTH = 4, SAY_SECONDS = 1;

/* A sweep that is being executed. */
typedef struct sweep {
    const mass_options *options;
    const mass_sweep_rows *rows;
    mass_arguments arguments;
    mass_results_head head;
    char seed[40];   /* "--seed=N", or "" if the options or the table have it */
    int64_t group;   /* worlds of the next group */
    int64_t most;    /* worlds of any group, on the device of the last one */
    double said;     /* when a line was printed last */
} sweep;

/* ---- what the results depend on ---- */

/* Returns whether results depend on an option, besides the table and the seed. */
static bool matters(const mass_option *o)
{
    static const char *const names[] = {"plugin", "set", "load", "size", "steps", "until", "worlds", "first-world",
                                        "tally", "log", "log-every", NULL};
    for (size_t i = 0; names[i]; i++)
        if (strcmp(o->name, names[i]) == 0) return true;
    return false;
}

/* Prints the options on which the results depend, as a file of a run. */
static mass_status put_options(FILE *to, const mass_arguments *a, mass_error *error)
{
    char **words = calloc((size_t)a->count + 1, sizeof *words);
    int count = 0;
    if (!words) return mass_error_memory(error, (size_t)a->count * sizeof *words, "a command line");
    for (int i = 1, taken; i < a->count; i += taken) {
        const char *value;
        const mass_option *o = mass_arguments_option(a, i, &taken, &value);
        for (int k = i; k < i + taken && (!o || matters(o)); k++) words[count++] = a->words[k];
    }
    const mass_status status = mass_run_print(to, words, count, false, error);
    free(words);
    return status;
}

/* Prints the line "params: HASH" of the file of --params, if there is one. */
static mass_status put_parameters(FILE *to, const char *path, mass_error *error)
{
    mass_file file = {0};
    char hash[33];
    if (!path) return MASS_OK;
    const mass_status status = mass_file_read(path, PARAMETERS_BYTES, MASS_BAD_INPUT, &file, error);
    if (status != MASS_OK) return status;
    mass_hash_file_bytes(file.bytes, file.size, hash);
    mass_file_free(&file);
    fprintf(to, "params: %s\n", hash);
    return MASS_OK;
}

/* Prints the rows of the table, with the runs and worlds that they make. */
static void put_rows(FILE *to, const mass_sweep_rows *s)
{
    for (uint32_t c = 0; c < s->columns; c++) fprintf(to, "%s,", s->names[c]);
    for (uint32_t i = 0; i < s->run_count; i++) {
        const mass_sweep_run *r = &s->runs[i];
        fprintf(to, "\n%" PRId64 " %" PRId64 " %" PRId64 "x%" PRId64 "x%" PRId64 " %" PRIu32 " %" PRId32 " %" PRId32,
                r->seed, r->steps, r->size[0], r->size[1], r->size[2], r->dimensions, r->worlds, r->before);
        for (uint32_t row = r->first_row; row < r->first_row + r->rows; row++) {
            fprintf(to, "\n%" PRId32, s->starts[row]);
            for (uint32_t c = 0; c < s->columns; c++) {
                const mass_csv_field field = s->fields[(size_t)row * s->columns + c];
                fprintf(to, ",%.*s", (int)field.length, field.text);
            }
        }
    }
}

/* Prints the line "rows: HASH" of the rows. */
static mass_status put_rows_hash(FILE *to, const mass_sweep_rows *s, mass_error *error)
{
    char *text = NULL, hash[33];
    size_t size = 0;
    FILE *rows = mass_memory_stream(&text, &size);
    if (rows) put_rows(rows, s);
    if (!rows || fclose(rows) != 0) return mass_error_memory(error, s->count * sizeof *s->fields, "a sweep");
    mass_hash_file_bytes((const uint8_t *)text, size, hash);
    free(text);
    fprintf(to, "rows: %s\n", hash);
    return MASS_OK;
}

/* Makes the text of all that the results depend on, besides the seed. The caller frees it, also on failure. */
static mass_status make_text(const sweep *s, char **out, mass_error *error)
{
    size_t size = 0;
    *out = NULL;
    FILE *to = mass_memory_stream(out, &size);
    if (!to) return mass_error_memory(error, 4096, "a sweep");
    mass_status status = put_options(to, &s->arguments, error);
    if (status == MASS_OK) status = put_parameters(to, s->options->params, error);
    if (status == MASS_OK) status = put_rows_hash(to, s->rows, error);
    if (fclose(to) != 0 && status == MASS_OK) status = mass_error_memory(error, 4096, "a sweep");
    return status;
}

/* ---- a file that is there ---- */

/* Refuses a file of another sweep, and names the first line that differs. there, here: texts of make_text. */
static mass_status refuse(const char *path, const char *there, const char *here, mass_error *error)
{
    while (*there && *there == *here && strcspn(there, "\n") == strcspn(here, "\n") &&
           strncmp(there, here, strcspn(there, "\n")) == 0) {
        there += strcspn(there, "\n") + 1;
        here += strcspn(here, "\n") + 1;
    }
    const bool rows = strncmp(there, "rows: ", 6) == 0 && strncmp(here, "rows: ", 6) == 0;
    if (rows)
        return mass_error_set(error, MASS_BAD_USAGE, "--results %s is of another sweep: its table has other rows; give "
                              "another name, or --force to replace it", path);
    return mass_error_set(error, MASS_BAD_USAGE, "--results %s is of another sweep: it has '%.*s', and this one "
                          "'%.*s'; give another name, or --force to replace it", path, (int)strcspn(there, "\n"), there,
                          (int)strcspn(here, "\n"), here);
}

/* Returns the seed that the options give, or a drawn one. 0: each row of the table has its own. */
static uint64_t choose_seed(const sweep *s)
{
    if (s->options->seed_given) return s->options->seed;
    return s->rows->seed ? 0 : mass_sweep_draw_seed();
}

/* Checks that the file ends in .h5, and can be written, by a temporary file next to it. */
static mass_status check_path(const char *path, mass_error *error)
{
    char why[MASS_WHY_NOT_MADE];
    mass_temporary t;
    const char *end = strrchr(path, '.');
    if (!end || strcmp(end, ".h5") != 0)
        return mass_error_set(error, MASS_BAD_USAGE, "--results %s does not end in .h5", path);
    if (!mass_temporary_make(path, &t))
        return mass_error_set(error, errno == ENOMEM ? MASS_FAILED : MASS_BAD_USAGE, "cannot write --results %s: %s",
                              path, mass_folder_why_not_made(path, errno, why));
    mass_temporary_end(&t);
    return MASS_OK;
}

/* Looks at the file, and sets what there is to go on from: nothing, with a seed that is chosen, if there is no file.
 * Refuses a file of another sweep or seed, and a damaged one; --force replaces these. */
static mass_status begin(sweep *s, mass_error *error)
{
    const mass_options *o = s->options;
    char *made = NULL;
    bool there = false;
    mass_status status = make_text(s, &made, error);
    if (status == MASS_OK) status = mass_results_look(o->results, &there, &s->head, error);
    if (status == MASS_OK && there && strcmp(s->head.made, made) != 0)
        status = refuse(o->results, s->head.made, made, error);
    else if (status == MASS_OK && there && o->seed_given && o->seed != s->head.seed)
        status = mass_error_set(error, MASS_BAD_USAGE, "--results %s is of another sweep: it has seed %" PRIu64 "; "
                                "give another name, or --force to replace it", o->results, s->head.seed);
    const bool replaced = there && o->force && (status == MASS_BAD_USAGE || status == MASS_BAD_INPUT);
    if (replaced) {
        *error = (mass_error){0};
        status = MASS_OK;
    }
    if (status == MASS_OK && there && !replaced) {
        free(made);
        return MASS_OK;
    }
    free(s->head.made);
    s->head = (mass_results_head){.seed = choose_seed(s), .total = s->rows->worlds, .made = made};
    return status;
}

/* ---- groups ---- */

/* Returns how many worlds the next group has: at most those of one run. With a stop condition each world has its own,
 * as worlds of a run end together. Call it only while the file lacks worlds. */
static int64_t next_count(const sweep *s)
{
    int64_t at = 0;
    uint32_t run = 0;
    while (at + s->rows->runs[run].worlds <= s->head.rows) at += s->rows->runs[run++].worlds;
    const int64_t left = at + s->rows->runs[run].worlds - s->head.rows;
    const int64_t most = s->options->until ? 1 : s->group;
    return left < most ? left : most;
}

/* Returns whether the file has series. */
static bool has_series(const sweep *s) { return s->options->log_count > 0 || s->options->log_every_given; }

/* Adds columns to the file, and the series of the same worlds, which the group has written to a file of its own. The
 * first group makes the file, in place of any other. */
static mass_status append(sweep *s, const mass_result_columns *columns, const char *series, mass_error *error)
{
    mass_result_series found = {0};
    const uint64_t every = s->options->log_every_given ? s->options->log_every : 1;
    mass_status status = MASS_OK;
    if (series) status = mass_result_series_open(series, every, columns, &found, error);
    if (status == MASS_OK)
        status = mass_results_append(s->options->results, s->head.rows == 0, &s->head, columns->list, columns->count,
                                     columns->rows, series ? &found.source : NULL, error);
    mass_result_series_free(&found);
    return status;
}

/* Adds the results of a group to the file. Fails if the text is NULL or no JSON. Counts its worlds, and sets the most
 * worlds of a group by its device. series: the file of its series; NULL: none. */
static mass_status store(sweep *s, const char *text, const char *series, int64_t count, mass_error *error)
{
    mass_result_columns columns = {0};
    json_t *run = text ? json_loads(text, 0, NULL) : NULL;
    mass_status status = MASS_OK;
    if (!run || json_integer_value(json_object_get(run, "worlds")) != count)
        status = mass_error_set(error, MASS_FAILED, "a group of rows had no result");
    if (status == MASS_OK) status = mass_result_columns_make(run, s->rows->first + s->head.rows, &columns, error);
    if (status == MASS_OK) status = append(s, &columns, series, error);
    if (status == MASS_OK) {
        const char *device = json_string_value(json_object_get(run, "device"));
        s->most = device && strncmp(device, "cuda", 4) == 0 ? GROUP_MOST_ON_GPU : GROUP_MOST;
        s->head.rows += count;
    }
    mass_result_columns_free(&columns);
    json_decref(run);
    return status;
}

/* Chooses the size of the next group from the seconds that this one took to run and to be stored. It is at least 1, at
 * most s->most, and at most GROWTH times larger or smaller. */
static void adapt(sweep *s, int64_t count, double took)
{
    const double copying = s->head.copied * WRITE_FACTOR;
    const double wanted = copying > GROUP_SECONDS ? copying : GROUP_SECONDS;
    double factor = wanted / (took > 1e-3 ? took : 1e-3);
    factor = factor > GROWTH ? GROWTH : factor < 1 / GROWTH ? 1 / GROWTH : factor;
    const double next = (double)count * factor;
    s->group = next < 1 ? 1 : next > (double)s->most ? s->most : (int64_t)next;
}

/* Reports how far the sweep is, at most once in SAY_SECONDS; last: in any case, unless --quiet is given. */
static void say(sweep *s, bool last)
{
    const double now = mass_seconds();
    if (s->options->quiet || (!last && now < s->said + SAY_SECONDS)) return;
    s->said = now;
    mass_progress_say("mass-engine: %s has %" PRId64 " of %" PRId64 " world%s", s->options->results, s->head.rows,
                      s->head.total, mass_plural(s->head.total));
}

/* Executes the next `count` worlds in a process of its own, which writes its series to a file; series NULL: none. *text
 * becomes its result, which the caller frees, also on failure. */
static mass_status run_worlds(sweep *s, int64_t count, const char *series, char **text, mass_error *error)
{
    static const char *const without[] = {"results", "sweep-part", "json", "quiet", "force", NULL};
    char worlds[80], what[80], *word = NULL;
    snprintf(worlds, sizeof worlds, "--sweep-worlds=%" PRId64 ",%" PRId64, s->rows->first + s->head.rows, count);
    snprintf(what, sizeof what, "the run of world %" PRId64 " and %" PRId64 " more", s->rows->first + s->head.rows,
             count - 1);
    if (series && asprintf(&word, "--series=%s", series) < 0) return mass_error_memory(error, 4096, "a command line");
    const char *more[7] = {worlds, "--json", "--quiet"};
    size_t at = 3;
    if (series) more[at++] = word;
    if (series) more[at++] = "--force"; /* the file is there, and empty */
    if (s->seed[0]) more[at] = s->seed;
    const mass_status status = mass_sweep_child(&s->arguments, without, more, what, text, error);
    free(word);
    return status;
}

/* Executes one group of worlds, and stores its results. A group that lacks memory is tried again with half of its
 * worlds; the first one with one world, as it may lack the device. Chooses the size of the next group by the time.
 * If a signal asked for an end, returns MASS_INTERRUPTED unless all is done. series: as run_worlds takes it. */
static mass_status run_group(sweep *s, const char *series, mass_error *error)
{
    const int64_t count = next_count(s);
    const double began = mass_seconds();
    char *text = NULL;
    mass_status status = run_worlds(s, count, series, &text, error);
    if (status == MASS_NO_DEVICE && count > 1) {
        if (!s->options->quiet) mass_progress_say("mass-engine: trying again with fewer rows at once");
        s->group = s->head.rows > 0 ? count / 2 : 1;
        status = MASS_OK;
    } else if (status == MASS_OK) {
        status = store(s, text, series, count, error);
        adapt(s, count, mass_seconds() - began - s->head.copied);
    }
    if (status == MASS_OK && s->head.rows < s->head.total && mass_sweep_is_to_end()) status = MASS_INTERRUPTED;
    free(text);
    return status;
}

/* Executes one group of worlds as run_group does, with a temporary file for its series, if there are any. The next
 * command for the same results removes the file of one that was killed. */
static mass_status run_next(sweep *s, mass_error *error)
{
    char why[MASS_WHY_NOT_MADE];
    mass_temporary series = {.file = -1};
    if (!has_series(s)) return run_group(s, NULL, error);
    if (!mass_temporary_make_as(s->options->results, ".jsonl", &series))
        return mass_error_set(error, MASS_FAILED, "cannot write a file next to --results %s: %s", s->options->results,
                              mass_folder_why_not_made(s->options->results, errno, why));
    const mass_status status = run_group(s, series.path, error);
    mass_temporary_end(&series);
    return status;
}

/* Prints what the file has, as an object, and closes the results: its path, the seed, the number of worlds, and how
 * many of them are done. */
static mass_status print(const sweep *s, mass_error *error)
{
    json_t *object = json_pack("{s:s, s:I, s:I, s:I}", "results", s->options->results,
                               "seed", (json_int_t)s->head.seed, "worlds", (json_int_t)s->head.total, "done",
                               (json_int_t)s->head.rows);
    char *text = object ? json_dumps(object, JSON_INDENT(2)) : NULL;
    json_decref(object);
    if (!text) return mass_error_memory(error, 4096, "the result");
    fprintf(mass_standard_results(), "%s\n", text);
    free(text);
    return mass_standard_results_end(error);
}

/* Executes all groups that the file lacks, until one fails or a signal ends them. Tells how far it is. Keeps signals
 * from now on. */
static mass_status run_groups(sweep *s, mass_error *error)
{
    mass_status status = MASS_OK;
    if (!s->rows->seed) snprintf(s->seed, sizeof s->seed, "--seed=%" PRIu64, s->head.seed);
    if (s->options->seed_given) s->seed[0] = '\0';
    s->group = FIRST_GROUP;
    s->said = mass_seconds();
    if (s->head.rows > 0) say(s, true);
    mass_signals_keep();
    while (status == MASS_OK && s->head.rows < s->head.total) {
        status = run_next(s, error);
        if (status == MASS_OK && s->head.rows < s->head.total) say(s, false);
    }
    if (status == MASS_OK || status == MASS_INTERRUPTED) say(s, true);
    if (status == MASS_INTERRUPTED && !s->options->quiet)
        mass_progress_say("mass-engine: the same command goes on from there");
    return status;
}

mass_status mass_sweep_results(const mass_options *o, const mass_sweep_rows *rows, mass_error *error)
{
    sweep s = {.options = o, .rows = rows};
    mass_results_lock_file lock = {.file = -1};
    mass_status status = MASS_OK;
    if (mass_comm_launched().size > 1)
        return mass_error_set(error, MASS_BAD_USAGE, "--results starts its runs itself: use --ranks, which gives each "
                              "several ranks, or --sweep-part, and no launcher");
    if (!mass_arguments_read(&s.arguments)) status = mass_error_memory(error, 4096, "a command line");
    if (status == MASS_OK) status = check_path(o->results, error);
    if (status == MASS_OK) status = mass_results_lock(o->results, &lock, error);
    if (status == MASS_OK) status = begin(&s, error);
    if (status == MASS_OK) status = run_groups(&s, error);
    mass_error of_print = {0};
    if (o->json && s.head.made && (status == MASS_OK || status == MASS_INTERRUPTED) &&
        print(&s, &of_print) != MASS_OK && status == MASS_OK) {
        *error = of_print;
        status = of_print.status;
    }
    mass_results_unlock(&lock);
    free(s.head.made);
    mass_arguments_free(&s.arguments);
    return status;
}
