/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a model from the options: its parameters, its size, its seed, and its plugin, which is tried before it is
 * opened. */
#include "command/run/blame_size.h"
#include "command/run/ranges.h"
#include "command/run/session.h"
#include "command/options/positional.h"
#include "io/input/edge_arrays.h"
#include "plugin/elf.h"
#include "plugin/exposure.h"
#include "plugin/probe.h"
#include "plugin/search.h"
#include "process/crash.h"
#include "process/progress.h"
#include "process/signals.h"
#include "text/reduction.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

/* Returns 32 random bits, or bits of the time if the system gives none. */
static uint64_t random_seed(void)
{
    uint32_t seed = 0;
    if (getrandom(&seed, sizeof seed, 0) != sizeof seed) seed = (uint32_t)(mass_seconds() * 1e6);
    return seed;
}

/* Reads the parameters of --params, which becomes an input of the run. Those of --set override them. Both become the
 * opening's. */
static mass_status read_parameters(mass_session *s, mass_error *error)
{
    const mass_options *o = s->options;
    mass_status status = mass_parameter_file_read(o->params, &s->parameters, error);
    if (status == MASS_OK)
        status = mass_parameter_file_override(&s->parameters, o->settings, o->setting_count, error);
    if (status == MASS_OK)
        status = mass_inputs_add(&s->inputs, MASS_INPUT_PARAMETERS, o->params, s->parameters.hash, error);
    s->opening.settings = s->parameters.settings;
    s->opening.setting_count = s->parameters.count;
    return status;
}

mass_status mass_session_take_options(mass_session *s, const mass_options *options, mass_error *error)
{
    s->own = *options;
    s->options = &s->own;
    if (!options->sweep || options->resume) return MASS_OK;
    const mass_status status = mass_sweep_rows_read(options, &s->rows, error);
    const uint32_t run = options->sweep_run ? (uint32_t)options->sweep_run - 1 : 0;
    if (status == MASS_OK && run >= s->rows.run_count)
        return mass_error_set(error, MASS_BAD_INPUT, "%s has changed: it had more rows", options->sweep);
    if (status == MASS_OK && !options->sweep_run && s->rows.run_count > 1 && s->comm->size > 1)
        return mass_error_set(error, MASS_BAD_USAGE, "the rows of %s make %u runs, and a launcher starts one: use "
                              "--ranks, which starts each", options->sweep, s->rows.run_count);
    if (status != MASS_OK) return status;
    mass_sweep_rows_use(&s->rows, run, &s->own);
    return s->rows.run_count > 1 ? mass_sweep_files_name(&s->own, s->names, error) : MASS_OK;
}

int32_t mass_session_worlds(const mass_session *s)
{
    if (s->checkpoint) return s->checkpoint->worlds;
    return s->sweep.worlds ? s->sweep.worlds : s->options->worlds;
}

/* Sets s->opening, with which the plugin is opened: settings of parameters, size and seed. If the run resumes, they are
 * the checkpoint's. Otherwise they come from options, from --params, and from the sweep's row, and a seed that is not
 * given is drawn. */
static mass_status make_opening(mass_session *s, mass_error *error)
{
    const mass_options *o = s->options;
    s->opening = (mass_opening){.quiet = o->quiet, .threads = o->threads, .read_edges = mass_edge_arrays_read};
    if (s->checkpoint) return mass_session_restore_opening(s, error);
    s->opening.settings = o->settings;
    s->opening.setting_count = o->setting_count;
    memcpy(s->opening.size, o->size, sizeof o->size);
    s->opening.dimensions = o->dimensions;
    s->opening.seed = o->seed_given ? o->seed : random_seed();
    if (!o->seed_given) mass_crash_seed(s->opening.seed);
    const mass_status status = o->params ? read_parameters(s, error) : MASS_OK;
    if (status != MASS_OK || !o->rows) return status;
    return mass_sweep_take(o->rows, (uint32_t)o->sweep_run - 1, &s->opening, &s->sweep, error);
}

/* Returns whether worlds have parameters of their own: rows may have only seeds or repeats. */
static bool is_swept(const mass_session *s) { return s->sweep.worlds && s->sweep.rows->columns > 0; }

