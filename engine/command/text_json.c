#include "command/text_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How many bytes the UTF-8 character at `at` has, `left` at most; 0: it is none. */
static uint64_t character(const uint8_t *at, uint64_t left)
{
    const uint8_t first = at[0];
    const uint64_t bytes =
        first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    if (bytes == 0 || bytes > left) return 0;
    for (uint64_t i = 1; i < bytes; i++)
        if ((at[i] & 0xc0) != 0x80) return 0;
    const uint8_t least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    const uint8_t most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    return bytes == 1 || (at[1] >= least && at[1] <= most) ? bytes : 0;
}

char *mass_text_escape(const uint8_t *text, uint64_t length, bool terminal)
{
    char *out = malloc(4 * length + 1), *to = out;
    for (uint64_t i = 0; out && i < length;) {
        const uint64_t bytes = character(text + i, length - i);
        const bool control = text[i] < 0x20 || text[i] == 0x7f || (bytes == 2 && text[i] == 0xc2 && text[i + 1] < 0xa0);
        const bool plain = bytes > 0 && text[i] != 0 && text[i] != '\\' && !(terminal && control);
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
