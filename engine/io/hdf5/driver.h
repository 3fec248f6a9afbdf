/* SPDX-License-Identifier: Apache-2.0 */
/* A driver of HDF5 that reads one descriptor, and can do nothing else: not write, and not open. */
#ifndef MASS_ENGINE_IO_HDF5_DRIVER_H
#define MASS_ENGINE_IO_HDF5_DRIVER_H

#include <stdint.h>

/* A new file access list for the file of a descriptor, which is borrowed, and outlives the files that are opened with
 * the list. Negative on failure. */
int64_t mass_hdf5_descriptor_access(int file);

/* The errno of this thread's last read that failed since this was asked last; 0: none. */
int mass_hdf5_take_read_error(void);

#endif
