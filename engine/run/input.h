/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the input of a model's stream: a step is one pass over it, chunk by chunk. While the device works on one of
 * two slots, the plugin reads into the other. The reader fills one partition after another, and every item is in
 * exactly one chunk. So neither the size of a chunk nor the number of partitions changes a result. With several
 * ranks, rank 0's plugin reads. Each rank gets the items that fit on its places, rank 0 last. All ranks call the
 * same functions. Main thread. */
#ifndef MASS_ENGINE_RUN_INPUT_H
#define MASS_ENGINE_RUN_INPUT_H

#include "state/domain.h"

typedef struct mass_input_reader mass_input_reader;

mass_status mass_input_reader_create(mass_domain *d, mass_input_reader **out, mass_error *error);
void mass_input_reader_free(mass_input_reader *); /* accepts NULL */

/* Gets the next chunk. Phases then run over the domain's `live` places. *more is false if the pass has ended. If the
 * input is one chunk that no callback changes, later passes use it again without reading. */
mass_status mass_input_reader_next(mass_input_reader *f, bool *more, mass_error *error);
/* Tells the reader that the phases of the chunk are queued. */
mass_status mass_input_reader_consumed(mass_input_reader *f, mass_error *error);
/* Return the items that the plugin gave to all ranks, in this pass and in all passes. 0 on other ranks than rank 0. */
uint64_t mass_input_reader_given(const mass_input_reader *f);
uint64_t mass_input_reader_total(const mass_input_reader *f);

#endif
