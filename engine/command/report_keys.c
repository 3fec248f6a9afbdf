#include "command/report_keys.h"
#include "run/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { TOP_JSON = 100, TOP_LINES = 8, SHOWN_BYTES = 60 };

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

/* `text` as UTF-8 that ends with a zero byte: bytes that are no character, zero bytes and backslashes, and where
 * it is for a terminal all control characters, are \xNN. NULL without memory. */
static char *escape(const uint8_t *text, uint64_t length, bool terminal)
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

static json_t *text_json(const mass_key_list *l, uint64_t i)
{
    uint64_t length;
    const uint8_t *text = mass_key_list_text(l, i, &length);
    char *escaped = escape(text, length, false);
    json_t *json = escaped ? json_string(escaped) : NULL;
    free(escaped);
    return json;
}

static json_t *number_json(uint64_t key)
{
    char digits[24];
    if (key <= INT64_MAX) return json_integer((json_int_t)key);
    snprintf(digits, sizeof digits, "%" PRIu64, key);
    return json_string(digits);
}

json_t *mass_report_keys_json(const mass_key_list *l)
{
    uint64_t top[TOP_JSON];
    const uint64_t count = mass_key_list_top(l, TOP_JSON, top);
    json_t *list = json_array();
    for (uint64_t i = 0; i < count; i++)
        json_array_append_new(list, json_pack("[o, I]", l->texts ? text_json(l, top[i]) : number_json(l->keys[top[i]]),
                                              (json_int_t)l->counts[top[i]]));
    return json_pack("{s:I, s:I, s:o}", "distinct", (json_int_t)l->count, "total",
                     (json_int_t)mass_key_list_total(l), "top", list);
}

static void say_key(const mass_key_list *l, uint64_t i)
{
    uint64_t length;
    if (!l->texts) {
        mass_progress_say("    %" PRIu64 " %" PRId64, l->keys[i], l->counts[i]);
        return;
    }
    const uint8_t *text = mass_key_list_text(l, i, &length);
    const uint64_t shown = length < SHOWN_BYTES ? length : SHOWN_BYTES;
    char *escaped = escape(text, shown, true);
    mass_progress_say("    '%s%s' %" PRId64, escaped ? escaped : "?", shown < length ? "..." : "", l->counts[i]);
    free(escaped);
}

void mass_report_say_keys(const mass_tally_def *t, const char *world, const mass_key_list *l)
{
    uint64_t top[TOP_LINES];
    const uint64_t count = mass_key_list_top(l, TOP_LINES, top);
    mass_progress_say("  %s%s %" PRIu64 " keys, %" PRId64 "%s%s in all%s", t->name, world, l->count,
                      mass_key_list_total(l), t->unit[0] ? " " : "", t->unit, count ? ", the most of" : "");
    for (uint64_t i = 0; i < count; i++) say_key(l, top[i]);
}
