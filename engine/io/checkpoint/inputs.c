/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the files that the run was started with from a checkpoint. */
#include "io/checkpoint/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_NAME_MAX = 9000 };

mass_status mass_inputs_add(mass_inputs *list, const char *name, const char *file, const char *hash, mass_error *error)
{
    mass_input *larger = realloc(list->list, (list->count + 1) * sizeof *larger);
    if (!larger) return mass_error_memory(error, sizeof *larger, "a file's name");
    list->list = larger;
    mass_input *input = &list->list[list->count];
    snprintf(input->name, sizeof input->name, "%s", name);
    snprintf(input->hash, sizeof input->hash, "%s", hash);
    input->file = strndup(file, FILE_NAME_MAX);
    if (!input->file) return mass_error_memory(error, strlen(file), "a file's name");
    list->count++;
    return MASS_OK;
}

void mass_inputs_free(mass_inputs *list)
{
    for (uint32_t i = 0; i < list->count; i++) free(list->list[i].file);
    free(list->list);
    *list = (mass_inputs){0};
}

/* Adds one input, its file name and hash, to the checkpoint. The file itself is not opened. */
static bool open_input(mass_reader *r, hid_t group, const char *name)
{
    char file[FILE_NAME_MAX + 1], hash[33];
    mass_error why = {0};
    if (strlen(name) >= sizeof r->c->inputs.list->name)
        return mass_reader_damaged(r, "it has an input of no valid name");
    const hid_t input = mass_reader_group(r, group, name);
    if (input < 0) return false;
    const bool good = mass_reader_text(r, input, "file", file, sizeof file) &&
                      mass_reader_hash(r, input, "hash", hash) &&
                      (mass_inputs_add(&r->c->inputs, name, file, hash, &why) == MASS_OK ||
                       mass_reader_refused(r, &why));
    H5Gclose(input);
    return good;
}

/* Reads the inputs of /inputs, if there is one. */
bool mass_reader_inputs(mass_reader *r)
{
    bool has;
    if (!mass_reader_has_link(r, r->c->file, "inputs", &has)) return false;
    return !has || mass_reader_walk(r, r->c->file, "inputs", open_input);
}
