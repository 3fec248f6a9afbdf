/* SPDX-License-Identifier: Apache-2.0 */
/* for fopencookie */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "process/standard.h"
#include "base/memory_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { HIGH = 500, PATIENCE = 1000 /* ms */ };

/* The engine's copies of 0 to 2; until mass_standard_open, the files themselves. */
static int own[3] = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
static int shared_terminal = -1; /* -1: none */
static int results_to = -1; /* the file that takes results; -1: standard output */
static FILE *nowhere; /* refuses what is written; used for `results` if memory is short */
static FILE *results; /* collects results in `result` until mass_standard_results_end */
static char *result;
static size_t result_size;
static locale_t plain;
static bool is_left; /* the standard files belong to another program */

/* Returns true if the descriptor is open in this process. */
static bool is_open(int file) { return fcntl(file, F_GETFD) >= 0; }

/* Opens /dev/null as the lowest free descriptor. If it is missing, as in a bare chroot, opens a folder: it refuses
 * writes. */
static void open_placeholder(int mode)
{
    if (open("/dev/null", mode) < 0) open("/", O_RDONLY | O_DIRECTORY);
}

/* Duplicates a descriptor to a high number, which plugins are unlikely to use. Returns `file` itself on failure. */
static int copy_of(int file)
{
    const int high = fcntl(file, F_DUPFD_CLOEXEC, HIGH), copy = high < 0 ? fcntl(file, F_DUPFD_CLOEXEC, 3) : high;
    return copy < 0 ? file : copy;
}

void mass_standard_open(void)
{
    static const int modes[] = {O_RDONLY, O_RDONLY, O_RDWR};
    for (int i = 0; i < 3; i++)
        if (!is_open(i)) open_placeholder(modes[i]);
    for (int i = 0; i < 3; i++) own[i] = copy_of(i);
    nowhere = fopencookie(NULL, "w", (cookie_io_functions_t){0});
    plain = newlocale(LC_ALL_MASK, "C", NULL);
    mass_standard_locale();
}

void mass_standard_leave(void)
{
    is_left = true;
    plain = newlocale(LC_ALL_MASK, "C", NULL);
}

/* Returns true if a failed write may be tried again. Waits at most `patience` milliseconds; -1: without limit. */
static bool waits_for(int file, int patience)
{
    struct pollfd p = {.fd = file, .events = POLLOUT};
    if (errno != EAGAIN) return errno == EINTR;
    const int ready = poll(&p, 1, patience);
    return ready == 1 || (ready < 0 && errno == EINTR);
}

int mass_standard_output(void) { return own[1]; }
int mass_standard_people(void) { return own[2]; }

FILE *mass_standard_results(void)
{
    if (!results) results = mass_memory_stream(&result, &result_size);
    return results ? results : nowhere ? nowhere : stdout;
}

void mass_standard_results_to(int file) { results_to = file; }

mass_status mass_standard_results_end(mass_error *error)
{
    FILE *const made = results;
    const int to = results_to < 0 ? own[1] : results_to;
    results = NULL;
    if (!made || fclose(made) != 0) return mass_error_memory(error, result_size, "the result");
    size_t done = 0;
    for (ssize_t put = 0; put >= 0 && done < result_size; done += put > 0 ? (size_t)put : 0) {
        put = write(to, result + done, result_size - done);
        if (put < 0 && waits_for(to, -1)) put = 0;
    }
    const int reason = errno;
    const bool whole = done == result_size;
    free(result);
    if (whole) return MASS_OK;
    return mass_error_set(error, MASS_FAILED, "standard output cannot be written: %s", strerror(reason));
}

void mass_standard_share_terminal(int file) { shared_terminal = file; }
bool mass_standard_on_terminal(void) { return shared_terminal >= 0 || isatty(own[2]); }

bool mass_standard_take_terminal(void)
{
    if (shared_terminal >= 0) own[2] = shared_terminal;
    return isatty(own[2]);
}

/* Writes the start of a text. On a shared terminal erases another process's line before, unless the text begins with
 * '\r'. Returns the bytes of text written, as write() does. */
static ssize_t put_first(int to, const char *text, size_t size)
{
    static const char erase[] = "\r\033[K";
    const size_t before = sizeof erase - 1;
    if (shared_terminal < 0 || text[0] == '\r') return write(to, text, size);
    const struct iovec chunks[] = {{(char *)(uintptr_t)erase, before}, {(char *)(uintptr_t)text, size}};
    const ssize_t put = writev(to, chunks, 2); /* in one call, since other processes redraw the line */
    return put < 0 ? put : (size_t)put < before ? 0 : put - (ssize_t)before;
}

void mass_standard_tell(const char *text, size_t size)
{
    const int reason = errno;
    int to = own[2];
    for (size_t done = 0; done < size;) {
        const ssize_t put = done == 0 ? put_first(to, text, size) : write(to, text + done, size - done);
        if (put < 0 && errno == EBADF && to != STDERR_FILENO) to = STDERR_FILENO;
        else if (put < 0 && !waits_for(to, PATIENCE)) break;
        if (put > 0) done += (size_t)put;
    }
    errno = reason;
}

void mass_standard_lend(void)
{
    if (!is_left) dup2(own[2], STDOUT_FILENO);
}

void mass_standard_take_back(void)
{
    fflush(stdout); /* the plugin's output, while it still goes to standard error */
    for (int i = 0; i < 3; i++)
        if (!is_left && own[i] != i) dup2(own[i], i);
    mass_standard_locale();
}

void mass_standard_hold(void)
{
    for (int i = 0; i < 3; i++)
        if (!is_left && !is_open(i)) dup2(own[i == STDOUT_FILENO ? STDERR_FILENO : i], i);
    mass_standard_locale();
}

void mass_standard_locale(void)
{
    if (plain) uselocale(plain);
}