/* Returns whether files of networks are read more than once. Each rank reads them, and a sweep for each of its worlds.
 * --load reads them before it knows the size, and then again. */
static bool reads_again(const mass_session *s)
{
    return s->comm->size > 1 || is_swept(s) || s->rows.run_count > 1 ||
           (s->checkpoint && s->checkpoint->model.parameters.worlds > 0) ||
           (s->options->load_count > 0 && !s->opening.dimensions);
}

/* Checks that the plugin is the checkpoint's, before it is opened with the checkpoint's parameters. */
static mass_status check_owner(const mass_session *s, mass_error *error)
{
    const char *stored = s->checkpoint ? s->checkpoint->model.plugin : s->loaded.entry->name;
    if (strcmp(stored, s->loaded.entry->name) == 0) return MASS_OK;
    char path[PATH_MAX];
    const bool found = mass_plugin_find(stored, path, &(mass_error){0}) == MASS_OK;
    return mass_error_set(error, MASS_BAD_INPUT, "%s was written by plugin %s, not by %s: give %s%s%s",
                          s->checkpoint_path, stored, s->loaded.entry->name, found ? "--plugin " : "that one, as in "
                          "--plugin FOLDER/", stored, found ? "" : ".so");
}

/* Says in the error, which is set, that a plugin refuses the parameters or the size of a checkpoint. Returns
 * MASS_BAD_INPUT. */
static mass_status refuse_checkpoint(const mass_session *s, mass_error *error)
{
    const mass_error cause = *error;
    *error = (mass_error){0};
    return mass_error_set(error, MASS_BAD_INPUT, "%s does not fit its plugin: %s", s->checkpoint_path, cause.text);
}

/* If the error of a resumed run names a file of a parameter by a relative path that leads nowhere, adds what to do.
 * Returns its status. */
static mass_status blame_folder(const mass_session *s, mass_error *error)
{
    const mass_parameters *list = &s->checkpoint->model.parameters;
    for (uint32_t i = 0; i < list->count; i++) {
        const mass_parameter_slot *p = &list->slots[i];
        if (p->type != MASS_TEXT || !p->text[0] || p->text[0] == '/' || !strstr(error->text, p->text)) continue;
        if (access(p->text, F_OK) == 0 || errno != ENOENT) continue;
        const mass_error cause = *error;
        *error = (mass_error){0};
        return mass_error_set(error, cause.status, "%s: parameter %s has a path relative to the folder in which the "
                              "run began: resume there", cause.text, p->name);
    }
    return error->status;
}

/* Finds the plugin that the options name, else the checkpoint's. A checkpoint stores its name, never a path, so the
 * search finds it. */
static mass_status find_plugin(const mass_session *s, char path[PATH_MAX], mass_error *error)
{
    if (s->options->plugin) return mass_word_plugin(s->options->plugin, path, error);
    const char *name = s->checkpoint->model.plugin;
    mass_error cause = {0};
    if (mass_plugin_find(name, path, &cause) == MASS_OK) return MASS_OK;
    if (cause.status != MASS_BAD_PLUGIN)
        return mass_error_set(error, cause.status, "%s was written by plugin %s: %s", s->checkpoint_path, name,
                              cause.text);
    return mass_error_set(error, MASS_BAD_PLUGIN, "%s was written by plugin %s, which is in no folder of plugins: give "
                          "its path, as in --plugin FOLDER/%s.so, or put its absolute folder into MASS_PLUGIN_PATH",
                          s->checkpoint_path, name, name);
}

/* Warns, unless --quiet, if all users can change the plugin's file. */
static void say_exposure(const mass_session *s, const char *path)
{
    char where[PATH_MAX];
    if (!s->options->quiet && mass_plugin_is_exposed(path, where))
        mass_progress_say("mass-engine: everybody on this machine can write to %s, and so choose what this plugin "
                          "does: chmod o-w", where);
}

/* Tries the plugin and reports broken promises, which fail with --strict. With --device paranoid it does not look for
 * them: the run itself reports them. */
