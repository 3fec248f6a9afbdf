/* SPDX-License-Identifier: Apache-2.0 */
/* Models of continuous space by hand: one thread, own arrays, the rules of the plugins of the same names on a torus.
 * Each step sorts the arrays of agents by cell, by counting. */
#ifndef MASS_BENCH_POINTS_PLAIN_H
#define MASS_BENCH_POINTS_PLAIN_H

#include <stdint.h>

/* Each places `agents` agents in a space of `cells` cells along each axis, and runs `steps` steps. It returns how many
 * others an agent has seen in the last step, in the mean; negative: there is no memory. */

/* Circles in three dimensions, with a radius and a cell of 2. */
double bench_plain_circles(uint32_t agents, int cells, int steps);

/* Boids in two dimensions, with the weights that the plugin has by default. A cell is as long as `sight`. */
double bench_plain_boids(uint32_t agents, int cells, float sight, int steps);

#endif
