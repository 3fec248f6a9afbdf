/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the edges of a network: as text, which is an edge list or a Matrix Market file, as .npy or as a data set
 * of HDF5. The reader refuses them in one line, or gives edges between nodes that there are, with finite values. Sorted
 * by node, each has its place. The first byte chooses the kind of network and the format. HDF5 itself may crash on
 * them. The engine therefore probes such files in a child process, which this harness replaces. */
#include "harness.h"
#include "hdf5_probe.h"
#include "io/input/edge_arrays.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* Each name is that of its node alone. */
static void check_names(const mass_edge_list *list)
{
    ALWAYS(list->names.count == 0 || list->names.count == list->nodes);
    for (uint32_t i = 0; i < list->names.count; i++) {
        const char *const name = mass_node_name(&list->names, i);
        ALWAYS(name[0] && strlen(name) <= MASS_NODE_NAME_MOST && mass_node_names_find(&list->names, name) == i);
        ALWAYS_ONE_LINE(name);
    }
}

static void check(const mass_network *n, mass_edge_list *list)
{
    mass_edge_ends e;
    mass_error error = {0};
    check_names(list);
    for (uint64_t i = 0; i < list->count; i++) {
        ALWAYS(list->from[i] < list->nodes && list->to[i] < list->nodes);
        for (uint32_t k = 0; k < list->column_count; k++) {
            const mass_edge_column *const c = &list->columns[k];
            ALWAYS(c->other_line ? !c->values : isfinite(c->values[i]));
        }
    }
    if (list->nodes == 0 || list->nodes > 100000) return;
    const mass_status status = mass_edge_ends_make(list, n, list->nodes, &e, &error);
    ALWAYS(status == MASS_OK || (n->simple && status == MASS_BAD_INPUT));
    for (mass_gidx i = 0; status == MASS_OK && i < list->nodes; i++)
        for (uint64_t k = e.first[i] + 1; k < e.first[i + 1]; k++) ALWAYS(e.source[k] >= e.source[k - 1]);
    ALWAYS(status != MASS_OK || e.count >= list->count);
    mass_edge_ends_free(&e);
}

/* Reads the bytes as text from memory, or as a file whose name ends in `ending`. */
static mass_status read_bytes(const uint8_t *bytes, size_t size, const char *ending, mass_network *n, mass_gidx nodes,
                              mass_edge_list *list, mass_error *error)
{
    char path[64], source[80]; /* HDF5 refuses files without a path, such as those of memfd_create */
    mass_status status;
    n->file = source;
    if (ending) {
        snprintf(path, sizeof path, "/dev/shm/mass-fuzz-edges-%ld%s", (long)getpid(), ending);
        snprintf(source, sizeof source, "%s%s", path, ending[1] == 'h' ? ":/e" : "");
        const int file = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
        ALWAYS(file >= 0 && write(file, bytes, size) == (ssize_t)size);
        close(file);
        status = mass_edge_arrays_read(n, nodes, NULL, list, error);
        unlink(path);
    } else {
        snprintf(source, sizeof source, "edges.csv");
        FILE *const file = fmemopen((void *)(uintptr_t)bytes, size, "r");
        ALWAYS(file);
        status = mass_edge_list_parse(file, n, nodes, NULL, list, error);
        fclose(file);
    }
    if (status == MASS_OK) check(n, list);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const endings[] = {NULL, ".npy", ".h5", ".mtx"};
    if (size < 2) return 0;
    mass_network n = {.name = "net", .directed = data[0] & 1, .simple = data[0] >> 1 & 1};
    mass_edge_list list = {0};
    mass_error error = {0};
    const mass_status status = read_bytes(data + 1, size - 1, endings[data[0] >> 3 & 3], &n, data[0] & 4 ? 50 : 0,
                                          &list, &error);
    ALWAYS(status == MASS_OK || (status == MASS_BAD_INPUT && error.text[0]));
    if (status != MASS_OK) ALWAYS_ONE_LINE(error.text);
    mass_edge_list_free(&list);
    return 0;
}
