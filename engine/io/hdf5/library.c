/* SPDX-License-Identifier: Apache-2.0 */
#include "io/hdf5/library.h"

#include <hdf5.h>
#include <mass/types.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(hid_t) == sizeof(int64_t), "ids of HDF5 are int64_t in our headers");

static _Atomic bool failed;

void mass_hdf5_start(void)
{
    H5dont_atexit(); /* has to precede the library's start; fails if it was called before */
    if (H5open() < 0 || H5Eset_auto2(H5E_DEFAULT, NULL, NULL) < 0 || H5PLset_loading_state(0) < 0) failed = true;
}

bool mass_hdf5_start_failed(void) { return failed; }

/* Takes the reason from an entry; the first one is the innermost. Drivers write "..., errno = 28, error message =
 * '...'". */
static herr_t take_reason(unsigned n, const H5E_error2_t *entry, void *reason)
{
    const char *text = entry->desc ? entry->desc : "";
    const char *number = strstr(text, "errno = ");
    if (number && atoi(number + 8) > 0) {
        snprintf(reason, 200, "%s", strerror(atoi(number + 8)));
        return 1;
    }
    if (n == 0) snprintf(reason, 200, "%s", text);
    return 0;
}

const char *mass_hdf5_reason(char reason[200])
{
    snprintf(reason, 200, "the HDF5 library gives no reason");
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_reason, reason);
    return reason;
}

int64_t mass_hdf5_file_access(void)
{
    const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
    if (list < 0) return list;
    if (H5Pset_libver_bounds(list, H5F_LIBVER_V110, H5F_LIBVER_V110) >= 0 &&
        H5Pset_fclose_degree(list, H5F_CLOSE_STRONG) >= 0 && H5Pset_file_locking(list, 0, 1) >= 0)
        return list;
    H5Pclose(list);
    return -1;
}

int64_t mass_hdf5_number_type(uint32_t type)
{
    switch (type) {
    case MASS_I8: return H5T_STD_I8LE;
    case MASS_U8:
    case MASS_BIT: return H5T_STD_U8LE;
    case MASS_I16: return H5T_STD_I16LE;
    case MASS_U16: return H5T_STD_U16LE;
    case MASS_I32: return H5T_STD_I32LE;
    case MASS_U32: return H5T_STD_U32LE;
    case MASS_I64: return H5T_STD_I64LE;
    case MASS_U64: return H5T_STD_U64LE;
    case MASS_F32: return H5T_IEEE_F32LE;
    case MASS_F64: return H5T_IEEE_F64LE;
    default: return -1;
    }
}
