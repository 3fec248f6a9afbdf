/* SPDX-License-Identifier: Apache-2.0 */
/* Verifies a checkpoint in a subprocess, where a crash of HDF5 does no harm. */
#include "io/checkpoint/parts.h"
#include "io/hdf5/probe.h"

/* Opens a checkpoint after a subprocess has read all of it; then checks its parts, too. On failure *out is NULL. */
mass_status mass_checkpoint_open_probed(const char *path, mass_checkpoint **out, mass_error *error)
{
    mass_hdf5_source source;
    *out = NULL;
    mass_status status = mass_hdf5_find(path, MASS_HDF5_OURS, mass_checkpoint_remedy, &source, error);
    if (status != MASS_OK) return status;
    status = mass_hdf5_probe("--probe-checkpoint", path, &source, MASS_CHECKPOINT_REMEDY, error);
    source.whole = status == MASS_OK;
    if (status == MASS_OK) status = mass_reader_open(&source, true, out, error);
    else mass_hdf5_close_source(&source);
    mass_reader r = {.c = *out, .error = error};
    if (status != MASS_OK || !(*out)->parts || mass_parts_verify(&r)) return status;
    mass_checkpoint_close(*out);
    *out = NULL;
    return error->status;
}

mass_status mass_checkpoint_probe(const char *path, mass_error *error)
{
    mass_checkpoint *c;
    const mass_status status = mass_checkpoint_open_probed(path, &c, error);
    mass_checkpoint_close(c);
    return status;
}

/* Runs in the subprocess: reads and checks the whole file, but no parts. */
static mass_status verify(mass_hdf5_source *source, const char *argument, mass_error *error)
{
    (void)argument;
    return mass_reader_verify(source, error);
}

int mass_checkpoint_answer_probe(const char *path)
{
    return mass_hdf5_answer_probe(path, MASS_HDF5_OURS, NULL, verify);
}
