/* SPDX-License-Identifier: Apache-2.0 */
#include "command/run/run_series.h"
#include "io/checkpoint/difference.h"
#include "io/folder/names.h"
#include "process/progress.h"
#include "text/expression.h"
#include "text/series.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the logged series ---- */

/* Adds a column. It replaces one of the same name, unless the user gave that: this is refused. */
static mass_status add_column(mass_series_set *set, const mass_series_column *column, mass_error *error)
{
    uint32_t at = 0;
    while (at < set->count && strcmp(set->columns[at].name, column->name) != 0) at++;
    if (at == MASS_SERIES_COLUMNS_MAX)
        return mass_error_set(error, MASS_BAD_USAGE, "more than %d series are logged", MASS_SERIES_COLUMNS_MAX);
    if (at < set->count && set->columns[at].given)
        return mass_error_set(error, MASS_BAD_USAGE, "--log gives two series the name %s", column->name);
    if (at == set->count) {
        mass_series_column *larger = realloc(set->columns, (at + 1) * sizeof *larger);
        if (!larger) return mass_error_memory(error, sizeof *larger, "a series");
        set->columns = larger;
        set->count++;
    }
    set->columns[at] = *column;
    return MASS_OK;
}

/* Returns the '=' of NAME=EXPR, which is not part of "==" or "<="; or NULL. */
static const char *find_equals(const char *text)
{
    const char *equals = strchr(text, '=');
    return equals && equals > text && equals[1] != '=' && !strchr("<>!", equals[-1]) ? equals : NULL;
}

/* Refuses a text that is no name of a series alone; if it is no expression either, says that. */
static mass_status refuse_unnamed(const mass_series_set *set, const mass_model *m, const char *text, mass_error *error)
{
    const mass_expression_scope scope = {m, set->worlds, set->first_world, false};
    mass_expression compiled;
    const mass_status status = mass_expression_compile_series("--log", text, &scope, &compiled, error);
    if (status != MASS_OK) return status;
    mass_expression_free(&compiled);
    return mass_error_set(error, MASS_BAD_USAGE, "--log '%s' is not the name of a tally alone: name it, as in "
                          "--log 'NAME=%s'", text, text);
}

/* Adds the series of one --log, EXPR or NAME=EXPR, to the set. An expression without a name is its own name if it can
 * be. Does not parse it yet. */
static mass_status add_option(mass_series_set *set, const mass_model *m, const char *text, mass_error *error)
{
    const char *equals = find_equals(text), *expression = equals ? equals + 1 : text;
    mass_series_column c = {.given = true};
    while (*expression == ' ') expression++;
    size_t length = equals ? (size_t)(equals - text) : strlen(expression);
    const char *name = equals ? text : expression;
    while (length > 0 && name[length - 1] == ' ') length--;
    if (strlen(expression) > MASS_EXPRESSION_LENGTH)
        return mass_error_set(error, MASS_BAD_USAGE, "--log: an expression of %zu characters, and %d are the most",
                              strlen(expression), MASS_EXPRESSION_LENGTH);
    snprintf(c.expression, sizeof c.expression, "%s", expression);
    if (length < sizeof c.name) snprintf(c.name, sizeof c.name, "%.*s", (int)length, name);
    if (mass_series_name_valid(c.name)) return add_column(set, &c, error);
    if (!equals && text[0] != '=') return refuse_unnamed(set, m, text, error);
    return mass_error_set(error, MASS_BAD_USAGE, "--log '%s': a name is of letters, digits, '_' and dots, begins with "
                          "a letter, and is not step or world", text);
}

/* Adds a column for a series that the plugin declares. */
static mass_status add_declared(mass_series_set *set, const mass_series_def *log, mass_error *error)
{
    mass_series_column c = {0};
    snprintf(c.name, sizeof c.name, "%s", log->name);
    snprintf(c.expression, sizeof c.expression, "%s", log->expression);
    snprintf(c.unit, sizeof c.unit, "%s", log->unit);
    return add_column(set, &c, error);
}

/* Adds the series that the model declares and those of --log, and sets the interval. Refuses to log nothing. */
static mass_status collect_series(const mass_options *o, const mass_model *m, mass_series_set *set, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < m->series_count; i++)
        status = add_declared(set, &m->series[i], error);
    for (uint32_t i = 0; status == MASS_OK && i < o->log_count; i++) status = add_option(set, m, o->logs[i], error);
    if (status == MASS_OK && set->count == 0)
        status = mass_error_set(error, MASS_BAD_USAGE, "%s declares nothing to log: say what, as in --log EXPR",
                                m->plugin);
    set->every = o->log_every_given ? o->log_every : 1;
    return status;
}

