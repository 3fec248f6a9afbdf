/* SPDX-License-Identifier: Apache-2.0 */
#include "plugin/describe.h"
#include "plugin/load.h"
#include "plugin/probe.h"
#include "process/signals.h"
#include "process/subprocess.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Runs in the subprocess. It reports a name, the bytes of the version, the version and the help, with a blank between
 * them. A name contains no blanks. */
int mass_plugin_answer_description(const char *path)
{
    mass_error error = {0};
    mass_loaded loaded;
    const mass_status status = mass_plugin_load(path, &loaded, &error);
    if (status == MASS_OK) {
        char text[MASS_DESCRIPTION_SIZE], version[64];
        snprintf(version, sizeof version, "%s", loaded.entry->version ? loaded.entry->version : "");
        snprintf(text, sizeof text, "%s %zu %s %s", loaded.entry->name, strlen(version), version,
                 loaded.entry->help ? loaded.entry->help : "");
        mass_subprocess_report(status, text);
    } else mass_subprocess_report(status, error.text);
    return status;
}

/* Splits the report of the subprocess. Returns false if it is malformed. */
static bool take_apart(const char *text, mass_plugin_description *out)
{
    char *end;
    const size_t name = strcspn(text, " ");
    if (!text[name] || name >= sizeof out->name) return false;
    const unsigned long version = strtoul(text + name, &end, 10);
    if (*end != ' ' || version >= sizeof out->version || strlen(end) < version + 2) return false;
    snprintf(out->name, sizeof out->name, "%.*s", (int)name, text);
    snprintf(out->version, sizeof out->version, "%.*s", (int)version, end + 1);
    snprintf(out->help, sizeof out->help, "%s", end + 1 + version + 1);
    return true;
}

mass_status mass_plugin_describe(const char *path, mass_plugin_description *out, mass_error *error)
{
    const char *const arguments[] = {"--probe-entry", path, NULL};
    const mass_subprocess_limits limits = {.seconds = MASS_DESCRIBE_SECONDS, .stop = mass_signals_end};
    mass_subprocess_result result;
    mass_subprocess_run(arguments, &limits, &result);
    const mass_status status = mass_probe_judge(&result, path, MASS_DESCRIBE_SECONDS, error);
    if (status != MASS_OK) return status;
    if (result.status != MASS_OK) return mass_error_set(error, MASS_BAD_PLUGIN, "%s", result.text);
    return take_apart(result.text, out) ? MASS_OK
                                        : mass_error_set(error, MASS_BAD_PLUGIN, "it does not describe itself");
}
