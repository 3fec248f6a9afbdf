/* SPDX-License-Identifier: Apache-2.0 */
#include "command/version.h"

#include "comm/open.h"
#include "device/device.h"
#include "io/checkpoint/checkpoint.h"
#include "io/hdf5/open.h"
#include "process/confine.h"

#include <mass/types.h>

/* Prints how readers are confined: "seccomp, Landlock 6", or what this system lacks. */
static void print_confinement(FILE *to)
{
    const mass_confinement c = mass_confinement_available();
    fprintf(to, "confinement: %s", c.seccomp ? "seccomp" : "no seccomp here");
    if (c.landlock) fprintf(to, ", Landlock %d\n", c.landlock);
    else fputs(c.seccomp ? "; no Landlock in this kernel\n" : ", no Landlock in this kernel\n", to);
}

void mass_version_print(bool verbose, FILE *to)
{
    char hdf5[32];
    fprintf(to, "mass-engine %s, plugin ABI %d.%d\n", MASS_ENGINE_VERSION, MASS_ABI_MAJOR, MASS_ABI_MINOR);
    if (!verbose) return;
    mass_hdf5_version(hdf5);
    fprintf(to, "HDF5 %s\nCUDA: %s\nMPI: %s\n", hdf5, mass_device_has_cuda() ? "built" : "not built",
            mass_comm_has_mpi() ? "built" : "not built");
    fflush(to); /* before a subprocess is started */
    print_confinement(to);
}
