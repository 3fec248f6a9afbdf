/* SPDX-License-Identifier: Apache-2.0 */
/* Compares halos of boxes of places, bands of agents and lists of elements with a plain list of all copies. Models and
 * splits are random. All ranks call it. */
#ifndef MASS_TESTS_HALO_COPIES_H
#define MASS_TESTS_HALO_COPIES_H

#include "device/device.h"

/* Runs cases `first` to `first` + `count` - 1. The device's addresses must be valid on the host. It leaves out agents
 * if the device does not support them. It exchanges over `link`; NULL: over the hosts. It prints the first error on
 * standard error, and `abort` ends all ranks with exit status 1. */
void check_copies(mass_comm *comm, mass_device *device, mass_link *link, uint64_t first, uint64_t count);

#endif
