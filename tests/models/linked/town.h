/* SPDX-License-Identifier: Apache-2.0 */
/* The network of the models in this folder, and the parameters that make it. */
#ifndef MASS_TESTS_MODELS_LINKED_TOWN_H
#define MASS_TESTS_MODELS_LINKED_TOWN_H

#include <mass/model.h>

#include "linked.h"

MASS_PARAMETER(text, file, "", "a file of edges; unset: they are drawn")
MASS_PARAMETER(int64_t, nodes, 20, 0, 1000000000, "of the network; 0: those of the file")
MASS_PARAMETER(int64_t, generator, MASS_RANDOM_EDGES, 1, 9, "of edges")
MASS_PARAMETER(int64_t, edges, 30, 0, 1000000000, "to be drawn")
MASS_PARAMETER(int64_t, inside, 0, 0, 1000000000, "to be drawn in blocks")
MASS_PARAMETER(int64_t, blocks, 1, 1, 1000000000, "of nodes")
MASS_PARAMETER(int64_t, degree, 4, 0, 1000000000, "of nodes")
MASS_PARAMETER(double, rewired, 0.2, 0, 1, "part of the edges that is drawn again")
MASS_PARAMETER(int64_t, columns, 0, 0, 1000000000, "of a grid")
MASS_PARAMETER(double, radius, 0, 0, 2, "within which nodes are joined")
MASS_PARAMETER(double, chance, 0.1, 0, 1, "with which a pair is joined")
MASS_PARAMETER(int64_t, torus, 0, 0, 1, "1: opposite sides meet")
MASS_PARAMETER(int64_t, draws, 1, 0, INT64_MAX, "seed of the generator")
MASS_PARAMETER(int64_t, directed, 0, 0, 1, "1: edges come into their targets alone")
MASS_PARAMETER(int64_t, simple, 0, 0, 1, "1: no edge is there twice")
MASS_PARAMETER(int64_t, odd, 0, 0, 6, "1: a body follows an edge that is not its own; 2: one that is none; 3: it asks "
                                      "for an edge from a node that there is not; 4: for too many; 5: it sets an "
                                      "attribute of one for which it has not asked; 6: it writes out of a range")
MASS_PARAMETER(int64_t, compared, 1, 0, 1, "1: the last state must be that of a plain program, which is slow")

#ifndef TOWN_LINKS /* the most edges that a node of moving.c asks for */
#define TOWN_LINKS 0
#endif
#ifdef TOWN_DIES /* a population of moving.c */
MASS_PARAMETER(int64_t, dies, 0, 0, 1, "1: a node's edges end with its last walker")
#else
#define TOWN_DIES NULL
#endif
MASS_NETWORK(town, .file = VALUE(file), .nodes = VALUE(nodes), .generator = (uint32_t)VALUE(generator),
             .edges = VALUE(edges), .inside = VALUE(inside), .blocks = VALUE(blocks), .degree = VALUE(degree),
             .rewired = VALUE(rewired), .seed = (uint64_t)VALUE(draws), .directed = (uint32_t)VALUE(directed),
             .simple = (uint32_t)VALUE(simple), .links = TOWN_LINKS, .dies = TOWN_DIES, .columns = VALUE(columns),
             .radius = VALUE(radius), .chance = VALUE(chance), .torus = (uint32_t)VALUE(torus))

#endif
