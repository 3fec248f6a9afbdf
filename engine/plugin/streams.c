/* SPDX-License-Identifier: Apache-2.0 */
/* Streams of items that a plugin reads for the engine. */
#include "plugin/services.h"

enum { PROBED_PIECES = 4 }; /* most pieces in a trial */

/* Calls the plugin's read function during a step. given: items that it has returned before; *count becomes those that
 * it returns now, at most `room`. The host's error is one of this call meanwhile, and then NULL. */
static mass_status read_items(void *context, uint64_t given, void *data, int64_t room, int64_t *count,
                              mass_error *error)
{
    mass_engine_host *h = context;
    mass_error inner = {0};
    *count = 0;
    h->error = &inner;
    const mass_status returned = h->read_items(&h->host, given, data, room, count);
    return mass_host_conclude(h, "read", returned, &inner, error);
}

/* Adds a stream to the model, and keeps its function. A probe reads at most PROBED_PIECES. */
static mass_status declare_stream(mass_host *host, const mass_stream *d)
{
    mass_engine_host *h = self(host);
    mass_stream own;
    mass_status status = TAKE(stream, read);
    if (status == MASS_OK && !own.read)
        status = mass_error_set(h->error, MASS_BAD_PLUGIN, "its stream has no function that reads it");
    if (status == MASS_OK) status = mass_model_add_stream(h->model, &own, read_items, h, h->error);
    if (status != MASS_OK) return status;
    h->read_items = own.read;
    if (h->opening->extent_limit) h->model->stream.pieces_most = PROBED_PIECES;
    return MASS_OK;
}

const mass_streams_table mass_host_streams_table = {sizeof mass_host_streams_table, declare_stream};
