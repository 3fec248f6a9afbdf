/* SPDX-License-Identifier: Apache-2.0 */
/* An HDF5 driver that only reads one descriptor: it can neither write nor open files. */
#ifndef MASS_ENGINE_IO_HDF5_DRIVER_H
#define MASS_ENGINE_IO_HDF5_DRIVER_H

#include <stdint.h>

/* Makes a file access list for the file of a descriptor. The descriptor is borrowed and outlives all files that are
 * opened with the list. The caller closes the list. Negative on failure. */
int64_t mass_hdf5_descriptor_access(int file);

/* Returns and clears the errno of this thread's last failed read; 0: none. */
int mass_hdf5_take_read_error(void);

#endif
