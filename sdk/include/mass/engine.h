/* SPDX-License-Identifier: Apache-2.0 */
/* The engine as a library, libmass: runs of models inside another program.
 *
 *     mass_engine *run;
 *     const mass_engine_option options[] = {{"size", "64x64"}, {"seed", "1"}, {"set", "rule=B3/S23"}};
 *     if (mass_engine_open("life", options, 3, &run) != MASS_OK) puts(mass_engine_error());
 *     mass_engine_step(run, 100, 0, NULL);
 *     mass_engine_close(run);
 *
 * Status. A function that can fail returns MASS_OK, another mass_status, or one of the statuses below. After a failure
 * mass_engine_error has a sentence that says why. No function ends the program, prints, or handles signals.
 *
 * Threads. Any thread may call these functions, also for several runs. The engine works for one call at a time: other
 * calls for other runs wait. A second call for the same run returns MASS_ENGINE_BUSY at once, except for
 * mass_engine_interrupt. A copy of the process that fork made must not use the runs of its parent: calls then fail.
 *
 * Memory. Names and options are read during the call. A pointer that a function returns belongs to the run, and is
 * valid until the next call for that run.
 *
 * The plugin's code runs in this process. It is tried first in a process of its own, as the command does: so a plugin
 * that crashes at once is a failure with a sentence. One that crashes later ends the program. */
#ifndef MASS_ENGINE_H
#define MASS_ENGINE_H

#include <mass/types.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Statuses in addition to those of mass_status. */
enum {
    MASS_ENGINE_BUSY = 100,  /* another thread uses the run, or the call comes from a callback of the library */
    MASS_ENGINE_VIEWED = 101 /* the state cannot change now: a view of it is open */
};

/* A run of one model. */
typedef struct mass_engine mass_engine;

/* An option, with the name and the value of the command's, without dashes: {"size", "64x64"}, {"set", "NAME=VALUE"}.
 * The value of an option without one, such as strict, is NULL. An option may be given more than once if the command
 * allows that. Options for output are the command's alone.
 *
 * Option {"ranks", "4"} makes a run of the four processes that mpirun or another launcher has started (see below). The
 * files that the run reads are those of rank 0. */
typedef struct mass_engine_option {
    const char *name, *value;
} mass_engine_option;

/* What changes with each call. The struct grows at its end. */
typedef struct mass_engine_now {
    uint64_t step;     /* steps done */
    uint64_t messages; /* messages that wait for mass_engine_message */
    uint64_t rows;     /* rows of the series so far */
    int32_t held;      /* 1: the stop condition has held; steps are refused until it is set again */
    int32_t broken;    /* 1: a step failed in the middle: the run can only be closed */
    int32_t rank, ranks; /* this process among those of the run, and their number; 0 and 0 without option ranks */
    int32_t over;      /* 1: rank 0 has closed the run, which this rank serves */
} mass_engine_now;

/* Return the version of the library, "0.1.0", and of the ABI of plugins, major << 16 | minor. */
const char *mass_engine_version(void);
uint32_t mass_engine_abi(void);

/* Returns the sentence of the calling thread's last failure, "" before the first. Valid until its next failure. */
const char *mass_engine_error(void);

/* Uses this file as the command mass-engine, which tries plugins in processes of its own. Call it before the first
 * run. By default it is MASS_ENGINE of the environment, or else bin/mass-engine in a folder above the library. */
void mass_engine_use_command(const char *path);

/* For a process that only runs models and ends by _exit: reports a crash of a plugin, or an end of the process by it,
 * in a line on standard error as the command does. It installs handlers of SIGSEGV and the like. Call it once. */
void mass_engine_tell_crashes(void);

/* Opens a run: the plugin of this name or path, at step 0. plugin NULL: that of the checkpoint of option resume, at its
 * step. On failure *out is untouched. The caller ends with mass_engine_close. */
int mass_engine_open(const char *plugin, const mass_engine_option *options, size_t count, mass_engine **out);
/* Frees the run, which no thread may use meanwhile. NULL is allowed. Memory of open views is freed, too. */
void mass_engine_close(mass_engine *run);

