/* SPDX-License-Identifier: Apache-2.0 */
/* A picture or a movie in a folder of its own, and an older file in its place. */
#ifndef MASS_TESTS_DRAWN_FILE_H
#define MASS_TESTS_DRAWN_FILE_H

#include "io/picture/image.h"

#include <sys/resource.h>

extern char folder[64], path[128];

/* `path` is `name` in an empty folder. */
void make_folder(const char *name);
void remove_folder(void);

/* Counts files; hidden, if not NULL, becomes how many begin with a dot. */
int entries_in(const char *name, int *hidden);

void write_former(void);
void expect_former(void);

/* The caller frees it. */
mass_raster noise(int32_t width, int32_t height);

/* Limits the size of files of this process to size bytes. */
void fill_disk_after(rlim_t size);
/* Gives up root's rights, since root ignores permission bits. */
void become_nobody(void);

#endif
