/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of the model of agents in turn: dense and sparse, of all radii, with bits, edges, worlds and closed steps. Each
 * run compares its last state with that of a plain program. */
#ifndef MASS_TESTS_TURN_WAYS_H
#define MASS_TESTS_TURN_WAYS_H

#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const turns[] = {
    "--steps 15",
    "--steps 12 --set radius=0 --set far=0 --set seats=2",
    "--steps 12 --size 60 --set radius=2 --set far=2 --set torus=0 --set prey_seats=1",
    "--steps 8 --size 6x5x4 --set radius=3 --set far=3 --set torus=5 --set seats=0",
    "--steps 8 --size 5x4 --set radius=6 --set far=6 --set seats=3 --set hunters=30",
    "--steps 8 --size 7x9 --set radius=6 --set far=2 --set torus=0 --set fertile=1",
    "--steps 9 --size 16x12 --set gated=1 --worlds 3 --set deadly=2 --set fertile=1",
    "--steps 6 --size 64x40 --set hunters=900 --set prey=700 --set radius=2 --set far=1",
    "--steps 5 --set hunters=1 --set fertile=1",
    "--steps 5 --set hunters=0",
    "--steps 6 --size 40x30 --set hunters=300 --set prey=200",
    "--steps 6 --size 600 --set radius=2 --set far=2 --set torus=0 --set hunters=300 --set prey_seats=1",
    "--steps 5 --size 6x5x40 --set radius=3 --set far=3 --set torus=4 --set seats=0 --set hunters=300",
    "--steps 5 --size 9x42 --set torus=1 --set seats=3 --set hunters=300 --set fertile=2",
    "--steps 5 --size 70x6 --set torus=2 --set hunters=280 --set prey=200 --set deadly=3",
    "--steps 4 --size 30x26 --set gated=1 --worlds 3 --set hunters=260 --set deadly=2 --set fertile=1"};
enum { TURNS = sizeof turns / sizeof *turns };

/* Returns whether a space cannot be cut into partitions: its bits are cut every 512 places, and it is a line. */
static inline bool turn_is_line(int i) { return strstr(turns[i], "--size 60 ") || strstr(turns[i], "--size 600 "); }

/* Spaces that are much longer than agents see, so that each of several ranks plays a part of them. */
static const char *const long_turns[] = {
    "--steps 6 --size 20x200 --set hunters=1500 --set prey=1200 --set prey_seats=2",
    "--steps 6 --size 20x200 --set hunters=1500 --set prey=1200 --set seats=0 --set torus=1",
    "--steps 6 --size 20x200 --set hunters=3500 --set prey=100 --set torus=2 --worlds 2 --set gated=1",
    "--steps 5 --size 9x300 --set hunters=900 --set prey=900 --set radius=2 --set far=2 --set seats=2",
    "--steps 5 --size 9x300 --set hunters=300 --set prey=900 --set radius=3 --set far=3 --set torus=0",
    "--steps 6 --size 5000 --set hunters=1500 --set prey=900 --set radius=2 --set far=2 --set torus=1",
    "--steps 6 --size 5000 --set hunters=1500 --set prey=900 --set torus=0 --set fertile=1",
    "--steps 5 --size 6x5x90 --set hunters=900 --set prey=400 --set torus=7 --set fertile=2"};
enum { LONG_TURNS = sizeof long_turns / sizeof *long_turns };

/* Returns the rows of a run's space, which ranks divide. */
static inline int turn_rows(const char *options)
{
    const char *size = strstr(options, "--size ");
    if (!size) return 9;
    size += strlen("--size ");
    for (const char *x = size; *x && *x != ' '; x++)
        if (*x == 'x') size = x + 1;
    return atoi(size);
}

/* Returns the options of the command for a run of this model. */
static inline const char *turn_options(const char *more)
{
    return text("--plugin '%s/turn.so' --seed 1 %s", MASS_TEST_PLUGINS, more);
}

/* Returns the options of a sweep, without steps. */
static inline const char *turn_sweep(void)
{
    const char *path = text("%s/sweep.csv", folder_make());
    FILE *to = fopen(path, "w");
    if (!to || fputs("fertile,deadly,far\n1,5,0\n6,9,1\n3,2,1\n100,40,0\n", to) < 0 || fclose(to) != 0) abort();
    return turn_options(text("--size 30x26 --set hunters=260 --set compared=0 --sweep '%s'", path));
}

#endif