/* Compiles all columns. Those that are a tally alone take its unit, and those of all its bins its range. */
static mass_status compile(const mass_model *m, mass_run_series *l, mass_error *error)
{
    const mass_expression_scope scope = {m, l->set.worlds, l->set.first_world, l->source[0] != '\0'};
    char whose[PATH_MAX + 80] = "--log";
    if (l->source[0])
        snprintf(whose, sizeof whose, "%s (a --tally that its series name has to be given again)", l->source);
    l->programs = calloc(l->set.count + 1, sizeof *l->programs);
    if (!l->programs) return mass_error_memory(error, l->set.count * sizeof *l->programs, "a series");
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < l->set.count; i++) {
        mass_series_column *c = &l->set.columns[i];
        status = mass_expression_compile_series(whose, c->expression, &scope, &l->programs[i], error);
        const int tally = status == MASS_OK ? mass_expression_tally(&l->programs[i]) : -1;
        if (tally >= 0 && !c->unit[0]) snprintf(c->unit, sizeof c->unit, "%s", m->tallies[tally].unit);
        if (tally >= 0 && l->programs[i].program->bin == MASS_ALL_BINS) {
            c->length = m->tallies[tally].bins;
            c->lo = m->tallies[tally].low;
            c->hi = m->tallies[tally].high;
        }
    }
    return status;
}

/* ---- the existing file ---- */

/* Makes the path of the file of series in a folder. Returns whether it exists. folder: NULL: none. */
static bool file_in(const char *folder, char path[PATH_MAX])
{
    if (!folder || (size_t)snprintf(path, PATH_MAX, "%s/" MASS_SERIES_FILE, folder) >= PATH_MAX) return false;
    return access(path, F_OK) == 0;
}

/* Returns whether a file of series is of another run, by the runs' ids. */
static bool is_foreign(const mass_series_set *found, const mass_series_set *own)
{
    return strcmp(found->run, own->run) != 0;
}

/* Reports that a series file is another run's, and how the runs differ. */
static mass_status refuse_foreign(const char *path, const mass_run_facts *found, const mass_ownership *owner,
                                  mass_error *error)
{
    char why[MASS_WHY_ANOTHER];
    if (mass_ownership_has(owner, found, why)) snprintf(why, sizeof why, "which says otherwise at its beginning");
    mass_tell_apart(path, found, NULL, owner, why);
    return mass_ownership_refuse(path, "checkpoint", why, error);
}

/* Reads a series file in a process of its own. Advises to move a damaged one away. */
static mass_status describe(const char *path, mass_series_contents *out, mass_error *error)
{
    mass_error why = {0};
    const mass_status status = mass_series_describe_probed(path, out, &why);
    return status == MASS_OK ? MASS_OK
                             : mass_error_set(error, status, "%s%s", why.text,
                                              status == MASS_BAD_INPUT && !why.obstacle
                                                  ? ": move it away to go on without it" : "");
}

/* Refuses to replace a file of series in the folder that is damaged or not this run's. There may be none. */
static mass_status check_target(const char *to, const mass_series_set *own, mass_error *error)
{
    char path[PATH_MAX];
    mass_series_contents found = {0};
    if (!file_in(to, path)) return MASS_OK;
    mass_run_facts facts;
    mass_status status = describe(path, &found, error);
    const mass_file_kind kind = status == MASS_OK ? mass_file_facts(path, &facts) : MASS_FILE_FOREIGN;
    if (status == MASS_OK && kind == MASS_FILE_UNREAD) status = mass_error_unread(error, MASS_BAD_INPUT, path, errno);
    if (status == MASS_OK && kind != MASS_FILE_SERIES) /* else it could not be replaced later */
        status = mass_error_set(error, MASS_BAD_INPUT, "%s is not a whole file of series: it does not begin as one "
                                "does: move it away to go on without it", path);
    if (status == MASS_OK && is_foreign(&found.set, own)) status = refuse_foreign(path, &facts, own->owner, error);
    mass_series_contents_free(&found);
    return status;
}

/* Reads the file of series of a resumed run, if there is one, and sets `source` if it is of this run. from: the
 * checkpoint folder, in which the file has a fixed name. */
static mass_status find_source(mass_run_series *l, const char *from, mass_error *error)
{
    char path[PATH_MAX];
    if (!file_in(from, path)) return MASS_OK;
    const mass_status status = describe(path, &l->found, error);
    if (status == MASS_OK && !is_foreign(&l->found.set, &l->set)) snprintf(l->source, sizeof l->source, "%s", path);
    return status;
}

/* Adds all columns of a set to another and copies its interval. */
static mass_status copy_columns(mass_series_set *to, const mass_series_set *from, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < from->count; i++)
        status = add_column(to, &from->columns[i], error);
    to->every = from->every;
    return status;
}

