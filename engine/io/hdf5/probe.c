/* SPDX-License-Identifier: Apache-2.0 */
#include "io/hdf5/probe.h"

#include "io/hdf5/library.h"
#include "process/confine.h"
#include "process/sanitized.h"
#include "process/signals.h"
#include "process/subprocess.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/* Reading takes a few MiB for any file of this program. For other files the library unpacks whole chunks. */
static const size_t memory_for_ours = (size_t)2 << 30, memory_for_foreign = (size_t)4 << 30;

/* Returns the seconds that reading a file may take. Slow disks read 10 MB/s. Processors are much faster: a small file
 * that keeps one busy for longer never ends. */
double mass_hdf5_patience(uint64_t bytes) { return 60 + (double)bytes / 10e6; }

/* An object takes some 500 bytes. The library compares a name with all names of its group, so the time grows with the
 * square of their number: 5,000 attributes take 3 seconds, and get 13 more. */
enum { OBJECT_BYTES = 500, OBJECTS_MOST = 24000, OBJECTS_FEW = 1000 };

/* Returns how many objects a file of this size can hold at most, up to OBJECTS_MOST. */
static double objects_in(uint64_t bytes)
{
    const uint64_t objects = bytes / OBJECT_BYTES;
    return objects < OBJECTS_MOST ? (double)objects : OBJECTS_MOST;
}

/* Returns the seconds that looking up so many objects may take: it grows with their square. */
static double seconds_for_objects(uint64_t bytes) { return 5e-7 * objects_in(bytes) * objects_in(bytes); }

/* Returns the seconds after which a subprocess that checks this file counts as hung. */
static double seconds_for(const mass_hdf5_source *s)
{
    return mass_hdf5_patience(s->size) + seconds_for_objects(s->size);
}

unsigned mass_hdf5_processor_patience(uint64_t bytes)
{
    return 10 + (unsigned)(bytes / 10000000) + (unsigned)seconds_for_objects(bytes);
}

/* Returns the processor seconds that a subprocess may use to check this file. */
static unsigned processor_seconds_for(const mass_hdf5_source *s) { return mass_hdf5_processor_patience(s->size); }

/* Returns true if this process, and so its children, may use less processor time. */
static bool is_limited(unsigned seconds)
{
    struct rlimit time;
    return getrlimit(RLIMIT_CPU, &time) == 0 && time.rlim_cur < seconds;
}

/* Added to a reported status: the file is undamaged, but packed by a filter that is not accepted. */
enum { BY_FILTER = 64 };

static const char reading[] = "reading"; /* reported as the current work before the file is opened */

/* Turns the result of the subprocess into a status and an error about the file. */
static mass_status judge(const mass_subprocess_result *r, const mass_hdf5_source *s, const char *remedy,
                         mass_error *error)
{
    switch (r->outcome) {
    case MASS_SUBPROCESS_FINISHED:
        if ((int)r->status == (int)MASS_BAD_INPUT + BY_FILTER) {
            error->obstacle = ENOTSUP;
            return mass_error_set(error, MASS_BAD_INPUT, "%s", r->text);
        }
        return r->status == MASS_OK ? MASS_OK : mass_error_set(error, r->status, "%s", r->text);
    case MASS_SUBPROCESS_STOPPED: return mass_signals_check(error);
    case MASS_SUBPROCESS_CRASHED:
        if (r->number == SIGXCPU && is_limited(processor_seconds_for(s)))
            return mass_error_set(error, MASS_FAILED, "%s cannot be checked: processor time is limited (ulimit -t)",
                                  s->path);
        if (r->number != SIGKILL && strcmp(r->where, reading) != 0)
            return mass_error_set(error, MASS_FAILED, "%s cannot be checked: the process that reads it crashed before "
                                  "it began (%s), as happens if memory is short", s->path, strsignal(r->number));
        if (r->number == SIGXCPU && objects_in(s->size) >= OBJECTS_FEW)
            return mass_error_set(error, MASS_FAILED, "%s cannot be checked in time: reading it has taken %u seconds "
                                  "of a processor: it may well be whole: try again on a faster machine", s->path,
                                  processor_seconds_for(s));
        if (r->number == SIGXCPU)
            return mass_error_set(error, MASS_BAD_INPUT, "%s is damaged: reading it keeps the HDF5 library busy "
                                  "without an end: %s", s->path, remedy);
        if (r->number != SIGKILL)
            return mass_error_set(error, MASS_BAD_INPUT, "%s is damaged: reading it crashes the HDF5 library (%s): %s",
                                  s->path, strsignal(r->number), remedy);
        return mass_error_set(error, MASS_FAILED, "%s cannot be checked: the process that reads it was killed, as "
                              "happens if memory is short", s->path);
    case MASS_SUBPROCESS_HUNG:
        return mass_error_set(error, MASS_FAILED, "%s cannot be checked in time: reading it has not ended within "
                              "%.0f seconds", s->path, seconds_for(s));
    case MASS_SUBPROCESS_EXITED:
        return mass_error_set(error, MASS_FAILED, "%s cannot be checked: the process that reads it ended with exit "
                              "status %d, as happens if memory is limited", s->path, r->number);
    case MASS_SUBPROCESS_NOT_STARTED: break;
    }
    return mass_error_set(error, MASS_FAILED, "%s cannot be checked: %s", s->path, r->text);
}

