#include "device/paranoid_stray.h"
#include "device/cpu.h"

#include <inttypes.h>
#include <stdio.h>

const char *mass_describe_numbers(const mass_launch *l, const mass_gidx at[3], char text[NUMBERS_TEXT])
{
    const int axes = l->size[2] > 1 ? 3 : l->size[1] > 1 ? 2 : 1;
    int used = 0;
    for (int a = 0; a < axes; a++)
        used += snprintf(text + used, NUMBERS_TEXT - (size_t)used, "%s%" PRId64, a ? ", " : "(", at[a]);
    snprintf(text + used, NUMBERS_TEXT - (size_t)used, ")");
    return text;
}

mass_status mass_check_stray(const mass_work *work, const mass_stray *stray, mass_error *error)
{
    const mass_launch *l = work->launch;
    char from[NUMBERS_TEXT], offset[NUMBERS_TEXT];
    if (!stray->seen) return MASS_OK;
    return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, step %" PRIu64 ": at place %s of world %" PRId32 " it "
                          "adds to the place %s away, which is farther than %d", work->prepared->callback->name,
                          work->step, mass_describe_numbers(l, stray->from, from), l->first_world + stray->world,
                          mass_describe_numbers(l, stray->offset, offset), l->reach);
}
