/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ANSWER_MAX = 65536 }; /* bytes, as a pipe holds */

mass_status bench_beside(const char *relative, char path[PATH_MAX], mass_error *error)
{
    char self[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(self, '/');
    if (slash) *slash = '\0';
    if (!slash || snprintf(path, PATH_MAX, "%s/%s", self, relative) >= PATH_MAX || access(path, R_OK) != 0)
        return mass_error_set(error, MASS_BAD_USAGE, "there is no %s beside mass-bench in %s", relative, self);
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

mass_status bench_command_ask(const char *path, char *const arguments[], json_t **answer, mass_error *error)
{
    char text[ANSWER_MAX];
    size_t length = 0;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return mass_error_set(error, MASS_FAILED, "no pipe: %m");
    const mass_status status = bench_command_run(path, arguments, ends[1], error);
    close(ends[1]);
    for (ssize_t got = 1; got > 0 && length < sizeof text; length += got > 0 ? (size_t)got : 0)
        got = read(ends[0], text + length, sizeof text - length);
    close(ends[0]);
    if (status != MASS_OK) return status;
    *answer = json_loadb(text, length, 0, NULL);
    return *answer ? MASS_OK : mass_error_set(error, MASS_FAILED, "%s printed no result", path);
}
