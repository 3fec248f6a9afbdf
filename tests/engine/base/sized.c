/* SPDX-License-Identifier: Apache-2.0 */
/* Structs of other sizes than the engine's. */
#include "base/sized.h"
#include "../expect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct thing {
    uint32_t struct_size, number;
    const char *name;
    int64_t later;
} thing;
static const mass_sized sized = {"thing", sizeof(thing), MASS_THROUGH(thing, name)};

/* A struct of so many bytes, each of which is `fill` behind those of a thing, in memory of just that size. */
static mass_status take(thing *own, uint32_t size, int fill, mass_error *error)
{
    const thing known = {size, 7, "n", 9};
    unsigned char *theirs = malloc(size + 1);
    memset(theirs, fill, size);
    memcpy(theirs, &known, size < sizeof known ? size : sizeof known);
    memset(own, 0xa5, sizeof *own);
    const mass_status status = mass_sized_take(&sized, own, theirs, size, error);
    free(theirs);
    return status;
}

Test(sized, what_both_know_is_taken)
{
    for (uint32_t size = 16; size <= 64; size += 8) {
        thing own;
        EXPECT_OK(take(&own, size, 0, e));
        cr_expect(own.struct_size == size && own.number == 7 && strcmp(own.name, "n") == 0);
        cr_expect_eq(own.later, size < sizeof own ? 0 : 9);
    }
}

Test(sized, sizes_that_no_struct_has_are_refused)
{
    static const uint32_t sizes[] = {0, 4, 8, 15, 17, 20, 23, 25, 4104};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        thing own;
        char text[100];
        snprintf(text, sizeof text, "a thing is declared with a struct_size of %u instead of 24", sizes[i]);
        EXPECT_REFUSAL(take(&own, sizes[i], 0, e), MASS_BAD_PLUGIN, text);
    }
    thing own;
    EXPECT_REFUSAL(mass_sized_take(&sized, &own, NULL, 24, e), MASS_BAD_PLUGIN,
                   "a thing is declared with a struct_size of 0 instead of 24");
    EXPECT_REFUSAL(mass_sized_take(&sized, &own, &own, UINT32_MAX - 7, e), MASS_BAD_PLUGIN,
                   "a thing is declared with a struct_size of 4294967288 instead of 24");
}

Test(sized, what_nobody_would_carry_out_is_refused)
{
    thing own;
    EXPECT_REFUSAL(take(&own, 32, 1, e), MASS_BAD_PLUGIN, "a thing is declared with more than this engine knows: build "
                   "the plugin with this engine's SDK, or use a newer engine");
}

Test(sized, arrays_are_walked_in_their_writer_s_steps)
{
    static const int64_t theirs[3][4] = {{24 | 1ll << 32, 0, 5}, {24 | 2ll << 32, 0, 6}, {24 | 3ll << 32, 0, 7}};
    thing own[3];
    EXPECT_OK(mass_sized_take_all(&sized, own, theirs, sizeof theirs[0], 3, e));
    for (int i = 0; i < 3; i++) cr_expect(own[i].number == (uint32_t)i + 1 && own[i].later == 5 + i);
    EXPECT_OK(mass_sized_take_all(&sized, own, theirs, 16, 3, e));
    cr_expect(own[0].number == 1 && own[0].later == 0 && own[2].number == 2);
}
