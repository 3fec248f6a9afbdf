/* SPDX-License-Identifier: Apache-2.0 */
#include "base/escape.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ESCAPED = 4 /* bytes of \xNN */ };

size_t mass_utf8_bytes(const char *text, size_t left)
{
    const uint8_t *at = (const uint8_t *)text, first = left ? at[0] : 0xff;
    const size_t bytes =
        first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    if (bytes == 0 || bytes > left) return 0;
    for (size_t i = 1; i < bytes; i++)
        if ((at[i] & 0xc0) != 0x80) return 0;
    const uint8_t least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    const uint8_t most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    return bytes == 1 || (at[1] >= least && at[1] <= most) ? bytes : 0;
}

/* Returns whether a character of three bytes changes the direction of text or separates lines: U+2028 to U+202E, U+2066
 * to U+2069. */
static bool turns_text(const uint8_t *at)
{
    return at[0] == 0xe2 &&
           ((at[1] == 0x80 && at[2] >= 0xa8 && at[2] <= 0xae) || (at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9));
}

/* Returns whether a character of three bytes is none by the standard: U+FFFE and U+FFFF. XML has no such characters. */
static bool is_no_character(const uint8_t *at) { return at[0] == 0xef && at[1] == 0xbf && at[2] >= 0xbe; }

size_t mass_shown_bytes(const char *text, size_t left)
{
    const uint8_t *at = (const uint8_t *)text;
    const size_t bytes = mass_utf8_bytes(text, left);
    if (bytes == 1 && (at[0] < 0x20 || at[0] == 0x7f)) return 0;
    if (bytes == 2 && at[0] == 0xc2 && at[1] < 0xa0) return 0;
    return bytes == 3 && (turns_text(at) || is_no_character(at)) ? 0 : bytes;
}

size_t mass_escape(const char *text, size_t length, char *out, size_t room)
{
    static const char digits[] = "0123456789abcdef";
    size_t used = 0;
    for (size_t i = 0; i < length;) {
        const size_t shown = mass_shown_bytes(text + i, length - i), more = shown ? shown : ESCAPED;
        const uint8_t byte = (uint8_t)text[i];
        if (used + more >= room) break;
        if (shown) memcpy(out + used, text + i, shown);
        else memcpy(out + used, (const char[]){'\\', 'x', digits[byte >> 4], digits[byte & 15]}, ESCAPED);
        used += more;
        i += shown ? shown : 1;
    }
    out[used] = '\0';
    return used;
}

/* Prints text escaped, character by character, which takes no memory. A byte that is no character counts as one. */
static void print_plainly(FILE *to, const char *text, size_t length)
{
    char chunk[ESCAPED + 1];
    for (size_t i = 0, taken; i < length; i += taken) {
        const size_t shown = mass_shown_bytes(text + i, length - i);
        taken = shown ? shown : 1;
        fwrite(chunk, 1, mass_escape(text + i, taken, chunk, sizeof chunk), to);
    }
}

/* Prints a text by its conversion, escaped. Prints "?" in its place if memory is short, except for "%s", which takes no
 * memory. */
static void print_text(FILE *to, const char *conversion, const char *text)
{
    const size_t length = strlen(text), room = 4 * length + 1;
    if (strcmp(conversion, "%s") == 0) {
        print_plainly(to, text, length);
        return;
    }
    char *shown = malloc(room);
    if (shown) mass_escape(text, length, shown, room);
    fprintf(to, conversion, shown ? shown : "?");
    free(shown);
}

/* Prints the next value by a conversion, which begins with '%', and returns what follows the conversion. */
static const char *print_conversion(FILE *to, const char *format, va_list *values)
{
    char conversion[16];
    const size_t length = 2 + strcspn(format + 1, "scduxgf%");
    const bool is_long = length < sizeof conversion && memchr(format, 'l', length) != NULL;
    snprintf(conversion, sizeof conversion, "%.*s", (int)length, format);
    switch (format[length - 1]) {
    case 's': print_text(to, conversion, va_arg(*values, const char *)); break;
    case 'g':
    case 'f': fprintf(to, conversion, va_arg(*values, double)); break;
    case '%': fputc('%', to); break;
    default:
        if (is_long) fprintf(to, conversion, va_arg(*values, long));
        else fprintf(to, conversion, va_arg(*values, int));
    }
    return format + length;
}

void mass_print(FILE *to, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    while (*format) {
        const size_t ours = strcspn(format, "%");
        fwrite(format, 1, ours, to);
        format += ours;
        if (*format) format = print_conversion(to, format, &values);
    }
    va_end(values);
}
