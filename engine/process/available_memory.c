/* SPDX-License-Identifier: Apache-2.0 */
#include "process/available_memory.h"
#include "process/limits.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* The file names of a control group, which differ between versions. */
typedef struct names {
    const char *limit, *used, *cached[2];
} names;

static const names version_1 = {"memory.limit_in_bytes", "memory.usage_in_bytes",
                                {"total_inactive_file", "total_active_file"}};
static const names version_2 = {"memory.max", "memory.current", {"inactive_file", "active_file"}};

/* Opens a file of a folder for reading. Returns NULL, too, if its path is too long. */
static FILE *open_in(const char *folder, const char *name)
{
    char path[PATH_MAX];
    const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    return length < (int)sizeof path ? fopen(path, "re") : NULL;
}

/* Reads the number after `key` at the start of a line. If key is "", reads the file's first number. Returns false if
 * there is none, as when a limit is "max". */
static bool read_number(const char *folder, const char *name, const char *key, uint64_t *out)
{
    FILE *file = open_in(folder, name);
    char line[256];
    bool found = false;
    while (file && !found && fgets(line, sizeof line, file)) {
        const size_t length = strlen(key);
        unsigned long long number;
        found = strncmp(line, key, length) == 0 && sscanf(line + length, "%llu", &number) == 1;
        if (found) *out = number;
        if (!*key) break;
    }
    if (file) fclose(file);
    return found;
}

/* Lowers *least to what is left of a limit, at least 0; never raises it. */
static void lower(uint64_t *least, uint64_t limit, uint64_t used)
{
    const uint64_t left = limit > used ? limit - used : 0;
    if (left < *least) *least = left;
}

/* ---- control groups ---- */

/* Lowers *least to what one control group leaves, counting its file cache as free. A group without readable limits
 * changes nothing. */
static void apply_group(const char *folder, const names *n, uint64_t *least)
{
    uint64_t limit, used, cached;
    if (!read_number(folder, n->limit, "", &limit) || !read_number(folder, n->used, "", &used)) return;
    for (int i = 0; i < 2; i++) {
        char key[32];
        snprintf(key, sizeof key, "%s ", n->cached[i]);
        if (read_number(folder, "memory.stat", key, &cached)) used -= cached < used ? cached : used;
    }
    lower(least, limit, used);
}

/* Returns true if a comma-separated list has this item. */
static bool lists(const char *list, const char *item)
{
    const size_t length = strlen(item);
    for (const char *at = list; (at = strstr(at, item)); at += length)
        if ((at == list || at[-1] == ',') && (at[length] == ',' || at[length] == '\0')) return true;
    return false;
}

/* Finds the group of this process in lines "ID:CONTROLLERS:PATH"; version 2 (`second`) has no controllers. Returns
 * false if there is none. */
static bool find_group(const char *root, bool second, char path[PATH_MAX])
{
    FILE *file = open_in(root, "proc/self/cgroup");
    char line[PATH_MAX + 256];
    bool found = false;
    while (file && !found && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':'), *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group) continue;
        *group++ = '\0';
        found = second ? controllers[1] == '\0' : lists(controllers + 1, "memory");
        if (found) snprintf(path, PATH_MAX, "%s", group);
    }
    if (file) fclose(file);
    return found;
}

/* Applies the limits of this process's group and of all groups above it, in a hierarchy whose folder `top` is mounted
 * at `mount`. `second`: it is of version 2. Does nothing without a group. */
static void apply_hierarchy(const char *root, const char *top, const char *mount, bool second, uint64_t *least)
{
    char group[PATH_MAX], folder[2 * PATH_MAX];
    if (!find_group(root, second, group)) return;
    const size_t above = strcmp(top, "/") == 0 ? 0 : strlen(top);
    const bool inside = strncmp(group, top, above) == 0 && !strstr(group, "..");
    const size_t shortest = (size_t)snprintf(folder, sizeof folder, "%s%s", root, mount);
    snprintf(folder + shortest, sizeof folder - shortest, "%s", inside ? group + above : "");
    for (;;) {
        apply_group(folder, second ? &version_2 : &version_1, least);
        char *slash = strrchr(folder, '/');
        if (!slash || (size_t)(slash - folder) < shortest) return;
        *slash = '\0';
    }
}

/* Applies all hierarchies. Lines of mountinfo: ID PARENT DEVICE TOP MOUNT OPTIONS... - TYPE SOURCE OPTIONS */
static void apply_groups(const char *root, uint64_t *least)
{
    FILE *file = open_in(root, "proc/self/mountinfo");
    char *line = NULL;
    size_t room = 0;
    while (file && getline(&line, &room, file) > 0) {
        char top[PATH_MAX], mount[PATH_MAX], type[32], options[512] = "";
        const char *end = strstr(line, " - ");
        if (!end || sscanf(line, "%*s %*s %*s %4095s %4095s", top, mount) != 2 ||
            sscanf(end, " - %31s %*s %511s", type, options) < 1)
            continue;
        if (strcmp(type, "cgroup2") == 0) apply_hierarchy(root, top, mount, true, least);
        else if (strcmp(type, "cgroup") == 0 && lists(options, "memory"))
            apply_hierarchy(root, top, mount, false, least);
    }
    free(line);
    if (file) fclose(file);
}

/* ---- the machine and the process ---- */

/* Reads the memory that the whole machine has available, in bytes; without /proc/meminfo, its free pages. Returns false
 * if neither is known. */
static bool read_available(const char *root, uint64_t *bytes)
{
    if (read_number(root, "proc/meminfo", "MemAvailable:", bytes)) {
        *bytes *= 1024;
        return true;
    }
    const long pages = sysconf(_SC_AVPHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    if (pages < 0 || size < 0) return false;
    *bytes = (uint64_t)pages * (uint64_t)size;
    return true;
}

/* Lowers *least to what RLIMIT_AS leaves this process, if it is limited. */
static void apply_address_space(const char *root, uint64_t *least)
{
    struct rlimit limit;
    uint64_t pages = 0;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
    read_number(root, "proc/self/statm", "", &pages);
    lower(least, limit.rlim_cur, pages * (uint64_t)sysconf(_SC_PAGESIZE));
}

mass_status mass_available_memory(const char *root, size_t *bytes, mass_error *error)
{
    uint64_t least;
    if (!read_available(root, &least)) return mass_error_set(error, MASS_FAILED, "the free memory is unknown");
    apply_groups(root, &least);
    apply_address_space(root, &least);
    *bytes = (size_t)least;
    return MASS_OK;
}

mass_status mass_available_memory_left(size_t *bytes, mass_error *error)
{
    const mass_status status = mass_available_memory("", bytes, error);
    const size_t left = mass_limits_left();
    if (status != MASS_OK || left == SIZE_MAX) return status;
    const size_t free_bytes = left > MASS_LIMITS_KEPT ? left - MASS_LIMITS_KEPT : 0;
    if (free_bytes < *bytes) *bytes = free_bytes;
    return MASS_OK;
}

bool mass_available_memory_has(size_t bytes)
{
    mass_error ignored = {0};
    size_t left;
    if (mass_available_memory_left(&left, &ignored) != MASS_OK) return true;
    return bytes <= left && left - bytes >= MASS_LIMITS_KEPT;
}
