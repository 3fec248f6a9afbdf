/* SPDX-License-Identifier: Apache-2.0 */
/* A picture or a movie in a folder of its own, and a former one in its place. */
#ifndef MASS_TESTS_DRAWN_FILE_H
#define MASS_TESTS_DRAWN_FILE_H

#include "io/picture/image.h"

#include <sys/resource.h>

extern char folder[64], path[128];

/* `path` is `name` in an empty folder. */
void make_folder(const char *name);
void remove_folder(void);

/* hidden, if not NULL: how many of them begin with a dot. */
int entries_in(const char *name, int *hidden);

void write_former(void);
void expect_former(void);

/* The caller frees it. */
mass_raster noise(int32_t width, int32_t height);

/* From now on no file of this process grows beyond size bytes. */
void fill_disk_after(rlim_t size);
/* Permission bits bind everyone but root. */
void become_nobody(void);

#endif
