/* SPDX-License-Identifier: Apache-2.0 */
#include "process/progress.h"
#include "base/escape.h"
#include "process/standard.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LINE_SIZE = 8192 }; /* bytes: two paths and a sentence */

static const char erase[] = "\r\033[K";
static bool line_is_drawn;
static void (*make_room)(void *context);
static void *room_context;
static void (*listener)(void *context, const char *line);
static void *listener_context;
static void (*diverted)(void *context, const char *line);
static void *diverted_context;

double mass_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Erases the progress line from the terminal, if one is drawn. */
static void erase_line(void)
{
    if (line_is_drawn) mass_standard_tell(erase, sizeof erase - 1);
    line_is_drawn = false;
}

void mass_progress_make_room(void (*function)(void *context), void *context)
{
    make_room = function;
    room_context = context;
}

void mass_progress_listen(void (*hear)(void *context, const char *line), void *context)
{
    listener = hear;
    listener_context = context;
}

void mass_progress_divert(void (*hear)(void *context, const char *line), void *context)
{
    diverted = hear;
    diverted_context = context;
}

/* Returns the bytes that an escaped line takes at most, with its newline and final zero. */
static size_t escaped_size(size_t length) { return 4 * length + 2; }

/* Passes the escaped line to the listener and writes it with one call, so that lines of programs that share a
 * terminal do not mix. */
static void tell_line(const char *text, char *line, size_t room)
{
    const size_t used = mass_escape(text, strlen(text), line, room - 1);
    if (listener) listener(listener_context, line);
    if (diverted) {
        diverted(diverted_context, line);
        return;
    }
    line[used] = '\n';
    mass_standard_tell(line, used + 1);
}

/* Erases the progress line, makes room, and says a line as mass_progress_say does. */
static void say(const char *format, va_list arguments)
{
    erase_line();
    if (make_room) make_room(room_context);
    char text[LINE_SIZE], line[2 * LINE_SIZE], *whole = NULL;
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    const size_t room = length < 0 ? 0 : escaped_size((size_t)length);
    if (room > sizeof line) whole = malloc((size_t)length + 1 + room);
    if (whole) {
        vsnprintf(whole, (size_t)length + 1, format, again);
        tell_line(whole, whole + length + 1, room);
    } else {
        if (length >= LINE_SIZE) memcpy(text + LINE_SIZE - sizeof "...", "...", sizeof "...");
        tell_line(text, line, sizeof line);
    }
    va_end(again);
    free(whole);
}

void mass_progress_say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
}

void mass_progress_say_last(const char *format, ...)
{
    va_list arguments;
    mass_progress_divert(NULL, NULL);
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
}

void mass_progress_begin(mass_progress *p, uint64_t first, uint64_t last, double places, const char *what,
                         bool quiet)
{
    *p = (mass_progress){.on = !quiet && mass_standard_on_terminal(), .first = first, .last = last, .places = places,
                         .what = what, .start = mass_seconds()};
}

/* Writes a duration in two units at most, such as "2 min 05 s". */
static void format_time(char text[32], double seconds)
{
    const long s = (long)(seconds + 0.5);
    if (s >= 3600) snprintf(text, 32, "%ld h %02ld min", s / 3600, s / 60 % 60);
    else if (s >= 60) snprintf(text, 32, "%ld min %02ld s", s / 60, s % 60);
    else snprintf(text, 32, "%ld s", s);
}

/* Writes a rate with three digits and a word, such as "1.25 million". */
static void format_rate(char text[32], double rate)
{
    static const char *const units[] = {"", " thousand", " million", " billion", " trillion"};
    int unit = 0;
    while (rate >= 1000 && unit < 4) rate /= 1000, unit++;
    snprintf(text, 32, "%.3g%s", rate, units[unit]);
}

