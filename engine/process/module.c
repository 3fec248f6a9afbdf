/* SPDX-License-Identifier: Apache-2.0 */
/* for dladdr */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "process/module.h"
#include "process/program.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool mass_module_path(const char *file, char path[PATH_MAX])
{
    char self[PATH_MAX];
    if (!mass_program_path(self)) return false;
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(self, '/');
        if (!slash) return false;
        *slash = '\0';
    }
    return snprintf(path, PATH_MAX, "%s/lib/mass/backends/%s", self, file) < PATH_MAX;
}

bool mass_module_is_there(const char *file)
{
    char path[PATH_MAX];
    return mass_module_path(file, path) && access(path, R_OK) == 0;
}

const void *mass_module_open(const char *file, const char *symbol, const char **reason)
{
    char path[PATH_MAX];
    *reason = "its place is not known";
    if (!mass_module_path(file, path)) return NULL;
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    *reason = module ? NULL : dlerror();
    return module ? dlsym(module, symbol) : NULL;
}

bool mass_module_of(void (*function)(void), char path[PATH_MAX])
{
    const void *address;
    Dl_info info;
    _Static_assert(sizeof address == sizeof function, "dladdr takes functions");
    memcpy(&address, &function, sizeof address);
    return dladdr(address, &info) && info.dli_fname &&
           (size_t)snprintf(path, PATH_MAX, "%s", info.dli_fname) < PATH_MAX;
}

bool mass_module_finds_library(const char *name) { return dlopen(name, RTLD_LAZY | RTLD_LOCAL) != NULL; }
