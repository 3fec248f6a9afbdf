/* SPDX-License-Identifier: Apache-2.0 */
/* How the thread that writes a checkpoint gets what other ranks hold. Only the main thread may talk to other ranks. The
 * thread asks for a chunk of the state and waits; the main thread fetches the chunk from the ranks
 * (snapshot/pieces.h) and wakes the thread. The main thread looks for a question between two chunks of steps, which
 * take about 0.1 s, and answers all questions before the next checkpoint and at the end of the run.
 *
 * Each rank keeps a copy of its share in host memory, so that the run goes on. The last checkpoint needs none: it is
 * read while no steps are made. The file is the one that a single rank would write, in canonical order. */
#ifndef MASS_ENGINE_IO_HAND_OVER_H
#define MASS_ENGINE_IO_HAND_OVER_H

#include "snapshot/snapshot.h"

typedef struct mass_hand_over mass_hand_over;

/* NULL: there is no memory. */
mass_hand_over *mass_hand_over_create(void);
void mass_hand_over_free(mass_hand_over *); /* NULL is fine */

/* Before the thread starts: where pieces come from. Borrowed. */
void mass_hand_over_begin(mass_hand_over *, const mass_snapshot_source *from);

/* For the thread that writes: waits for the main thread. And its last word. */
const mass_snapshot_source *mass_hand_over_source(const mass_hand_over *);
void mass_hand_over_end(mass_hand_over *);

/* For the main thread: gets a piece, if one is waited for; or all, until the other thread is done. */
void mass_hand_over_attend(mass_hand_over *);
void mass_hand_over_finish(mass_hand_over *);

#endif
