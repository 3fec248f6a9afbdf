/* SPDX-License-Identifier: Apache-2.0 */
#include "population/relink_marks.h"
#include "population/relink_requests.h"

#include <stdlib.h>

mass_status mass_relink_marks_list(const mass_domain *d, const mass_changing_edges *e, int64_t nodes,
                                   const uint32_t *closed, mass_ended_edge **out, uint64_t *count, mass_error *error)
{
    const size_t numbers = e->count ? (size_t)nodes * (size_t)d->worlds : 0;
    void *copy = NULL;
    mass_status status = MASS_OK;
    const uint8_t *const cut = mass_buffer_view(d->device, e->there.cut, e->count, &copy, &status, error);
    *count = 0;
    for (uint64_t i = 0; status == MASS_OK && i < e->count; i++) *count += cut[i];
    *out = malloc((*count + 1) * sizeof **out);
    if (status == MASS_OK && !*out) status = mass_error_memory(error, *count * sizeof **out, "requests for edges");
    *count = 0;
    for (size_t k = 0; status == MASS_OK && k < numbers; k++) {
        if (closed && closed[k / (size_t)nodes]) continue;
        for (uint64_t i = e->first[k]; i < e->first[k + 1]; i++)
            if (cut[i]) (*out)[(*count)++] = (mass_ended_edge){e->id[i], (int64_t)k / nodes};
    }
    free(copy);
    return status;
}

mass_status mass_relink_marks_clear(const mass_domain *d, const mass_changing_edges *e, int64_t nodes,
                                    const uint32_t *closed, mass_error *error)
{
    static const uint8_t none = 0;
    mass_status status = MASS_OK;
    for (int64_t w = 0; status == MASS_OK && e->count && w < d->worlds; w++) {
        const uint64_t first = e->first[w * nodes], count = e->first[(w + 1) * nodes] - first;
        if (count && !(closed && closed[w]))
            status = mass_buffer_fill(mass_buffer_from(e->there.cut, first), &none, 1, count, error);
    }
    return status;
}

mass_status mass_relink_marks_set(mass_domain *d, mass_changing_edges *e, int64_t nodes, const mass_ended_edge *edges,
                                  uint64_t count, mass_error *error)
{
    const size_t numbers = (size_t)nodes * (size_t)d->worlds;
    if (!count || !e->count) return MASS_OK;
    uint8_t *const cut = malloc(e->count);
    if (!cut) return mass_error_memory(error, e->count, "requests for edges");
    mass_status status = mass_buffer_download(e->there.cut, cut, e->count, error);
    for (size_t k = 0; status == MASS_OK && k < numbers; k++)
        for (uint64_t i = e->first[k]; i < e->first[k + 1]; i++)
            if (mass_relink_ends(edges, count, &(mass_ended_edge){e->id[i], (int64_t)k / nodes})) cut[i] = 1;
    if (status == MASS_OK) status = mass_buffer_upload(e->there.cut, cut, e->count, error);
    free(cut);
    return status;
}
