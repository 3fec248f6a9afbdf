/* SPDX-License-Identifier: Apache-2.0 */
/* A stream that prints into memory. The engine does not use open_memstream: with the GNU C library neither ferror nor
 * fclose reports that memory was short, and part of the text is missing. */
#ifndef MASS_ENGINE_MEMORY_STREAM_H
#define MASS_ENGINE_MEMORY_STREAM_H

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Opens a stream that prints into memory; NULL: no memory. fclose sets *text, which the caller frees, and *size; a zero
 * byte follows the text, which *size does not count. If anything is missing, fclose fails and sets them to NULL and 0.
 * Before fclose both are unchanged. One thread at a time. */
FILE *mass_memory_stream(char **text, size_t *size);

#ifdef __cplusplus
}
#endif

#endif
