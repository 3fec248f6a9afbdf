/* SPDX-License-Identifier: Apache-2.0 */
/* A rule over bits as text of PTX, which the driver compiles. One operation computes a node for 32 places. The driver
 * keeps what it has compiled, so the engine has no cache. To compile a rule takes some tenths of a second. So if each
 * world has a rule of its own, the GPU uses only rules that count neighbours (rule_counts.h). */
#ifndef MASS_ENGINE_CUDA_RULE_PTX_H
#define MASS_ENGINE_CUDA_RULE_PTX_H

#include "rule/rule.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    MASS_RULE_PTX_FIELDS = 64,  /* fields that a callback may have; only some are read and written */
    MASS_RULE_PTX_NODES = 2048, /* nodes that the driver compiles in reasonable time */
    MASS_RULE_PTX_WORDS = 4,    /* words of 32 places that a thread writes in each row */
    MASS_RULE_PTX_WARPS = 4     /* of a block, with 32 threads each */
};

#define MASS_RULE_PTX_QUIET "mass_rule_quiet"
#define MASS_RULE_PTX_TALLY "mass_rule_tally"

/* The argument of the kernels, by value. Grids: along x, all words of a row, MASS_RULE_PTX_WORDS a thread. Along y and
 * z, any number: blocks stride over the rows, mass_rule_ptx_rows() a warp, and over the planes, depth * worlds. */
typedef struct mass_rule_arguments {
    int64_t plane, world_stride; /* in bytes */
    const uint32_t *gates;       /* [worlds], or NULL (mass_launch) */
    uint64_t beyond;             /* bit i: the value after the end of rows, for output i */
    int32_t pitch;               /* in bytes, a multiple of 16 */
    int32_t width, height, depth, worlds;
    int32_t open;                /* not 0: write `beyond` after the end of rows */
    void *field[MASS_RULE_PTX_FIELDS]; /* address of place (0, 0, 0) of the first world, aligned to 16 bytes, or of a
                                          tally */
} mass_rule_arguments;

/* Returns the rows that a warp writes at a time. */
int mass_rule_ptx_rows(const mass_rule *rule);
/* Returns whether there can be such a kernel. There is none for too many nodes or fields, or for inputs too far
 * away. */
bool mass_rule_ptx_fits(const mass_rule *rule);
/* Returns the text of both kernels, for a GPU of compute capability `capability`: 75 or more, 90 for 9.0. The caller
 * frees it. Returns NULL for lack of memory. Any thread. */
char *mass_rule_ptx(const mass_rule *rule, int capability);

#ifdef __cplusplus
}
#endif
#endif
