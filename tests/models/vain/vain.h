/* SPDX-License-Identifier: Apache-2.0 */
/* Vain: agents and places that ask for what nobody carries out, each when it is told to. */
#ifndef VAIN_H
#define VAIN_H

/* What is asked for, added up. */
enum { MOVES = 1, BREEDS = 2, AWAY = 4, DRAWS = 8, SHUFFLES = 16, DICE = 32, TEEMS = 64 };
/* Where the manage is. */
enum { NOWHERE, BEHIND, NEVER, BEFORE }; /* none; after who asks; there too, under a condition that never holds */

#endif
