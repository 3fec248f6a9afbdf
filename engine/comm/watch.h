/* SPDX-License-Identifier: Apache-2.0 */
/* A rank that ends before its time takes the others with it. Launchers see to that, but not all, and not soon, and a
 * launcher can be killed itself; so the ranks of a host watch over each other and over their launcher, in a thread that
 * sleeps until one of them ends. Then one rank says so, unless the one that ended has said why, and all end with its
 * exit status. */
#ifndef MASS_ENGINE_COMM_WATCH_H
#define MASS_ENGINE_COMM_WATCH_H

#include "comm/comm.h"

/* On all ranks, once. What a host does not allow is not watched. Main thread. */
mass_status mass_comm_watch_begin(mass_comm *comm, mass_error *error);

/* From here on this rank may end, or all may. Main thread, and the communicator is still there. */
void mass_comm_watch_end(bool all);

/* That process is sent MASS_COMM_SAID, of launch.h, when it is said why ranks end. Main thread. */
void mass_comm_watch_starter(int32_t process);

/* This rank says why it ends, so that others need not: they end with that exit status. False if another has claimed
 * that before. Any thread, also in a signal handler. */
bool mass_comm_watch_claim(int exit_status);

/* What a rank of this host does, by the letter that the kernel has for it: 'T' is stopped, 'D' waits for a disk. 0: it
 * is not known. */
char mass_comm_watch_state(int32_t rank);

/* How many bytes a rank of this host has given to disks so far; 0: it is not known. */
uint64_t mass_comm_watch_written(int32_t rank);

enum { MASS_COMM_FILE_SIZE = 400 };

/* What this thread writes from now on, for those of the host who wait for it. NULL: nothing. The path is borrowed as
 * long. Returns what it was before, which is to be set again. The main thread, or one beside it. */
const char *mass_comm_watch_writes(const char *path);

/* The file that a rank of this host writes, or as much of its path as fits. False: it writes none, or that is not
 * known. */
bool mass_comm_watch_file(int32_t rank, char file[MASS_COMM_FILE_SIZE]);

/* Ranks of this host that share cores with this one, itself among them: at least 1. */
int32_t mass_comm_core_sharers(void);

#endif
