/* SPDX-License-Identifier: Apache-2.0 */
/* A rule over bits as text of PTX, which the driver compiles: 32 places are one operation of every node. */
#ifndef MASS_ENGINE_CUDA_RULE_PTX_H
#define MASS_ENGINE_CUDA_RULE_PTX_H

#include "rule/rule.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    MASS_RULE_PTX_FIELDS = 64,  /* a callback may have, of which some are read and written */
    MASS_RULE_PTX_NODES = 2048, /* that are compiled in bearable time */
    MASS_RULE_PTX_WORDS = 4,    /* of 32 places, that a thread writes of every row */
    MASS_RULE_PTX_WARPS = 4     /* of a block: 32 threads by so many */
};

#define MASS_RULE_PTX_QUIET "mass_rule_quiet"
#define MASS_RULE_PTX_TALLY "mass_rule_tally"

/* What the kernels are called with, by value. Grids: along x all words of a row, MASS_RULE_PTX_WORDS a thread; along y
 * and z any, which stride over the rows, mass_rule_ptx_rows() a warp, and over the sheets, depth * worlds. */
typedef struct mass_rule_arguments {
    int64_t plane, world_stride; /* in bytes */
    const uint32_t *gates;       /* [worlds], or NULL (mass_launch) */
    uint64_t beyond;             /* bit i: what lies behind the rows for output i */
    int32_t pitch;               /* in bytes, a multiple of 16 */
    int32_t width, height, depth, worlds;
    int32_t open;                /* not 0: writes `beyond` behind the end of rows */
    void *field[MASS_RULE_PTX_FIELDS]; /* place (0, 0, 0) of the first world, to 16 bytes, or a tally */
} mass_rule_arguments;

/* Rows that a warp writes before it goes on. */
int mass_rule_ptx_rows(const mass_rule *rule);
/* Whether there is such a kernel: not for too many nodes or fields, or inputs too far away. */
bool mass_rule_ptx_fits(const mass_rule *rule);
/* Both kernels as a string for a GPU of compute capability `capability`, 90 being 9.0, from 75 on. The caller frees it.
 * NULL for lack of memory. Any thread. */
char *mass_rule_ptx(const mass_rule *rule, int capability);

#ifdef __cplusplus
}
#endif
#endif
