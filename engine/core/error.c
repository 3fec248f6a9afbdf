#include "core/error.h"

#include <stdarg.h>
#include <stdio.h>

static void keep_to_one_line(char *text)
{
    for (unsigned char *c = (unsigned char *)text; *c; c++) {
        if (*c == '\n' || *c == '\r' || *c == '\t') *c = ' ';
        else if (*c < 0x20 || *c == 0x7f) *c = '?';
    }
}

mass_status mass_error_set(mass_error *error, mass_status status, const char *format, ...)
{
    if (error->status != MASS_OK) return error->status;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    keep_to_one_line(error->text);
    error->status = status;
    return status;
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
