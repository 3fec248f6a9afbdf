/* Verifying a checkpoint where a crash of HDF5 does no harm. */
#include "core/child.h"
#include "io/checkpoint.h"
#include "run/signals.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static mass_child_limits limits_for(const char *path)
{
    struct stat facts;
    const double bytes = stat(path, &facts) == 0 ? (double)facts.st_size : 0;
    return (mass_child_limits){.seconds = 60 + bytes / 50e6, .memory_bytes = (size_t)2 << 30,
                               .stop = mass_signals_end};
}

mass_status mass_checkpoint_probe(const char *path, mass_error *error)
{
    const char *const arguments[] = {"--probe-checkpoint", path, NULL};
    const mass_child_limits limits = limits_for(path);
    mass_child_result result;
    mass_child_run(arguments, &limits, &result);
    switch (result.outcome) {
    case MASS_CHILD_FINISHED:
        if (result.status == MASS_OK) return MASS_OK;
        return mass_error_set(error, result.status, "%s", result.text);
    case MASS_CHILD_CRASHED:
        return mass_error_set(error, MASS_BAD_INPUT,
                              "%s is damaged: reading it crashes the HDF5 library (%s): "
                              "take an older checkpoint",
                              path, strsignal(result.number));
    case MASS_CHILD_HUNG:
        return mass_error_set(error, MASS_BAD_INPUT,
                              "%s is damaged: reading it did not end in %.0f seconds: take "
                              "an older checkpoint",
                              path, limits.seconds);
    case MASS_CHILD_EXITED:
        return mass_error_set(error, MASS_BAD_INPUT,
                              "%s is damaged: reading it ended with exit status %d: take "
                              "an older checkpoint",
                              path, result.number);
    case MASS_CHILD_STOPPED: return mass_signals_check(error);
    default: return mass_error_set(error, MASS_FAILED, "cannot check %s: %s", path, result.text);
    }
}

int mass_checkpoint_answer_probe(const char *path)
{
    mass_error error = {0};
    const mass_status status = mass_checkpoint_verify(path, &error);
    mass_child_report(status, error.text);
    return (int)status;
}
