/* SPDX-License-Identifier: Apache-2.0 */
/* mass-engine: the command. */
#include "command/answer_probe.h"
#include "command/options/arguments.h"
#include "command/options/complete.h"
#include "command/run/execute.h"
#include "command/run/info.h"
#include "command/run/print_run.h"
#include "command/run/sweep_results.h"
#include "command/run/sweep_runs.h"
#include "command/list.h"
#include "command/plot/plot.h"
#include "command/options/usage.h"
#include "command/version.h"
#include "command/run/worker.h"
#include "comm/launch.h"
#include "comm/launched.h"
#include "comm/open.h"
#include "comm/watch.h"
#include "device/cpu/threads.h"
#include "base/keys.h"
#include "device/device.h"
#include "io/checkpoint/checkpoint.h"
#include "io/input/edge_arrays.h"
#include "io/input/list.h"
#include "io/input/numbers.h"
#include "io/input/table.h"
#include "io/series/series.h"
#include "plugin/describe.h"
#include "process/available_memory.h"
#include "process/crash.h"
#include "process/limits.h"
#include "process/progress.h"
#include "process/signals.h"
#include "process/standard.h"
#include "process/subprocess.h"
#include "text/list.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Starts ranks with the options of this command line. */
static mass_status launch(const mass_comm_options *ranks, mass_error *error)
{
    mass_arguments a;
    if (!mass_arguments_read(&a)) return mass_error_memory(error, 4096, "a command line");
    const mass_status status = mass_comm_launch(ranks, a.words, error);
    mass_arguments_free(&a);
    return status;
}

/* Executes a run, or explains it. Either this process is one of the ranks, which share the cores and GPUs of a host, or
 * it starts the ranks. */
static mass_status run(const mass_options *options, mass_error *error)
{
    const mass_comm_options ranks = {options->comm, options->ranks, options->comm_timeout, options->quiet, false};
    const int32_t wanted = options->ranks ? options->ranks : mass_device_listed(options->device); /* one for each listed
                                                                                                     GPU */
    mass_comm *comm;
    if (mass_comm_is_to_launch(&(mass_comm_options){.ranks = wanted})) {
        if (mass_execute_check_cut(options, wanted, error) != MASS_OK) return error->status;
        return launch(&(mass_comm_options){.ranks = wanted, .timeout = ranks.timeout, .quiet = options->quiet}, error);
    }
    mass_status status = mass_comm_open(&ranks, &comm, error);
    if (status != MASS_OK) return status;
    mass_threads_share(mass_comm_core_sharers());
    mass_device_take_turns(comm->local_rank, comm->local_size);
    if (comm->rank > 0) status = mass_worker_run(options, comm, error);
    else if (options->mode == MASS_MODE_EXPLAIN) status = mass_execute_explain(options, comm, error);
    else status = mass_execute(options, comm, error);
    comm->table->close(comm);
    return status;
}

/* Executes a run, or all runs that the rows of a sweep need: if they need several, or if a file of results is
 * wanted. A mode that only prints is executed as one run. */
static mass_status run_all(const mass_options *options, mass_error *error)
{
    mass_sweep_rows rows;
    bool several = false;
    mass_status status = mass_limits_check(error);
    if (status != MASS_OK || options->mode != MASS_MODE_RUN)
        return status == MASS_OK ? run(options, error) : status;
    status = mass_sweep_is_several(options, &rows, &several, error);
    if (status == MASS_OK && options->results) status = mass_sweep_results(options, &rows, error);
    else if (status == MASS_OK && several) status = mass_sweep_runs(options, &rows, error);
    mass_sweep_rows_free(&rows);
    return status == MASS_OK && !several && !options->results ? run(options, error) : status;
}

/* Executes the command. Only rank 0 executes a command that needs no ranks, if a launcher started several. */
static mass_status dispatch(const mass_options *options, mass_error *error)
{
    const bool runs = options->mode == MASS_MODE_RUN || options->mode == MASS_MODE_EXPLAIN;
    if (!runs && mass_comm_launched().rank > 0) return MASS_OK;
    switch (options->mode) {
    case MASS_MODE_HELP:
        if (mass_usage_print(&mass_engine_command, mass_standard_results(), error) != MASS_OK) return error->status;
        return mass_standard_results_end(error);
    case MASS_MODE_VERSION:
        mass_version_print(options->verbose, mass_standard_results());
        return mass_standard_results_end(error);
    case MASS_MODE_PRINT_RUN:
        return mass_print_run(options, error);
    case MASS_MODE_LIST:
        return mass_list_print(options->verbose, options->json, error);
    case MASS_MODE_INFO:
        return mass_limits_check(error) == MASS_OK ? mass_execute_info(options, error) : error->status;
    default:
        return run_all(options, error);
    }
}

