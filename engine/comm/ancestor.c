/* SPDX-License-Identifier: Apache-2.0 */
#include "comm/ancestor.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads the beginning of a file of a process in /proc as text. The text is empty if the file cannot be read. */
static void read_fact(pid_t process, const char *name, char *text, size_t room)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)process, name);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t got = file >= 0 ? read(file, text, room - 1) : 0;
    if (file >= 0) close(file);
    text[got > 0 ? got : 0] = '\0';
}

pid_t mass_comm_parent_of(pid_t process)
{
    char text[512];
    read_fact(process, "stat", text, sizeof text);
    const char *name_end = strrchr(text, ')'); /* a process's name may contain any character */
    int parent;
    return name_end && sscanf(name_end, ") %*c %d", &parent) == 1 ? parent : 0;
}

bool mass_comm_is_launcher(pid_t process)
{
    static const char *const names[] = {"mpirun", "mpiexec", "orterun", "orted", "prterun", "prte", "prted"};
    char name[32];
    read_fact(process, "comm", name, sizeof name);
    name[strcspn(name, "\n")] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

/* Returns whether a process is a zombie: it has ended, and its parent has not waited for it. False if it is gone. */
static bool has_ended(pid_t process)
{
    char text[512];
    read_fact(process, "stat", text, sizeof text);
    const char *name_end = strrchr(text, ')');
    return name_end && strncmp(name_end, ") Z", 3) == 0;
}

/* Looks only at as many children as the text has space for. */
bool mass_comm_has_lost_children(pid_t process)
{
    char name[40], text[4096], *end;
    snprintf(name, sizeof name, "task/%d/children", (int)process);
    read_fact(process, name, text, sizeof text);
    for (char *at = text; (end = strchr(at, ' ')); at = end + 1)
        if (!has_ended((pid_t)strtol(at, NULL, 10))) return false;
    return strchr(text, ' ') != NULL;
}

pid_t mass_comm_own_launcher(void)
{
    pid_t at = getppid();
    for (int i = 0; i < MASS_COMM_GENERATIONS && at > 1; i++, at = mass_comm_parent_of(at))
        if (mass_comm_is_launcher(at)) return at;
    return 0;
}
