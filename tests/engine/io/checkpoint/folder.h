/* SPDX-License-Identifier: Apache-2.0 */
/* A folder of checkpoints for each test: what is written there, and what reads back from there. The test program is
 * its own probe: before main, when it is started with --probe-checkpoint. */
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

/* As a run does that writes every 50 steps up to step 900. */
mass_status try_write(const mass_snapshot *s, uint32_t keep, char path[PATH_MAX], mass_error *e);
void write_one(const mass_snapshot *s, char path[PATH_MAX]);

/* Of any name. */
int files_in_folder(void);
bool is_there(const char *name);
void touch(const char *name);

/* Reads a checkpoint into a model that matches, and gives its hash back. */
mass_status hash_in(const char *path, const mass_model *m, char hex[33], mass_error *e);
/* A checkpoint of s is read into a model that matches as it was written. */
void assert_comes_back_into(const mass_model *m, const mass_snapshot *s);
/* Skips the test where h5py is not installed. `script` finds the path in sys.argv[1]. */
void assert_h5py_reads(const char *path, const char *script);

#endif
