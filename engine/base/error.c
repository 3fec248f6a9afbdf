/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"
#include "base/escape.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

mass_status mass_error_set(mass_error *error, mass_status status, const char *format, ...)
{
    if (error->status != MASS_OK) return error->status;
    char text[sizeof error->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    mass_escape(text, strlen(text), error->text, sizeof error->text);
    error->status = status;
    return status;
}

mass_status mass_error_unread(mass_error *error, mass_status status, const char *path, int cause)
{
    const bool lacking = cause == EMFILE || cause == ENFILE || cause == ENOMEM;
    if (error->status != MASS_OK) return error->status;
    error->obstacle = cause;
    return mass_error_set(error, lacking ? MASS_FAILED : status, "cannot read %s: %s", path, strerror(cause));
}

mass_status mass_error_memory(mass_error *error, size_t bytes, const char *what)
{
    char size[32];
    return mass_error_set(error, MASS_NO_DEVICE, "%s needs %s, which the machine does not have free: "
                          "use a smaller space or more devices", what, mass_format_bytes(size, (double)bytes));
}

const char *mass_format_bytes(char buffer[32], double bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    size_t unit = 0;
    while (bytes >= 1024 && unit + 1 < sizeof units / sizeof *units) bytes /= 1024, unit++;
    snprintf(buffer, 32, unit == 0 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
    return buffer;
}
