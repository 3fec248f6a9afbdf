/* SPDX-License-Identifier: Apache-2.0 */
#include "plugin/search.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- a temporary tree, with the working directory in it ---- */

static char root[64];

static char *under_root(const char *path)
{
    static char at[4][400];
    static size_t turn;
    char *full = at[turn++ % 4];
    snprintf(full, sizeof at[0], "%s/%s", root, path);
    return full;
}

static void make_folder(const char *path)
{
    char command[500];
    snprintf(command, sizeof command, "mkdir -p '%s'", under_root(path));
    cr_assert_eq(system(command), 0);
}

static void make_file(const char *path)
{
    FILE *file = fopen(under_root(path), "w");
    cr_assert(file, "%s", path);
    fclose(file);
}

static void enter(void)
{
    char made[] = "/tmp/mass-search-XXXXXX";
    char *real = mkdtemp(made) ? realpath(made, NULL) : NULL;
    cr_assert(real && strlen(real) < sizeof root);
    strcpy(root, real);
    free(real);
    make_folder("first");
    make_folder("second");
    make_folder("work");
    make_folder("home/.local/lib/mass/plugins");
    cr_assert_eq(chdir(under_root("work")), 0);
    setenv("HOME", under_root("home"), 1);
    unsetenv("MASS_PLUGIN_PATH");
}

static void leave(void)
{
    char command[500];
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    cr_assert_eq(system(command), 0);
}

static void search_first_and_second(void)
{
    char both[200];
    snprintf(both, sizeof both, "%s/first:%s/second", root, root);
    setenv("MASS_PLUGIN_PATH", both, 1);
}

static void expect_found(const char *name, const char *where)
{
    char path[PATH_MAX] = "";
    mass_error error = {0};
    cr_assert_eq(mass_plugin_find(name, path, &error), MASS_OK, "%s: %s", name, error.text);
    cr_assert_str_eq(path, under_root(where));
    cr_assert(error.status == MASS_OK && error.text[0] == '\0');
}

static void expect_refused(const char *name, const char *words)
{
    char path[PATH_MAX] = "as before";
    mass_error error = {0};
    cr_assert_eq(mass_plugin_find(name, path, &error), MASS_BAD_PLUGIN, "%s", name);
    cr_assert_eq(error.status, MASS_BAD_PLUGIN);
    cr_assert(strstr(error.text, words), "%s: %s", name, error.text);
    cr_assert_str_eq(path, "as before");
}

TestSuite(search, .init = enter, .fini = leave);

/* ---- paths ---- */

Test(search, a_path_is_taken_as_it_is)
{
    make_file("work/life.so");
    make_file("second/other");
    expect_found("./life.so", "work/life.so");
    expect_found(under_root("work/life.so"), "work/life.so");
    expect_found("../second/other", "second/other");
}

Test(search, a_link_is_resolved)
{
    make_file("second/life-1.so");
    cr_assert_eq(symlink("../second/life-1.so", under_root("work/life.so")), 0);
    expect_found("./life.so", "second/life-1.so");
}

Test(search, a_missing_path_is_refused)
{
    search_first_and_second();
    make_file("first/life.so");
    expect_refused("./life.so", "./life.so: No such file or directory");
}

/* ---- names ---- */

Test(search, a_name_is_found_with_and_without_its_ending)
{
    search_first_and_second();
    make_file("second/life.so");
    expect_found("life", "second/life.so");
    expect_found("life.so", "second/life.so");
}

Test(search, another_ending_belongs_to_the_name)
{
    search_first_and_second();
    make_file("first/life.1.so");
    expect_found("life.1", "first/life.1.so");
}

Test(search, the_earlier_folder_decides)
{
    search_first_and_second();
    make_file("second/life.so");
    make_file("home/.local/lib/mass/plugins/life.so");
    expect_found("life", "second/life.so");
    make_file("first/life.so");
    expect_found("life", "first/life.so");
}

Test(search, the_users_own_folder_is_searched)
{
    make_file("home/.local/lib/mass/plugins/life.so");
    expect_found("life", "home/.local/lib/mass/plugins/life.so");
}

Test(search, a_folder_of_the_name_is_no_plugin)
{
    search_first_and_second();
    make_folder("first/life.so");
    make_file("second/life.so");
    expect_found("life", "second/life.so");
}

