/* SPDX-License-Identifier: Apache-2.0 */
#include "command/report/report_slabs.h"
#include "base/plural.h"
#include "process/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { RANKS_SHOWN = 8 };

/* Returns the number of rows of the space that a rank has. */
static int64_t rows_of(const mass_slabs_result *s, int32_t rank)
{
    return mass_share_first_row(s->share, s->space, rank + 1) - mass_share_first_row(s->share, s->space, rank);
}

void mass_report_slabs_json(const mass_slabs_result *s, json_t *object)
{
    if (!s->share) return;
    json_t *rows = json_array();
    for (int32_t r = 0; r < s->share->comm->size; r++) json_array_append_new(rows, json_integer(rows_of(s, r)));
    json_object_set_new(object, "rows", rows);
    if (s->repartitioned) json_object_set_new(object, "recuts", json_integer((json_int_t)s->repartitions));
}

/* Writes the rows of each rank, "12, 40 and 12"; for many ranks their range, "12 to 40". */
static void list_rows(const mass_slabs_result *s, char *text, size_t size)
{
    const int32_t ranks = s->share->comm->size;
    int64_t least = INT64_MAX, most = 0;
    size_t used = 0;
    for (int32_t r = 0; r < ranks; r++) {
        const int64_t rows = rows_of(s, r);
        if (rows < least) least = rows;
        if (rows > most) most = rows;
        const char *between = r == 0 ? "" : r + 1 < ranks ? ", " : " and ";
        if (ranks <= RANKS_SHOWN) used += (size_t)snprintf(text + used, size - used, "%s%" PRId64, between, rows);
    }
    if (ranks > RANKS_SHOWN) snprintf(text, size, "%" PRId64 " to %" PRId64, least, most);
}

void mass_report_say_slabs(const mass_slabs_result *s)
{
    char rows[RANKS_SHOWN * 24], again[60] = "";
    if (!s->share) return;
    list_rows(s, rows, sizeof rows);
    if (s->repartitioned)
        snprintf(again, sizeof again, ", cut again %" PRIu64 " time%s", s->repartitions,
                 mass_plural(s->repartitions));
    mass_progress_say("  slabs of %s rows of %s%s", rows, s->space->name, again);
}
