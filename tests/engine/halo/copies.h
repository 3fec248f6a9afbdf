/* SPDX-License-Identifier: Apache-2.0 */
/* Halos of boxes of places, bands of agents and lists of elements, of random models on random splits, against a plain
 * list of all copies. All ranks call it. */
#ifndef MASS_TESTS_HALO_COPIES_H
#define MASS_TESTS_HALO_COPIES_H

#include "device/device.h"

/* Draws numbers `first` to `first` + `count` - 1. The device's addresses are the host's. Agents are left out if it
 * does not say so. link: over this one; NULL: over the hosts. What is wrong first is said on standard error, and
 * `abort` ends all ranks with exit status 1. */
void check_copies(mass_comm *comm, mass_device *device, mass_link *link, uint64_t first, uint64_t count);

#endif
