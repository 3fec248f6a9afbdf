/* SPDX-License-Identifier: Apache-2.0 */
/* The callbacks of Minesweeper, and the elements that are structs: one number for each action. */
#ifndef MINESWEEPER_KERNELS_H
#define MINESWEEPER_KERNELS_H

#include <mass/callback.h>

enum { RIGHT = 0, DOWN = 1, LEFT = 2, UP = 3, ACTIONS = 4 };

typedef struct minesweeper_values {
    float of[ACTIONS];
} minesweeper_values;

typedef struct minesweeper_counts {
    uint32_t of[ACTIONS];
} minesweeper_counts;

extern const mass_callback minesweeper_draw, minesweeper_begin, minesweeper_act, minesweeper_learn,
    minesweeper_race, minesweeper_outcome, minesweeper_restart;

#endif
