/* SPDX-License-Identifier: Apache-2.0 */
/* The names in a folder that a run writes to: finished checkpoints "ckpt-STEP.h5", STEP of at least 12 digits, the
 * series "series.h5", and temporary files ".ckpt-STEP.IDENTITY-WRITER.tmp" and ".series.IDENTITY-WRITER.tmp", of the
 * run's identity and the process; and those in a folder of fields: "fields-STEP.h5" and
 * ".fields-STEP.IDENTITY-WRITER.tmp". Earlier versions had "PROCESS.HOST" there. Any thread. */
#ifndef MASS_ENGINE_IO_FOLDER_NAMES_H
#define MASS_ENGINE_IO_FOLDER_NAMES_H

#include "io/folder/ownership.h"

#include <limits.h>

#define MASS_SERIES_FILE "series.h5"

/* "FOLDER/NAME"; false if too long, as in all of these. */
bool mass_folder_path(const char *folder, const char *name, char path[PATH_MAX]);

/* Name of the checkpoint of a step, and of the temporary file that it is written as, both in
 * folder. owner: the run, or NULL. */
bool mass_checkpoint_name(const char *folder, uint64_t step, char path[PATH_MAX]);
bool mass_checkpoint_temporary_name(const char *folder, const mass_ownership *owner, uint64_t step,
                                    char path[PATH_MAX]);
/* Whether a name is that of a checkpoint, and of which step. */
bool mass_checkpoint_is_name(const char *name, uint64_t *step);

/* A rank's part of a checkpoint, "ckpt-STEP.TOKEN-RANK.h5", and its temporary file, ".part-RANK.IDENTITY-WRITER.tmp",
 * of the process that asked for it. */
bool mass_part_name(const char *folder, uint64_t step, const char *token, int32_t rank, char path[PATH_MAX]);
bool mass_part_temporary_name(const char *folder, const char *identity, const char *writer, int32_t rank,
                              char path[PATH_MAX]);
bool mass_part_is_name(const char *name, uint64_t *step, char token[33]);
/* Whether the checkpoint of a step is not there, or has other parts than those of a token. One that cannot be read may
 * be whole all the same, and keeps its parts. */
bool mass_part_is_orphan(const char *folder, uint64_t step, const char *token);
/* Removes parts that are orphans: those of a token, or that a process has written which is gone; NULL: of none. Not
 * while some are being written. */
void mass_part_sweep(const char *folder, const char *token, const char *former);

/* The temporary file of a series in a folder. */
bool mass_series_temporary_name(const char *folder, const mass_ownership *owner, char path[PATH_MAX]);

/* The same of one step of fields. */
bool mass_export_name(const char *folder, uint64_t step, char path[PATH_MAX]);
bool mass_export_temporary_name(const char *folder, const mass_ownership *owner, uint64_t step, char path[PATH_MAX]);
bool mass_export_is_name(const char *name, uint64_t *step);

/* Removes the temporary files in a folder whose writer is gone: `former`, or one of long ago. */
void mass_folder_clean(const char *folder, const char *former);

/* This machine, in letters that fit a file name. */
void mass_host_name(char host[65]);

/* Why a file or folder cannot be made, which errno `cause` says; where the folder around it is not there, with the
 * command that makes that. Returns text. */
#define MASS_WHY_NOT_MADE (PATH_MAX + 128)
const char *mass_folder_why_not_made(const char *path, int cause, char text[MASS_WHY_NOT_MADE]);

/* Makes what is in the folder's list of names durable. False, with errno, on failure. */
bool mass_folder_sync(const char *folder);

#endif
