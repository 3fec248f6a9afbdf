/* SPDX-License-Identifier: Apache-2.0 */
/* Writes tables of the agents of the last step. */
#include "io/writers.h"

#include "io/export/agents_csv.h"
#include "io/picture/image.h"
#include "model/network.h"
#include "process/progress.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* ---- the texts of --agents ---- */

/* Refuses a name that no population has. Edges that come and go are agents, but not a user's. */
static mass_status refuse_name(const mass_model *m, const char *name, int length, mass_error *error)
{
    char names[300] = "";
    for (uint32_t i = 0; i < m->population_count; i++) {
        const size_t used = strlen(names);
        if (mass_model_is_of_edges(m, i)) continue;
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", m->populations[i].name);
    }
    if (!names[0]) return mass_error_set(error, MASS_BAD_USAGE, "--agents: plugin %s has no population", m->plugin);
    return mass_error_set(error, MASS_BAD_USAGE, "--agents: there is no population '%.*s'; %s has %s", length, name,
                          m->plugin, names);
}

/* Finds the population and the file of a text POPULATION=FILE. */
static mass_status read_text(const mass_model *m, const char *text, mass_agents_file *out, mass_error *error)
{
    const int length = (int)strcspn(text, "=");
    for (uint32_t i = 0; i < m->population_count; i++) {
        const char *const name = m->populations[i].name;
        if ((int)strlen(name) != length || strncmp(name, text, (size_t)length) != 0 || mass_model_is_of_edges(m, i))
            continue;
        *out = (mass_agents_file){.population = i, .path = text + length + 1};
        return MASS_OK;
    }
    return refuse_name(m, text, length, error);
}

/* Refuses a population or a file that an earlier text has. */
static mass_status check_others(const mass_output *o, const mass_agents_file *file, mass_error *error)
{
    for (const mass_agents_file *f = o->agents; f < file; f++) {
        if (f->population == file->population)
            return mass_error_set(error, MASS_BAD_USAGE, "--agents: population %s has two files, %s and %s",
                                  o->model->populations[f->population].name, f->path, file->path);
        if (strcmp(f->path, file->path) == 0)
            return mass_error_set(error, MASS_BAD_USAGE, "--agents: populations %s and %s have the same file %s",
                                  o->model->populations[f->population].name,
                                  o->model->populations[file->population].name, f->path);
    }
    return MASS_OK;
}

/* ---- the writer ---- */

/* Reports an attribute that is not in the table. */
static void say_left_out(const mass_attribute_def *a, const char *why)
{
    mass_progress_say("mass-engine: --agents: the table has no column for attribute '%s': %s", a->name, why);
}

/* Checks that a table's file can be written, and reports what will not be in it. Writes nothing. */
static mass_status check_file(const mass_output *o, const mass_agents_file *file, mass_error *error)
{
    const bool force = o->plan->owner->force;
    struct stat there;
    const mass_table_request request = {.model = o->model, .population = file->population};
    mass_table_rows rows = {.request = &request, .path = file->path};
    mass_status status = mass_image_check_path(file->path, "--agents", ".csv", true, error);
    if (status == MASS_OK && !force && lstat(file->path, &there) == 0)
        status = mass_error_set(error, MASS_BAD_USAGE, "--agents %s exists: give another name, or --force to replace "
                                "it", file->path);
    if (status == MASS_OK) status = mass_agents_csv_columns(&rows, say_left_out, error);
    mass_table_rows_free(&rows);
    return status;
}

/* Reads the texts of --agents, and checks their files. Writes nothing. */
static mass_status create(mass_output *o, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < o->plan->agents_count; i++) {
        status = read_text(o->model, o->plan->agents[i], &o->agents[i], error);
        if (status == MASS_OK) status = check_others(o, &o->agents[i], error);
        if (status == MASS_OK) status = check_file(o, &o->agents[i], error);
    }
    return status;
}

/* Writes one table from the final state. It replaces the one that this run wrote before a viewer prolonged it. */
static mass_status write_table(const mass_output *o, mass_agents_file *file, const mass_snapshot *final,
                               mass_error *error)
{
    mass_image_file to;
    const mass_table_request request = {.model = o->model, .population = file->population};
    mass_table_rows rows = {.request = &request, .path = file->path};
    const bool force = o->plan->owner->force || file->written;
    mass_status status = mass_agents_csv_columns(&rows, NULL, error);
    if (status == MASS_OK) status = mass_image_file_open(&to, file->path, force, error);
    if (status == MASS_OK) {
        errno = 0;
        mass_agents_csv_write(final, &rows, to.stream);
        if (ferror(to.stream)) to.cause = errno ? errno : EIO;
        status = mass_image_file_commit(&to, error);
    }
    if (status == MASS_OK) file->written = true;
    mass_table_rows_free(&rows);
    return status;
}

/* Writes all tables. A failure does not keep the others from being written; the first one is added to the run's. */
static void end(mass_output *o, mass_domain *d, const mass_snapshot *final, mass_error *failure)
{
    (void)d;
    for (uint32_t i = 0; i < o->plan->agents_count; i++) {
        mass_error problem = {0};
        if (write_table(o, &o->agents[i], final, &problem) != MASS_OK && failure->status == MASS_OK) *failure = problem;
    }
}

const mass_output_writer mass_output_agents = {.create = create, .end = end};
