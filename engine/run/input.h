/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of a model whose input is a stream: one pass over it, chunk by chunk. While the device works on one of two
 * slots, the plugin reads into the other. Partitions are filled in turn, and every item is in exactly one chunk, so
 * neither the size of a chunk nor the number of partitions shows in a result. With several ranks, rank 0's plugin
 * reads, and each rank gets the items that fit into its places, rank 0 last: all ranks call the same functions. Main
 * thread. */
#ifndef MASS_ENGINE_RUN_INPUT_H
#define MASS_ENGINE_RUN_INPUT_H

#include "state/domain.h"

typedef struct mass_input_reader mass_input_reader;

mass_status mass_input_reader_create(mass_domain *d, mass_input_reader **out, mass_error *error);
void mass_input_reader_free(mass_input_reader *); /* NULL is fine */

/* Gets the next piece: *more false: the pass has ended. Then the domain's `live` places are what the phases run
 * over. Where all of the input is one piece that no callback changes, later passes find it there. */
mass_status mass_input_reader_next(mass_input_reader *f, bool *more, mass_error *error);
/* The phases of the piece have been queued. */
mass_status mass_input_reader_consumed(mass_input_reader *f, mass_error *error);
/* Items that the plugin has given to all ranks, in the pass and in all: as rank 0 knows; on others 0. */
uint64_t mass_input_reader_given(const mass_input_reader *f);
uint64_t mass_input_reader_total(const mass_input_reader *f);

#endif
