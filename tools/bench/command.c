/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

mass_status bench_beside(const char *relative, char path[PATH_MAX], mass_error *error)
{
    char self[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(self, '/');
    if (slash) *slash = '\0';
    if (!slash || snprintf(path, PATH_MAX, "%s/%s", self, relative) >= PATH_MAX || access(path, R_OK) != 0)
        return mass_error_set(error, MASS_BAD_USAGE, "there is no %s next to mass-bench in %s", relative, self);
    return MASS_OK;
}

mass_status bench_command_find(char path[PATH_MAX], mass_error *error)
{
    return bench_beside("mass-engine", path, error);
}

mass_status bench_command_run(const char *path, char *const arguments[], int output, mass_error *error)
{
    extern char **environ;
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    pid_t child;
    const int problem = posix_spawnp(&child, path, &files, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&files);
    if (problem) return mass_error_set(error, MASS_FAILED, "%s cannot be started: %s", path, strerror(problem));
    int how;
    while (waitpid(child, &how, 0) < 0)
        if (errno != EINTR) return mass_error_set(error, MASS_FAILED, "%s is lost: %m", path);
    if (!WIFEXITED(how) || WEXITSTATUS(how) != 0)
        return mass_error_set(error, MASS_FAILED, "%s ended with %s %d", path,
                              WIFEXITED(how) ? "exit status" : "signal",
                              WIFEXITED(how) ? WEXITSTATUS(how) : WTERMSIG(how));
    return MASS_OK;
}

/* It uses memory instead of a pipe: results of thousands of worlds do not fit into a pipe. */
mass_status bench_command_ask(const char *path, char *const arguments[], json_t **answer, mass_error *error)
{
    const int output = memfd_create("answer", MFD_CLOEXEC);
    if (output < 0) return mass_error_set(error, MASS_FAILED, "no memory for what %s prints: %m", path);
    const mass_status status = bench_command_run(path, arguments, output, error);
    *answer = status == MASS_OK && lseek(output, 0, SEEK_SET) == 0 ? json_loadfd(output, 0, NULL) : NULL;
    close(output);
    if (status != MASS_OK) return status;
    return *answer ? MASS_OK : mass_error_set(error, MASS_FAILED, "%s printed no result", path);
}
