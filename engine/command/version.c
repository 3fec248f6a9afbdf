#include "command/version.h"

#include "core/confine.h"
#include "device/device.h"
#include "io/checkpoint.h"
#include "io/hdf5_open.h"

#include <mass/mass.h>

#include <stdio.h>

/* "seccomp, Landlock 6", or what there is not. */
static void print_confinement(void)
{
    const mass_confinement c = mass_confinement_available();
    printf("confinement: %s", c.seccomp ? "seccomp" : "no seccomp here");
    if (c.landlock) printf(", Landlock %d\n", c.landlock);
    else puts(c.seccomp ? "; no Landlock in this kernel" : ", no Landlock in this kernel");
}

void mass_version_print(bool verbose)
{
    char hdf5[32];
    printf("mass-engine %s, plugin ABI %d.%d\n", MASS_ENGINE_VERSION, MASS_ABI_MAJOR, MASS_ABI_MINOR);
    if (!verbose) return;
    mass_hdf5_version(hdf5);
    fflush(stdout); /* before another process is made */
    printf("HDF5 %s\nCUDA: %s\n", hdf5, mass_device_has_cuda() ? "built" : "not built");
    fflush(stdout);
    print_confinement();
}
