/* SPDX-License-Identifier: Apache-2.0 */
/* Text that is printed into memory. Not by open_memstream, since that of the GNU C library does not say when memory was
 * short: neither ferror nor fclose do, and part of the text is missing. */
#ifndef MASS_ENGINE_MEMORY_STREAM_H
#define MASS_ENGINE_MEMORY_STREAM_H

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A stream, or NULL if there is no memory. fclose sets *text, which the caller frees, with a zero byte behind it, and
 * *size without that; if anything is missing, it fails and sets NULL and 0. Both are left alone before. One thread at a
 * time. */
FILE *mass_memory_stream(char **text, size_t *size);

#ifdef __cplusplus
}
#endif

#endif
