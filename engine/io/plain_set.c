#include "io/plain_set.h"

#include "core/child.h"
#include "io/checkpoint_format.h"
#include "run/signals.h"

#include <hdf5.h>
#include <sys/stat.h>

enum { PROBE_SECONDS = 60 };
static const size_t probe_memory = (size_t)4 << 30;

mass_status mass_plain_file_open(const char *path, int64_t *file, uint64_t *size, mass_error *error)
{
    struct stat facts;
    if (stat(path, &facts) != 0) return mass_error_set(error, MASS_BAD_INPUT, "cannot read %s: %m", path);
    if (!S_ISREG(facts.st_mode))
        return mass_error_set(error, MASS_BAD_INPUT, "cannot read %s: it is not a regular file", path);
    *size = (uint64_t)facts.st_size;
    mass_checkpoint_start_hdf5();
    const hid_t access = mass_checkpoint_file_access();
    *file = H5Fopen(path, H5F_ACC_RDONLY, access);
    H5Pclose(access);
    if (*file >= 0) return MASS_OK;
    return mass_error_set(error, MASS_BAD_INPUT, "%s is no HDF5 file that can be read", path);
}

bool mass_set_is_plain(int64_t set)
{
    const hid_t list = H5Dget_create_plist(set);
    bool plain = H5Pget_layout(list) != H5D_VIRTUAL && H5Pget_external_count(list) == 0;
    const int filters = H5Pget_nfilters(list);
    for (int i = 0; plain && i < filters; i++) {
        unsigned flags, settings;
        size_t no_values = 0;
        const H5Z_filter_t filter = H5Pget_filter2(list, (unsigned)i, &flags, &no_values, NULL, 0, NULL, &settings);
        plain = filter == H5Z_FILTER_DEFLATE || filter == H5Z_FILTER_SHUFFLE || filter == H5Z_FILTER_FLETCHER32;
    }
    H5Pclose(list);
    return plain;
}

mass_status mass_plain_file_probe(const char *option, const char *argument, const char *path, mass_error *error)
{
    const char *const arguments[] = {option, argument, NULL};
    struct stat facts;
    if (stat(path, &facts) != 0) return mass_error_set(error, MASS_BAD_INPUT, "cannot read %s: %m", path);
    const mass_child_limits limits = {.seconds = PROBE_SECONDS + (double)facts.st_size / 50e6,
                                      .memory_bytes = probe_memory, .stop = mass_signals_end};
    mass_child_result result;
    mass_child_run(arguments, &limits, &result);
    if (result.outcome == MASS_CHILD_FINISHED)
        return result.status == MASS_OK ? MASS_OK : mass_error_set(error, result.status, "%s", result.text);
    if (result.outcome == MASS_CHILD_STOPPED) return mass_signals_check(error);
    if (result.outcome == MASS_CHILD_NOT_STARTED)
        return mass_error_set(error, MASS_FAILED, "cannot check %s: %s", path, result.text);
    return mass_error_set(error, MASS_BAD_INPUT, "%s is damaged: reading it %s: write it anew", path,
                          result.outcome == MASS_CHILD_HUNG ? "does not end" : "crashes the HDF5 library");
}
