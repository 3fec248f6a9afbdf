/* SPDX-License-Identifier: Apache-2.0 */
#include "comm/starter.h"
#include "comm/host_status.h"
#include "comm/ancestor.h"
#include "process/standard.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int32_t starter; /* its process, or 0 */
static int results = -1; /* the file for results, or -1 */

int32_t mass_comm_starter(void) { return starter; }

void mass_comm_starter_tell(int news)
{
    if (starter) sigqueue(starter, MASS_COMM_NEWS, (union sigval){news});
}

void mass_comm_starter_takes_results(void)
{
    if (results >= 0) mass_standard_results_to(results);
    results = -1;
}

/* Returns whether a process is of this user and an ancestor of this process, MASS_COMM_GENERATIONS up at the most. */
static bool can_have_started(pid_t process)
{
    char path[64];
    struct stat facts;
    snprintf(path, sizeof path, "/proc/%d", (int)process);
    if (stat(path, &facts) != 0 || facts.st_uid != geteuid()) return false;
    pid_t ancestor = getppid();
    for (int i = 0; i < MASS_COMM_GENERATIONS && ancestor > 1 && ancestor != process; i++)
        ancestor = mass_comm_parent_of(ancestor);
    return ancestor == process;
}

/* Opens a file of this user in memory, which has no name, by its path in /proc, to append to it. Returns -1 if it is
 * any other file. */
static int open_results(const char *path)
{
    struct stat facts;
    const int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0) return -1;
    if (fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_nlink == 0 && facts.st_uid == geteuid() &&
        fcntl(file, F_GET_SEALS) >= 0)
        return file;
    close(file);
    return -1;
}

/* Returns the number, if it is written exactly as mass_comm_launch writes it: digits only. Else 0. */
static int32_t number_of(const char *text)
{
    char own[16];
    const long number = strtol(text, NULL, 10);
    if (number <= 1 || number > INT32_MAX) return 0;
    snprintf(own, sizeof own, "%ld", number);
    return strcmp(text, own) == 0 ? (int32_t)number : 0;
}

/* Returns whether a path has the form /proc/PID/fd/N for this process. */
static bool is_file_of(const char *path, int32_t process)
{
    char head[64];
    const size_t length = (size_t)snprintf(head, sizeof head, "/proc/%d/fd/", (int)process);
    const char *digits = path + length;
    return strncmp(path, head, length) == 0 && digits[0] && strlen(digits) <= 10 &&
           strspn(digits, "0123456789") == strlen(digits);
}

mass_status mass_comm_starter_find(mass_error *error)
{
    const char *process = getenv(MASS_COMM_STARTED_BY), *path = getenv(MASS_COMM_RESULTS);
    if (!process && !path) return MASS_OK;
    const int32_t number = process ? number_of(process) : 0;
    if (number == 0 || !can_have_started(number))
        return mass_error_set(error, MASS_BAD_USAGE, MASS_COMM_STARTED_BY " and " MASS_COMM_RESULTS " are set by "
                              "--ranks for the ranks that it starts, and this process is not one of them: unset both");
    const int file = path && is_file_of(path, number) ? open_results(path) : -1;
    if (file < 0)
        return mass_error_set(error, MASS_BAD_USAGE, MASS_COMM_RESULTS " is not a file in the memory of the process "
                              "that started this one: leave it as --ranks sets it");
    starter = number;
    results = file;
    return MASS_OK;
}
