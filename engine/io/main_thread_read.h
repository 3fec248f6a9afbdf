/* SPDX-License-Identifier: Apache-2.0 */
/* Lets the thread that writes a checkpoint read elements that other ranks hold. Only the main thread may exchange
 * messages with other ranks. So the writer thread requests a chunk of the state and waits. The main thread fetches the
 * chunk from the ranks (snapshot/chunks.h) and wakes the writer. It checks for a request between two batches of steps,
 * which take about 0.1 s. It answers all requests before the next checkpoint and at the end of the run.
 *
 * Each rank keeps a copy of its part in host memory, so that the run goes on meanwhile. The last checkpoint needs no
 * copy: no step runs while it is read. The file is the one that a single rank would write, in canonical order. */
#ifndef MASS_ENGINE_IO_MAIN_THREAD_READ_H
#define MASS_ENGINE_IO_MAIN_THREAD_READ_H

#include "snapshot/snapshot.h"

typedef struct mass_main_thread_read mass_main_thread_read;

/* Creates the exchange between both threads. NULL: out of memory. */
mass_main_thread_read *mass_main_thread_read_create(void);
void mass_main_thread_read_free(mass_main_thread_read *); /* NULL is allowed */

/* Call this before the writer thread starts. from: where the main thread reads chunks. Borrowed. */
void mass_main_thread_read_begin(mass_main_thread_read *, const mass_snapshot_source *from);

/* For the writer thread. The source, which is borrowed, waits for the main thread at each read.
 * mass_main_thread_read_end says that no request follows. */
const mass_snapshot_source *mass_main_thread_read_source(const mass_main_thread_read *);
void mass_main_thread_read_end(mass_main_thread_read *);

/* For the main thread. mass_main_thread_read_attend answers a request if one is waiting. mass_main_thread_read_finish
 * answers requests until mass_main_thread_read_end. */
void mass_main_thread_read_attend(mass_main_thread_read *);
void mass_main_thread_read_finish(mass_main_thread_read *);

#endif
