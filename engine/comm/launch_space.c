/* SPDX-License-Identifier: Apache-2.0 */
#include "comm/launch_space.h"

#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Open MPI 4.1.4 could not start two ranks with less. */
static const uint64_t temporary_least = 8 << 20;

/* Returns the bytes of shared memory that ranks need. Open MPI makes a file of 4 MiB for each rank, for which there
 * must be space, and a little more. Only the used parts take memory: for many ranks, at most what is added here. A rank
 * without space is killed during a step. */
static uint64_t shared_least(uint64_t ranks)
{
    return ((4 << 10) + 256 + ranks * (512 + 3 * ranks)) << 10;
}

/* Checks that a folder's file system has `least` bytes free; passes if that is unknown. remedy: added to the message.
 * */
static mass_status check(const char *folder, uint64_t least, const char *remedy, mass_error *error)
{
    struct statvfs facts;
    char has[32], needs[32];
    if (statvfs(folder, &facts) != 0) return MASS_OK; /* MPI may do without the folder */
    const uint64_t room = (uint64_t)facts.f_bavail * facts.f_frsize;
    if (room >= least) return MASS_OK;
    return mass_error_set(error, MASS_FAILED, "no ranks can be started: they share memory by files in %s, which has %s "
                          "free and needs %s: make room there%s", folder, mass_format_bytes(has, (double)room),
                          mass_format_bytes(needs, (double)least), remedy);
}

/* Returns the folder that Open MPI uses for temporary files. `by` becomes the variable that names it, or NULL. */
static const char *temporary_folder(const char **by)
{
    static const char *const names[] = {"TMPDIR", "TEMP", "TMP"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *folder = getenv(names[i]);
        *by = names[i];
        if (folder && folder[0]) return folder;
    }
    *by = NULL;
    return "/tmp";
}

/* Checks that the launcher can write to its temporary folder. The launcher makes the folder if it is missing and can be
 * made. by: the variable that names it, or NULL. */
static mass_status check_folder(const char *folder, const char *by, mass_error *error)
{
    struct stat facts;
    int cause = stat(folder, &facts) == 0 ? 0 : errno;
    if (cause == ENOENT) return MASS_OK;
    if (cause == 0 && !S_ISDIR(facts.st_mode)) cause = ENOTDIR;
    if (cause == 0 && faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) != 0) cause = errno;
    if (cause == 0) return MASS_OK;
    return mass_error_set(error, MASS_FAILED, "no ranks can be started: their launcher keeps files in %s%s%s%s: %s: "
                          "set TMPDIR to a folder that can be written to", folder, by ? " (" : "", by ? by : "",
                          by ? ")" : "", strerror(cause));
}

/* Checks that a network interface is up: the launcher and the ranks of a host connect through one. */
static mass_status check_network(mass_error *error)
{
    struct ifaddrs *all;
    bool up = false;
    if (getifaddrs(&all) != 0) return MASS_OK; /* unknown: let it try */
    for (const struct ifaddrs *i = all; i; i = i->ifa_next)
        up |= i->ifa_addr && i->ifa_addr->sa_family == AF_INET && i->ifa_flags & IFF_UP;
    freeifaddrs(all);
    if (up) return MASS_OK;
    return mass_error_set(error, MASS_FAILED, "no ranks can be started: no network interface is up here, by which they "
                          "find each other: bring the loopback interface up (ip link set lo up)");
}

mass_status mass_comm_check_room(int32_t ranks, mass_error *error)
{
    const char *by, *temporary = temporary_folder(&by);
    mass_status status = check_network(error);
    if (status == MASS_OK) status = check_folder(temporary, by, error);
    if (status == MASS_OK) status = check("/dev/shm", shared_least((uint64_t)ranks), "", error);
    if (status != MASS_OK) return status;
    return check(temporary, temporary_least, ", or set TMPDIR to another folder", error);
}
