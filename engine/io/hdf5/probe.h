/* SPDX-License-Identifier: Apache-2.0 */
/* Reads an HDF5 file in a confined subprocess first. So a file that crashes the library, or does worse, is refused like
 * any other. This process then reads the same descriptor. */
#ifndef MASS_ENGINE_IO_HDF5_PROBE_H
#define MASS_ENGINE_IO_HDF5_PROBE_H

#include "io/hdf5/open.h"

/* Runs this program with `option` and `argument` in a subprocess of limited memory and time, and passes it the source's
 * file. Returns the status that it reports. If it crashes while it reads, runs it once more; a second crash is
 * MASS_BAD_INPUT, with `remedy` in the message. Faults other than the file's are MASS_FAILED: the file cannot be
 * checked. */
mass_status mass_hdf5_probe(const char *option, const char *argument, const mass_hdf5_source *s, const char *remedy,
                            mass_error *error);

/* Returns the seconds in which files of so many bytes are read and checked, even on slow disks. */
double mass_hdf5_patience(uint64_t bytes);
/* Returns the seconds of processor time in which a file of so many bytes, perhaps of many small objects, is checked. */
unsigned mass_hdf5_processor_patience(uint64_t bytes);

/* Reads all of a source. It may take the source over and close it; otherwise the end of the subprocess closes it. */
typedef mass_status mass_hdf5_reading(mass_hdf5_source *s, const char *argument, mass_error *error);

/* Runs in that subprocess: confines itself, reads the file that it was given, and reports. Returns its exit status.
 * path: the file's name in messages. argument: for `read`. */
int mass_hdf5_answer_probe(const char *path, mass_hdf5_origin origin, const char *argument, mass_hdf5_reading *read);

#endif
