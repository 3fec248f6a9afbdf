/* SPDX-License-Identifier: Apache-2.0 */
#include "text/json.h"
#include "base/escape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_whole = true;

void *mass_json_allocate(size_t size)
{
    void *memory = malloc(size);
    is_whole &= memory != NULL;
    return memory;
}

void mass_json_begin(void)
{
    is_whole = true;
    json_set_alloc_funcs(mass_json_allocate, free);
}

bool mass_json_is_whole(void) { return is_whole; }

char *mass_text_escape(const uint8_t *text, uint64_t length, bool terminal)
{
    char *out = mass_json_allocate(4 * length + 1), *to = out;
    for (uint64_t i = 0; out && i < length;) {
        const char *at = (const char *)text + i;
        const uint64_t bytes = terminal ? mass_shown_bytes(at, length - i) : mass_utf8_bytes(at, length - i);
        const bool plain = bytes > 0 && text[i] != 0 && text[i] != '\\';
        if (!plain) to += sprintf(to, "\\x%02x", text[i++]);
        for (uint64_t k = 0; plain && k < bytes; k++) *to++ = (char)text[i++];
    }
    if (out) *to = '\0';
    return out;
}

json_t *mass_text_json(const char *text)
{
    json_t *json = json_string(text);
    if (json) return json;
    char *escaped = mass_text_escape((const uint8_t *)text, strlen(text), false);
    if (escaped) json = json_string(escaped);
    free(escaped);
    return json;
}