/* Returns the numbers of the run. They are valid until it is closed, and change during calls. */
const mass_engine_now *mass_engine_look(const mass_engine *run);

/* Returns one JSON object that describes the model, as --info --json of the command, and the run: its seed, worlds,
 * device, threads and options. NULL on failure. */
const char *mass_engine_describe(mass_engine *run);

/* Returns the next message for people, such as a fault of the model that does not end the run; NULL: none waits. */
const char *mass_engine_message(mass_engine *run);

/* ---- several ranks ---- */

/* Processes that a launcher has started share a run. All call mass_engine_open with the same options, and all get the
 * same status. Then rank 0 calls the functions of this header as for any run. The other ranks do their parts of these
 * calls in mass_engine_serve. They call nothing else for the run but mass_engine_look, _message and _close.
 *
 * A failure between ranks ends all processes with a line on standard error, as does the end of a rank before
 * mass_engine_disconnect. One thread of each process makes all calls for such runs. */

/* On ranks above 0: does this rank's part of rank 0's calls, until rank 0 calls mass_engine_tell or closes the run.
 * now.over is 1 then. *data becomes the bytes that rank 0 tells; NULL: none. They are valid until the next call. */
int mass_engine_serve(mass_engine *run, const void **data, uint64_t *bytes);

/* On rank 0: ends mass_engine_serve of the other ranks, which get a copy of the bytes. Rank 0's next call waits until
 * they serve again. With one rank it does nothing. */
int mass_engine_tell(mass_engine *run, const void *data, uint64_t bytes);

/* Ends the connection of the ranks, before the process ends, once all runs over them are closed. All ranks call it. It
 * does nothing in a process without ranks. */
void mass_engine_disconnect(void);

/* Ends the processes of all ranks at once, this one too, with an exit status. In a process without ranks it returns. */
void mass_engine_abandon(int status);

/* ---- runs as files ---- */

/* Reads a file of a run, as the command's --run. *json becomes one JSON object of its entries, which the caller frees
 * by mass_engine_free. Option {"run", PATH} of mass_engine_open opens such a run: it takes those entries that are
 * options of the library, unless the same option is given, too. It leaves out those for output, steps and ranks. */
int mass_engine_read_run(const char *path, char **json);

/* Sets *json to the same object of a run: what its results depend on. It has the parameters that were given, and the
 * files that the run began with, but no number of steps. The caller frees it by mass_engine_free. */
int mass_engine_run_of(mass_engine *run, char **json);

/* Frees a text of these functions. NULL is allowed. */
void mass_engine_free(char *text);

/* ---- steps ---- */

/* Takes `steps` steps. It ends earlier, still with MASS_OK, once the stop condition holds, `seconds` have passed
 * (0: no limit), or mass_engine_interrupt is called. It then takes at least one step, and the state is that of a
 * complete step. *taken, if not NULL, becomes the number of steps. */
int mass_engine_step(mass_engine *run, uint64_t steps, double seconds, uint64_t *taken);

/* Ends the run's current mass_engine_step, or the next one, after a step. Any thread, also in a signal handler. */
void mass_engine_interrupt(mass_engine *run);

/* How far a call of mass_engine_step has come. The struct grows at its end. */
typedef struct mass_engine_progress {
    uint64_t step;         /* steps of the run that are done; on a GPU, the last ones may be queued */
    uint64_t taken, steps; /* of this call: steps that are done, and that it takes at most */
    double seconds;        /* since the call began */
} mass_engine_progress;

/* A function of the program that mass_engine_step calls. `now` is valid during the call. Returns 0 to go on; any other
 * number ends mass_engine_step after a step, as mass_engine_interrupt does. It must return, and not close the run. */
typedef int mass_engine_listener(void *context, const mass_engine_progress *now);

/* Sets the function that mass_engine_step calls between two steps, about ten times a second at most, also over several
 * short calls; NULL: none, as in a new run. It runs on the thread of mass_engine_step, with that thread's own locale
 * and rounding. It may call mass_engine_look, _interrupt, _error and _version. The other functions return
 * MASS_ENGINE_BUSY there. */
