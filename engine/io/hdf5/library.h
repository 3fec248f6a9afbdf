/* SPDX-License-Identifier: Apache-2.0 */
/* This program's use of the HDF5 library. HDF5 ids are int64_t here, so that headers need not include HDF5's. Only one
 * thread at a time may use HDF5. */
#ifndef MASS_ENGINE_IO_HDF5_LIBRARY_H
#define MASS_ENGINE_IO_HDF5_LIBRARY_H

#include <stdbool.h>
#include <stdint.h>

/* Most bytes that one compressed byte of a file unpacks to: gzip's best ratio, and a margin. */
enum { MASS_HDF5_PACKED_MOST = 1100 };

/* Most bytes of a foreign data set that are read from a file of any size: chunks that were never written take no
 * space. */
enum { MASS_HDF5_SPARSE_MOST = 1 << 29 };

/* Starts HDF5 without its exit handler, its own messages, and filters loaded from disk. It may be called again. */
void mass_hdf5_start(void);

/* Returns true if HDF5 could not be started, for lack of memory. Its errors then say nothing about files. */
bool mass_hdf5_start_failed(void);

/* Writes why the last HDF5 call failed: the system's reason if there is one ("No space left on device"), else the
 * library's. Returns reason. */
const char *mass_hdf5_reason(char reason[200]);

/* Makes a file access list for files in HDF5 1.10's format, without locks. The caller closes it. Negative on
 * failure. */
int64_t mass_hdf5_file_access(void);

/* Returns HDF5's type of a mass_type number; for bits, that of the bytes they are in. The library owns it. Negative:
 * not a number type. */
int64_t mass_hdf5_number_type(uint32_t type);

#endif
