/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that log, killed at random moments and resumed until they end. Their series are those of a run that was never
 * stopped, and a reader finds whole series in between. */
#include "../extended.h"
#include "killed.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EVERY = 40 };

static const char *const columns[] = {"step", "population", "share", "busy"};
enum { COLUMNS = sizeof columns / sizeof *columns };

#define LOGS "--log population --log 'share=births / (births + deaths)' --log 'busy=births > deaths && step >= 3'"

static const char *const places[] = {"--device cpu --threads 1", "--device paranoid --threads 1 --partitions 2",
                                     "--device cpu --threads 2 --partitions 7"};
enum { PLACES = sizeof places / sizeof *places };

/* ---- what is in the files ---- */

static const char *file_text(const char *path)
{
    FILE *file = fopen(path, "re");
    cr_assert_not_null(file, "%s is not there", path);
    static char all[1 << 20];
    const size_t size = fread(all, 1, sizeof all - 1, file);
    cr_assert(size < sizeof all - 1 && !ferror(file));
    all[size] = '\0';
    fclose(file);
    return all;
}

/* Every series has every row, from the first on, and the steps are in order. Returns how many rows there are. */
static size_t check_rows(const char *path, int worlds, int every)
{
    dataset steps = dataset_read(path, "/series/step");
    const size_t rows = steps.extents[0];
    for (size_t i = 0; i < rows; i++) cr_assert_eq(((uint64_t *)steps.bytes)[i], i * (size_t)every);
    free(steps.bytes);
    for (int i = 1; i < COLUMNS; i++) {
        dataset d = dataset_read(path, text("/series/%s", columns[i]));
        cr_assert(d.rank == 2 && d.extents[0] == rows && d.extents[1] == (size_t)worlds, "%s is not whole", columns[i]);
        free(d.bytes);
    }
    return rows;
}

static void expect_same_series(const char *path, const char *expected)
{
    for (int i = 0; i < COLUMNS; i++) {
        dataset found = dataset_read(path, text("/series/%s", columns[i]));
        dataset wanted = dataset_read(expected, text("/series/%s", columns[i]));
        cr_assert(found.size == wanted.size && memcmp(found.bytes, wanted.bytes, wanted.size) == 0, "%s differs",
                  columns[i]);
        free(found.bytes);
        free(wanted.bytes);
    }
}

/* ---- the kills ---- */

typedef struct logged {
    const char *options, *folder, *series, *result; /* of the run that was never stopped */
    char *text; /* its rows as text, owned */
    int worlds, every, steps;
    double seconds;
} logged;

static const char *start_of(const logged *l, const char *folder, const char *rows)
{
    return text("--quiet %s --steps %d --checkpoint %s --checkpoint-every %d --log-every %d --series %s " LOGS,
                l->options, l->steps, folder, EVERY, l->every, rows);
}

static logged run_through(const char *options, int worlds, int every, int steps, const char *kind)
{
    logged l = {.options = options, .worlds = worlds, .every = every, .steps = steps, .folder = folder_make()};
    const char *rows = text("%s/rows.%s", folder_make(), kind);
    const double began = now();
    l.result = engine_result(text("%s %s", start_of(&l, l.folder, rows), places[0]));
    l.seconds = now() - began;
    l.series = text("%s/series.h5", l.folder);
    l.text = strdup(file_text(rows));
    cr_assert_eq(check_rows(l.series, worlds, every), (size_t)(steps / every + 1));
    return l;
}

