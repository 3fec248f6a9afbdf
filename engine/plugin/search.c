/* SPDX-License-Identifier: Apache-2.0 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "plugin/search.h"
#include "process/program.h"
#include "text/spelling.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef MASS_INSTALL_PLUGINS
#define MASS_INSTALL_PLUGINS "/usr/local/lib/mass/plugins"
#endif

#define SUFFIX ".so"

/* The folders to search, in order and without duplicates. */
typedef struct folder_list {
    char **at;
    size_t count;
} folder_list;

typedef struct found_file {
    char *path;
    const char *name; /* in path */
    size_t folder;    /* index of its folder */
} found_file;

typedef struct found_list {
    found_file *at;
    size_t count;
} found_list;

/* Joins a folder and a name. Returns false if the path is too long. */
static bool join(char path[PATH_MAX], const char *folder, const char *name)
{
    const int length = snprintf(path, PATH_MAX, "%s/%s", folder, name);
    return length > 0 && length < PATH_MAX;
}

/* Returns true if the path is of a regular file. Follows links. */
static bool is_file(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISREG(facts.st_mode);
}

/* Returns whether a name ends in ".so", with something before, and is not hidden. */
static bool is_plugin_name(const char *name)
{
    const size_t length = strlen(name), suffix = strlen(SUFFIX);
    return name[0] != '.' && length > suffix && strcmp(name + length - suffix, SUFFIX) == 0;
}

/* Returns whether a folder is absolute and contains no "..". */
static bool is_fixed(const char *folder)
{
    for (const char *step = folder; (step = strstr(step, "/..")); step += 3)
        if (step[3] == '/' || step[3] == '\0') return false;
    return folder[0] == '/';
}

/* ---- the folders ---- */

/* Returns true if a folder is in the list, as the same text. */
static bool contains(const folder_list *folders, const char *folder)
{
    for (size_t i = 0; i < folders->count; i++)
        if (strcmp(folders->at[i], folder) == 0) return true;
    return false;
}

/* Appends a folder and takes ownership of it, also on failure. NULL: memory is short. */
static mass_status append_folder(folder_list *folders, char *folder, mass_error *error)
{
    const size_t bytes = (folders->count + 1) * sizeof *folders->at;
    char **at = folder ? realloc(folders->at, bytes) : NULL;
    if (!at) {
        free(folder);
        return mass_error_memory(error, bytes, "the list of plugin folders");
    }
    folders->at = at;
    folders->at[folders->count++] = folder;
    return MASS_OK;
}

/* Adds a folder, without links if it exists, unless it is in the list already. */
static mass_status add_folder(folder_list *folders, const char *folder, mass_error *error)
{
    char *real = realpath(folder, NULL);
    if (!real) real = strdup(folder);
    if (real && contains(folders, real)) {
        free(real);
        return MASS_OK;
    }
    return append_folder(folders, real, error);
}

/* Adds the folders of MASS_PLUGIN_PATH, except those that are not absolute or have a "..". Ignores it in a program with
 * raised rights. */
static mass_status add_environment(folder_list *folders, mass_error *error)
{
    const char *value = secure_getenv("MASS_PLUGIN_PATH");
    if (!value) return MASS_OK;
    char *entries = strdup(value), *rest = NULL;
    if (!entries) return mass_error_memory(error, strlen(value) + 1, "MASS_PLUGIN_PATH");
    mass_status status = MASS_OK;
    for (char *entry = strtok_r(entries, ":", &rest); entry && status == MASS_OK;
         entry = strtok_r(NULL, ":", &rest))
        if (is_fixed(entry)) status = add_folder(folders, entry, error);
    free(entries);
    return status;
}

/* Cuts a path at its last '/'. */
static void cut_last_step(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash) *slash = '\0';
}

/* Adds ../lib/mass/plugins as seen from the program's folder, if the program's path is known. */
static mass_status add_beside_program(folder_list *folders, mass_error *error)
{
    char program[PATH_MAX], folder[PATH_MAX];
    if (!mass_program_path(program)) return MASS_OK;
    cut_last_step(program);
    cut_last_step(program);
    return join(folder, program, "lib/mass/plugins") ? add_folder(folders, folder, error) : MASS_OK;
}

