/* SPDX-License-Identifier: Apache-2.0 */
/* The agents that the load of hand.c adds, for the plugin and for the plain program. */
#ifndef MASS_TESTS_MODELS_HAND_H
#define MASS_TESTS_MODELS_HAND_H

#include <stdint.h>

/* Agents of a call: of one world, numbered on; of every world, with ids; of world 0, numbered on behind them. */
enum { HAND_FEW = 40, HAND_LAST = 5 };
/* Return the number of agents of a world, and the id of an agent. */
static inline int64_t hand_many(int world) { return 200 + 31 * world; }
static inline uint64_t hand_id(int64_t i) { return 1000 + 7 * (uint64_t)i; }

/* Returns a number that depends on nothing but its arguments. */
static inline int64_t hand_draw(int call, int world, int64_t agent, int what, int64_t below)
{
    uint64_t h = (uint64_t)agent * 0x9e3779b97f4a7c15u ^ (uint64_t)(call * 1000 + world * 10 + what + 1);
    h = (h ^ h >> 31) * 0xbf58476d1ce4e5b9u;
    h = (h ^ h >> 29) * 0x94d049bb133111ebu;
    return (int64_t)((h >> 33) % (uint64_t)below);
}

#endif
