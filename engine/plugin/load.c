/* SPDX-License-Identifier: Apache-2.0 */
#include "plugin/load.h"
#include "plugin/elf.h"
#include "process/crash.h"
#include "process/standard.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static bool plugin_name_valid(const char *name)
{
    const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-");
    return name[0] >= 'a' && name[0] <= 'z' && name[length] == '\0' && length <= 31;
}

static mass_status check_entry(const mass_plugin *p, const char *path, mass_error *error)
{
    if (p->struct_size != sizeof *p)
        return mass_error_set(error, MASS_BAD_PLUGIN, "%s: its mass_plugin_entry says a size of %u bytes instead of "
                              "%zu: define it with MASS_PLUGIN", path, p->struct_size, sizeof *p);
    if (!mass_abi_accepts((mass_abi){MASS_ABI_MAJOR, MASS_ABI_MINOR}, (mass_abi){p->abi_major, p->abi_minor}))
        return mass_error_set(error, MASS_BAD_PLUGIN, "%s: its mass_plugin_entry says ABI %u.%u and its note another: "
                              "define it with MASS_PLUGIN", path, p->abi_major, p->abi_minor);
    if (!p->name || !plugin_name_valid(p->name))
        return mass_error_set(error, MASS_BAD_PLUGIN, "%s: its name has to be a lower-case letter, then up to 30 of "
                              "a-z, 0-9, '_' and '-'", path);
    return MASS_OK;
}

mass_status mass_plugin_load(const char *path, mass_loaded *out, mass_error *error)
{
    mass_elf_facts facts;
    mass_status status = mass_elf_check_file(path, &facts, error);
    if (status != MASS_OK) return status;
    static char loading[PATH_MAX]; /* which outlives a stack that a plugin unwinds */
    snprintf(loading, sizeof loading, "%s", path);
    mass_standard_lend();
    mass_crash_where(loading, "loading", MASS_NO_STEP);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    mass_crash_where(loading, NULL, 0);
    mass_standard_take_back();
    if (!library) return mass_error_set(error, MASS_BAD_PLUGIN, "it cannot be loaded: %s", dlerror());
    const mass_plugin *entry = dlsym(library, "mass_plugin_entry");
    if (!entry)
        status = mass_error_set(error, MASS_BAD_PLUGIN, "%s is no mass-engine plugin: it exports no "
                                "mass_plugin_entry; define it with MASS_PLUGIN", path);
    else status = check_entry(entry, path, error);
    if (status != MASS_OK) {
        dlclose(library);
        return status;
    }
    *out = (mass_loaded){.library = library, .entry = entry};
    snprintf(out->path, sizeof out->path, "%s", path);
    return MASS_OK;
}

void mass_plugin_unload(mass_loaded *loaded)
{
    if (loaded->library) {
        mass_standard_lend();
        mass_crash_where(loaded->path, "unloading", MASS_NO_STEP);
        dlclose(loaded->library);
        mass_crash_where(loaded->path, NULL, 0);
        mass_standard_take_back();
    }
    *loaded = (mass_loaded){0};
}
