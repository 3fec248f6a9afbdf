/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the beginning of a file: what they say of a run is of valid form, and nothing if they are nobody's. */
#include "harness.h"
#include "io/folder/ownership.h"

#include <string.h>

static void check_hash(const char text[33])
{
    ALWAYS(!text[0] || (strlen(text) == 32 && mass_is_hex(text, 32)));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    mass_run_facts facts, none = {0};
    char why[300];
    const mass_file_kind kind = mass_bytes_facts(bytes, size, &facts);
    ALWAYS(kind >= MASS_FILE_FOREIGN && kind <= MASS_FILE_INDEX);
    if (kind == MASS_FILE_FOREIGN) ALWAYS(memcmp(&facts, &none, sizeof none) == 0);
    check_hash(facts.identity), check_hash(facts.run), check_hash(facts.plugin_hash);
    ALWAYS(memchr(facts.plugin, 0, sizeof facts.plugin) && memchr(facts.schema, 0, sizeof facts.schema));
    const char *made = mass_bytes_made(bytes, size);
    if (made) ALWAYS((const uint8_t *)made >= bytes && memchr(made, 0, size - (size_t)((const uint8_t *)made - bytes)));
    const mass_ownership self = {.facts = facts}, resumed = {.facts = facts, .resumed = true};
    ALWAYS(mass_ownership_has(&self, &facts, why) && mass_ownership_has(&resumed, &facts, why));
    return 0;
}
