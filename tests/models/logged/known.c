/* SPDX-License-Identifier: Apache-2.0 */
#include "known.h"
#include "../run.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const int logged_fuse[LOGGED_FUSES] = {1, 2, 4, 8, 16};

static const char *const sizes[] = {"16x16", "33x20", "64x64", "96x130", "200x65", "1000x77", "512x600", "2048x1024"};
static const char *const rules[] = {"B3/S23", "B36/S125", "B3/S23", "B2/S"};
static const char *const ends[] = {"step == 90", "births < 0", "step >= 37", "deaths >= 0 && step == 101"};
enum { SIZES = sizeof sizes / sizeof *sizes, RULES = sizeof rules / sizeof *rules, ENDS = sizeof ends / sizeof *ends };

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "re");
    char *all = NULL;
    size_t size = 0;
    cr_assert_not_null(file, "%s is not there", path);
    cr_assert_gt(getdelim(&all, &size, '\0', file), 0);
    fclose(file);
    return all;
}

/* The rows of a run, which the caller frees; and what it ends with. */
static char *log_run(const char *options, const char **end)
{
    const char *folder = folder_make(), *path = text("%s/rows.csv", folder);
    *end = engine_result(text("%s --log population --log births --log deaths --series %s", options, path));
    char *rows = read_text(path);
    folder_empty(folder);
    return rows;
}

void logged_expect_same(int number, const char *where)
{
    const char *found_end, *expected_end;
    const char *o = text("life --seed %d --size %s --set rule=%s --set edge=%s --steps 143 --worlds %d --log-every %d "
                         "--until '%s'", number, sizes[number % SIZES], rules[number % RULES],
                         number / 2 % 2 ? "dead" : "torus", number % 5 == 3 ? 3 : 1, number % 6 == 5 ? 3 : 1,
                         ends[number / 3 % ENDS]);
    char *expected = log_run(text("%s --device cpu --threads 1 --no-bits --fuse 1", o), &expected_end);
    char *found = log_run(text("%s %s", o, where), &found_end);
    cr_expect_str_eq(found, expected, "%s %s", o, where);
    cr_expect_str_eq(found_end, expected_end, "%s %s", o, where);
    free(expected);
    free(found);
}
