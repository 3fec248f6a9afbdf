/* SPDX-License-Identifier: Apache-2.0 */
/* Standard models of agents by hand: one thread, own arrays, the rules of the plugins of the same names. */
#ifndef MASS_BENCH_STANDARD_PLAIN_H
#define MASS_BENCH_STANDARD_PLAIN_H

#include <stdbool.h>
#include <stdint.h>

/* Each makes the state, runs `steps` steps, and returns what is compared with the engine; negative: there is no
 * memory. */

/* Schelling on a bounded space of size x size places: `people` of two kinds. One with fewer than `needs` neighbours of
 * its kind within `radius`, or with a share of less than `threshold` if `needs` is 0, moves. Returns the share of
 * neighbours of the same kind, over all, in the last step. */
double bench_plain_schelling(int64_t size, uint32_t people, int radius, int needs, double threshold, int tries,
                             int steps);

/* A bounded meadow of size x size places, as the parameters of wolf-sheep say. */
typedef struct bench_meadow {
    int size, sheep, wolves;
    double grass_energy, sheep_energy;
    int regrowth;
    double sheep_births, wolf_births;
} bench_meadow;

/* The settings of the plugin for the small meadow, {25, 60, 40, 5, 13, 20, 0.2, 0.1}, without its size. */
#define BENCH_SMALL_MEADOW {"sheep", "60", NULL}, {"wolves", "40", NULL}, {"regrowth", "20", NULL}, \
                           {"sheep_births", "0.2", NULL}, {"wolf_births", "0.1", NULL}

/* Wolves, sheep and grass. Returns how many sheep wolves have eaten for each that was born. */
double bench_plain_wolf_sheep(const bench_meadow *set, int steps);

/* `people` give 1 to one drawn from all, as long as they have something; each has 1 at first. Returns the share of
 * people who have nothing. */
double bench_plain_boltzmann(uint32_t people, int steps);

/* The El Farol bar. Returns how often one has been there, in the mean of the people. */
double bench_plain_el_farol(uint32_t people, double crowded, int steps);

#endif
