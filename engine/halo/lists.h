/* SPDX-License-Identifier: Apache-2.0 */
/* Halos of lists: elements that are numbered from 0, of which each part owns a range and has copies of any others. A
 * part is a partition of a rank; parts are numbered over all ranks (mass_share). All ranks call the same functions, in
 * the same order. Main thread. */
#ifndef MASS_ENGINE_HALO_LISTS_H
#define MASS_ENGINE_HALO_LISTS_H

#include "halo/halo.h"

typedef struct mass_list_halo mass_list_halo;

/* The elements that a partition has copies of: any ones, in any order. */
typedef struct mass_list_copies {
    const int64_t *element; /* [count] */
    int64_t count;
} mass_list_copies;

/* first: [parts + 1] the first element that each part owns, the same on all ranks. A part owns fewer than 2^32.
 * copies: [partition_count] of this rank. Both are read before this returns. MASS_BAD_USAGE on all ranks: there is no
 * such element. The caller frees *out. On failure it is untouched. */
mass_status mass_list_halo_make(mass_domain *d, const int64_t *first, const mass_list_copies *copies,
                                mass_list_halo **out, mass_error *error);
void mass_list_halo_free(mass_list_halo *); /* NULL is fine */

/* One array of values in every partition of this rank: in owned[partition_count], [worlds][elements that it owns], and
 * in copies[partition_count], [worlds][count], in the order in which the copies were listed. */
typedef struct mass_list_values {
    const mass_buffer *owned, *copies;
    size_t size; /* of a value, in bytes */
    mass_combination how; /* of combine alone; of this size */
} mass_list_values;

/* Makes the copies of some arrays show the owners' values; and combines copies with the owners' values. Queued. */
mass_status mass_list_refresh(mass_domain *d, const mass_list_halo *, const mass_list_values *, uint32_t count,
                              mass_error *error);
mass_status mass_list_combine(mass_domain *d, const mass_list_halo *, const mass_list_values *, uint32_t count,
                              mass_error *error);

#endif
