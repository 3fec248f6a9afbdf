/* SPDX-License-Identifier: Apache-2.0 */
/* Leaves a part of a table's worlds: those of --sweep-part, or of one group of a sweep with --results. */
#include "command/run/sweep_rows.h"
#include "base/plural.h"

#include <inttypes.h>

/* Cuts a run to its worlds from `from` to before `to`. Their rows count their first worlds from there. run->before
 * grows by `from`. */
static void cut(mass_sweep_rows *s, mass_sweep_run *run, int32_t from, int32_t to)
{
    uint32_t first = run->first_row, end = run->first_row + run->rows;
    while (first + 1 < end && s->starts[first + 1] <= from) first++;
    while (end - 1 > first && s->starts[end - 1] >= to) end--;
    for (uint32_t r = first; r < end; r++) s->starts[r] = s->starts[r] > from ? s->starts[r] - from : 0;
    run->first_row = first;
    run->rows = end - first;
    run->worlds = to - from;
    run->before += from;
}

/* Leaves `count` worlds of the runs from number `first` on, and no run without a world. Sets s->first and s->worlds. */
static void leave(mass_sweep_rows *s, int64_t first, int64_t count)
{
    int64_t at = 0;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->run_count; i++) {
        mass_sweep_run run = s->runs[i];
        const int64_t end = at + run.worlds, last = first + count;
        const int64_t from = first > at ? first : at, to = last < end ? last : end;
        if (from < to) {
            cut(s, &run, (int32_t)(from - at), (int32_t)(to - at));
            s->runs[kept++] = run;
        }
        at = end;
    }
    s->run_count = kept;
    s->first += first;
    s->worlds = count;
}

/* Returns the number of worlds before a row; all worlds if there is no such row. */
static int64_t worlds_before(const mass_sweep_rows *s, uint32_t row)
{
    int64_t at = 0;
    for (uint32_t i = 0; i < s->run_count; i++) {
        const mass_sweep_run *run = &s->runs[i];
        if (row < run->first_row + run->rows) return at + s->starts[row];
        at += run->worlds;
    }
    return at;
}

mass_status mass_sweep_rows_select(mass_sweep_rows *s, const mass_options *o, mass_error *error)
{
    int64_t first = o->worlds_from, count = o->worlds_count;
    if (o->sweep_parts) {
        const uint64_t rows = s->count;
        first = worlds_before(s, (uint32_t)(rows * (uint64_t)(o->sweep_part - 1) / (uint64_t)o->sweep_parts));
        count = worlds_before(s, (uint32_t)(rows * (uint64_t)o->sweep_part / (uint64_t)o->sweep_parts)) - first;
        if (count == 0)
            return mass_error_set(error, MASS_BAD_USAGE, "--sweep-part %d/%d: %s has %" PRIu32 " row%s, and none is "
                                  "in this part", o->sweep_part, o->sweep_parts, o->sweep, s->count,
                                  mass_plural(s->count));
    }
    if (count == 0) return MASS_OK;
    if (first + count > s->worlds)
        return mass_error_set(error, MASS_BAD_INPUT, "%s has changed: it had more rows", o->sweep);
    leave(s, first, count);
    return MASS_OK;
}
