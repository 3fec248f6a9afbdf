/* SPDX-License-Identifier: Apache-2.0 */
/* Stands in for the probe of HDF5 files, which would start the program again as a child process: no file is refused
 * there. The harness is linked with -Wl,--wrap=mass_hdf5_probe. */
#ifndef MASS_FUZZ_HDF5_PROBE_H
#define MASS_FUZZ_HDF5_PROBE_H

#include "harness.h"
#include "hdf5_leaks.h"
#include "io/hdf5/probe.h"

mass_status __wrap_mass_hdf5_probe(const char *option, const char *argument, const mass_hdf5_source *s,
                                   const char *remedy, mass_error *error);

mass_status __wrap_mass_hdf5_probe(const char *option, const char *argument, const mass_hdf5_source *s,
                                   const char *remedy, mass_error *error)
{
    ALWAYS(option && argument && remedy && s->file > 0);
    return error->status;
}

#endif
