/* SPDX-License-Identifier: Apache-2.0 */
#include "command/run/sweep_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Returns the new path FOLDER/run-N; NULL if memory is short. */
static char *in_folder(const char *folder, int32_t run)
{
    char *text;
    return asprintf(&text, "%s/run-%d", folder, run) < 0 ? NULL : text;
}

/* Returns a new path with the run's number before the suffix; NULL if memory is short. */
static char *of_file(const char *file, int32_t run)
{
    char *text;
    const char *slash = strrchr(file, '/'), *dot = strrchr(slash ? slash : file, '.');
    const int stem = dot ? (int)(dot - file) : (int)strlen(file);
    return asprintf(&text, "%.*s-%d%s", stem, file, run, dot ? dot : "") < 0 ? NULL : text;
}

mass_status mass_sweep_files_name(mass_options *o, char *texts[MASS_SWEEP_FILES], mass_error *error)
{
    struct { const char **name; bool folder; } named[MASS_SWEEP_FILES] = {
        {&o->checkpoint, true}, {&o->fields, true}, {&o->series, false}, {&o->image, false}, {&o->movie, false},
        {&o->network, false}, {&o->crate, true}};
    for (uint32_t i = 0; i < o->agents_count; i++) /* POPULATION=FILE, whose end is that of a file's name */
        named[MASS_SWEEP_FILES - 1 - i].name = &o->agents[i];
    for (size_t i = 0; i < MASS_SWEEP_FILES; i++) {
        const char *name = named[i].name ? *named[i].name : NULL;
        if (!name) continue;
        texts[i] = named[i].folder ? in_folder(name, o->sweep_run) : of_file(name, o->sweep_run);
        if (!texts[i]) return mass_error_memory(error, strlen(name), "a name");
        *named[i].name = texts[i];
    }
    return MASS_OK;
}

void mass_sweep_files_make_folders(const mass_options *o)
{
    if (o->checkpoint) mkdir(o->checkpoint, 0777);
    if (o->fields) mkdir(o->fields, 0777);
    if (o->crate) mkdir(o->crate, 0777);
}
