/* SPDX-License-Identifier: Apache-2.0 */
/* Every operation of a communicator against a plain reference, for any implementation: all ranks call it. */
#ifndef MASS_TESTS_COMM_OPERATIONS_H
#define MASS_TESTS_COMM_OPERATIONS_H

#include "comm/comm.h"

/* The first thing that is wrong is said on standard error, and `abort` ends all ranks with exit status 1. */
void check_operations(mass_comm *comm);

#endif
