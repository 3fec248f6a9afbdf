/* SPDX-License-Identifier: Apache-2.0 */
#include "command/report/report_keys.h"
#include "base/plural.h"
#include "text/json.h"
#include "process/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { TOP_JSON = 100, TOP_LINES = 8, SHOWN_BYTES = 60 };

/* Returns key i, a text, escaped; NULL if memory is short. */
static json_t *text_json(const mass_key_list *l, uint64_t i)
{
    uint64_t length;
    const uint8_t *text = mass_key_list_text(l, i, &length);
    char *escaped = mass_text_escape(text, length, false);
    json_t *json = escaped ? json_string(escaped) : NULL;
    free(escaped);
    return json;
}

/* Returns a number as integer, and above 2^63 - 1 as text of digits. */
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

/* Reports key i and its count. Shortens texts to SHOWN_BYTES. */
static void say_key(const mass_key_list *l, uint64_t i)
{
    uint64_t length;
    if (!l->texts) {
        mass_progress_say("    %" PRIu64 " %" PRId64, l->keys[i], l->counts[i]);
        return;
    }
    const uint8_t *text = mass_key_list_text(l, i, &length);
    const uint64_t shown = length < SHOWN_BYTES ? length : SHOWN_BYTES;
    char *escaped = mass_text_escape(text, shown, true);
    mass_progress_say("    '%s%s' %" PRId64, escaped ? escaped : "?", shown < length ? "..." : "", l->counts[i]);
    free(escaped);
}

void mass_report_say_keys(const mass_tally_def *t, const char *world, const mass_key_list *l)
{
    uint64_t top[TOP_LINES];
    const uint64_t count = mass_key_list_top(l, TOP_LINES, top);
    mass_progress_say("  %s%s %" PRIu64 " key%s, %" PRId64 "%s%s in all%s", t->name, world, l->count,
                      mass_plural(l->count), mass_key_list_total(l), t->unit[0] ? " " : "", t->unit,
                      count ? ", the most of" : "");
    for (uint64_t i = 0; i < count; i++) say_key(l, top[i]);
}
