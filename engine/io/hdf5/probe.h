/* SPDX-License-Identifier: Apache-2.0 */
/* Reading an HDF5 file in a confined subprocess first, so that one that crashes the library, or worse, is refused
 * like any other. What is read after is the same descriptor. */
#ifndef MASS_ENGINE_IO_HDF5_PROBE_H
#define MASS_ENGINE_IO_HDF5_PROBE_H

#include "io/hdf5/open.h"

/* Runs this program with `option` and `argument` in a subprocess of limited memory and time, which is given the
 * source's file. Returns what that reports. A crash of it is MASS_BAD_INPUT, said with `remedy`; what is not the file's
 * fault is MASS_FAILED, and says that the file cannot be checked. */
mass_status mass_hdf5_probe(const char *option, const char *argument, const mass_hdf5_source *s, const char *remedy,
                            mass_error *error);

/* Seconds in which so many bytes of files have been read and checked, if ever. */
double mass_hdf5_patience(uint64_t bytes);
/* Seconds of a processor in which a file of so many bytes has been checked, which may be many small objects. */
unsigned mass_hdf5_processor_patience(uint64_t bytes);

/* Reads all of a source, which is closed after it. */
typedef mass_status mass_hdf5_reading(mass_hdf5_source *s, const char *argument, mass_error *error);

/* What that subprocess runs: confines itself, reads the file that it was given, and reports. Returns its exit status.
 */
int mass_hdf5_answer_probe(const char *path, mass_hdf5_origin origin, const char *argument, mass_hdf5_reading *read);

#endif
