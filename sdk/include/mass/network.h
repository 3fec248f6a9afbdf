/* SPDX-License-Identifier: Apache-2.0 */
/* Networks: spaces whose places are nodes, joined by edges.
 *
 *     MASS_PARAMETER(text, contacts, "", "a file of edges; unset: a random network")
 *     MASS_NETWORK(town, .file = VALUE(contacts), .nodes = 1000, .generator = MASS_RANDOM_EDGES, .edges = 5000)
 *     MASS_ATTRIBUTE(town, uint8_t, state)
 *     MASS_EDGE_ATTRIBUTE(town, float, weight, .initial = 1)
 *
 *     MASS_NODES(spread, town, LINKED(state), EDGES(weight), UPDATES(state))
 *     {
 *         float pressure = 0;
 *         EACH_EDGE(e) if (OF(state, e) == SICK) pressure += EDGE(weight, e);
 *         ...
 *     }
 *
 * A network is a bounded space of one dimension, so nodes have all that places have: attributes, maps, tallies,
 * pictures. Without .links its edges do not change, and all worlds have the same. Other members of mass_network may
 * follow its name.
 *
 * MASS_NODES(name, network, entries...): the body of one node. READS, WRITES and UPDATES name attributes of the node.
 * LINKED names attributes of the nodes at the other ends of the edges that come in, as they were before the phase, also
 * if the body writes them. EDGES names attributes of these edges. In a body, and all that kernel.h lists for a map:
 *     EACH_EDGE(e) { ... }  a loop over the edges that come in, by the number of the node at the other end; equal ones
 *                           in the order of the file, or of the generator
 *     OF(f, e)              the value of LINKED of the node at the other end of an edge
 *     EDGE(f, e)            the value of EDGES of an edge
 *     SOURCE(e)             the number of the node at the other end; that of the own node is AT_X
 *     DEGREE                the number of edges that come in
 *     ONE_EDGE(draw)        one of these edges, drawn evenly; none if there is none
 *     IS_EDGE(e)            0 if `e` is none, else 1
 *
 * MASS_IN_TURN_NODES(name, network, entries...) lets nodes act one after the other: see turn.h.
 *
 * MASS_AGENT_ON_NODES(name, population, network, entries...): the body of one agent that stands on a node of a network.
 * It has the entries and words of MASS_AGENT (kernel_agents.h) but NEARBY, ADDS, RACES and claims. It also has LINKED,
 * EDGES and all words above, for the edges that come into the agent's node, and
 *     MIGRATE_ALONG(e)      requests a move to the node at the other end of an edge, which the next manage applies;
 *                           the last request counts
 *
 * Several sets of edges on the same nodes: MASS_EDGE_SET(town, work, .file = ..., ...) declares one with the name work,
 * and the members of mass_network but .nodes, .links and .dies. MASS_EDGE_ATTRIBUTE(work, ...) is an attribute of its
 * edges. A body names up to 3 sets in the entry WALKS(work), and its attributes by EDGES(FROM(work, weight)):
 *     EACH_EDGE_OF(work, e)  DEGREE_OF(work)  ONE_EDGE_OF(work, draw)    as above, for the edges of a set. Handles are
 *                           mass_set_edge, and OF, EDGE, SOURCE, IS_EDGE and MIGRATE_ALONG take them, too
 *
 * Edges that come and go, in networks with .links. MASS_NODES with the entry LINKS(network) may ask for edges, and for
 * the end of edges. NEW_EDGES names attributes of edges with which new ones start; the others start with .initial.
 *     LINK(node)            asks for an edge from that node: it will come into the own node, and into both if the
 *                           network is undirected. Gives the number k of the request, from 0; -1 if there is no such
 *                           node, or if the own node has asked for .links edges before. Two nodes may ask for the same
 *     NEW_EDGE(f, k) = v    sets an attribute in NEW_EDGES of the edge of request k; nothing happens if k is -1
 *     UNLINK(e)             asks for the end of an edge that comes into the own node
 * The phase RELINKS(network) applies requests, world by world. First edges end. Then new ones come, in the order of
 * the node that asked and of k. Requests for the same edge become one: that of the lowest node and k, with its
 * attributes. In a network with .simple, a request for an edge that there is, or from a node to itself, is ignored;
 * else there is one more. With .dies, a node's edges end with its last agent, and a node without agents gets none. In
 * a walk, of equal sources the older edge comes first. Requests that no RELINKS applied are dropped at the end of a
 * step. The edges are the agents of a population NETWORK_edges, so outputs and checkpoints have them: `id` in the order
 * of birth, from 0; `place`, the node that asked, or the target; `source`; and their attributes.
 *
 * Handles are mass_edge. For an edge that does not come into the node, OF and EDGE are the attribute's default, and
 * SOURCE is -1, and MIGRATE_ALONG lets the agent stay. */
#ifndef MASS_NETWORK_H
#define MASS_NETWORK_H

