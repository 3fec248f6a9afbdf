/* SPDX-License-Identifier: Apache-2.0 */
/* Designs of experiments: points in a cube of some dimensions, each coordinate in [0, 1). The same design has the same
 * points everywhere. Pure. */
#ifndef MASS_ENGINE_DESIGN_H
#define MASS_ENGINE_DESIGN_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum mass_design_kind {
    MASS_DESIGN_GRID,   /* every combination of values: no points */
    MASS_DESIGN_RANDOM, /* independent points */
    MASS_DESIGN_LATIN,  /* a Latin hypercube: one point in each of `points` slices of every coordinate */
    MASS_DESIGN_SOBOL   /* Sobol's sequence with the direction numbers of Joe and Kuo (2008), shifted digitally */
} mass_design_kind;

enum { MASS_DESIGN_POINTS_MAX = 1 << 20, MASS_SOBOL_DIMENSIONS_MAX = 40 };

typedef struct mass_design {
    mass_design_kind kind;
    uint32_t points;
    uint64_t seed;
} mass_design;

/* Reads "random:100", "latin:100" or "sobol:128", with ":SEED" after it if the seed is not 1. MASS_BAD_USAGE if it is
 * another text. */
mass_status mass_design_read(const char *text, mass_design *out, mass_error *error);

/* Returns the name of a kind: "sobol". */
const char *mass_design_name(mass_design_kind kind);

/* Fills [points][dimensions] coordinates of a design that is no grid. Different `table` numbers give different points
 * of the same design. The dimensions of a Sobol design are at most MASS_SOBOL_DIMENSIONS_MAX. Returns false if memory
 * is short. */
bool mass_design_fill(const mass_design *d, uint64_t table, uint32_t dimensions, double *out);

#endif
