/* SPDX-License-Identifier: Apache-2.0 */
/* Halos of lists: elements are numbered from 0; each part owns a range of them, and has copies of any others. A part is
 * a partition of a rank; parts are numbered over all ranks (mass_share). All ranks call the same functions, in the same
 * order. Main thread. */
#ifndef MASS_ENGINE_HALO_LISTS_H
#define MASS_ENGINE_HALO_LISTS_H

#include "halo/halo.h"

typedef struct mass_list_halo mass_list_halo;

/* The elements that a partition has copies of, in any order. */
typedef struct mass_list_copies {
    const int64_t *element; /* [count] */
    int64_t count;
    const uint32_t *slot; /* [count] where each copy is in its array; NULL: in the order of `element` */
} mass_list_copies;

/* Makes a halo. first: [parts + 1] the first element that each part owns, the same on all ranks; a part owns fewer than
 * 2^32. copies: [partition_count] of this rank. Both are read before this returns. Returns MASS_BAD_USAGE on all ranks
 * if an element does not exist. The caller frees *out. On failure *out is untouched. */
mass_status mass_list_halo_make(mass_domain *d, const int64_t *first, const mass_list_copies *copies,
                                mass_list_halo **out, mass_error *error);
void mass_list_halo_free(mass_list_halo *); /* NULL is allowed */

/* One array of values in every partition of this rank. owned[partition_count] has [worlds][elements that it owns].
 * copies[partition_count] has [worlds][count], in the order in which the copies were listed, or by `slot`. */
typedef struct mass_list_values {
    const mass_buffer *owned, *copies;
    size_t size; /* bytes of a value */
    mass_combination how; /* only for combine; with the same size */
    int64_t owned_stride, copies_stride; /* elements from a world to the next one; 0: as many as there are */
} mass_list_values;

/* Copy the owners' values of some arrays to the copies; combine the copies with the owners' values. Queued. */
mass_status mass_list_refresh(mass_domain *d, const mass_list_halo *, const mass_list_values *, uint32_t count,
                              mass_error *error);
mass_status mass_list_combine(mass_domain *d, const mass_list_halo *, const mass_list_values *, uint32_t count,
                              mass_error *error);

#endif
