/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of bits under a rule, in a plain loop. */
#ifndef MASS_TESTS_MODELS_CELLS_PLAIN_H
#define MASS_TESTS_MODELS_CELLS_PLAIN_H

/* Places that a table uses, in the order of an entry's bits. */
typedef struct cells_looks {
    const char *rule; /* of the model */
    int count, at[9][3];
} cells_looks;
extern const cells_looks cells_square, cells_star, cells_star_in_space;

typedef struct cells {
    int nx, ny, nz; /* nz 1: a plane */
    unsigned torus, beyond; /* mask of the axes that wrap; the value beyond the others */
    unsigned birth, survive;
    const cells_looks *looks;
    unsigned table; /* number of a table of their combinations; 0: by counts, in a square */
} cells;

/* Computes the cells after some steps; places[nz][ny][nx]. */
void cells_advance(const cells *c, unsigned char *places, int steps);

/* Returns arbitrary bits, the same for the same number. */
unsigned cells_random(unsigned number);

#endif
