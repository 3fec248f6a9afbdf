/* SPDX-License-Identifier: Apache-2.0 */
/* What may be shown as it is, and what stands for the rest. */
#include "base/escape.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void expect(const char *text, const char *wanted)
{
    char out[256], again[256];
    const size_t used = mass_escape(text, strlen(text), out, sizeof out);
    cr_expect_str_eq(out, wanted);
    cr_expect_eq(used, strlen(wanted));
    mass_escape(out, used, again, sizeof again);
    cr_expect_str_eq(again, wanted, "escaped once more");
}

Test(escape, what_is_shown_stays)
{
    expect("", "");
    expect("life: step 20 (100 %)\\x", "life: step 20 (100 %)\\x");
    expect("\u00b5m \u00e9\u20ac \U0001f41c", "\u00b5m \u00e9\u20ac \U0001f41c");
}

Test(escape, controls)
{
    expect("a\033[2Jb\r\n\tc\x7f", "a\\x1b[2Jb\\x0d\\x0a\\x09c\\x7f");
    expect("\xc2\x9b" "31m", "\\xc2\\x9b31m"); /* CSI */
    expect("\xc2\x80\xc2\x9f\xc2\xa0", "\\xc2\\x80\\xc2\\x9f\xc2\xa0");
}

Test(escape, what_turns_text)
{
    expect("a\u202eb\u2066c\u2069\u2028", "a\\xe2\\x80\\xaeb\\xe2\\x81\\xa6c\\xe2\\x81\\xa9\\xe2\\x80\\xa8");
    expect("\u2027\u202f\u2065\u206a", "\u2027\u202f\u2065\u206a");
}

Test(escape, what_is_no_character)
{
    expect("\xff\xfe", "\\xff\\xfe");
    expect("a\xc3", "a\\xc3");
    expect("\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80", "\\xc0\\xaf\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80");
    expect("\xef\xbf\xbd\xef\xbf\xbe\xef\xbf\xbf", "\xef\xbf\xbd\\xef\\xbf\\xbe\\xef\\xbf\\xbf");
}

/* Whatever goes in, what comes out holds nothing that a terminal acts on, fits, and is cut between characters. */
Test(escape, any_bytes_in_any_room)
{
    uint32_t state = 1;
    for (int trial = 0; trial < 20000; trial++) {
        char text[32], out[64];
        memset(out, 'z', sizeof out);
        for (size_t i = 0; i < sizeof text; i++) {
            state = state * 1664525 + 1013904223;
            const uint8_t any = (uint8_t)(state >> 24);
            text[i] = (char)(trial % 2 ? any : "\xe2\x80\xae\xc2\x9b\033\nab\xf0\x9f"[any % 12]);
        }
        const size_t room = 1 + state % 60, used = mass_escape(text, sizeof text, out, room);
        cr_assert_lt(used, room);
        cr_assert_eq(strlen(out), used);
        cr_assert_eq(out[room], 'z', "beyond its room");
        for (size_t i = 0; i < used;) {
            const size_t bytes = mass_shown_bytes(out + i, used - i);
            cr_assert_gt(bytes, 0, "byte %zu of '%s'", i, out);
            i += bytes;
        }
    }
}

Test(print, newlines_are_those_of_the_format)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    mass_print(to, "%s: %d %u %ld %lu %.3g %5.1f %c 100%%\n[%-6s]\n", "a\nb", -1, 2u, -3L, 4ul, 0.25, 1.5, 'x', "\033");
    fclose(to);
    cr_assert_str_eq(text, "a\\x0ab: -1 2 -3 4 0.25   1.5 x 100%\n[\\x1b  ]\n");
    free(text);
}
