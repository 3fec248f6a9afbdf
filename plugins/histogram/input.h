/* SPDX-License-Identifier: Apache-2.0 */
/* The file that Histogram counts. Functions report errors through host->fail. */
#ifndef HISTOGRAM_INPUT_H
#define HISTOGRAM_INPUT_H

#include <mass/plugin.h>

typedef struct input {
    const char *path;
    int file;        /* -1: not open */
    uint64_t size;   /* bytes */
} input;

/* Opens a regular file. Its size must be a multiple of `item` bytes. */
mass_status input_open(input *in, mass_host *host, const char *path, size_t item);
/* Reads up to `bytes` from `at` on. *got is less than `bytes` only at the end of the file. */
mass_status input_read(const input *in, mass_host *host, uint64_t at, void *data, uint64_t bytes, uint64_t *got);
void input_close(input *in);

#endif
