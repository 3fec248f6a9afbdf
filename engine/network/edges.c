/* SPDX-License-Identifier: Apache-2.0 */
#include "network/edges.h"

#include <stdlib.h>

enum { FIRST_ROOM = 1024 };

/* Enlarges an array to `room` elements. array: the address of its pointer. Returns false, and leaves it as it is, if
 * memory is short. */
static bool enlarge(void *array, uint64_t room, size_t size)
{
    void **pointer = array;
    if (room > SIZE_MAX / 16) return false;
    void *larger = realloc(*pointer, (size_t)room * size);
    if (larger) *pointer = larger;
    return larger != NULL;
}

mass_status mass_edge_list_grow(mass_edge_list *list, mass_error *error)
{
    if (list->count < list->room) return MASS_OK;
    const uint64_t room = list->room ? list->room + list->room / 2 : FIRST_ROOM;
    bool good = enlarge(&list->from, room, sizeof *list->from) && enlarge(&list->to, room, sizeof *list->to) &&
                (!list->line || enlarge(&list->line, room, sizeof *list->line));
    for (uint32_t i = 0; good && i < list->column_count; i++)
        good = list->columns[i].other_line || enlarge(&list->columns[i].values, room, sizeof(double));
    if (!good) return mass_error_memory(error, (size_t)room * 2 * sizeof *list->from, "a network");
    list->room = room;
    return MASS_OK;
}

mass_status mass_edge_list_reserve(mass_edge_list *list, uint64_t count, mass_error *error)
{
    const uint64_t room = count ? count : 1;
    if (!enlarge(&list->from, room, sizeof *list->from) || !enlarge(&list->to, room, sizeof *list->to))
        return mass_error_memory(error, (size_t)room * 2 * sizeof *list->from, "a network");
    list->room = room;
    return MASS_OK;
}

double mass_edge_list_bytes(const mass_edge_list *list)
{
    double each = (list->from ? sizeof *list->from + sizeof *list->to : 0) + (list->line ? sizeof *list->line : 0);
    for (uint32_t i = 0; i < list->column_count; i++) each += list->columns[i].values ? sizeof(double) : 0;
    return (double)list->count * each;
}

void mass_edge_list_free(mass_edge_list *list)
{
    free(list->from);
    free(list->to);
    free(list->line);
    mass_node_names_free(&list->names);
    for (uint32_t i = 0; i < list->column_count; i++) free(list->columns[i].values);
    *list = (mass_edge_list){0};
}