Test(search, a_relative_folder_is_not_searched)
{
    make_folder("work/plugins");
    make_file("work/plugins/life.so");
    setenv("MASS_PLUGIN_PATH", "plugins:./plugins:~/plugins", 1);
    expect_refused("life", "no plugin life was found");
}

Test(search, an_empty_entry_is_not_the_working_directory)
{
    make_file("work/life.so");
    setenv("MASS_PLUGIN_PATH", "::", 1);
    expect_refused("life", "not searched");
}

Test(search, a_folder_with_a_step_back_is_not_searched)
{
    make_file("first/life.so");
    setenv("MASS_PLUGIN_PATH", under_root("second/../first"), 1);
    expect_refused("life", "no plugin life was found");
    setenv("MASS_PLUGIN_PATH", under_root("first/sub/.."), 1);
    expect_refused("life", "no plugin life was found");
}

Test(search, a_folder_with_dots_in_its_name_is_searched)
{
    make_folder("a..b/...");
    make_file("a..b/.../life.so");
    setenv("MASS_PLUGIN_PATH", under_root("a..b/..."), 1);
    expect_found("life", "a..b/.../life.so");
}

Test(search, an_entry_after_passed_over_ones_is_searched)
{
    char path[300];
    make_file("first/life.so");
    snprintf(path, sizeof path, ":relative:/a/../b:%s/missing:%s/first:", root, root);
    setenv("MASS_PLUGIN_PATH", path, 1);
    expect_found("life", "first/life.so");
}

Test(search, a_relative_home_is_not_searched)
{
    make_folder("work/home/.local/lib/mass/plugins");
    make_file("work/home/.local/lib/mass/plugins/life.so");
    setenv("HOME", "home", 1);
    expect_refused("life", "no plugin life was found");
}

Test(search, a_plugin_in_the_working_directory_is_pointed_at)
{
    search_first_and_second();
    make_file("work/life.so");
    expect_refused("life.so", "life.so is in this folder, which is not searched: "
                              "write ./life.so");
    expect_refused("life", "write ./life.so");
}

Test(search, a_misspelt_name_is_suggested)
{
    search_first_and_second();
    make_file("first/life.so");
    make_file("second/lifeboat.so");
    make_file("second/.hidden.so");
    expect_refused("lfie", "no plugin lfie was found; did you mean life?");
    expect_refused("Life.so", "did you mean life?");
    expect_refused("lifebot", "did you mean lifeboat?");
    expect_refused("hidden", "no plugin hidden was found: give its path");
}

Test(search, names_that_cannot_be_are_refused)
{
    search_first_and_second();
    make_file("first/.hidden.so");
    make_file("first/.so");
    expect_refused("", "empty");
    expect_refused(".", "dot");
    expect_refused("..", "dot");
    expect_refused(".so", "dot");
    expect_refused(".hidden", "dot");
}

Test(search, a_name_longer_than_any_files_is_refused)
{
    char name[NAME_MAX + 2];
    memset(name, 'x', sizeof name);
    name[NAME_MAX - 2] = '\0';
    expect_refused(name, "longer");
    name[NAME_MAX - 3] = '\0';
    expect_refused(name, "no plugin xxx");
}

Test(search, a_missing_plugin_is_refused_with_the_folders_searched)
{
    search_first_and_second();
    char path[PATH_MAX];
    mass_error error = {0};
    cr_assert_eq(mass_plugin_find("lief", path, &error), MASS_BAD_PLUGIN);
    const char *first = strstr(error.text, under_root("first, "));
    const char *second = strstr(error.text, under_root("second, "));
    const char *beside = strstr(error.text, "/lib/mass/plugins, ");
    const char *home = strstr(error.text, under_root("home/.local/lib/mass/plugins, /"));
    cr_assert(first && second && beside && home, "%s", error.text);
    cr_assert(first < second && second < beside && beside < home, "%s", error.text);
    cr_assert(strstr(error.text, "no plugin lief was") && strstr(error.text, "MASS_PLUGIN_PATH"));
}

