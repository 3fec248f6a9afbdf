/* SPDX-License-Identifier: Apache-2.0 */
#include "drawn_file.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char folder[64], path[128];

void make_folder(const char *name)
{
    strcpy(folder, "/tmp/mass-drawn-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/%s", folder, name);
}

void remove_folder(void)
{
    DIR *entries = opendir(folder);
    for (const struct dirent *e; entries && (e = readdir(entries));) {
        unlinkat(dirfd(entries), e->d_name, 0);
        unlinkat(dirfd(entries), e->d_name, AT_REMOVEDIR);
    }
    if (entries) closedir(entries);
    rmdir(folder);
}

int entries_in(const char *name, int *hidden)
{
    int count = -2, dots = -2; /* "." and ".." */
    DIR *entries = opendir(name);
    cr_assert_not_null(entries);
    for (const struct dirent *e; (e = readdir(entries)); count++) dots += e->d_name[0] == '.';
    closedir(entries);
    if (hidden) *hidden = dots;
    return count;
}

void write_former(void)
{
    FILE *stream = fopen(path, "w");
    cr_assert_not_null(stream);
    cr_assert_geq(fputs("a former one", stream), 0);
    cr_assert_eq(fclose(stream), 0);
}

void expect_former(void)
{
    char read[64] = "";
    FILE *stream = fopen(path, "r");
    cr_assert_not_null(stream);
    cr_assert_not_null(fgets(read, sizeof read, stream));
    fclose(stream);
    cr_assert_str_eq(read, "a former one");
}

mass_raster noise(int32_t width, int32_t height)
{
    mass_raster raster = {.width = width, .height = height, .index = malloc((size_t)width * (size_t)height)};
    cr_assert_not_null(raster.index);
    srand((unsigned)width);
    for (int32_t i = 0; i < width * height; i++) raster.index[i] = (uint8_t)(rand() >> 7);
    return raster;
}

void fill_disk_after(rlim_t size)
{
    struct rlimit limit = {size, size};
    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

void become_nobody(void)
{
    if (geteuid() == 0) cr_assert_eq(seteuid(65534), 0);
}
