/* SPDX-License-Identifier: Apache-2.0 */
/* The networks of a model: a space of nodes, its edges, and the attributes of these. The edges are there as soon as the
 * network is declared, since the size of the space may depend on them. Attributes follow when all are declared. */
#ifndef MASS_ENGINE_MODEL_NETWORK_H
#define MASS_ENGINE_MODEL_NETWORK_H

#include "model/model.h"
#include "network/edges.h"

enum { MASS_EDGE_ATTRIBUTES_MAX = 64 };

typedef struct mass_network_def {
    char name[MASS_NAME_SIZE]; /* of the network, which its space has too; or of a set of edges */
    uint32_t space;
    bool set;            /* this is a further set of edges, on the nodes of another network */
    bool directed, simple;
    int population;      /* of edges that change; else -1 */
    uint32_t source;     /* ... and its attribute of the nodes at their other ends */
    char dies_name[MASS_NAME_SIZE]; /* the population with whose last agent a node's edges end; "": none */
    int dies;            /* that population, once the model is resolved; or -1 */
    uint64_t edges;      /* an undirected edge counts once */
    uint64_t hash;       /* of the edges and the values of their attributes; known once the networks are settled */
    mass_edge_list list; /* until the networks are settled */
    mass_edge_ends ends;
    mass_node_names names; /* of the file; or of no node */
    char *file;          /* NULL: they are drawn */
    char unused[MASS_EDGE_COLUMNS][MASS_EDGE_NAME]; /* columns of the file that are no attributes of the edges */
    uint32_t unused_count;
} mass_network_def;

typedef struct mass_edge_attribute_def {
    char name[MASS_NAME_SIZE];
    char *help;
    uint32_t network, type;
    uint32_t attribute; /* of the population of edges that change */
    size_t size;
    double initial;
    bool from_file;  /* the file has its values */
    uint8_t *values; /* [count + 1] by end, then the default; NULL until the networks are settled */
} mass_edge_attribute_def;

struct mass_networks {
    mass_network_def list[MASS_SPACES_MAX];
    uint32_t count;
    mass_edge_attribute_def attributes[MASS_EDGE_ATTRIBUTES_MAX];
    uint32_t attribute_count;
    double making; /* the most bytes of memory in use while edges were made; known once the networks are settled */
};

/* Adds a network and its space, or a further set of edges to a network. nodes: their number, if the
 * user gave one; 0: the declared one. most: the most nodes in a trial of the plugin; 0: it is no trial. In a trial the
 * nodes form a ring: neither the file nor the generator is used. `read` reads the file. With .links it also adds the
 * population of the edges, with an attribute `source`. If only that fails, the network stays. */
mass_status mass_model_add_network(mass_model *m, const mass_network *n, mass_gidx nodes, mass_gidx most,
                                   mass_edge_reader *read, mass_error *error);
/* Finds the population of .dies of each network. Refuses one that is not on its nodes. After all populations are
 * declared. */
mass_status mass_network_resolve_dies(mass_model *m, mass_error *error);
/* Adds an attribute of the edges of a network or a set, which must be declared before. If the edges change, their
 * population gets it, too; if only that fails, it stays. */
mass_status mass_model_add_edge_attribute(mass_model *m, const mass_edge_attribute *a, mass_error *error);
/* Gives the attributes of edges their values, hashes all, notes unused columns, and frees the lists of edges. Of edges
 * that do not change it also frees the numbers, ends.edge. After the last declaration. Does nothing if the model has no
 * network. */
mass_status mass_model_settle_networks(mass_model *m, mass_error *error);
void mass_model_free_networks(mass_model *m);

/* Return the network of a space, or NULL; and its attribute of edges, or -1. */
const mass_network_def *mass_model_network_of(const mass_model *m, uint32_t space);
int mass_model_find_edge_attribute(const mass_model *m, uint32_t space, const char *name);
/* Returns which of the model's networks has the edges that a phase walks. set: 0 for the edges of its network; from 1
 * on for the further sets that the phase lists. -1: there are none. */
int mass_phase_edges(const mass_model *m, const mass_phase_def *p, uint32_t set);

/* Return the population of the edges of a space's network, or -1 if the space is no network or its edges do not change;
 * and whether a population is one of edges. */
int mass_model_edges_of(const mass_model *m, uint32_t space);
bool mass_model_is_of_edges(const mass_model *m, uint32_t population);
/* Returns the network whose edges are a population, or NULL. */
const mass_network_def *mass_model_network_of_edges(const mass_model *m, uint32_t population);
/* Returns whether `population` is what the edges of a network would be named if they changed. */
bool mass_model_would_be_edges(const mass_model *m, const char *population);

/* Returns the population with whose agents edges end in a phase. -1: the phase is no manage of edges, or its network
 * has no .dies. Once the model is resolved. */
int mass_phase_dies(const mass_model *m, const mass_phase_def *p);

/* Returns the space over which a callback runs: `space`, or if that is NULL the one of its network, or the first one.
 * -1: it is not declared. */
int mass_model_space_of(const mass_model *m, const mass_callback *c, const char *space);
/* Finds the attribute of field i, which is of edges, and checks the field's type. Sets *out. */
mass_status mass_network_resolve(const mass_model *m, const mass_phase_def *p, uint32_t i, mass_target *out,
                                 mass_error *error);
/* Returns whether bodies of a phase follow edges. */
bool mass_network_is_followed(const mass_phase_def *p);
/* Checks that a phase whose callback is over nodes, or follows edges, has a network, and that its sets are of it. */
mass_status mass_network_check_phase(const mass_model *m, const mass_phase_def *p, mass_error *error);

/* Returns whether a callback is over the nodes of a network. */
static inline bool mass_callback_is_of_nodes(const mass_callback *c) { return c->network && c->network[0]; }

#endif
