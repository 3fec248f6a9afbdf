/* SPDX-License-Identifier: Apache-2.0 */
/* The HDF5 library as this program uses it. HDF5's ids are int64_t here, so that its header stays out of ours. One
 * thread at a time may be in HDF5. */
#ifndef MASS_ENGINE_IO_HDF5_LIBRARY_H
#define MASS_ENGINE_IO_HDF5_LIBRARY_H

#include <stdbool.h>
#include <stdint.h>

/* Of a byte of a file that is packed, so many bytes at most: gzip's best, and then some. */
enum { MASS_HDF5_PACKED_MOST = 1100 };

/* So many bytes of a foreign set are read from a file of any size, as chunks that nobody wrote take none of it. */
enum { MASS_HDF5_SPARSE_MOST = 1 << 29 };

/* HDF5 without its exit handler, its own messages, and filters loaded from disk. */
void mass_hdf5_start(void);

/* Whether it could not be started in this process, for want of memory: what it says of files is then worth nothing. */
bool mass_hdf5_start_failed(void);

/* Why the last HDF5 call failed: the system's reason where there is one ("No space left on
 * device"), else the library's. Returns reason. */
const char *mass_hdf5_reason(char reason[200]);

/* A new file access list, to be closed; negative on failure. */
int64_t mass_hdf5_file_access(void);

/* HDF5's type of a number (mass_type), which is the library's; negative: it is none. */
int64_t mass_hdf5_number_type(uint32_t type);

#endif