static mass_status try_plugin(mass_session *s, const char *path, mass_error *error)
{
    mass_probe_findings found = {0};
    const mass_options *o = s->options;
    const bool looks = !(o->device && strcmp(o->device, "paranoid") == 0);
    mass_opening opening = s->opening;
    opening.loaded = o->load_count > 0;
    opening.explained = o->mode == MASS_MODE_EXPLAIN;
    const mass_status status = mass_probe_plugin(path, &opening, looks ? &found : NULL, error);
    if (status == MASS_OK && found.slow[0] && !o->quiet)
        mass_progress_say("mass-engine: a trial on a few places shows: %s", found.slow);
    if (status != MASS_OK || !found.broken[0]) return status;
    char text[MASS_PROBE_TEXT + 200];
    snprintf(text, sizeof text, "results may be wrong, as a trial on a few places shows: %s; --device paranoid checks "
             "the run itself", found.broken);
    mass_faults_add(&s->faults, text);
    return mass_faults_check(&s->faults, error);
}

/* Opens the model; of a checkpoint, with the ranges that attributes have over all its worlds. */
static mass_status open_model(mass_session *s, mass_error *error)
{
    mass_ranges ranges = {0};
    const mass_model *stored = s->checkpoint ? &s->checkpoint->model : NULL;
    mass_status status = MASS_OK;
    if (stored) status = mass_ranges_find(&ranges, &s->host, s->loaded.entry, &s->opening, stored, error);
    if (status == MASS_OK) status = mass_host_open(&s->host, s->loaded.entry, &s->opening, &s->model, error);
    if (status == MASS_OK) mass_ranges_give(&ranges, &s->model);
    mass_ranges_free(&ranges);
    return status;
}

/* Opens the model of the run, or of all worlds of a sweep. If a size of the user is the cause of a failure, or the name
 * of a parameter may be, says so. */
static mass_status open_any(mass_session *s, mass_error *error)
{
    const bool sized = !s->checkpoint && s->options->dimensions > 0;
    s->sweep.sized = sized;
    if (is_swept(s))
        return mass_sweep_open(&s->sweep, &s->host, s->loaded.entry, &s->opening, &s->model, error);
    mass_error why = {0};
    const mass_status status = open_model(s, &why);
    if (status != MASS_OK && mass_host_blame_name(&s->host, s->loaded.entry, &s->opening, &why, error))
        return error->status;
    if (status == MASS_OK || (sized && mass_blame_size(s->loaded.entry, &s->opening, &s->model, &why, error)))
        return status;
    *error = why;
    return status;
}

/* Refuses a size that a file of --load gives. If the space cannot have it, the file is at fault. Else the cause is
 * another, such as a parameter that needs other sizes, and the message adds where the size comes from. axes_before:
 * those of the first space by the plugin's default. */
static mass_status refuse_size_of_file(const mass_session *s, const char *file, uint32_t axes_before,
                                       const mass_error *cause, mass_error *error)
{
    const mass_opening *opening = &s->opening;
    if (s->model.space_count > 0)
        return mass_error_set(error, cause->status, "%s; the size is that of --load %s", cause->text, file);
    char worlds[64] = "";
    if (opening->dimensions == axes_before + 1)
        snprintf(worlds, sizeof worlds, "; a first axis of worlds goes with --worlds %" PRId64,
                 opening->size[opening->dimensions - 1]);
    return mass_error_set(error, MASS_BAD_INPUT, "--load %s: %s%s", file, cause->text, worlds);
}

/* Takes the size of a file of --load, if no size is given, and opens the model again with it. Notes the file in
 * s->loading. Does nothing if no file has a size. */
