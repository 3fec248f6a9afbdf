/* SPDX-License-Identifier: Apache-2.0 */
/* What is left within the machine, control groups of both versions, and the address space. The machine is a
 * folder of this test's own. */
#include "process/available_memory.h"
#include "process/sanitized.h"

#include <criterion/criterion.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#define MIB 1048576ull

static char root[] = "/tmp/mass-memory-XXXXXX";

/* Writes a file and makes the folders above it. */
static void put(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(const char *name, const char *format, ...)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", root, name);
    for (char *c = path + strlen(root) + 1; *c; c++)
        if (*c == '/') {
            *c = '\0';
            mkdir(path, 0755);
            *c = '/';
        }
    FILE *file = fopen(path, "we");
    cr_assert_not_null(file, "%s: %m", path);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(file, format, arguments);
    va_end(arguments);
    fclose(file);
}

static void make_root(void)
{
    cr_assert_not_null(mkdtemp(root));
    put("proc/meminfo", "MemTotal: 4194304 kB\nMemFree: 5 kB\nMemAvailable:   2097152 kB\nBuffers: 7 kB\n");
}

static int remove_entry(const char *path, const struct stat *facts, int kind, struct FTW *place)
{
    (void)facts, (void)kind, (void)place;
    return remove(path);
}

static void remove_root(void) { nftw(root, remove_entry, 16, FTW_DEPTH | FTW_PHYS); }

TestSuite(available_memory, .init = make_root, .fini = remove_root);

static void expect(unsigned long long mib)
{
    mass_error error = {0};
    size_t bytes = 0;
    cr_assert_eq(mass_available_memory(root, &bytes, &error), MASS_OK, "%s", error.text);
    cr_assert_eq(bytes, mib * MIB, "%zu bytes and not %llu MiB", bytes, mib);
}

/* Version 2, mounted as containers see it: `top` of the hierarchy is all there is. */
static void put_version_2(const char *group, const char *top)
{
    put("proc/self/cgroup", "3:cpu,cpuacct:/elsewhere\n0::%s\n", group);
    put("proc/self/mountinfo", "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
        "35 22 0:29 %s /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n", top);
}

/* A group of version 2 that may have `limit` MiB and has `used`. */
static void put_use(const char *group, unsigned long long limit, unsigned long long used)
{
    char path[100];
    snprintf(path, sizeof path, "sys/fs/cgroup%s/memory.max", group);
    put(path, "%llu\n", limit * MIB);
    snprintf(path, sizeof path, "sys/fs/cgroup%s/memory.current", group);
    put(path, "%llu\n", used * MIB);
}

static void put_version_1(const char *group, const char *top)
{
    put("proc/self/cgroup", "9:cpuset:/other\n4:hugetlb,memory:%s\n0::/unlimited\n", group);
    put("proc/self/mountinfo", "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
        "35 31 0:32 %s /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"
        "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n", top);
}

Test(available_memory, without_limits_it_is_what_the_machine_has_available) { expect(2048); }

Test(available_memory, a_group_leaves_its_limit_less_what_is_used)
{
    put_version_2("/user/run", "/");
    put_use("/user/run", 512, 100);
    expect(412);
}

Test(available_memory, cached_files_are_not_counted_as_used)
{
    put_version_2("/run", "/");
    put_use("/run", 512, 500);
    put("sys/fs/cgroup/run/memory.stat", "anon %llu\ninactive_file %llu\nactive_file %llu\n", 99 * MIB, 300 * MIB,
        101 * MIB);
    expect(413);
}

Test(available_memory, the_groups_above_limit_too)
{
    put_version_2("/user/run", "/");
    put("sys/fs/cgroup/user/run/memory.max", "max\n");
    put("sys/fs/cgroup/user/run/memory.current", "0\n");
    put_use("/user", 300, 50);
    expect(250);
}

Test(available_memory, a_full_group_leaves_nothing)
{
    put_version_2("/", "/");
    put_use("", 300, 301);
    expect(0);
}

Test(available_memory, a_container_sees_its_own_group_at_the_mount)
{
    put_version_1("/docker/1a2b", "/docker/1a2b");
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "%llu\n", 700 * MIB);
    put("sys/fs/cgroup/memory/memory.usage_in_bytes", "%llu\n", 100 * MIB);
    put("sys/fs/cgroup/memory/memory.stat", "inactive_file 5\ntotal_inactive_file %llu\n", 40 * MIB);
    expect(640);
}

Test(available_memory, version_1_has_its_own_names)
{
    put_version_1("/user/run", "/");
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    put("sys/fs/cgroup/memory/memory.usage_in_bytes", "%llu\n", 100 * MIB);
    put("sys/fs/cgroup/memory/user/run/memory.limit_in_bytes", "%llu\n", 200 * MIB);
    put("sys/fs/cgroup/memory/user/run/memory.usage_in_bytes", "%llu\n", 10 * MIB);
    expect(190);
}

#if !MASS_SANITIZED /* which needs terabytes of addresses */
Test(available_memory, the_address_space_limits_too)
{
    put("proc/self/statm", "25600 1 1 1 0 1 0\n"); /* pages of 4 KiB */
    setrlimit(RLIMIT_AS, &(const struct rlimit){1024 * MIB, 1024 * MIB});
    expect(924);
}
#endif