#include <mass/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a network without a file is made. The draws are functions of `seed` and of the number of an edge, so the network
 * is the same on every device. No edge joins a node to itself. */
typedef enum mass_generator {
    MASS_RING = 1,         /* each node is joined to the `degree` nodes next to it, half on either side */
    MASS_SMALL_WORLD = 2,  /* such a ring, in which one end of an edge is drawn again with probability `rewired`: D. J.
                              Watts and S. H. Strogatz (1998) */
    MASS_RANDOM_EDGES = 3, /* `edges` edges, each between two nodes that are drawn evenly; if `edges` is 0, half of
                              `degree` for each node */
    MASS_PREFERENTIAL = 4, /* each node but the first is joined to `degree` earlier ones, drawn in proportion to their
                              edges: A.-L. Barabasi and R. Albert (1999). Its edges begin at the later node */
    MASS_STOCHASTIC_BLOCKS = 5, /* the nodes are `blocks` blocks of equal size, or nearly. There are `inside` edges
                                   within blocks, and `edges` between different ones, drawn evenly. If both are 0, there
                                   are half of `degree` for each node, of which the part `rewired` is between blocks */
    MASS_COMPLETE = 6,     /* each node is joined to each other one */
    MASS_GRID = 7,         /* the nodes are a grid of `columns` columns, row by row. Each is joined to the 4 next to
                              it; if `degree` is 8, to those across corners, too. If `torus` is 1, opposite sides meet,
                              unless an axis has at most two nodes */
    MASS_GEOMETRIC = 8,    /* each node has a point of a square with sides of 1 (mass_geometric_point of random.h), and
                              is joined to those that are closer than `radius`: M. Penrose (2003). If `radius` is 0, it
                              is that with which a node far from the border has `degree` others, in the mean. If `torus`
                              is 1, opposite sides meet */
    MASS_RANDOM_PAIRS = 9  /* each pair of nodes is joined with probability `chance`, whatever the others are: E. N.
                              Gilbert (1959). Directed edges are drawn for each direction by itself */
} mass_generator;

typedef struct mass_network {
    uint32_t struct_size;
    uint32_t generator; /* if there is no file */
    const char *name;
    /* An edge list: a header `source,target`, or none; then a line for each edge, with the numbers of two nodes from 0.
     * Commas, tabs or spaces separate them. Further columns of the header are attributes of edges. Below a header,
     * nodes may have names that begin with a letter: node 0 is the first one of the file. FILE.mtx is a Matrix Market
     * file, whose values are the attribute `weight`. FILE.npy and FILE.h5:/PATH are arrays [m][2] of integers, the
     * numbers of nodes. NULL or "": there is no file. */
    const char *file;
    mass_gidx nodes; /* 0: one more than the largest number in the file. --size N replaces it in the network that is
                        the first space */
    int64_t edges, inside, blocks, degree;
    double rewired;
    uint64_t seed;     /* of the generator */
    uint32_t directed; /* 1: an edge comes into its target alone; 0: into both of its nodes */
    uint32_t simple;   /* 1: no two edges join the same nodes in the same direction, and none joins a node to itself. A
                          file that has such edges is refused, and generators draw again */
    uint32_t links;    /* the most edges that a node may ask for (LINK) before they are made, up to 255. 0: the edges do
                          not change */
    uint32_t turned;   /* 1: each edge is turned round, and comes into its source. So a set that repeats the other
                          members of a directed network has the edges that go out of each node */
    const char *of;    /* of a further set of edges: the network whose nodes it joins; .nodes is not used. NULL: it is a
                          network of its own */
    const char *dies;  /* with .links: a population on the nodes. RELINKS ends all edges of nodes on which none of its
                          agents is, and ignores requests for such edges. NULL: edges do not depend on agents */
    mass_gidx columns; /* of a grid; 0: the root of the number of nodes, rounded up. The last row may be shorter */
    double radius;     /* of a geometric network */
    double chance;     /* of random pairs */
    uint32_t torus;    /* 1: opposite sides of a grid or of a geometric network meet */
} mass_network;

/* An attribute of edges: a column of the file, or `initial` if the file has no such column. */
typedef struct mass_edge_attribute {
    uint32_t struct_size;
    uint32_t type; /* mass_type, a number */
    const char *network, *name, *help;
    double initial;
} mass_edge_attribute;

#define MASS_NETWORKS_ID "mass.networks/0"
typedef struct mass_networks_table {
    uint32_t struct_size;
    mass_status (*network)(mass_host *, const mass_network *);             /* in open */
    mass_status (*attribute)(mass_host *, const mass_edge_attribute *);    /* in open, after its network */
} mass_networks_table;

/* Returns the functions for networks that a plugin may call. */
static inline const mass_networks_table *mass_networks_of(mass_host *host)
{
    return (const mass_networks_table *)host->service(host, MASS_NETWORKS_ID);
}

#ifdef __cplusplus
}
#endif
#endif
