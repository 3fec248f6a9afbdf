#include "run/progress.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static bool line_is_drawn;

double mass_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void erase_line(void)
{
    if (line_is_drawn) fputs("\r\033[K", stderr);
    line_is_drawn = false;
}

void mass_progress_say(const char *format, ...)
{
    erase_line();
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

void mass_progress_begin(mass_progress *p, uint64_t first, uint64_t last, double places, bool quiet)
{
    *p = (mass_progress){.on = !quiet && isatty(STDERR_FILENO), .first = first, .last = last, .places = places,
                         .start = mass_seconds()};
}

static void format_time(char text[32], double seconds)
{
    const long s = (long)(seconds + 0.5);
    if (s >= 3600) snprintf(text, 32, "%ld h %02ld min", s / 3600, s / 60 % 60);
    else if (s >= 60) snprintf(text, 32, "%ld min %02ld s", s / 60, s % 60);
    else snprintf(text, 32, "%ld s", s);
}

static void format_rate(char text[32], double rate)
{
    static const char *const units[] = {"", " thousand", " million", " billion", " trillion"};
    int unit = 0;
    while (rate >= 1000 && unit < 4) rate /= 1000, unit++;
    snprintf(text, 32, "%.3g%s", rate, units[unit]);
}

void mass_progress_update(mass_progress *p, uint64_t step)
{
    if (!p->on) return;
    const double now = mass_seconds(), done = (double)(step - p->first);
    if (now - p->shown < 0.1 || done <= 0) return;
    p->shown = now;
    const double steps_per_second = done / (now - p->start);
    char left[32], rate[32];
    format_time(left, (double)(p->last - step) / steps_per_second);
    format_rate(rate, steps_per_second * p->places);
    fprintf(stderr, "\r\033[Kstep %" PRIu64 " of %" PRIu64 " (%.0f %%), %.3g steps/s, %s places/s, %s left", step,
            p->last, 100.0 * done / (double)(p->last - p->first), steps_per_second, rate, left);
    fflush(stderr);
    line_is_drawn = true;
}

void mass_progress_end(mass_progress *p)
{
    if (p->on) {
        erase_line();
        fflush(stderr);
    }
    p->on = false;
}
