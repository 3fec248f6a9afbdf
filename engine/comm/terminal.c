/* SPDX-License-Identifier: Apache-2.0 */
#include "comm/terminal.h"
#include "comm/ancestor.h"
#include "comm/starter.h"
#include "process/standard.h"
#include "process/terminal.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns whether messages of this rank go to its launcher, through a pipe or a socket. A file that the user has named
 * for them is neither. */
static bool goes_to_launcher(void)
{
    struct stat facts;
    return fstat(mass_standard_people(), &facts) == 0 && (S_ISFIFO(facts.st_mode) || S_ISSOCK(facts.st_mode));
}

/* Returns the process that has the terminal: the starter, if there is one, as it reads the launcher's standard
 * error. */
static pid_t whose_terminal(pid_t launcher) { return mass_comm_starter() ? mass_comm_starter() : launcher; }

/* Opens standard error of a process, if it is a terminal. Returns -1 if it is not. */
static int open_terminal_of(pid_t process)
{
    char path[64];
    struct stat facts;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)process, STDERR_FILENO);
    if (stat(path, &facts) != 0 || !S_ISCHR(facts.st_mode)) return -1;
    const int file = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (file < 0) return -1;
    if (isatty(file) && fcntl(file, F_SETFL, 0) == 0) return file;
    close(file);
    return -1;
}

void mass_comm_find_terminal(void)
{
    const pid_t launcher = goes_to_launcher() ? mass_comm_own_launcher() : 0;
    const int terminal = launcher ? open_terminal_of(whose_terminal(launcher)) : -1;
    if (terminal < 0) return;
    mass_standard_share_terminal(terminal);
    mass_terminal_belongs_to(launcher);
}
