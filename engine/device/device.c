/* SPDX-License-Identifier: Apache-2.0 */
/* Opens a device by its name. A backend is a folder next to this file with a mass_device_table. cpu and paranoid are
 * linked in. CUDA is a module, so that the engine starts on machines without CUDA. To add a backend, give it a name in
 * mass_device_open(); open a module as open_cuda() does. */
#include "device/device.h"
#include "base/plural.h"
#include "process/module.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED_MAX = 256 };

bool mass_device_has_cuda(void) { return mass_module_is_there("cuda.so"); }

/* Returns whether all structs of a table have the size that this program expects. */
static bool is_of_this_build(const mass_device_table *t)
{
#define FITS(part) (!t->part || t->part->struct_size == sizeof *t->part)
    const mass_agents_operations *agents = t->agents;
    return t->struct_size == sizeof *t && FITS(memory) && FITS(launch) && FITS(conditions) && FITS(keys) &&
           FITS(agents) && (!agents || (FITS(agents->remote) && FITS(agents->queued))) && FITS(record) &&
           FITS(small_worlds) && FITS(streams) && FITS(side) && FITS(links) && FITS(pictures);
#undef FITS
}

/* Loads the CUDA module, and opens a GPU with it. MASS_NO_DEVICE if this build has none, or another build's. */
static mass_status open_cuda(int ordinal, int threads, mass_device **out, mass_error *error)
{
    char path[PATH_MAX];
    const char *reason;
    if (!mass_device_has_cuda())
        return mass_error_set(error, MASS_NO_DEVICE, "there is no CUDA in this build of mass-engine: install "
                              "mass-engine-cuda, build it where nvcc is installed, or use --device cpu");
    const mass_backend_symbol *table = mass_module_open("cuda.so", MASS_BACKEND_SYMBOL, &reason);
    if (!table && reason)
        return mass_error_set(error, MASS_NO_DEVICE, "the CUDA module cannot be loaded: %s", reason);
    if (!table || !is_of_this_build(*table))
        return mass_error_set(error, MASS_NO_DEVICE, "%s is of another build of mass-engine: install both again",
                              mass_module_path("cuda.so", path) ? path : "cuda.so");
    return (*table)->open(ordinal, threads, out, error);
}

static int turn = -1; /* of this rank, as an ordinal */
static int takers = 1;

void mass_device_take_turns(int local_rank, int local_size)
{
    turn = -1 - local_rank;
    takers = local_size;
}

/* Returns the number of GPUs that "cuda:N,M" lists, 0 for "cuda", -1 for anything else, also for more than LISTED_MAX.
 * Otherwise sets *ordinal to this rank's GPU; for "cuda" it is below 0. */
static int read_cuda_spec(const char *spec, int *ordinal)
{
    if (strncmp(spec, "cuda", 4) != 0) return -1;
    const char *at = spec + 4;
    int numbers[LISTED_MAX], listed = 0;
    while (*at) {
        char *end;
        if (*at != (listed ? ',' : ':') || !isdigit((unsigned char)at[1]) || listed == LISTED_MAX) return -1;
        const long number = strtol(at + 1, &end, 10);
        numbers[listed++] = number > INT_MAX ? INT_MAX : (int)number;
        at = end;
    }
    *ordinal = listed ? numbers[(-1 - turn) % listed] : turn;
    return listed;
}

int mass_device_listed(const char *spec)
{
    int ordinal;
    const int listed = spec ? read_cuda_spec(spec, &ordinal) : 0;
    return listed > 0 ? listed : 0;
}

/* Opens a GPU if the plugin has device code and a GPU works, or else the CPU. Without a driver of GPUs, the CUDA module
 * would only take memory. */
static mass_status open_best(int threads, bool has_device_code, mass_device **out, mass_error *error)
{
    mass_error ignored = {0};
    if (has_device_code && mass_module_finds_library("libcuda.so.1") &&
        open_cuda(turn, threads, out, &ignored) == MASS_OK)
        return MASS_OK;
    return mass_cpu_table.open(0, threads, out, error);
}

mass_status mass_device_open(const char *spec, int threads, bool has_device_code, mass_device **out, mass_error *error)
{
    if (strcmp(spec, "auto") == 0) return open_best(threads, has_device_code, out, error);
    if (strcmp(spec, "cpu") == 0) return mass_cpu_table.open(0, threads, out, error);
    if (strcmp(spec, "paranoid") == 0) return mass_paranoid_table.open(0, threads, out, error);
    int ordinal;
    const int listed = read_cuda_spec(spec, &ordinal);
    if (listed < 0)
        return mass_error_set(error, MASS_BAD_USAGE, "--device %s is not one of auto, cpu, paranoid, cuda, cuda:N, "
                              "cuda:N,M", spec);
    if (listed > takers)
        return mass_error_set(error, MASS_BAD_USAGE, "--device %s names %d GPU%s for %d rank%s on this host, with one "
                              "GPU each", spec, listed, mass_plural(listed), takers, mass_plural(takers));
    if (!has_device_code)
        return mass_error_set(error, MASS_NO_DEVICE, "the plugin was built without device code: build it where nvcc "
                              "is installed, or use --device cpu");
    return open_cuda(ordinal, threads, out, error);
}

void mass_device_close(mass_device *device)
{
    if (device) device->table->close(device);
}
