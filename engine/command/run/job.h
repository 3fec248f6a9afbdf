/* SPDX-License-Identifier: Apache-2.0 */
/* The job: what rank 0 tells the other ranks of a run, so that they hold their shares of the same one without reading
 * any file but the plugin: who the plugin is, what it was opened with, and what the command made of its model. Ranks
 * are processes of one program on machines of one kind: values travel as they lie in memory. Main thread. */
#ifndef MASS_ENGINE_COMMAND_JOB_H
#define MASS_ENGINE_COMMAND_JOB_H

#include "command/run/session.h"

/* What a rank was told. Texts and lists point into `bytes`. */
typedef struct mass_job {
    char *bytes; /* [size]; owned */
    size_t size, read; /* read: so much of it was taken out */
    const char *path, *plugin, *plugin_hash;
    mass_setting *settings; /* owned */
    mass_model stored; /* only the names and extents of its spaces; owned */
    mass_opening opening;
    uint32_t tally_count;
    const char **tallies; /* of --tally; owned */
    const char *until; /* NULL: there is none */
    int32_t worlds, first_world, partitions, fuse;
    int32_t *shares; /* [ranks] of --shares; NULL: all the same; owned */
    uint64_t first_step;
} mass_job;

/* On rank 0, once the model is what the run will have; all other ranks wait for it. Nothing where there are none. */
mass_status mass_job_send(mass_session *s, mass_error *error);

/* On rank 0, instead of it, where there will be no run. */
void mass_job_cancel(mass_comm *comm);

/* On the other ranks: waits for either of them. Where there will be no run, *cancelled becomes true. The caller frees
 * *job in any case. */
mass_status mass_job_receive(mass_comm *comm, mass_job *job, bool *cancelled, mass_error *error);
void mass_job_free(mass_job *job);

/* Makes a model that was opened with job->opening, and has its tallies, the one that rank 0 has. Once. */
mass_status mass_job_apply(mass_job *job, mass_model *m, mass_error *error);

#endif
