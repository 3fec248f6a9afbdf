/* SPDX-License-Identifier: Apache-2.0 */
/* Opening a device by its name. A backend is a folder beside this file with a mass_device_table of its own: cpu and
 * paranoid are linked in, and that of CUDA is a module, so that the engine itself starts on a machine that never heard
 * of CUDA. Another one takes a name in mass_device_open(), and a module is opened as open_cuda() does. */
#include "device/device.h"

#include <ctype.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Backend modules lie in ../lib/mass/backends beside the executable. */
static bool backend_path(const char *file, char path[PATH_MAX])
{
    char self[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0) return false;
    self[length] = '\0';
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(self, '/');
        if (!slash) return false;
        *slash = '\0';
    }
    return snprintf(path, PATH_MAX, "%s/lib/mass/backends/%s", self, file) < PATH_MAX;
}

bool mass_device_has_cuda(void)
{
    char path[PATH_MAX];
    return backend_path("cuda.so", path) && access(path, R_OK) == 0;
}

/* Whether all structs of a table are as large as this program has them. */
static bool is_of_this_build(const mass_device_table *t)
{
#define FITS(part) (!t->part || t->part->struct_size == sizeof *t->part)
    return t->struct_size == sizeof *t && FITS(memory) && FITS(launch) && FITS(conditions) && FITS(keys) &&
           FITS(agents) && FITS(record) && FITS(small_worlds) && FITS(streams);
#undef FITS
}

static mass_status open_cuda(int ordinal, int threads, mass_device **out, mass_error *error)
{
    char path[PATH_MAX];
    if (!mass_device_has_cuda() || !backend_path("cuda.so", path))
        return mass_error_set(error, MASS_NO_DEVICE, "there is no CUDA in this build of mass-engine: install "
                              "mass-engine-cuda, build it where nvcc is installed, or use --device cpu");
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL); /* stays loaded: the CUDA runtime does not unload */
    if (!module) return mass_error_set(error, MASS_NO_DEVICE, "the CUDA module cannot be loaded: %s", dlerror());
    const mass_backend_symbol *table = dlsym(module, MASS_BACKEND_SYMBOL);
    if (!table || !is_of_this_build(*table))
        return mass_error_set(error, MASS_NO_DEVICE, "%s is of another build of mass-engine: install both again", path);
    return (*table)->open(ordinal, threads, out, error);
}

/* "cuda" or "cuda:N"; false if it is neither. */
static bool read_cuda_spec(const char *spec, int *ordinal, bool *several)
{
    if (strncmp(spec, "cuda", 4) != 0) return false;
    spec += 4;
    *ordinal = 0;
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
        if (has_device_code && open_cuda(0, threads, out, &ignored) == MASS_OK) return MASS_OK;
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
