/* SPDX-License-Identifier: Apache-2.0 */
/* Makes text that need not be UTF-8, such as paths, fit where only UTF-8 is allowed. */
#ifndef MASS_ENGINE_TEXT_JSON_H
#define MASS_ENGINE_TEXT_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* jansson drops values that it cannot allocate. After mass_json_begin, jansson and mass_text_escape allocate through
 * mass_json_allocate, which uses malloc. mass_json_is_whole returns false if an allocation has failed since then. Main
 * thread. */
void mass_json_begin(void);
void *mass_json_allocate(size_t size);
bool mass_json_is_whole(void);

/* Returns `text` as UTF-8 that ends with a zero byte. Invalid bytes, zero bytes and backslashes become \xNN. If
 * `terminal`, so does everything that a terminal would act on (base/escape.h). The caller frees it. NULL: out of
 * memory. */
char *mass_text_escape(const uint8_t *text, uint64_t length, bool terminal);

/* Returns a JSON string of the text, escaped by mass_text_escape if it is not UTF-8. NULL: out of memory. */
json_t *mass_text_json(const char *text);

#endif