/* Returns whether two paths lead to the same folder. False if one does not exist. */
static bool same_folder(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Compares the requested series with those of a resumed run. Different series begin a new file in another folder:
 * l->source becomes "". In the run's own folder they are refused: the run keeps its series. from, to: folders, as
 * mass_run_series_plan takes them. */
static mass_status compare_series(const mass_options *o, const mass_model *m, const char *from, const char *to,
                                  mass_run_series *l, mass_error *error)
{
    mass_series_set asked = {.worlds = l->set.worlds, .first_world = l->set.first_world};
    mass_status status = collect_series(o, m, &asked, error);
    if (status == MASS_OK && !mass_series_same(&asked, &l->found.set)) {
        if (!to || same_folder(from, to))
            status = mass_error_set(error, MASS_BAD_USAGE, "%s has other series, or another interval: a resumed run "
                                    "keeps them: leave out --log and --log-every, or give another --checkpoint folder",
                                    l->source);
        else l->source[0] = '\0';
    }
    mass_series_set_free(&asked);
    return status;
}

/* Stores the name of the file of --series in set->text, without its folder. Leaves out a pipe or a device, which no run
 * can continue, and a name that is too long. */
static void name_text(const char *path, mass_series_set *set)
{
    struct stat st;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (strncmp(path, "/dev/", 5) == 0 || (stat(path, &st) == 0 && !S_ISREG(st.st_mode))) return;
    if (strlen(name) < sizeof set->text) memcpy(set->text, name, strlen(name) + 1);
}

/* Reports if a resumed run does not continue the text of the run before. step: the first of this run. */
static void say_text_left(const mass_options *o, const mass_run_series *l, uint64_t step)
{
    if (!l->source[0] || !l->found.set.text[0] || o->series) return;
    mass_progress_say("mass-engine: the run wrote %s, too, which gets no rows after step %" PRIu64 " now: give "
                      "--series with that file again to go on with it", l->found.set.text, step);
}

/* Keeps the series of the found file. If the file ends before `step`, at which the run goes on, it is refused if
 * something is wanted, else left as it is: l->source becomes "". */
static mass_status keep_series(mass_run_series *l, bool wanted, uint64_t step, mass_error *error)
{
    const mass_series_contents *c = &l->found;
    const uint64_t last = c->first + (c->rows ? c->rows - 1 : 0) * c->set.every;
    const bool ended = c->rows > 0 && last + c->set.every <= step;
    if (ended && !wanted) {
        mass_progress_say("mass-engine: %s ends at step %" PRIu64 " and is left as it is: nothing is logged", l->source,
                          last);
        l->source[0] = '\0';
        return MASS_OK;
    }
    if (ended)
        return mass_error_set(error, MASS_BAD_INPUT, "%s ends at step %" PRIu64 ", and the run goes on "
                              "from step %" PRIu64 ": move it away to go on without it", l->source, last, step);
    return copy_columns(&l->set, &c->set, error);
}

mass_status mass_run_series_plan(const mass_options *o, const mass_model *m, const char *from, const char *to,
                              uint64_t step, mass_run_series *l, mass_error *error)
{
    const bool wanted = o->log_count || o->log_every_given || o->series;
    mass_status status = from ? find_source(l, from, error) : MASS_OK;
    if (status == MASS_OK && l->source[0] && (o->log_count || o->log_every_given))
        status = compare_series(o, m, from, to, l, error);
    if (status == MASS_OK && l->source[0]) status = keep_series(l, wanted, step, error);
    else if (status == MASS_OK && wanted) status = collect_series(o, m, &l->set, error);
    if (status == MASS_OK && wanted && !to && !o->series)
        status = mass_error_set(error, MASS_BAD_USAGE, "--log and --log-every need --checkpoint FOLDER or "
                                "--series FILE");
    if (status == MASS_OK && l->set.count && !o->force) status = check_target(to, &l->set, error);
    if (status == MASS_OK && o->series) name_text(o->series, &l->set);
    if (status == MASS_OK) say_text_left(o, l, step);
    return status == MASS_OK ? compile(m, l, error) : status;
}

mass_status mass_run_series_collect(const mass_options *o, const mass_model *m, mass_run_series *l,
                                    mass_error *error)
{
    const mass_status status = collect_series(o, m, &l->set, error);
    return status == MASS_OK ? compile(m, l, error) : status;
}

void mass_run_series_free(mass_run_series *l)
{
    for (uint32_t i = 0; l->programs && i < l->set.count; i++) mass_expression_free(&l->programs[i]);
    free(l->programs);
    mass_series_set_free(&l->set);
    mass_series_contents_free(&l->found);
}
