/* SPDX-License-Identifier: Apache-2.0 */
/* Opening a device by its name. The CUDA backend is a module beside the engine, so that the engine
 * itself starts on a machine that never heard of CUDA. */
#include "device/device.h"
#include "process/module.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool mass_device_has_cuda(void) { return mass_module_is_there("cuda.so"); }

/* Whether all structs of a table are as large as this program has them. */
static bool is_of_this_build(const mass_device_table *t)
{
#define FITS(part) (!t->part || t->part->struct_size == sizeof *t->part)
    return t->struct_size == sizeof *t && FITS(memory) && FITS(launch) && FITS(conditions) && FITS(keys) &&
           FITS(agents) && FITS(record) && FITS(small_worlds) && FITS(streams) && FITS(side) &&
           FITS(links);
#undef FITS
}

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

static int turn = -1; /* as an ordinal */

void mass_device_take_turns(int local_rank) { turn = -1 - local_rank; }

/* "cuda" or "cuda:N"; false if it is neither. */
static bool read_cuda_spec(const char *spec, int *ordinal, bool *several)
{
    if (strncmp(spec, "cuda", 4) != 0) return false;
    spec += 4;
    *ordinal = turn;
    *several = false;
    if (*spec == '\0') return true;
    if (*spec++ != ':' || !isdigit((unsigned char)*spec)) return false;
    char *end;
    const long number = strtol(spec, &end, 10);
    *ordinal = number > INT_MAX ? INT_MAX : (int)number;
    while (*end == ',' && isdigit((unsigned char)end[1])) {
        *several = true;
        strtol(end + 1, &end, 10);
    }
    return *end == '\0';
}

mass_status mass_device_open(const char *spec, int threads, bool has_device_code, mass_device **out, mass_error *error)
{
    if (strcmp(spec, "auto") == 0) {
        mass_error ignored = {0};
        if (has_device_code && open_cuda(turn, threads, out, &ignored) == MASS_OK) return MASS_OK;
        return mass_cpu_table.open(0, threads, out, error);
    }
    if (strcmp(spec, "cpu") == 0) return mass_cpu_table.open(0, threads, out, error);
    if (strcmp(spec, "paranoid") == 0) return mass_paranoid_table.open(0, threads, out, error);
    int ordinal;
    bool several;
    if (!read_cuda_spec(spec, &ordinal, &several))
        return mass_error_set(error, MASS_BAD_USAGE, "--device %s is not one of auto, cpu, paranoid, cuda, cuda:N",
                              spec);
    if (several)
        return mass_error_set(error, MASS_NO_DEVICE, "--device %s: this version runs on one GPU; name one, as in "
                              "cuda:%d", spec, ordinal);
    if (!has_device_code)
        return mass_error_set(error, MASS_NO_DEVICE, "the plugin was built without device code: build it where nvcc "
                              "is installed, or use --device cpu");
    return open_cuda(ordinal, threads, out, error);
}

void mass_device_close(mass_device *device)
{
    if (device) device->table->close(device);
}
