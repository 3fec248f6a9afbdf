/* SPDX-License-Identifier: Apache-2.0 */
/* Vain: agents and places with requests that the engine ignores, each if its bit is set. */
#ifndef VAIN_H
#define VAIN_H

/* The sum of the requests. */
enum { MOVES = 1, BREEDS = 2, AWAY = 4, DRAWS = 8, SHUFFLES = 16, DICE = 32, TEEMS = 64, FELLS = 128, SWARMS = 256 };
/* The position of the manage. */
enum { NOWHERE, BEHIND, NEVER, BEFORE }; /* none; after the requesting callback; there too, with a condition that never
                                            holds */

#endif
