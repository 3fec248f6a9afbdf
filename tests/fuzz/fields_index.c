/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as an index of fields. The reader refuses them in one line that names the index's line, or gives steps in
 * ascending order. Their texts, between head and tail, make the same index again. */
#include "harness.h"
#include "io/export/format.h"

#include <stdlib.h>
#include <string.h>

static void check_again(const mass_export_index *index, const uint8_t *bytes, size_t size)
{
    char *again = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&again, &length);
    mass_export_index_head(to, &index->facts);
    for (size_t i = 0; i < index->count; i++) {
        const mass_export_entry *e = &index->entries[i];
        ALWAYS(e->start <= size && e->size <= size - e->start);
        ALWAYS(i == 0 || e->step > e[-1].step);
        fwrite(bytes + e->start, 1, e->size, to);
    }
    fputs(mass_export_index_tail, to);
    fclose(to);
    ALWAYS(length == size && memcmp(again, bytes, size) == 0);
    free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    mass_export_index index;
    mass_error error = {0};
    const mass_status status = mass_export_index_parse("f", bytes, size, &index, &error);
    ALWAYS(status == error.status && (status == MASS_OK || status == MASS_BAD_INPUT));
    if (status == MASS_OK) check_again(&index, bytes, size);
    else ALWAYS(strncmp(error.text, "f, line ", 8) == 0);
    free(index.entries);
    return 0;
}
