/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that need not be UTF-8, as paths and words of files, where only UTF-8 may stand. */
#ifndef MASS_ENGINE_TEXT_JSON_H
#define MASS_ENGINE_TEXT_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* jansson leaves out what it has no memory for. From mass_json_begin on its memory, and that of mass_text_escape, comes
 * from mass_json_allocate, by malloc; mass_json_is_whole says whether there was always some. Main thread. */
void mass_json_begin(void);
void *mass_json_allocate(size_t size);
bool mass_json_is_whole(void);

/* `text` as UTF-8 that ends with a zero byte: bytes that are no character, zero bytes and backslashes, and where
 * it is for a terminal all that it would act on (base/escape.h), are \xNN. The caller frees it; NULL without memory. */
char *mass_text_escape(const uint8_t *text, uint64_t length, bool terminal);

/* A text as it is, or if it is no UTF-8, so escaped. NULL without memory. */
json_t *mass_text_json(const char *text);

#endif