/* Kills a run and those that resume it until one ends. Returns how many were killed while they logged. */
static int kill_until_it_ends(const logged *l, const char *kind, uint64_t *random)
{
    const char *folder = folder_make(), *rows = text("%s/rows.%s", folder_make(), kind);
    const char *series = text("%s/series.h5", folder);
    int killed = 0;
    for (int i = 0;; i++) {
        uint64_t steps[64];
        const bool goes_on = checkpoint_steps(folder, true, steps, 64) > 0;
        if (!goes_on) unlink(rows); /* which a run that starts does not replace */
        const char *start = goes_on ? text("--quiet --resume %s --series %s", folder, rows) : start_of(l, folder, rows);
        process p = engine_start(text("%s %s", start, places[draw(random, PLACES)]));
        usleep((unsigned)((double)draw(random, 1000) * 1.5e3 * l->seconds * (i < 12 ? 1 : 4)));
        if (!engine_kill(&p)) break;
        if (access(series, F_OK) != 0) continue;
        const size_t found = check_rows(series, l->worlds, l->every);
        killed += found > 1 && found < (size_t)(l->steps / l->every + 1);
        cr_assert_lt(i, 60, "it does not come to an end");
    }
    cr_assert_str_eq(engine_result(text("--resume %s --series %s", folder, rows)), l->result);
    expect_same_series(series, l->series);
    cr_assert_str_eq(file_text(rows), l->text, "the rows as text differ");
    checkpoint_steps(folder, true, (uint64_t[64]){0}, 64);
    folder_empty(folder);
    return killed;
}

static void kill_often(const char *options, int worlds, int every, int steps, const char *kind, uint64_t random)
{
    const logged l = run_through(options, worlds, every, steps, kind);
    const int wanted = extended(unsanitized(6, 12), 30);
    int killed = 0;
    for (int runs = 0; killed < wanted; runs++) {
        killed += kill_until_it_ends(&l, kind, &random);
        cr_assert_lt(runs, 2 * wanted, "most kills miss the time when rows are written: %d of %d", killed, runs);
    }
    free(l.text);
}

#define LIFE "--plugin life --size 160x120 --seed 7 --set density=0.3"

Test(series, is_that_of_a_run_never_stopped) { kill_often(LIFE, 1, 1, 1200, "csv", 1); }

Test(series, of_some_steps_and_worlds_is_that_of_a_run_never_stopped)
{
    kill_often(LIFE " --worlds 3 --first-world 2", 3, 7, 900, "jsonl", 2);
}

/* Interrupted and resumed in a new folder each time, the series comes along. */
Test(series, goes_along_into_another_folder)
{
    const logged l = run_through(LIFE, 1, 3, 60, "csv");
    const char *first = folder_make(), *second = folder_make(), *third = folder_make();
    engine_result(text("--quiet %s --steps 11 --checkpoint %s --log-every 3 " LOGS, LIFE, first));
    engine_result(text("--quiet --resume %s --steps 30 --checkpoint %s", first, second));
    cr_assert_eq(check_rows(text("%s/series.h5", first), 1, 3), 4);
    cr_assert_eq(check_rows(text("%s/series.h5", second), 1, 3), 11);
    cr_assert_str_eq(engine_result(text("--quiet --resume %s --steps 60 --checkpoint %s", second, third)), l.result);
    expect_same_series(text("%s/series.h5", third), l.series);
    free(l.text);
}

/* From an older checkpoint, the rows after it are made again. */
Test(series, drops_the_rows_after_the_step_that_is_resumed)
{
    const logged l = run_through(LIFE, 1, 7, 200, "csv");
    const char *folder = folder_make(), *rows = text("%s/rows.csv", folder_make());
    engine_result(text("%s --keep 0 %s", start_of(&l, folder, rows), places[0]));
    for (int step = EVERY; step < 200; step += EVERY) {
        engine_result(text("--quiet --resume %s --steps %d --series %s", checkpoint_path(folder, (uint64_t)step),
                           step + 1, rows));
        cr_assert_eq(check_rows(text("%s/series.h5", folder), 1, 7), (size_t)((step + 1) / 7 + 1));
        engine_result(text("--quiet --resume %s --steps 200 --series %s", checkpoint_path(folder, (uint64_t)step),
                           rows));
        expect_same_series(text("%s/series.h5", folder), l.series);
        cr_assert_str_eq(file_text(rows), l.text);
    }
    free(l.text);
}