/* Adds ~/.local/lib/mass/plugins, if HOME is an absolute path without "..". */
static mass_status add_home(folder_list *folders, mass_error *error)
{
    char folder[PATH_MAX];
    const char *home = secure_getenv("HOME");
    if (!home || !is_fixed(home) || !join(folder, home, ".local/lib/mass/plugins")) return MASS_OK;
    return add_folder(folders, folder, error);
}

/* Lists the folders in the order of search: environment, next to the program, home, installation. */
static mass_status list_folders(folder_list *folders, mass_error *error)
{
    mass_status status = add_environment(folders, error);
    if (status == MASS_OK) status = add_beside_program(folders, error);
    if (status == MASS_OK) status = add_home(folders, error);
    if (status == MASS_OK) status = add_folder(folders, MASS_INSTALL_PLUGINS, error);
    return status;
}

/* Frees the members of *folders, not *folders. */
static void free_folders(folder_list *folders)
{
    for (size_t i = 0; i < folders->count; i++) free(folders->at[i]);
    free(folders->at);
}

/* ---- the files in them ---- */

/* Appends a copy of a path to the list. On failure the list has no more files. */
static mass_status append_file(found_list *files, const char *path, size_t folder,
                               mass_error *error)
{
    const size_t bytes = (files->count + 1) * sizeof *files->at;
    found_file *at = realloc(files->at, bytes);
    if (at) files->at = at;
    char *copy = at ? strdup(path) : NULL;
    if (!copy) return mass_error_memory(error, bytes, "the list of plugins");
    at[files->count++] = (found_file){copy, strrchr(copy, '/') + 1, folder};
    return MASS_OK;
}

/* Adds all plugin files of a folder, in any order. Skips a folder that cannot be read, and paths that are too long. */
static mass_status add_files(found_list *files, const folder_list *folders, size_t folder,
                             mass_error *error)
{
    DIR *entries = opendir(folders->at[folder]);
    if (!entries) return MASS_OK;
    char path[PATH_MAX];
    mass_status status = MASS_OK;
    for (struct dirent *entry; status == MASS_OK && (entry = readdir(entries));)
        if (is_plugin_name(entry->d_name) && join(path, folders->at[folder], entry->d_name) &&
            is_file(path))
            status = append_file(files, path, folder, error);
    closedir(entries);
    return status;
}

/* Frees the members of *files, not *files. */
static void free_files(found_list *files)
{
    for (size_t i = 0; i < files->count; i++) free(files->at[i].path);
    free(files->at);
}

/* ---- one plugin ---- */

/* Resolves a path to an absolute one without links. Reports one that does not exist. */
static mass_status resolve(const char *given, char path[PATH_MAX], mass_error *error)
{
    char real[PATH_MAX];
    if (!realpath(given, real))
        return mass_error_set(error, MASS_BAD_PLUGIN, "cannot find the plugin %s: %s", given,
                              strerror(errno));
    strcpy(path, real);
    return MASS_OK;
}

/* Makes the file name of a plugin's name: adds ".so" if it lacks that. Refuses empty, hidden and too long names. */
static mass_status name_file(const char *name, char file[NAME_MAX + 1], mass_error *error)
{
    if (name[0] == '\0')
        return mass_error_set(error, MASS_BAD_PLUGIN,
                              "the plugin's name is empty: give a name such as life, or a path");
    if (name[0] == '.')
        return mass_error_set(error, MASS_BAD_PLUGIN, "a plugin's name cannot begin with a dot, as "
                              "%s does: give a name such as life, or a path with a /", name);
    const char *suffix = is_plugin_name(name) ? "" : SUFFIX;
    if (snprintf(file, NAME_MAX + 1, "%s%s", name, suffix) > NAME_MAX)
        return mass_error_set(error, MASS_BAD_PLUGIN, "the plugin's name %.40s... is longer than "
                              "a file's name can be: give a shorter one, or a path", name);
    return MASS_OK;
}

/* Finds a file in the first folder that has it, and resolves links. Returns false if none has. */
static bool find_in(const folder_list *folders, const char *file, char path[PATH_MAX])
{
    char candidate[PATH_MAX], real[PATH_MAX];
    for (size_t i = 0; i < folders->count; i++)
        if (join(candidate, folders->at[i], file) && is_file(candidate) &&
            realpath(candidate, real)) {
            strcpy(path, real);
            return true;
        }
    return false;
}