Test(search, very_long_lists_of_folders_are_survived)
{
    char *list = malloc(300 * 300);
    size_t length = 0;
    for (int i = 0; i < 300; i++)
        length += (size_t)sprintf(list + length, "/missing-%0250d:", i);
    setenv("MASS_PLUGIN_PATH", list, 1);
    free(list);
    expect_refused("life", "no plugin life was found");
}

/* ---- beside the running program ---- */

/* A copy of this test program that is given a name answers with what it finds. */
__attribute__((constructor)) static void answer_as_a_program(void)
{
    const char *name = getenv("MASS_TEST_FIND");
    if (!name) return;
    char path[PATH_MAX] = "";
    mass_error error = {0};
    const mass_status status = mass_plugin_find(name, path, &error);
    puts(status == MASS_OK ? path : error.text);
    fflush(stdout);
    _exit((int)status);
}

static void run_copy(const char *name, char answer[PATH_MAX])
{
    char command[500];
    snprintf(command, sizeof command,
             "cd '%s/program/bin' && cp /proc/%ld/exe engine && MASS_TEST_FIND=%s ./engine", root,
             (long)getpid(), name);
    FILE *output = popen(command, "r");
    cr_assert(output);
    cr_assert(fgets(answer, PATH_MAX, output));
    pclose(output);
    answer[strcspn(answer, "\n")] = '\0';
}

Test(search, the_folder_beside_the_program_is_searched_before_the_users)
{
    char answer[PATH_MAX];
    make_folder("program/bin");
    make_folder("program/lib/mass/plugins");
    make_file("home/.local/lib/mass/plugins/life.so");
    run_copy("life", answer);
    cr_assert_str_eq(answer, under_root("home/.local/lib/mass/plugins/life.so"));
    make_file("program/lib/mass/plugins/life.so");
    run_copy("life", answer);
    cr_assert_str_eq(answer, under_root("program/lib/mass/plugins/life.so"));
}

/* ---- the list ---- */

static char listed[4000];

/* One line a file of the tree; the machine's own plugins are none of our business. */
static void note_file(void *context, const char *path, bool shadowed)
{
    cr_assert_eq(context, root);
    const size_t length = strlen(root);
    if (strncmp(path, root, length) != 0) return;
    strcat(strcat(strcat(listed, path + length), shadowed ? " shadowed" : ""), "\n");
}

static void expect_listed(const char *lines)
{
    mass_error error = {0};
    listed[0] = '\0';
    cr_assert_eq(mass_plugin_list(note_file, root, &error), MASS_OK, "%s", error.text);
    cr_assert_str_eq(listed, lines);
}

Test(search, the_list_is_sorted_and_tells_what_is_shadowed)
{
    search_first_and_second();
    make_file("second/heat.so");
    make_file("second/life.so");
    make_file("first/life.so");
    make_file("first/sugarscape.so");
    make_file("home/.local/lib/mass/plugins/life.so");
    make_file("home/.local/lib/mass/plugins/ants.so");
    expect_listed("/home/.local/lib/mass/plugins/ants.so\n"
                  "/second/heat.so\n"
                  "/first/life.so\n"
                  "/second/life.so shadowed\n"
                  "/home/.local/lib/mass/plugins/life.so shadowed\n"
                  "/first/sugarscape.so\n");
}

Test(search, only_plugins_are_listed)
{
    search_first_and_second();
    make_file("first/readme");
    make_file("first/.so");
    make_file("first/.hidden.so");
    make_file("first/life.so.1");
    make_folder("first/folder.so");
    cr_assert_eq(symlink("nowhere", under_root("first/dangling.so")), 0);
    make_file("work/here.so");
    make_file("first/x.so");
    expect_listed("/first/x.so\n");
}

Test(search, a_folder_named_twice_is_listed_once)
{
    char path[500];
    make_file("first/life.so");
    cr_assert_eq(symlink("first", under_root("alias")), 0);
    snprintf(path, sizeof path, "%s/first:%s/first/:%s//first:%s/alias", root, root, root, root);
    setenv("MASS_PLUGIN_PATH", path, 1);
    expect_listed("/first/life.so\n");
}

Test(search, a_list_of_nothing_is_no_failure)
{
    setenv("MASS_PLUGIN_PATH", under_root("missing"), 1);
    expect_listed("");
}