int mass_engine_on_progress(mass_engine *run, mass_engine_listener *call, void *context);

/* Sets the stop condition, an expression as that of --until; NULL: none, as in a new run. It is first looked at after
 * the next step. */
int mass_engine_until(mass_engine *run, const char *expression);

/* ---- places, agents and edges ---- */

/* The values of an attribute, in canonical order. Axes that the space does not have are 1 long. */
typedef struct mass_engine_array {
    uint32_t struct_size; /* sizeof(mass_engine_array), set by the caller */
    uint32_t attribute;   /* its number, as other functions take it; fixed for the run */
    uint32_t type;        /* mass_type. Bits are bytes of 0 or 1 */
    uint32_t of_agents;   /* 1: of agents; 0: of places; 2: of edges that do not change */
    int64_t extent[5];    /* places: [worlds][z][y][x][components]; agents: [agents][1][1][1][components]; edges:
                             [edges][1][1][1][1], the same in all worlds */
    uint64_t value_bytes; /* bytes of one component */
    uint64_t bytes;       /* of the whole array */
    uint64_t packed_bytes; /* of bits as mass_engine_read_packed gives them; else 0 */
} mass_engine_array;

/* A part of an attribute of places. Axes are x, y and z here. Of edges that do not change, origin[0] is the first edge,
 * from 0, and extent[0] their number; the other members are not used. */
typedef struct mass_engine_box {
    int32_t world, worlds;        /* the first world, from 0, and their number */
    int64_t origin[3], extent[3]; /* x, y, z, in places */
} mass_engine_box;

/* Finds an attribute: "sugar" in the first space, "grid.sugar", or "ants.wealth" of a population. Each population has
 * the attributes id, world, place and lost, too. MASS_BAD_USAGE if the model has no such attribute. The number of
 * agents is that of this moment.
 *
 * "town.edges.source", "town.edges.target" and "town.edges.weight" are the nodes that the edges of a network or set
 * join, and an attribute of these edges. Directed edges that do not change are in the order of target, then of source.
 * An undirected edge is there once: its source is the lower node, and the order is that of source, then of target.
 * Edges that change are agents of the population town_edges, whose place is the target. */
int mass_engine_find(mass_engine *run, const char *name, mass_engine_array *out);
/* Does the same by the number. */
int mass_engine_array_of(mass_engine *run, uint32_t attribute, mass_engine_array *out);

/* The names of a network's nodes, if a file of its edges names them by text. */
typedef struct mass_engine_node_list {
    uint64_t count;        /* of nodes with a name, which are the first ones; 0: nodes have none */
    const uint64_t *first; /* [count] where the name of a node begins in `texts` */
    const char *texts;     /* the names, each ended by a zero */
} mass_engine_node_list;

/* Returns the names of the nodes of a network, or of the network of a set. The pointers are valid until the run is
 * closed. MASS_BAD_USAGE if the model has no such network or set. */
int mass_engine_node_names(mass_engine *run, const char *network, mass_engine_node_list *out);

/* Copies values into `data`, of exactly `bytes` bytes. box NULL: all of them. Agents have no boxes. */
int mass_engine_read(mass_engine *run, uint32_t attribute, const mass_engine_box *box, void *data, uint64_t bytes);
/* Copies an attribute of bits as it is stored: [worlds][z][y][bytes of a row], eight places in a byte, lowest bit
 * first, spare bits 0. */
int mass_engine_read_packed(mass_engine *run, uint32_t attribute, void *data, uint64_t bytes);

/* Sets values. Refuses values outside of the attribute's range, bits other than 0 and 1, all of id, world, place and
 * lost, and edges that do not change: MASS_BAD_INPUT or MASS_BAD_USAGE, with nothing written. Reductions and the like
 * follow at once. */
int mass_engine_write(mass_engine *run, uint32_t attribute, const mass_engine_box *box, const void *data,
                      uint64_t bytes);