/* Executes the command, and ends the program if a plugin ends the main thread; other threads would wait for it. */
static mass_status dispatch_guarded(const mass_options *options, mass_error *error)
{
    mass_status status;
    pthread_cleanup_push(mass_crash_main_ends, NULL);
    status = dispatch(options, error);
    pthread_cleanup_pop(0);
    return status;
}

/* Executes a mode of a subprocess that tries or reads something. Reports crashes from then on. Returns its exit
 * status. */
static int probe(const mass_options *o)
{
    mass_crash_install(true);
    if (o->mode == MASS_MODE_PROBE_RUN) return mass_execute_trial(o);
    if (o->mode == MASS_MODE_PROBE_CHECKPOINT) return mass_checkpoint_answer_probe(o->resume);
    if (o->mode == MASS_MODE_PROBE_PART) return mass_part_answer_probe(o->resume);
    if (o->mode == MASS_MODE_PROBE_SERIES) return mass_series_answer_probe(o->resume);
    if (o->mode == MASS_MODE_PROBE_TABLE) return mass_table_answer_probe(o->resume);
    if (o->mode == MASS_MODE_PROBE_NUMBERS) return mass_numbers_answer_probe(o->resume);
    if (o->mode == MASS_MODE_PROBE_ENTRY) return mass_plugin_answer_description(o->plugin);
    const mass_opening opening = {.settings = o->settings, .setting_count = o->setting_count,
        .size = {o->size[0], o->size[1], o->size[2]}, .dimensions = o->dimensions, .seed = o->seed,
        .resumed = o->resumed, .loaded = o->loaded, .explained = o->explained,
        .read_edges = mass_edge_arrays_read_again};
    if (o->mode == MASS_MODE_PROBE_CUT) return mass_probe_answer_cut(o->plugin, &opening, o->ranks, o->partitions);
    return mass_probe_answer(o->plugin, &opening);
}

/* Prints an error, if there is one, and announces a deliberate end with the status. Returns the exit status. */
static int report(mass_status status, const mass_error *error)
{
    if (error->status != MASS_OK) mass_progress_say("mass-engine: %s", error->text);
    mass_crash_leave((int)status);
    return (int)status;
}

/* Lets rank 0 report wrong options, which are mostly wrong on all ranks; the launcher then ends the others. A rank that
 * still runs after that got other options, and reports its own. Returns at once on rank 0, and after some seconds on
 * others. */
static void leave_to_rank_0(mass_error *error)
{
    const int32_t rank = mass_comm_launched().rank;
    const mass_error own = *error;
    if (rank == 0) return;
    *error = (mass_error){0};
    /* Ranks wait one after the other. Each wait gives a launcher on a busy host time to end the rank. */
    const struct timespec due = {.tv_sec = 5 * (rank < 12 ? rank : 12)};
    if (nanosleep(&due, NULL) == 0)
        mass_error_set(error, own.status, "rank %d: %s", rank, own.text);
}

/* Runs a command and returns the process's exit status. Some of the engine's own options start a probe: a process of
 * its own that loads a plugin or tries a file. */
int main(int count, char *arguments[])
{
    mass_error error = {0};
    mass_options options;
    mass_standard_open();
    mass_list_read_file = mass_list_file_read;
    const bool probes = count > 1 && strncmp(arguments[1], "--probe-", 8) == 0;
    if (!probes) mass_signals_install(); /* a probe dies by its signals, which its parent sees */
    if (count > 1 && strcmp(arguments[1], "plot") == 0) {
        mass_crash_install(false);
        return report(mass_plot(count - 2, arguments + 2, &error), &error);
    }
    if (count > 1 && strcmp(arguments[1], "--complete") == 0) {
        mass_crash_install(false);
        return report(mass_complete(count - 2, arguments + 2, &error), &error);
    }
    mass_status status = mass_options_parse(count - 1, arguments + 1, &options, &error);
    if (status == MASS_OK) mass_arguments_use(options.run_words.words);
    if (status == MASS_OK && options.mode >= MASS_MODE_PROBE_PLUGIN) return probe(&options);
    if (status != MASS_OK && probes) /* memory is short */
        mass_subprocess_report(status, error.text);
    if (status == MASS_BAD_USAGE) leave_to_rank_0(&error);
    mass_crash_install(false);
    mass_keys_ask(mass_available_memory_has);
    if (status == MASS_OK) status = dispatch_guarded(&options, &error);
    mass_options_free(&options);
    /* The failed rank reports with its own status. With this one's status, a launcher could end that rank too early. */
    if (error.status == MASS_OK && mass_comm_launched().rank > 0) status = MASS_OK;
    return report(status, &error);
}
