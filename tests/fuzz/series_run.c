/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as what stands beside a text series and says whose that is. Accepted are those alone that a run prints. */
#include "input.h"
#include "io/series/text_owner.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static char text[MASS_SERIES_RUN_BYTES], again[MASS_SERIES_RUN_BYTES];
    char why[MASS_WHY_ANOTHER];
    mass_series_run r;
    if (size >= sizeof text) return 0;
    if (size > 0) memcpy(text, bytes, size);
    text[size] = '\0';
    if (!mass_series_run_parse(text, &r)) return 0;
    ALWAYS(strlen(r.facts.identity) == 32 && strlen(r.facts.run) == 32 && strlen(r.hash) == 32 && r.size <= INT64_MAX);
    ALWAYS(mass_series_run_print(&r, again) == (int)strlen(text) && strcmp(again, text) == 0);
    if (!r.made) return 0;
    why[0] = '\0';
    if (mass_made_tell_apart(r.made, strlen(r.made), "plugin - life\nparameter a 1\n", why) == MASS_MADE_DIFFERS)
        ALWAYS(why[0] != '\0' && memchr(why, 0, sizeof why));
    return 0;
}
