/* SPDX-License-Identifier: Apache-2.0 */
/* A folder of checkpoints for each test, and functions that write and read there. The test program is its own probe if
 * it is started with --probe-checkpoint. */
#ifndef MASS_TESTS_CHECKPOINT_FOLDER_H
#define MASS_TESTS_CHECKPOINT_FOLDER_H

#include "io/checkpoint/checkpoint.h"
#include "snapshot/snapshot.h"

#include <limits.h>
#include <stdbool.h>

extern char folder[64];

/* For a suite's .init and .fini. */
void make_folder(void);
void remove_folder(void);

/* Writes as a run does that writes every 50 steps up to step 900. */
mass_status try_write(const mass_snapshot *s, uint32_t keep, char path[PATH_MAX], mass_error *e);
void write_one(const mass_snapshot *s, char path[PATH_MAX]);

/* Counts files of any name. */
int files_in_folder(void);
bool is_there(const char *name);
void touch(const char *name);

/* Reads a checkpoint into a model that matches, and gets its hash. */
mass_status hash_in(const char *path, const mass_model *m, char hex[33], mass_error *e);
/* Expects that a checkpoint of s, read into a model that matches, has the same content. */
void assert_comes_back_into(const mass_model *m, const mass_snapshot *s);
/* Skips the test if h5py is not installed. `script` has the path in sys.argv[1]. */
void assert_h5py_reads(const char *path, const char *script);

#endif
