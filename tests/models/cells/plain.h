/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of bits under a rule, in a plain loop. */
#ifndef MASS_TESTS_MODELS_CELLS_PLAIN_H
#define MASS_TESTS_MODELS_CELLS_PLAIN_H

typedef struct cells {
    int nx, ny;
    unsigned torus, beyond; /* axes that wrap; what is beyond the others */
    unsigned birth, survive;
    unsigned table; /* number of a table of 512 entries; 0: by counts */
} cells;

/* What so many steps make of them; places[ny][nx]. */
void cells_advance(const cells *c, unsigned char *places, int steps);

/* Bits that are any, the same for the same number. */
unsigned cells_random(unsigned number);

#endif
