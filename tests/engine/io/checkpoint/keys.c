/* SPDX-License-Identifier: Apache-2.0 */
/* Keys in a checkpoint that are not those written, or cannot be any, are refused. */
#include "folder.h"
#include "models.h"
#include "refused.h"
#include "snapshot/snapshot.h"

#include <criterion/criterion.h>

TestSuite(checkpoint, .init = make_folder, .fini = remove_folder);

static void unsorted_keys(hid_t file)
{
    set_values(file, "/tallies/numbers/key", H5T_STD_U64LE, (uint64_t[]){0, 3, 2, 5, 6, 7, 8});
}
static void equal_keys(hid_t file)
{
    set_values(file, "/tallies/numbers/key", H5T_STD_U64LE, (uint64_t[]){0, 3, 3, 5, 6, 7, 8});
}
static void other_counts(hid_t file)
{
    set_values(file, "/tallies/numbers/count", H5T_STD_I64LE, (int64_t[]){1, 2, 3, 4, 5, 6, 8});
}
static void negative_count(hid_t file)
{
    set_values(file, "/tallies/numbers/count", H5T_STD_I64LE, (int64_t[]){-1, 4, 3, 4, 5, 6, 7});
}
static void many_keys_of_a_world(hid_t file)
{
    set_values(file, "/tallies/numbers/distinct", H5T_STD_U64LE, (uint64_t[]){UINT64_MAX});
}
static void ends_that_go_back(hid_t file)
{
    set_values(file, "/tallies/words/end", H5T_STD_U64LE, (uint64_t[]){0, 1, UINT64_MAX, 6, 10, 15, 21});
}
static void ends_beyond(hid_t file)
{
    set_values(file, "/tallies/words/end", H5T_STD_U64LE, (uint64_t[]){0, 1, 3, 6, 10, 15, 1u << 30});
}
static void many_entries(hid_t file) { set_number(file, "/tallies/words", "entries", 1u << 30); }
static void no_text(hid_t file) { H5Ldelete(file, "/tallies/words/text", H5P_DEFAULT); }

Test(checkpoint, of_unsound_keys_is_refused)
{
    static void (*const changes[])(hid_t) = {unsorted_keys, equal_keys, other_counts, negative_count,
                                             many_keys_of_a_world};
    mass_model m = small_keys_model();
    mass_snapshot s = filled(&m, 1, 100);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        assert_change_refused(&s, changes[i], "the keys of tally 'numbers' are not those written");
    assert_change_refused(&s, ends_that_go_back, "the keys of tally 'words' are not those written");
    assert_change_refused(&s, ends_beyond, "the keys of tally 'words' are not those written");
    assert_change_refused(&s, many_entries, "other extents");
    assert_change_refused(&s, no_text, "not whole");
    mass_snapshot_free(&s);
    mass_model_free(&m);
}
