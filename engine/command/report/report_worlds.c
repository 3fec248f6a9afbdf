/* SPDX-License-Identifier: Apache-2.0 */
#include "command/report/report_worlds.h"
#include "base/plural.h"
#include "command/options/wrap.h"
#include "model/swept.h"
#include "process/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { WORLDS_ALL = 10, WORLDS_FIRST = 5, WORLDS_LAST = 3, ENTRY_SIZE = 200, LINE_SIZE = 1000, LEFT_OUT = -1 };

const char *mass_report_number(const mass_result *r, const mass_tally_def *t, int32_t world,
                               char out[MASS_REPORT_NUMBER])
{
    const int64_t *accumulators = r->tallies + mass_tally_at(t, r->worlds, world);
    if (mass_tally_is_unknown(t, r->steps) || mass_tally_is_empty(t, accumulators))
        snprintf(out, MASS_REPORT_NUMBER, "none");
    else if (t->kind == MASS_TALLY_INTEGER) snprintf(out, MASS_REPORT_NUMBER, "%" PRId64, *accumulators);
    else snprintf(out, MASS_REPORT_NUMBER, "%.6g", mass_tally_value(t, accumulators));
    return out;
}

bool mass_report_has(const mass_result *r, const mass_tally_def *t)
{
    bool some = !t->outside || mass_tally_is_kept(t);
    for (int32_t w = 0; w < r->worlds && !some; w++) some = r->tallies[mass_tally_at(t, r->worlds, w)] != 0;
    return some && !t->hidden;
}

/* ---- columns: the world, the parameters, the tallies ---- */

/* Returns the number of columns, shown or not: the world, parameters, tallies. */
static uint32_t columns_of(const mass_result *r) { return 1 + r->model->parameters.count + r->model->tally_count; }

/* Returns whether a tally has the same value, or one that prints the same, in all worlds. */
static bool is_same(const mass_result *r, const mass_tally_def *t)
{
    char first[MASS_REPORT_NUMBER], other[MASS_REPORT_NUMBER];
    bool same = true;
    const int64_t *zeroth = r->tallies + mass_tally_at(t, r->worlds, 0);
    mass_report_number(r, t, 0, first);
    for (int32_t w = 1; w < r->worlds && same; w++) {
        const int64_t *its = r->tallies + mass_tally_at(t, r->worlds, w);
        same = memcmp(its, zeroth, t->words * sizeof *its) == 0 ||
               strcmp(first, mass_report_number(r, t, w, other)) == 0;
    }
    return same;
}

/* Returns whether the report has a tally as a number, in the table or in a line for all worlds. */
static bool is_number(const mass_result *r, const mass_tally_def *t)
{
    return t->bins == 0 && t->keys == 0 && mass_report_has(r, t);
}

/* Returns whether the table has a column: the world, swept parameters, and tallies of one number that differ. */
static bool is_shown(const mass_result *r, uint32_t column)
{
    const uint32_t parameters = r->model->parameters.count;
    if (column == 0) return true;
    if (column <= parameters) return mass_is_swept(&r->model->parameters.slots[column - 1]);
    const mass_tally_def *t = &r->model->tallies[column - 1 - parameters];
    return is_number(r, t) && !is_same(r, t);
}

/* Puts a column's name, and its unit in parentheses if it has one. */
static void name_column(const mass_result *r, uint32_t column, char out[ENTRY_SIZE])
{
    const uint32_t parameters = r->model->parameters.count;
    const char *name = "world", *unit = "";
    if (column > parameters) {
        name = r->model->tallies[column - 1 - parameters].name;
        unit = r->model->tallies[column - 1 - parameters].unit;
    } else if (column > 0) {
        name = r->model->parameters.slots[column - 1].name;
        unit = r->model->parameters.slots[column - 1].unit;
    }
    snprintf(out, ENTRY_SIZE, unit[0] ? "%s (%s)" : "%s", name, unit);
}

/* Writes the entry of a column in a world's row: its number, a parameter, or a tally. LEFT_OUT gives three dots. */
static void fill_entry(const mass_result *r, uint32_t column, int32_t world, char out[ENTRY_SIZE])
{
    char buffer[64];
    const uint32_t parameters = r->model->parameters.count;
    if (world == LEFT_OUT) snprintf(out, ENTRY_SIZE, "...");
    else if (column == 0) snprintf(out, ENTRY_SIZE, "%d", r->first_world + world);
    else if (column <= parameters)
        snprintf(out, ENTRY_SIZE, "%s", mass_swept_value(&r->model->parameters.slots[column - 1], world, buffer));
    else {
        const mass_tally_def *t = &r->model->tallies[column - 1 - parameters];
        mass_report_number(r, t, world, out);
    }
}

