/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts the ends of one node. Any thread. */
#ifndef MASS_ENGINE_NETWORK_SORT_SOURCES_H
#define MASS_ENGINE_NETWORK_SORT_SOURCES_H

#include <stdint.h>

/* Memory for a sort, which several sorts of a thread may share: [ends of the node with most] each. */
typedef struct mass_sort_room {
    uint32_t *source;
    uint64_t *edge; /* NULL if edges are not numbered */
} mass_sort_room;

/* Sorts ends in place by source, which are below 2^31. edge: the numbers of their edges, which go with them; NULL:
 * there are none. Those of equal sources keep their order. */
void mass_sort_sources(uint32_t *source, uint64_t *edge, uint64_t count, const mass_sort_room *room);

#endif
