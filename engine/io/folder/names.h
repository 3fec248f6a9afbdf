/* SPDX-License-Identifier: Apache-2.0 */
/* The names of files in a folder that a run writes to. Finished files are checkpoints "ckpt-STEP.h5", with STEP of at
 * least 12 digits, the series "series.h5", and fields "fields-STEP.h5". Temporary files are
 * ".ckpt-STEP.IDENTITY-WRITER.tmp", ".series.IDENTITY-WRITER.tmp" and ".fields-STEP.IDENTITY-WRITER.tmp": with the
 * run's identity and the process. Earlier versions wrote "PROCESS.HOST" instead. Any thread. */
#ifndef MASS_ENGINE_IO_FOLDER_NAMES_H
#define MASS_ENGINE_IO_FOLDER_NAMES_H

#include "io/folder/ownership.h"

#include <limits.h>

#define MASS_SERIES_FILE "series.h5"

/* Writes "FOLDER/NAME" to path. Like all functions here that write a path, returns false if it is too long. */
bool mass_folder_path(const char *folder, const char *name, char path[PATH_MAX]);

/* Write the name of a step's checkpoint in `folder`, and of the temporary file before it. owner: the run, or NULL. */
bool mass_checkpoint_name(const char *folder, uint64_t step, char path[PATH_MAX]);
bool mass_checkpoint_temporary_name(const char *folder, const mass_ownership *owner, uint64_t step,
                                    char path[PATH_MAX]);
/* Returns true if a name is that of a checkpoint, and sets its step. */
bool mass_checkpoint_is_name(const char *name, uint64_t *step);

/* Write the name of a rank's part of a checkpoint, "ckpt-STEP.TOKEN-RANK.h5", and of its temporary file,
 * ".part-RANK.IDENTITY-WRITER.tmp". WRITER is the process of rank 0, which asked for the part. */
bool mass_part_name(const char *folder, uint64_t step, const char *token, int32_t rank, char path[PATH_MAX]);
bool mass_part_temporary_name(const char *folder, const char *identity, const char *writer, int32_t rank,
                              char path[PATH_MAX]);

/* Returns true if a name is that of a part, and sets its step and token. */
bool mass_part_is_name(const char *name, uint64_t *step, char token[33]);
/* Returns true if the checkpoint of a step does not exist, or has parts with another token. A checkpoint that cannot be
 * read keeps its parts, since it may be complete. */
bool mass_part_is_orphan(const char *folder, uint64_t step, const char *token);
/* Removes orphaned parts: those with `token`, and those that `former`, an ended process (mass_writer), has written;
 * either may be NULL. Do not call it while parts are being written. */
void mass_part_sweep(const char *folder, const char *token, const char *former);

/* Writes the name of the temporary file of a series in a folder. */
bool mass_series_temporary_name(const char *folder, const mass_ownership *owner, char path[PATH_MAX]);

/* Write the name of the fields of a step, and of their temporary file. mass_export_is_name returns true if a name is
 * that of fields, and sets their step. */
bool mass_export_name(const char *folder, uint64_t step, char path[PATH_MAX]);
bool mass_export_temporary_name(const char *folder, const mass_ownership *owner, uint64_t step, char path[PATH_MAX]);
bool mass_export_is_name(const char *name, uint64_t *step);

/* Removes the temporary files of writers that have ended: of the process `former` ("": none), of this process, and
 * files that are a day old. Also removes the orphaned parts that `former` has written. */
void mass_folder_clean(const char *folder, const char *former);

/* Writes this machine's name, in characters that are safe in a file name. */
void mass_host_name(char host[65]);

/* Writes why a file or folder cannot be created, from errno `cause`. If its parent folder is missing, adds the command
 * that creates it. Returns text. */
#define MASS_WHY_NOT_MADE (PATH_MAX + 128)
const char *mass_folder_why_not_made(const char *path, int cause, char text[MASS_WHY_NOT_MADE]);

/* Makes the entries of a folder durable. False, with errno, on failure. */
bool mass_folder_sync(const char *folder);

#endif
