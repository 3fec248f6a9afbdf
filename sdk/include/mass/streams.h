/* SPDX-License-Identifier: Apache-2.0 */
/* Streams: input that may be larger than memory. A model with a stream has one space, of one dimension and bounded. The
 * space is a window on the input: its places are the items of a chunk.
 *
 * In every step, the phases of the step run over one chunk after the other until the input ends, so a step is one pass
 * over the whole input. Tallies restart with the step, not with the chunk. Chunks depend on devices, partitions and
 * ranks; the model's results must not depend on them. With several ranks, all open the plugin, and only rank 0 reads.
 */
#ifndef MASS_STREAMS_H
#define MASS_STREAMS_H

#include <mass/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mass_stream {
    uint32_t struct_size;
    const char *attribute; /* the space's only one, of one component; not part of the state, nor of checkpoints */
    const char *total;   /* an integer SUM tally to which each step adds the number of items; or NULL */
    uint64_t items;      /* expected number of items of a pass, for the progress line; 0: unknown */
    /* Writes the next items into data, which has space for `room` of them, and sets *count to their number. Fewer than
     * `room` is fine; 0 is the end of the input. `given` is the number of items that it returned before in this pass:
     * at 0, a new pass begins. Returns MASS_OK, or the result of host->fail. [main thread, during a step] */
    mass_status (*read)(mass_host *host, uint64_t given, void *data, int64_t room, int64_t *count);
} mass_stream;

#define MASS_STREAMS_ID "mass.streams/0"
typedef struct mass_streams_table {
    uint32_t struct_size;
    mass_status (*stream)(mass_host *, const mass_stream *); /* in open, after space and attribute */
} mass_streams_table;

/* Returns the functions for streams that a plugin may call. */
static inline const mass_streams_table *mass_streams_of(mass_host *host)
{
    return (const mass_streams_table *)host->service(host, MASS_STREAMS_ID);
}

/* MASS_DECLARE_STREAM(host, .attribute = "item", .read = read_items); */
#define MASS_DECLARE_STREAM(HOST, ...) \
    mass_streams_of(HOST)->stream((HOST), &(const mass_stream){.struct_size = sizeof(mass_stream), __VA_ARGS__})

#ifdef __cplusplus
}
#endif
#endif
