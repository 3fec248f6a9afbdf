/* SPDX-License-Identifier: Apache-2.0 */
/* A rank that ends too early ends the others. Not all launchers do that, none does it soon, and a launcher can be
 * killed itself. So the ranks of a host watch each other and their launcher, in a thread that sleeps until one of them
 * ends. Then one rank reports it, unless the rank that ended has reported the cause. All end with the same exit
 * status. */
#ifndef MASS_ENGINE_COMM_WATCH_H
#define MASS_ENGINE_COMM_WATCH_H

#include "comm/comm.h"

/* Starts watching. All ranks call it once. It leaves out what the host does not permit to watch. Main thread. */
mass_status mass_comm_watch_begin(mass_comm *comm, mass_error *error);

/* Permits this rank, or all ranks, to end, and stops watching. Call it while the communicator is still open. Main
 * thread. */
void mass_comm_watch_end(bool all);

/* Sets the process that gets MASS_COMM_SAID (host_status.h) when a rank reports why all end. Main thread. */
void mass_comm_watch_starter(int32_t process);

/* Claims the report of why ranks end, so that other ranks do not report; they end with that exit status. Returns false
 * if another rank has claimed it, true also if ranks are not watched. Tells the starter in any case. Any thread, also
 * in a signal handler. */
bool mass_comm_watch_claim(int exit_status);

/* Returns the kernel's letter for the state of a rank of this host: 'T' stopped, 'D' waits for a disk. 0: unknown, as
 * of this rank itself. */
char mass_comm_watch_state(int32_t rank);

/* Returns the bytes that a rank of this host has written to disks so far; 0: unknown, as of this rank itself. */
uint64_t mass_comm_watch_written(int32_t rank);

enum { MASS_COMM_FILE_SIZE = 400 };

/* Records the file that this thread writes from now on, for ranks of this host that wait for it. NULL: none. The path
 * is borrowed until the next call. Returns the earlier path, which the caller must set again. Called by the main thread
 * and by the one other thread that writes files. */
const char *mass_comm_watch_writes(const char *path);

/* Finds the file that a rank of this host writes, or as much of its path as fits. Returns false if it writes none, or
 * that is unknown, as of this rank itself. */
bool mass_comm_watch_file(int32_t rank, char file[MASS_COMM_FILE_SIZE]);

/* Returns how many ranks of this host share cores with this one, including itself: at least 1; 1 before
 * mass_comm_watch_begin. */
int32_t mass_comm_core_sharers(void);

#endif
