/* SPDX-License-Identifier: Apache-2.0 */
#include "process/rehearse.h"
#include "process/crash.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DONE = 73, WAITING = 10 }; /* exit status of the copy; seconds it may wait for each second of processor time */

/* Runs in the copy. It ends by a system call: the plugin's exit handlers may be the reason for the rehearsal. */
_Noreturn static void rehearse(void (*call)(void *), void *context, unsigned seconds)
{
    sigset_t none;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int s = 1; s < NSIG; s++) signal(s, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setrlimit(RLIMIT_CORE, &(const struct rlimit){0, 0});
    setrlimit(RLIMIT_CPU, &(const struct rlimit){seconds, seconds + 1});
    alarm(WAITING * seconds);
    const int null = open("/dev/null", O_RDWR);
    for (int i = 0; i < 3; i++) dup2(null, i);
    mass_crash_in_copy();
    call(context);
    for (;;) syscall(SYS_exit_group, DONE);
}

mass_rehearsal mass_rehearse(void (*call)(void *context), void *context, unsigned seconds)
{
    int how;
    const pid_t copy = fork();
    if (copy == 0) rehearse(call, context, seconds);
    if (copy < 0) return MASS_REHEARSAL_NOT_HAD;
    while (waitpid(copy, &how, 0) < 0)
        if (errno != EINTR) return MASS_REHEARSAL_NOT_HAD; /* as when the parent process ignores SIGCHLD */
    return WIFEXITED(how) && WEXITSTATUS(how) == DONE ? MASS_REHEARSAL_DONE : MASS_REHEARSAL_BROKE;
}
