/* SPDX-License-Identifier: Apache-2.0 */
#include "base/file.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/mass-file-XXXXXX";
static char path[64];

static void enter(void)
{
    cr_assert(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/input", folder);
}

static void leave(void)
{
    unlink(path);
    rmdir(folder);
}

static void store(const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    cr_assert(file);
    cr_assert_eq(fwrite(bytes, 1, size, file), size);
    cr_assert_eq(fclose(file), 0);
}

/* Expects a refusal that names the path and says `why`, and no file. */
static void expect_refusal(const char *given, size_t limit, const char *why)
{
    mass_error error = {0};
    mass_file file = {(uint8_t *)&error, 77};
    cr_assert_eq(mass_file_read(given, limit, MASS_BAD_INPUT, &file, &error), MASS_BAD_INPUT);
    cr_assert_eq(error.status, MASS_BAD_INPUT);
    cr_assert(strstr(error.text, given) && strstr(error.text, why), "%s", error.text);
    cr_assert(file.bytes == (uint8_t *)&error && file.size == 77);
}

TestSuite(file, .init = enter, .fini = leave);

Test(file, reads_every_byte)
{
    uint8_t bytes[100003];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(i * i >> 3);
    store(bytes, sizeof bytes);
    mass_error error = {0};
    mass_file file;
    cr_assert_eq(mass_file_read(path, sizeof bytes, MASS_BAD_INPUT, &file, &error), MASS_OK);
    cr_assert_eq(file.size, sizeof bytes);
    cr_assert_arr_eq(file.bytes, bytes, sizeof bytes);
    cr_assert_eq(file.bytes[file.size], 0);
    cr_assert(error.status == MASS_OK && error.text[0] == '\0');
    mass_file_free(&file);
    cr_assert(!file.bytes && file.size == 0);
}

Test(file, reads_an_empty_file)
{
    store("", 0);
    mass_error error = {0};
    mass_file file;
    cr_assert_eq(mass_file_read(path, 0, MASS_BAD_INPUT, &file, &error), MASS_OK);
    cr_assert(file.bytes && file.size == 0 && file.bytes[0] == 0);
    mass_file_free(&file);
}

Test(file, free_may_come_twice)
{
    mass_file file = {0};
    mass_file_free(&file);
    mass_file_free(&file);
    cr_assert(!file.bytes && file.size == 0);
}

Test(file, one_byte_above_the_limit_is_refused)
{
    store("12345", 5);
    expect_refusal(path, 4, "5 bytes");
}

Test(file, a_huge_file_is_refused_by_its_size)
{
    store("", 0);
    cr_assert_eq(truncate(path, (off_t)1 << 40), 0);
    expect_refusal(path, 1 << 20, "1099511627776 bytes, and at most 1048576");
}

Test(file, a_missing_file_is_refused)
{
    expect_refusal(path, 100, strerror(ENOENT));
}

Test(file, a_folder_is_refused)
{
    expect_refusal(folder, 100, "folder");
}

Test(file, a_named_pipe_is_refused_without_waiting, .timeout = 10)
{
    cr_assert_eq(mkfifo(path, 0600), 0);
    expect_refusal(path, 100, "not a regular file");
}

Test(file, an_unreadable_file_is_refused)
{
    store("1", 1);
    cr_assert_eq(chmod(path, 0), 0);
    const uid_t user = geteuid();
    if (user == 0) cr_assert_eq(seteuid(65534), 0); /* root reads every file */
    expect_refusal(path, 100, strerror(EACCES));
    cr_assert_eq(seteuid(user), 0);
}

Test(file, the_caller_says_what_a_failure_means)
{
    mass_error error = {0};
    mass_file file;
    cr_assert_eq(mass_file_read(path, 100, MASS_BAD_PLUGIN, &file, &error), MASS_BAD_PLUGIN);
    cr_assert_eq(error.status, MASS_BAD_PLUGIN);
}

Test(file, no_descriptor_stays_open)
{
    store("1", 1);
    const int before = dup(0);
    close(before);
    mass_error error = {0};
    mass_file file;
    cr_assert_eq(mass_file_read(path, 1, MASS_BAD_INPUT, &file, &error), MASS_OK);
    mass_file_free(&file);
    expect_refusal(path, 0, "1 bytes");
    const int after = dup(0);
    close(after);
    cr_assert_eq(after, before);
}
