/* SPDX-License-Identifier: Apache-2.0 */
/* Files of patterns: which are read, and the sentence that every other gets. */
#include "reading.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[40], path[50];

static void make_folder(void)
{
    strcpy(folder, "/tmp/life-pattern-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/x", folder);
}

static void remove_folder(void)
{
    unlink(path);
    rmdir(folder);
}

TestSuite(life_pattern_file, .init = make_folder, .fini = remove_folder);

/* Bytes that tell where they stand. */
static void write_bytes(int count)
{
    FILE *file = fopen(path, "wb");
    cr_assert_not_null(file);
    for (int i = 0; i < count; i++) fputc(i % 251, file);
    cr_assert_eq(fclose(file), 0);
}

static void expect_bytes(size_t count)
{
    read_result r = read_file(path);
    cr_assert_eq(r.status, MASS_OK, "%s", r.message);
    cr_assert_eq(r.size, count);
    for (size_t i = 0; i < count; i++) cr_assert_eq(r.bytes[i], i % 251);
    free(r.bytes);
}

static void expect_unreadable(const char *file, const char *saying)
{
    read_result r = read_file(file);
    cr_expect_eq(r.status, MASS_BAD_INPUT, "%s", file);
    cr_expect_null(r.bytes);
    cr_expect_str_eq(r.message, saying);
}

Test(life_pattern_file, all_bytes_are_read)
{
    write_bytes(100000);
    expect_bytes(100000);
}

Test(life_pattern_file, an_empty_file_is_no_error)
{
    write_bytes(0);
    expect_bytes(0);
}

Test(life_pattern_file, a_missing_file_is_refused)
{
    expect_unreadable("/nowhere/glider.rle", "cannot be read: No such file or directory");
}

Test(life_pattern_file, a_folder_is_refused) { expect_unreadable("/tmp", "is a folder, not a file"); }

Test(life_pattern_file, a_pipe_is_refused_without_waiting, .timeout = 10)
{
    cr_assert_eq(mkfifo(path, 0600), 0);
    expect_unreadable(path, "is not a regular file");
}

Test(life_pattern_file, a_file_beyond_1_gib_is_refused)
{
    write_bytes(0);
    cr_assert_eq(truncate(path, ((off_t)1 << 30) + 1), 0);
    expect_unreadable(path, "is larger than 1 GiB");
}