void mass_progress_text(const mass_progress *p, uint64_t step, char text[MASS_PROGRESS_TEXT])
{
    const double done = (double)(step - p->first), steps_per_second = done / (mass_seconds() - p->start);
    char left[32], rate[32], agents[32], speed[100] = "";
    const int used = snprintf(text, MASS_PROGRESS_TEXT, "step %" PRIu64 " of %" PRIu64, step, p->last);
    if (done <= 0) return;
    format_time(left, (double)(p->last - step) / steps_per_second);
    format_rate(rate, steps_per_second * p->places);
    format_rate(agents, p->agents / (mass_seconds() - p->start));
    if (p->places > 0 && p->agents > 0) snprintf(speed, sizeof speed, ", %s %s/s, %s agents/s", rate, p->what, agents);
    else if (p->places > 0) snprintf(speed, sizeof speed, ", %s %s/s", rate, p->what);
    snprintf(text + used, (size_t)(MASS_PROGRESS_TEXT - used), " (%.0f %%), %.3g steps/s%s, %s left",
             100.0 * done / (double)(p->last - p->first), steps_per_second, speed, left);
}

/* Returns true at most ten times a second, and only if p is on; notes the time of each. */
static bool is_due(mass_progress *p)
{
    const double now = mass_seconds();
    if (!p->on || now - p->shown < 0.1) return false;
    p->shown = now;
    return true;
}

/* Draws a line over the former one on the terminal, with control characters escaped. */
static void draw(const char *text)
{
    char line[sizeof erase + 4 * MASS_PROGRESS_TEXT];
    memcpy(line, erase, sizeof erase - 1);
    const size_t length = mass_escape(text, strlen(text), line + sizeof erase - 1, sizeof line - sizeof erase);
    mass_standard_tell(line, sizeof erase - 1 + length);
    line_is_drawn = true;
}

void mass_progress_update(mass_progress *p, uint64_t step)
{
    char text[MASS_PROGRESS_TEXT];
    if (step == p->first || !is_due(p)) return;
    mass_progress_text(p, step, text);
    draw(text);
}

void mass_progress_items(mass_progress *p, uint64_t step, uint64_t given, uint64_t of)
{
    char text[MASS_PROGRESS_TEXT], items[32], rate[32];
    if (given == 0 || !is_due(p)) return;
    format_rate(items, (double)given);
    format_rate(rate, ((double)(step - p->first) * (double)of + (double)given) / (mass_seconds() - p->start));
    const int used =
        snprintf(text, sizeof text, "step %" PRIu64 " of %" PRIu64 ": %s items read", step + 1, p->last, items);
    if (of > 0)
        snprintf(text + used, sizeof text - (size_t)used, " (%.0f %%), %s items/s",
                 100.0 * (double)given / (double)of, rate);
    draw(text);
}

/* Returns the last part of a path, and no more than the end of that. */
static const char *end_of(const char *path)
{
    enum { MOST = 80 };
    const char *const slash = strrchr(path, '/'), *const name = slash && slash[1] ? slash + 1 : path;
    const size_t length = strlen(name);
    return length > MOST ? name + length - MOST : name;
}

void mass_progress_edges(mass_progress *p, const char *file, uint64_t bytes, uint64_t of, uint64_t edges)
{
    char text[MASS_PROGRESS_TEXT], many[32], rate[32], left[32];
    const double now = mass_seconds();
    if (bytes == 0) p->start = now, p->shown = now + 0.2;
    const bool ends = bytes > 0 && bytes == of && line_is_drawn;
    if (bytes == 0 || (ends ? !p->on : !is_due(p))) return;
    format_rate(many, (double)edges);
    format_rate(rate, (double)edges / (now - p->start));
    format_time(left, (now - p->start) * ((double)of / (double)bytes - 1));
    const int used = snprintf(text, sizeof text, "%s: %s edges ", end_of(file), many);
    char *const to = text + used;
    const size_t room = sizeof text - (size_t)used;
    if (ends) snprintf(to, room, "are sorted");
    else if (of > 0)
        snprintf(to, room, "read (%.0f %%), %s edges/s, %s left", 100.0 * (double)bytes / (double)of, rate, left);
    else snprintf(to, room, "read, %s edges/s", rate);
    draw(text);
}

void mass_progress_end(mass_progress *p)
{
    if (p->on) erase_line();
    p->on = false;
}
