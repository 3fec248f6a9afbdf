/* SPDX-License-Identifier: Apache-2.0 */
#include "known.h"
#include "../run.h"
#include "../../extended.h"

#include <criterion/criterion.h>
#include <stdlib.h>

Test(logged, every_step_has_its_row)
{
    for (int i = 0; i < LOGGED_CASES; i += unsanitized(7, 1))
        logged_expect_same(i, text("--device cpu --threads %d --fuse %d --partitions %d", 1 + i % 2,
                                   logged_fuse[i % LOGGED_FUSES], 1 + i % 3));
}

/* A checkpoint, frames and who restores the run stand in the middle of steps that could go together. */
Test(logged, rows_go_on_where_a_run_was_resumed)
{
    const char *folder = folder_make();
    const char *o = "--seed 4 --size 120x90 --log population --log births --device cpu --checkpoint-every 13 --fuse 8";
    engine_write(text("life %s --steps 57 --checkpoint %s --movie %s/movie.gif --movie-every 11", o, folder, folder));
    outcome resumed = engine_run(text("--resume %s --steps 100 --fuse 8", folder));
    outcome_free(&resumed);
    const dataset births = dataset_read(text("%s/series.h5", folder), "/series/births");
    outcome at_once = engine_run("life --seed 4 --size 120x90 --device cpu --steps 100 --fuse 1 --no-bits");
    cr_assert_eq(births.extents[0], 101);
    cr_expect_eq(((double *)births.bytes)[100], (double)tally_of(&at_once, "births"));
    free(births.bytes);
    outcome_free(&at_once);
    folder_empty(folder);
}
