/* SPDX-License-Identifier: Apache-2.0 */
/* Makes text from files, paths, environments and plugins fit to be shown. Each byte of a control character, and each
 * byte that is not part of a UTF-8 character, becomes \xNN. Pure; any thread, also in a signal handler. */
#ifndef MASS_ENGINE_ESCAPE_H
#define MASS_ENGINE_ESCAPE_H

#include <stddef.h>
#include <stdio.h>

/* Returns the bytes of the UTF-8 character at `at`, of which `left` bytes can be read; 0: there is no character. */
size_t mass_utf8_bytes(const char *at, size_t left);

/* Returns the bytes of a character that can be shown as it is. Returns 0 also for controls (C0, DEL, C1), for
 * separators of lines and paragraphs, for characters that change the direction of the text around them, and for U+FFFE
 * and U+FFFF. */
size_t mass_shown_bytes(const char *at, size_t left);

/* Writes `text`, or as much of it as fits, and a zero byte to out[room], room > 0. Returns the bytes before the zero
 * byte. Cuts no character and no escape. Escaping the result again changes nothing. */
size_t mass_escape(const char *text, size_t length, char *out, size_t room);

/* Prints text of one or several lines, as fprintf does. The format is the engine's own; every %s is escaped. Knows %s
 * %c %d %u %x %g %f, also of long, and no '*'. Not for signal handlers. */
void mass_print(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