/* Values of places in the engine's own memory. */
typedef struct mass_engine_view {
    const void *values; /* of place (0, 0, 0) of the first world */
    int64_t stride[5];  /* bytes from one value to the next, along the axes of mass_engine_array.extent */
} mass_engine_view;

/* Opens a view of an attribute of places, for reading. Until mass_engine_view_end, calls that would change the state
 * return MASS_ENGINE_VIEWED. MASS_NO_DEVICE if there is no such memory: the values are of bits, agents or edges, in
 * several partitions, or on a GPU. Copy them then. */
int mass_engine_view_begin(mass_engine *run, uint32_t attribute, mass_engine_view *out);
void mass_engine_view_end(mass_engine *run);

/* Values of places in the memory of the run's device, whatever that is. */
typedef struct mass_engine_device_view {
    uint32_t struct_size;  /* sizeof(mass_engine_device_view), set by the caller */
    int32_t gpu;           /* the number of the GPU in whose memory they are, as CUDA counts them; -1: host memory */
    mass_engine_view view; /* `values` is an address of that memory */
} mass_engine_device_view;

/* Opens a view as mass_engine_view_begin does, and also of values on a GPU. The engine's work on the device is done
 * when it returns. Work of the caller that reads the values has to be done before mass_engine_view_end. */
int mass_engine_device_view_begin(mass_engine *run, uint32_t attribute, mass_engine_device_view *out);

/* Writes the state hash of the command's report, 32 digits and a zero. */
int mass_engine_hash(mass_engine *run, char hex[33]);

/* ---- tallies and series ---- */

/* Copies the values of a tally by name: [worlds][bins], or one a world. `count` is their exact number, as
 * mass_engine_describe says. A value that is not known, such as the least of none, is NaN. */
int mass_engine_tally(mass_engine *run, const char *name, double *values, uint64_t count);

/* The keys of a tally in one world, in their order, and their counts. The pointers are valid until the next call for
 * the run. */
typedef struct mass_engine_key_list {
    uint64_t count;
    const int64_t *counts; /* [count] */
    const uint64_t *keys;  /* [count] the numbers; of texts, the end of each in `texts`, where the next one begins */
    const char *texts;     /* not ended by zeros; NULL: keys are numbers */
} mass_engine_key_list;

/* Returns the keys of a tally that counts by key. Worlds count from 0. */
int mass_engine_keys(mass_engine *run, const char *name, int32_t world, mass_engine_key_list *out);

/* Checks what the command checks at the end of a run: that no rule has written values outside of an attribute's range.
 * MASS_BAD_PLUGIN otherwise. */
int mass_engine_check(mass_engine *run);

/* Logs these series from now on, expressions as those of --log, and those that the model declares; a row now, and one
 * at each step that is a multiple of `every`. Drops the rows so far. every 0: ends that, and keeps the rows. */
int mass_engine_log(mass_engine *run, const char *const *series, size_t count, uint64_t every);

/* A column of the series. */
typedef struct mass_engine_column {
    const char *name, *unit;
    uint64_t first;  /* the number of its first value in a row */
    uint32_t length; /* values of a world: bins, or 1. A row has [worlds][length] of a column */
} mass_engine_column;

/* The series so far. The pointers are valid until the next call of mass_engine_step or mass_engine_log. */
typedef struct mass_engine_series {
    const mass_engine_column *columns;
    uint32_t column_count;
    uint64_t rows, row_values; /* rows, and the values in each */
    const uint64_t *steps;     /* [rows] */
    const double *values;      /* [rows][row_values] */
} mass_engine_series;

int mass_engine_series_of(mass_engine *run, mass_engine_series *out);

/* ---- files ---- */

/* Writes a picture of the first world as PNG, as --image does. slice: the layer of a space of three dimensions; -1: the
 * middle one. With `replace`, it also replaces files that are no pictures of the engine. */
int mass_engine_picture(mass_engine *run, const char *path, int64_t slice, int replace);

/* Writes a checkpoint into a folder, as --checkpoint does, from which the command resumes, too. replace: as --force. */
int mass_engine_checkpoint(mass_engine *run, const char *folder, int replace);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
