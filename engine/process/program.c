/* SPDX-License-Identifier: Apache-2.0 */
#include "process/program.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define OWN "/proc/self/exe"

static char given[PATH_MAX]; /* "": this process's own */

void mass_program_set(const char *path) { snprintf(given, sizeof given, "%s", path); }

const char *mass_program_file(void) { return given[0] ? given : OWN; }

bool mass_program_path(char path[PATH_MAX])
{
    if (given[0]) {
        memcpy(path, given, sizeof given);
        return true;
    }
    const ssize_t length = readlink(OWN, path, PATH_MAX - 1);
    if (length <= 0 || path[0] != '/') return false;
    path[length] = '\0';
    return true;
}
