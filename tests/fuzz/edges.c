/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as an edge list. The reader refuses them in one line, or gives edges between nodes that there are, with
 * finite values. Sorted by node, each has its place. The first byte chooses the kind of network. */
#include "harness.h"
#include "network/edges.h"

#include <math.h>

static void check(const mass_network *n, mass_edge_list *list)
{
    mass_edge_ends e;
    mass_error error = {0};
    for (uint64_t i = 0; i < list->count; i++) {
        ALWAYS(list->from[i] < list->nodes && list->to[i] < list->nodes);
        for (uint32_t k = 0; k < list->column_count; k++) ALWAYS(isfinite(list->columns[k].values[i]));
    }
    if (list->nodes == 0 || list->nodes > 100000) return;
    const mass_status status = mass_edge_ends_make(list, n, list->nodes, &e, &error);
    ALWAYS(status == MASS_OK || (n->simple && status == MASS_BAD_INPUT));
    for (mass_gidx i = 0; status == MASS_OK && i < list->nodes; i++)
        for (uint64_t k = e.first[i] + 1; k < e.first[i + 1]; k++) ALWAYS(e.source[k] >= e.source[k - 1]);
    ALWAYS(status != MASS_OK || e.count >= list->count);
    mass_edge_ends_free(&e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) return 0;
    const mass_network n = {.name = "net", .file = "edges.csv", .directed = data[0] & 1, .simple = data[0] >> 1 & 1};
    FILE *file = fmemopen((void *)(uintptr_t)(data + 1), size - 1, "r");
    mass_edge_list list;
    mass_error error = {0};
    if (!file) return 0;
    const mass_status status = mass_edge_list_parse(file, &n, data[0] & 4 ? 50 : 0, &list, &error);
    ALWAYS(status == MASS_OK || (status == MASS_BAD_INPUT && error.text[0]));
    if (status == MASS_OK) check(&n, &list);
    else ALWAYS_ONE_LINE(error.text);
    mass_edge_list_free(&list);
    fclose(file);
    return 0;
}
