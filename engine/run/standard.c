#include "run/standard.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum { HIGH = 500, PATIENCE = 1000 /* ms */ };

/* The copies; before there are any, the files themselves. */
static int own[3] = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
static FILE *results;
static locale_t plain;

static bool is_open(int file) { return fcntl(file, F_GETFD) >= 0; }

/* As the lowest descriptor that is free. Without /dev/null, as in a bare chroot, a folder, which takes nothing. */
static void open_placeholder(int mode)
{
    if (open("/dev/null", mode) < 0) open("/", O_RDONLY | O_DIRECTORY);
}

/* Where a plugin would not look for it. */
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
    plain = newlocale(LC_ALL_MASK, "C", NULL);
    mass_standard_locale();
}

FILE *mass_standard_results(void)
{
    if (!results && own[1] != STDOUT_FILENO) results = fdopen(own[1], "w");
    return results ? results : stdout;
}

mass_status mass_standard_results_end(mass_error *error)
{
    FILE *to = mass_standard_results();
    errno = 0;
    if (fflush(to) == 0 && !ferror(to)) return MASS_OK;
    return mass_error_set(error, MASS_FAILED, errno ? "standard output cannot be written: %s"
                          : "standard output cannot be written", strerror(errno));
}

int mass_standard_people(void) { return own[2]; }

/* Whether it is worth another try. */
static bool waits_for(int file)
{
    struct pollfd p = {.fd = file, .events = POLLOUT};
    return errno == EINTR || (errno == EAGAIN && poll(&p, 1, PATIENCE) == 1);
}

void mass_standard_tell(const char *text, size_t size)
{
    const int reason = errno;
    int to = own[2];
    for (size_t done = 0; done < size;) {
        const ssize_t put = write(to, text + done, size - done);
        if (put < 0 && errno == EBADF && to != STDERR_FILENO) to = STDERR_FILENO;
        else if (put < 0 && !waits_for(to)) break;
        if (put > 0) done += (size_t)put;
    }
    errno = reason;
}

void mass_standard_lend(void) { dup2(own[2], STDOUT_FILENO); }

void mass_standard_take_back(void)
{
    fflush(stdout); /* what a plugin printed, to where it was to go */
    for (int i = 0; i < 3; i++)
        if (own[i] != i) dup2(own[i], i);
    mass_standard_locale();
}

void mass_standard_hold(void)
{
    for (int i = 0; i < 3; i++)
        if (!is_open(i)) dup2(own[i == STDOUT_FILENO ? STDERR_FILENO : i], i);
    mass_standard_locale();
}

void mass_standard_locale(void)
{
    if (plain) uselocale(plain);
}