/* Returns true if the library crashed while it read the file. It also crashes if an allocation fails, but not in a
 * second run. */
static bool has_crashed(const mass_subprocess_result *r)
{
    return r->outcome == MASS_SUBPROCESS_CRASHED && r->number != SIGKILL && r->number != SIGXCPU &&
           strcmp(r->where, reading) == 0;
}

mass_status mass_hdf5_probe(const char *option, const char *argument, const mass_hdf5_source *s, const char *remedy,
                            mass_error *error)
{
    const char *const arguments[] = {option, argument, NULL};
    const mass_subprocess_limits limits = {
        .seconds = seconds_for(s), .processor_seconds = processor_seconds_for(s),
        .memory_bytes = s->origin == MASS_HDF5_OURS ? memory_for_ours : memory_for_foreign,
        .stop = mass_signals_end, .file = s->file};
    mass_subprocess_result result;
    mass_subprocess_run(arguments, &limits, &result);
    if (has_crashed(&result)) mass_subprocess_run(arguments, &limits, &result);
    return judge(&result, s, remedy, error);
}

/* A crash after a failed allocation, or before the file is read, is not the file's fault. The handler then reports a
 * lack of memory. */
static char no_memory[300];
static volatile sig_atomic_t is_reading;

/* Handles a crash in the subprocess: reports it as lack of memory unless reading caused it, then dies of the signal. */
static void answer_crash(int number)
{
    if (errno == ENOMEM || !is_reading) mass_subprocess_report(MASS_NO_DEVICE, no_memory);
    signal(number, SIG_DFL);
    raise(number);
}

/* Installs the handler, and prepares its message. */
static void await_crash(const char *path)
{
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGXCPU};
    snprintf(no_memory, sizeof no_memory, "%.200s cannot be checked: there is not the memory to read it", path);
    for (size_t i = 0; !MASS_SANITIZED && i < sizeof crashes / sizeof *crashes; i++) signal(crashes[i], answer_crash);
}

int mass_hdf5_answer_probe(const char *path, mass_hdf5_origin origin, const char *argument, mass_hdf5_reading *read)
{
    mass_error error = {0};
    mass_hdf5_source s;
    await_crash(path);
    mass_confine();
    mass_hdf5_start();
    if (mass_hdf5_start_failed()) {
        mass_subprocess_report(MASS_NO_DEVICE, no_memory);
        return (int)MASS_NO_DEVICE;
    }
    is_reading = 1;
    mass_subprocess_where(reading);
    mass_status status = mass_hdf5_adopt(MASS_SUBPROCESS_FILE, path, origin, NULL, &s, &error);
    if (status == MASS_OK) status = read(&s, argument, &error);
    int reported = (int)status;
    if (error.obstacle == ENOTSUP && status == MASS_BAD_INPUT) reported += BY_FILTER;
    else if (error.obstacle && status == MASS_BAD_INPUT) reported = (int)MASS_FAILED; /* a report has no obstacle */
    mass_subprocess_report((mass_status)reported, error.text);
    return (int)status;
}
