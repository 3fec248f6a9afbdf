/* SPDX-License-Identifier: Apache-2.0 */
/* What a thread that writes a checkpoint needs of the other ranks, which only the main thread can ask: the thread waits
 * for a piece of the state, and the main thread gets it when it has time, between steps. */
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
