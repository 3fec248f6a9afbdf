/* SPDX-License-Identifier: Apache-2.0 */
#include "comm/launch_room.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/statvfs.h>

/* With less, Open MPI 4.1.4 could not start two ranks. */
static const uint64_t temporary_least = 8 << 20;

/* It makes a file of 4 MiB for each rank, for which there has to be room, and a little more. Of these only what is used
 * takes memory: of as many ranks, at most what is added here. A rank for which there is none is killed in a step. */
static uint64_t shared_least(uint64_t ranks)
{
    return ((4 << 10) + 256 + ranks * (512 + 3 * ranks)) << 10;
}

static mass_status check(const char *folder, uint64_t least, const char *remedy, mass_error *error)
{
    struct statvfs facts;
    char has[32], needs[32];
    if (statvfs(folder, &facts) != 0) return MASS_OK; /* they may do without */
    const uint64_t room = (uint64_t)facts.f_bavail * facts.f_frsize;
    if (room >= least) return MASS_OK;
    return mass_error_set(error, MASS_FAILED, "no ranks can be started: they share memory by files in %s, which has %s "
                          "free and needs %s: make room there%s", folder, mass_format_bytes(has, (double)room),
                          mass_format_bytes(needs, (double)least), remedy);
}

mass_status mass_comm_check_room(int32_t ranks, mass_error *error)
{
    const char *temporary = getenv("TMPDIR");
    const mass_status status = check("/dev/shm", shared_least((uint64_t)ranks), "", error);
    if (status != MASS_OK) return status;
    return check(temporary && temporary[0] ? temporary : "/tmp", temporary_least, ", or name another folder by TMPDIR",
                 error);
}
