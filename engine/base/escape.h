/* SPDX-License-Identifier: Apache-2.0 */
/* Text that need not be ours, as it stands in files, paths, environments and plugins, made fit to be shown: what a
 * terminal would act on, and what is no character, becomes \xNN, byte by byte. Pure; any thread, also in a signal
 * handler. */
#ifndef MASS_ENGINE_ESCAPE_H
#define MASS_ENGINE_ESCAPE_H

#include <stddef.h>
#include <stdio.h>

/* Bytes of the UTF-8 character at `at`, which has `left` bytes; 0: there is none. */
size_t mass_utf8_bytes(const char *at, size_t left);

/* The same of a character that only shows itself; 0 also of controls (C0, DEL, C1), of what separates lines and
 * paragraphs, and of what turns the direction of the text around it. */
size_t mass_shown_bytes(const char *at, size_t left);

/* Writes `text`, or as much of it as fits, and a zero byte to out[room], room > 0, and returns how many bytes stand
 * before that. No character and no escape is cut. Escaping once more changes nothing. */
size_t mass_escape(const char *text, size_t length, char *out, size_t room);

/* As fprintf, for text of several lines: the format is ours, and every %s is escaped. Knows %s %c %d %u %x %g %f, also
 * of long, and no '*'. Not in a signal handler. */
void mass_print(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
