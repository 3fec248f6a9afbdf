/* SPDX-License-Identifier: Apache-2.0 */
#include "command/report/means.h"
#include "base/memory_stream.h"
#include "io/folder/names.h"
#include "io/folder/publish.h"
#include "io/folder/temporary.h"
#include "io/series/text_rows.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- numbers ---- */

typedef struct mean {
    double mean, squares;
    int64_t count;
} mean;

/* Adds a value to a mean, by Welford's method (1962). Ignores what is no number. */
static void add(mean *m, const json_t *value)
{
    if (!json_is_number(value)) return;
    const double number = json_number_value(value), before = number - m->mean;
    m->mean += before / (double)++m->count;
    m->squares += before * (number - m->mean);
}

/* Puts mean and deviation as two fields. NaN: no world has a value, or for the deviation fewer than two. */
static void put_mean(FILE *to, const mean *m)
{
    fputc(',', to);
    mass_series_text_put_number(to, m->count > 0 ? m->mean : NAN, "");
    fputc(',', to);
    mass_series_text_put_number(to, m->count > 1 ? sqrt(m->squares / (double)(m->count - 1)) : NAN, "");
}

/* Writes a comma and a value as a field of a table: texts in quotes if they need them, and NaN for what is no
 * number. */
static void put_value(FILE *to, const json_t *value)
{
    fputc(',', to);
    if (json_is_integer(value)) fprintf(to, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (json_is_string(value))
        fprintf(to, strpbrk(json_string_value(value), ", ;") ? "\"%s\"" : "%s", json_string_value(value));
    else mass_series_text_put_number(to, json_is_number(value) ? json_number_value(value) : NAN, "");
}

/* ---- a run ---- */

/* Returns an integer member of a result; 0 if it has none. */
static json_int_t whole(const json_t *run, const char *name) { return json_integer_value(json_object_get(run, name)); }

/* Returns the value of a world: `value` is a list by world if there are several worlds. */
static const json_t *of_world(const json_t *value, json_int_t worlds, size_t world)
{
    return worlds > 1 ? json_array_get(value, world) : value;
}

/* Returns a world's swept parameters. */
static const json_t *sweep_of(const json_t *run, size_t world)
{
    return json_array_get(json_object_get(run, "sweep"), world);
}

/* Returns whether a world belongs to the same row as the one before it. */
static bool goes_on(const json_t *run, size_t world)
{
    const json_t *rows = json_object_get(run, "sweep_rows");
    if (rows) return json_equal(json_array_get(rows, world), json_array_get(rows, world - 1));
    const json_t *own = sweep_of(run, world);
    return !own || json_equal(own, sweep_of(run, world - 1));
}

/* Returns whether a quantity is a number, or a number for each world. */
static bool is_number(const json_t *run, const json_t *value)
{
    const json_t *first = of_world(value, whole(run, "worlds"), 0);
    return json_is_number(first) || json_is_null(first);
}

/* All quantities that have means: tallies, then populations whose name no tally has. */
typedef struct quantities {
    json_t *tallies, *agents;
} quantities;

/* Returns the tallies and the numbers of agents in a run's report. Both belong to the report. */
static quantities quantities_of(json_t *run)
{
    return (quantities){json_object_get(run, "tallies"), json_object_get(run, "agents")};
}

/* Returns whether no tally has the name of a population. */
static bool is_apart(const quantities *q, const char *population) { return !json_object_get(q->tallies, population); }

/* ---- the table ---- */

/* Returns whether the table has a column of its own by that name. */
static bool is_taken(const char *name)
{
    static const char *const own[] = {"row", "seed", "size", "step", "worlds"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(name, own[i]) == 0) return true;
    return false;
}

/* Puts the header, with names from the first run. Parameters named as a fixed column gain "-parameter". */
static void put_header(FILE *to, json_t *run)
{
    const char *name;
    json_t *value;
    const quantities q = quantities_of(run);
    fputs("row,seed,size,step,worlds", to);
    json_object_foreach(json_array_get(json_object_get(run, "sweep"), 0), name, value)
        fprintf(to, ",%s%s", name, is_taken(name) ? "-parameter" : "");
    json_object_foreach(q.tallies, name, value)
        if (is_number(run, value)) fprintf(to, ",%s.mean,%s.deviation", name, name);
    json_object_foreach(q.agents, name, value)
        if (is_apart(&q, name)) fprintf(to, ",%s.mean,%s.deviation", name, name);
    fputc('\n', to);
}

/* Puts the size of the first space as one field: ",NXxNY". */
static void put_size(FILE *to, const json_t *run)
{
    const json_t *size = json_object_get(run, "size");
    for (size_t a = 0; a < json_array_size(size); a++)
        fprintf(to, "%c%" JSON_INTEGER_FORMAT, a ? 'x' : ',', json_integer_value(json_array_get(size, a)));
}

/* Puts mean and deviation of a quantity over the worlds `first` to `first + count - 1`. */
static void put_quantity(FILE *to, const json_t *run, const json_t *value, size_t first, size_t count)
{
    mean m = {0};
    const json_int_t worlds = whole(run, "worlds");
    for (size_t w = first; w < first + count; w++) add(&m, of_world(value, worlds, w));
    put_mean(to, &m);
}

/* Writes the row of `count` worlds of a run, from world `first` on, which begins with the number that the sweep
 * gives it, else with `row`. */
static void put_row(FILE *to, json_t *run, json_int_t row, size_t first, size_t count)
{
    const char *name;
    json_t *value, *sweep = json_array_get(json_object_get(run, "sweep"), first);
    const quantities q = quantities_of(run);
    const json_t *rows = json_object_get(run, "sweep_rows");
    fprintf(to, "%" JSON_INTEGER_FORMAT, rows ? json_integer_value(json_array_get(rows, first)) : row);
    put_value(to, json_object_get(run, "seed"));
    put_size(to, run);
    fprintf(to, ",%" JSON_INTEGER_FORMAT ",%zu", whole(run, "steps"), count);
    json_object_foreach(sweep, name, value) put_value(to, value);
    json_object_foreach(q.tallies, name, value)
        if (is_number(run, value)) put_quantity(to, run, value, first, count);
    json_object_foreach(q.agents, name, value)
        if (is_apart(&q, name)) put_quantity(to, run, value, first, count);
    fputc('\n', to);
}

/* Writes the rows of one run, one for all neighbouring worlds that go on in the same row, and counts them in *rows. */
static void put_run(FILE *to, json_t *run, json_int_t *rows)
{
    const size_t worlds = (size_t)whole(run, "worlds");
    for (size_t first = 0, count; first < worlds; first += count) {
        for (count = 1; first + count < worlds && goes_on(run, first + count);) count++;
        put_row(to, run, ++*rows, first, count);
    }
}

/* Returns the table of all runs' results, --json objects, which the caller frees; NULL if memory is short or a result
 * cannot be read. */
static char *make_table(char *const *objects, uint32_t count)
{
    char *text = NULL;
    size_t size = 0;
    json_int_t rows = 0;
    bool whole_table = true;
    FILE *to = mass_memory_stream(&text, &size);
    for (uint32_t i = 0; to && i < count; i++) {
        json_t *run = json_loads(objects[i], 0, NULL);
        if (run && i == 0) put_header(to, run);
        if (run) put_run(to, run, &rows);
        whole_table &= run != NULL;
        json_decref(run);
    }
    if (to && fclose(to) == 0 && whole_table) return text;
    free(text);
    return NULL;
}

/* ---- the file ---- */

/* Reports why the file cannot be written, from errno. */
static mass_status refuse(const char *path, mass_status status, mass_error *error)
{
    char why[MASS_WHY_NOT_MADE];
    return mass_error_set(error, status, "cannot write --means %s: %s", path,
                          mass_folder_why_not_made(path, errno, why));
}

/* Reports that the file exists, and --force. */
static mass_status refuse_there(const char *path, mass_error *error)
{
    return mass_error_set(error, MASS_BAD_USAGE, "--means %s exists: give another name, or --force to replace it",
                          path);
}

mass_status mass_means_check(const char *path, bool force, mass_error *error)
{
    struct stat there;
    const char *end = strrchr(path, '.');
    if (!end || strcmp(end, ".csv") != 0)
        return mass_error_set(error, MASS_BAD_USAGE, "--means %s does not end in .csv", path);
    if (lstat(path, &there) == 0 && (!force || S_ISDIR(there.st_mode))) return refuse_there(path, error);
    mass_temporary t;
    if (!mass_temporary_make(path, &t)) return refuse(path, errno == ENOMEM ? MASS_FAILED : MASS_BAD_USAGE, error);
    mass_temporary_end(&t);
    return MASS_OK;
}

/* Returns whether --force permits to replace the file. */
static bool may_replace(const void *force, const char *path)
{
    (void)path;
    return *(const bool *)force;
}

/* Writes all bytes and flushes them to the disk. Returns false and sets errno on failure. */
static bool put_all(int to, const char *bytes, size_t size)
{
    for (ssize_t put; size > 0; bytes += put, size -= (size_t)put)
        if ((put = write(to, bytes, size)) < 0) return false;
    return fsync(to) == 0;
}

mass_status mass_means_write(const char *path, bool force, char *const *objects, uint32_t count, mass_error *error)
{
    mass_temporary t;
    char *table = make_table(objects, count);
    mass_status status = MASS_OK;
    if (!table) return mass_error_memory(error, count, "the table of --means");
    if (!mass_temporary_make(path, &t)) status = refuse(path, MASS_FAILED, error);
    else {
        if (!put_all(t.file, table, strlen(table)) || !mass_publish(t.path, path, may_replace, &force))
            status = errno == EEXIST ? refuse_there(path, error) : refuse(path, MASS_FAILED, error);
        mass_temporary_end(&t);
    }
    free(table);
    return status;
}