static mass_status take_size_of_file(mass_session *s, mass_error *error)
{
    const mass_options *o = s->options;
    mass_opening *opening = &s->opening;
    mass_error cause = {0};
    uint32_t sized = 0;
    if (o->load_count == 0 || opening->dimensions || s->model.space_count == 0) return MASS_OK;
    mass_status status = mass_loading_size(o, &s->model, mass_session_worlds(s), opening->size, &opening->dimensions,
                                           &sized, error);
    if (status != MASS_OK || opening->dimensions == 0) return status;
    const uint32_t axes_before = s->model.spaces[0].dimensions;
    s->loading.sized = o->loads[sized];
    mass_model_free(&s->model);
    status = open_model(s, &cause); /* with the parameters of one row of a sweep; failures are not attributed to a
                                       row */
    if (status == MASS_BAD_USAGE && (s->model.space_count == 0 || !is_swept(s)))
        return refuse_size_of_file(s, o->loads[sized], axes_before, &cause, error);
    if (!is_swept(s)) return status == MASS_OK ? MASS_OK : mass_error_set(error, status, "%s", cause.text);
    mass_model_free(&s->model);
    s->sweep.sizeless = false;
    return open_any(s, error);
}

/* Finds, checks, tries and loads the plugin, and opens its model. Warns of another version than the checkpoint's. The
 * seed becomes 0 if the model has none and none is given. */
static mass_status open_plugin(mass_session *s, mass_error *error)
{
    char path[PATH_MAX];
    mass_status status = find_plugin(s, path, error);
    mass_elf_facts facts;
    if (status == MASS_OK) say_exposure(s, path);
    if (status == MASS_OK) status = mass_elf_check_file(path, &facts, error);
    if (status == MASS_OK) status = try_plugin(s, path, error);
    if (status == MASS_OK) status = mass_plugin_load(path, &s->loaded, error);
    if (status == MASS_OK) status = check_owner(s, error);
    s->sweep.sizeless = s->options->load_count > 0 && !s->opening.dimensions;
    if (status == MASS_OK) status = open_any(s, error);
    if (status == MASS_OK && s->options->rows) status = mass_sweep_check_own(s->options->rows, &s->model, error);
    if (status == MASS_OK) status = take_size_of_file(s, error);
    if (status == MASS_OK && s->model.seedless && !s->options->seed_given && !s->checkpoint)
        mass_crash_seed(s->opening.seed = 0);
    if (status == MASS_OK && s->checkpoint && strcmp(s->model.version, s->checkpoint->model.version) != 0)
        mass_progress_say("mass-engine: the checkpoint is of %s %s, and this is %s", s->model.plugin,
                          s->checkpoint->model.version, s->model.version);
    if (status == MASS_BAD_USAGE && s->checkpoint) status = refuse_checkpoint(s, error);
    if (status == MASS_BAD_INPUT && s->checkpoint) status = blame_folder(s, error);
    return status;
}

/* Shows how far a file with edges is read, and ends the read if a signal asks for that. */
static mass_status see_edges(void *context, const char *file, uint64_t bytes, uint64_t of, uint64_t edges,
                             mass_error *error)
{
    mass_progress_edges(context, file, bytes, of, edges);
    return mass_signals_check(error);
}

mass_status mass_session_open(mass_session *s, mass_error *error)
{
    mass_progress reading;
    s->faults.strict = s->options->strict;
    mass_status status = make_opening(s, error);
    if (status != MASS_OK) return status;
    if (reads_again(s)) s->opening.read_edges = mass_edge_arrays_read_again;
    mass_progress_begin(&reading, 0, 0, 0, "", s->options->quiet);
    mass_edge_list_watch(see_edges, &reading);
    status = open_plugin(s, error);
    mass_edge_list_watch(NULL, NULL);
    mass_progress_end(&reading);
    return status;
}

mass_status mass_session_check_cut(mass_session *s, int32_t ranks, mass_error *error)
{
    char path[PATH_MAX];
    mass_elf_facts facts;
    mass_error ignored = {0};
    mass_status status = make_opening(s, &ignored);
    if (status == MASS_OK) status = find_plugin(s, path, &ignored);
    if (status == MASS_OK) status = mass_elf_check_file(path, &facts, &ignored);
    if (status != MASS_OK || mass_session_worlds(s) >= ranks) return MASS_OK;
    return mass_probe_cut(path, &s->opening, ranks, s->options->partitions, error);
}

mass_status mass_session_add_tallies(mass_session *s, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < s->options->tally_count; i++)
        status = mass_model_add_reduction_text(&s->model, s->options->tallies[i], error);
    return status;
}
