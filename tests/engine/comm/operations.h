/* SPDX-License-Identifier: Apache-2.0 */
/* Compares every operation of a communicator with a plain reference, for any implementation. All ranks call it. */
#ifndef MASS_TESTS_COMM_OPERATIONS_H
#define MASS_TESTS_COMM_OPERATIONS_H

#include "comm/comm.h"

/* Reports the first error on standard error; `abort` then ends all ranks with exit status 1. */
void check_operations(mass_comm *comm);

#endif
