/* SPDX-License-Identifier: Apache-2.0 */
/* The job: what rank 0 sends the other ranks, so that they create their parts of the same run and read no file but the
 * plugin. It has the plugin's name and hash, its opening, and the changes of the command to its model. All ranks are
 * processes of one program on machines of one kind, so values are sent as they are in memory. Main thread. */
#ifndef MASS_ENGINE_COMMAND_JOB_H
#define MASS_ENGINE_COMMAND_JOB_H

#include "command/run/session.h"

/* A received job. Texts and lists point to `bytes`. */
typedef struct mass_job {
    char *bytes; /* [size]; owned */
    size_t size, read; /* read: bytes that have been read */
    const char *path, *plugin, *plugin_hash;
    mass_setting *settings; /* owned */
    mass_model stored; /* only names and extents of its spaces; owned */
    mass_opening opening;
    uint32_t tally_count;
    const char **tallies; /* of --tally; owned */
    const char *until; /* NULL: none */
    int32_t worlds, first_world, partitions, fuse;
    int32_t *shares; /* [ranks] weights of --shares; NULL: all equal; owned */
    bool edge_shares; /* --shares edges */
    uint64_t first_step;
} mass_job;

/* Sends the job from rank 0, once its model is final. All other ranks wait for it, still so if memory was short here.
 * With one rank it does nothing. */
mass_status mass_job_send(mass_session *s, mass_error *error);

/* Tells the other ranks that there will be no run. Rank 0 calls it instead of mass_job_send. */
void mass_job_cancel(mass_comm *comm);

/* Waits on the other ranks for either call. *cancelled becomes true if there will be no run. Refuses another version of
 * the engine, or other options, than rank 0's. The caller always frees *job. */
mass_status mass_job_receive(mass_comm *comm, mass_job *job, bool *cancelled, mass_error *error);
void mass_job_free(mass_job *job);

/* Makes a model equal to rank 0's. The model was opened with job->opening and has the job's tallies. MASS_BAD_INPUT if
 * a space has another size here, MASS_BAD_PLUGIN if the model is another. Call it once. */
mass_status mass_job_apply(mass_job *job, mass_model *m, mass_error *error);

#endif
