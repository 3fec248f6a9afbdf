/* SPDX-License-Identifier: Apache-2.0 */
#include "comm/nccl/library.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { FIRST_VERSION = 21100 }; /* since it, CUDA graphs can record all operations of a link */

static const struct {
    const char *name;
    size_t at;
} functions[] = {
#define MASS_NCCL_NAME(name) {"nccl" #name, offsetof(mass_nccl_library, name)},
    MASS_NCCL_FUNCTIONS(MASS_NCCL_NAME)
#undef MASS_NCCL_NAME
};

/* Looks up NCCL's functions and reads its version. Fails if one is missing or NCCL is too old. ncclGetLastError may be
 * missing. */
static mass_status find_functions(void *module, mass_nccl_library *l, mass_error *error)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *function = dlsym(module, functions[i].name);
        if (!function)
            return mass_error_set(error, MASS_NO_DEVICE, "libnccl.so.2 has no %s: install a newer NCCL",
                                  functions[i].name);
        memcpy((char *)l + functions[i].at, &function, sizeof function);
    }
    void *function = dlsym(module, "ncclGetLastError");
    memcpy(&l->GetLastError, &function, sizeof function);
    if (l->GetVersion(&l->version) != ncclSuccess || l->version < FIRST_VERSION)
        return mass_error_set(error, MASS_NO_DEVICE, "NCCL is older than 2.11: install a newer one");
    return MASS_OK;
}

mass_status mass_nccl_open_library(const mass_nccl_library **out, mass_error *error)
{
    static mass_nccl_library library;
    static bool found;
    if (!found) {
        void *module = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL); /* never closed: it has threads of its own */
        if (!module) return mass_error_set(error, MASS_NO_DEVICE, "NCCL cannot be loaded: %s", dlerror());
        const mass_status status = find_functions(module, &library, error);
        if (status != MASS_OK) return status;
        found = true;
    }
    *out = &library;
    return MASS_OK;
}