/* Writes the plugin name, without its suffix, that is most similar to a missing file's. Leaves `near` as it is if none
 * is similar. */
static mass_status find_near(const folder_list *folders, const char *file, char near[NAME_MAX + 1], mass_error *error)
{
    found_list files = {0};
    mass_status status = MASS_OK;
    char name[NAME_MAX + 1];
    snprintf(name, sizeof name, "%.*s", (int)(strlen(file) - strlen(SUFFIX)), file);
    mass_spelling nearest = mass_spelling_to(name);
    for (size_t i = 0; i < folders->count && status == MASS_OK; i++) status = add_files(&files, folders, i, error);
    for (size_t i = 0; i < files.count; i++) {
        char *path = files.at[i].path;
        path[strlen(path) - strlen(SUFFIX)] = '\0';
        mass_spelling_try(&nearest, files.at[i].name);
    }
    if (nearest.best) snprintf(near, NAME_MAX + 1, "%s", nearest.best);
    free_files(&files);
    return status;
}

/* Reports that there is no such plugin: that it is in the working folder, if it is; else a similar name if there is
 * one, else the folders that were searched. */
static mass_status refuse_missing(const folder_list *folders, const char *name, const char *file, mass_error *error)
{
    if (is_file(file))
        return mass_error_set(error, MASS_BAD_PLUGIN, "%s is in this folder, which is not "
                              "searched: write ./%s", file, file);
    char near[NAME_MAX + 1] = "";
    if (find_near(folders, file, near, error) != MASS_OK) return error->status;
    if (near[0])
        return mass_error_set(error, MASS_BAD_PLUGIN, "no plugin %s was found; did you mean %s? --list names all", name,
                              near);
    char searched[600] = "";
    for (size_t i = 0, length = 0; i < folders->count && length < sizeof searched; i++)
        length += (size_t)snprintf(searched + length, sizeof searched - length, "%s%s",
                                   i == 0 ? "" : ", ", folders->at[i]);
    return mass_error_set(error, MASS_BAD_PLUGIN, "no plugin %s was found: give its path, or put "
                          "its absolute folder into MASS_PLUGIN_PATH (searched: %s)", name,
                          searched);
}

mass_status mass_plugin_find(const char *name_or_path, char path[PATH_MAX], mass_error *error)
{
    if (strchr(name_or_path, '/')) return resolve(name_or_path, path, error);
    char file[NAME_MAX + 1];
    folder_list folders = {0};
    mass_status status = name_file(name_or_path, file, error);
    if (status == MASS_OK) status = list_folders(&folders, error);
    if (status == MASS_OK && !find_in(&folders, file, path))
        status = refuse_missing(&folders, name_or_path, file, error);
    free_folders(&folders);
    return status;
}

/* ---- all plugins ---- */

/* Orders files by name, then by the order of their folders. */
static int compare_files(const void *left, const void *right)
{
    const found_file *a = left, *b = right;
    const int names = strcmp(a->name, b->name);
    return names != 0 ? names : (a->folder > b->folder) - (a->folder < b->folder);
}

/* Visits sorted files. A file is shadowed if an earlier folder has one of that name. */
static void visit_files(const found_list *files, mass_plugin_visit *visit, void *context)
{
    for (size_t i = 0; i < files->count; i++)
        visit(context, files->at[i].path,
              i > 0 && strcmp(files->at[i - 1].name, files->at[i].name) == 0);
}

mass_status mass_plugin_list(mass_plugin_visit *visit, void *context, mass_error *error)
{
    folder_list folders = {0};
    found_list files = {0};
    mass_status status = list_folders(&folders, error);
    for (size_t i = 0; i < folders.count && status == MASS_OK; i++)
        status = add_files(&files, &folders, i, error);
    if (status == MASS_OK && files.count > 0) {
        qsort(files.at, files.count, sizeof *files.at, compare_files);
        visit_files(&files, visit, context);
    }
    free_files(&files);
    free_folders(&folders);
    return status;
}
