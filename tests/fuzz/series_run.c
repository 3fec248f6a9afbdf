/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as what stands beside a text series and says whose that is. Accepted are those alone that a run prints. */
#include "input.h"
#include "io/series/text_owner.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    mass_series_run r;
    char again[MASS_SERIES_RUN_BYTES];
    if (!mass_series_run_parse(bytes, size, &r)) return 0;
    ALWAYS(strlen(r.facts.identity) == 32 && strlen(r.facts.run) == 32 && strlen(r.hash) == 32 && r.size <= INT64_MAX);
    ALWAYS(mass_series_run_print(&r, again) == (int)size && memcmp(again, bytes, size) == 0);
    return 0;
}