/* ---- rows ---- */

/* Returns the number of rows: all worlds, or the first and last ones with a row between for the others. */
static int32_t rows_of(const mass_result *r)
{
    return r->worlds <= WORLDS_ALL ? r->worlds : WORLDS_FIRST + 1 + WORLDS_LAST;
}

/* Returns the world of a row; LEFT_OUT for the row that stands for the worlds between. */
static int32_t world_of(const mass_result *r, int32_t row)
{
    if (r->worlds <= WORLDS_ALL || row < WORLDS_FIRST) return row;
    return row == WORLDS_FIRST ? LEFT_OUT : r->worlds - rows_of(r) + row;
}

/* Returns the width in bytes of a column's longest entry, its name included. */
static int width_of(const mass_result *r, uint32_t column)
{
    char entry[ENTRY_SIZE];
    name_column(r, column, entry);
    size_t width = strlen(entry);
    for (int32_t row = 0; row < rows_of(r); row++) {
        fill_entry(r, column, world_of(r, row), entry);
        width = strlen(entry) > width ? strlen(entry) : width;
    }
    return (int)width;
}

/* Prints the first column and the shown ones from `from` to before `to`. Row -1 is the header. */
static void say_row(const mass_result *r, int32_t row, uint32_t from, uint32_t to)
{
    char line[LINE_SIZE] = "", entry[ENTRY_SIZE];
    size_t used = 0;
    for (uint32_t c = 0; c < to && used < sizeof line; c = c == 0 ? from : c + 1) {
        if (!is_shown(r, c)) continue;
        if (row < 0) name_column(r, c, entry);
        else fill_entry(r, c, world_of(r, row), entry);
        used += (size_t)snprintf(line + used, sizeof line - used, "  %*s", width_of(r, c), entry);
    }
    mass_progress_say("%s", line);
}

/* Returns the end of a table that begins at column `from`. It has as many columns as fit next to each other, and at
 * least one. */
static uint32_t end_of(const mass_result *r, uint32_t from)
{
    int used = 2 + width_of(r, 0);
    bool some = false;
    for (uint32_t c = from; c < columns_of(r); c++) {
        if (!is_shown(r, c)) continue;
        used += 2 + width_of(r, c);
        if (some && used > MASS_FOLD_COLUMNS) return c;
        some = true;
    }
    return columns_of(r);
}

/* Returns the first column from `from` on that is shown, or the number of columns if there is none. */
static uint32_t first_of(const mass_result *r, uint32_t from)
{
    while (from < columns_of(r) && !is_shown(r, from)) from++;
    return from;
}

/* Prints the tallies of one number that are the same in all worlds. */
static void say_same(const mass_result *r)
{
    char number[MASS_REPORT_NUMBER];
    for (uint32_t i = 0; i < r->model->tally_count; i++) {
        const mass_tally_def *t = &r->model->tallies[i];
        if (!is_number(r, t) || !is_same(r, t)) continue;
        mass_report_number(r, t, 0, number);
        const bool unit = t->unit[0] && strcmp(number, "none") != 0;
        mass_progress_say("  %s %s%s%s in every world", t->name, number, unit ? " " : "", unit ? t->unit : "");
    }
}

void mass_report_worlds(const mass_result *r)
{
    uint32_t from = first_of(r, 1);
    say_same(r);
    if (from == columns_of(r)) return;
    for (uint32_t to; from < columns_of(r); from = first_of(r, to)) {
        to = end_of(r, from);
        for (int32_t row = -1; row < rows_of(r); row++) say_row(r, row, from, to);
    }
    if (r->worlds <= WORLDS_ALL) return;
    const int32_t left = r->worlds - WORLDS_FIRST - WORLDS_LAST;
    const char *const more = mass_plural(left);
    if (r->checkpoint) mass_progress_say("  %d more world%s: --json has all, and %s", left, more, r->checkpoint);
    else mass_progress_say("  %d more world%s: --json has all", left, more);
}
