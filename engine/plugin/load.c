/* SPDX-License-Identifier: Apache-2.0 */
#include "plugin/load.h"
#include "base/floats.h"
#include "base/sized.h"
#include "plugin/elf.h"
#include "process/crash.h"
#include "process/standard.h"

#include <dlfcn.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether a name is a lower-case letter, then up to 30 of a-z, 0-9, '_' and '-'. */
static bool plugin_name_valid(const char *name)
{
    const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-");
    return name[0] >= 'a' && name[0] <= 'z' && name[length] == '\0' && length <= 31;
}

/* Checks the size `known` that the plugin has for one of the engine's structs. It may not be larger than the engine's,
 * or smaller than `least`, that of the first release of this ABI. */
static mass_status check_record(const char *what, uint32_t known, size_t least, size_t size, const char *path,
                                mass_error *error)
{
    if (known < least)
        return mass_error_set(error, MASS_BAD_PLUGIN, "%s: its mass_plugin_entry says a %s of %u bytes instead of %zu: "
                              "define it with MASS_PLUGIN", path, what, known, size);
    if (known <= size) return MASS_OK;
    return mass_error_set(error, MASS_BAD_PLUGIN, "%s knows a %s of %u bytes, and this engine's has %zu: rebuild it "
                          "with this engine's SDK, or use a newer engine", path, what, known, size);
}

/* Checks that the engine accepts the plugin's ABI, its name, and the sizes of its records (check_record). The note in
 * its file has passed the same check of the ABI (mass_elf_check_file), so one that is refused here differs from it. */
static mass_status check_entry(const mass_plugin *p, const char *path, mass_error *error)
{
    if (!mass_abi_accepts((mass_abi){MASS_ABI_MAJOR, MASS_ABI_MINOR}, (mass_abi){p->abi_major, p->abi_minor}))
        return mass_error_set(error, MASS_BAD_PLUGIN, "%s: its mass_plugin_entry says ABI %u.%u and its note another: "
                              "define it with MASS_PLUGIN", path, p->abi_major, p->abi_minor);
    if (!p->name || !plugin_name_valid(p->name))
        return mass_error_set(error, MASS_BAD_PLUGIN, "%s: its name has to be a lower-case letter, then up to 30 of "
                              "a-z, 0-9, '_' and '-'", path);
    mass_status status = check_record("launch record", p->launch_size, MASS_THROUGH(mass_launch, flush_doubles),
                                      sizeof(mass_launch), path, error);
    if (status == MASS_OK)
        status = check_record("record of diagnostics", p->diagnostics_size,
                              offsetof(mass_diagnostics, ignored[MASS_IGNORED_KILL]), sizeof(mass_diagnostics), path,
                              error);
    if (status == MASS_OK && p->effects_size)
        status = check_record("note", p->effects_size, MASS_THROUGH(mass_effects, asked), sizeof(mass_effects), path,
                              error);
    return status;
}

/* Copies the plugin's entry into *own, in the engine's size, and checks it. */
static mass_status take_entry(const mass_plugin *theirs, const char *path, mass_plugin *own, mass_error *error)
{
    static const mass_sized sized = {"mass_plugin_entry", sizeof *own, MASS_THROUGH(mass_plugin, open)};
    if (!mass_sized_fits(&sized, theirs->struct_size))
        return mass_error_set(error, MASS_BAD_PLUGIN, "%s: its mass_plugin_entry says a size of %u bytes instead of "
                              "%zu: define it with MASS_PLUGIN", path, theirs->struct_size, sizeof *own);
    const mass_status status = mass_sized_take(&sized, own, theirs, theirs->struct_size, error);
    return status == MASS_OK ? check_entry(own, path, error) : status;
}

mass_status mass_plugin_load(const char *path, mass_loaded *out, mass_error *error)
{
    mass_elf_facts facts;
    mass_status status = mass_elf_check_file(path, &facts, error);
    if (status != MASS_OK) return status;
    static char loading[PATH_MAX]; /* static, as a plugin may unwind the stack */
    snprintf(loading, sizeof loading, "%s", path);
    mass_standard_lend();
    mass_crash_where(loading, "loading", MASS_NO_STEP);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    mass_crash_where(loading, NULL, 0);
    mass_floats_settle();
    mass_standard_take_back();
    if (!library) return mass_error_set(error, MASS_BAD_PLUGIN, "it cannot be loaded: %s", dlerror());
    const mass_plugin *theirs = dlsym(library, "mass_plugin_entry");
    mass_plugin *entry = malloc(sizeof *entry);
    if (!entry) status = mass_error_memory(error, sizeof *entry, "the plugin's entry");
    else if (!theirs)
        status = mass_error_set(error, MASS_BAD_PLUGIN, "%s is not a mass-engine plugin: it exports no "
                                "mass_plugin_entry; define it with MASS_PLUGIN", path);
    else status = take_entry(theirs, path, entry, error);
    if (status != MASS_OK) {
        free(entry);
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
    free(loaded->entry);
    *loaded = (mass_loaded){0};
}
