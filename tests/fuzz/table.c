/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a table of agents. The reader refuses them in one line, or gives agents in order on places of the space.
 * Their ids are unique, and no place has more of them than it holds. The first byte chooses worlds. */
#include "harness.h"
#include "io/input/table.h"
#include "population/table.h"

#include <string.h>

enum { PLACES = 12, CAPACITY = 3 };

static mass_model make_model(void)
{
    mass_model m = {.plugin = "folk"};
    mass_error e = {0};
    mass_model_add_space(&m, &(mass_space){.name = "grid", .dimensions_min = 2, .dimensions_max = 2, .size = {4, 3}},
                         NULL, 0, &e);
    mass_model_add_population(&m, &(mass_population){.name = "folk", .capacity = CAPACITY}, &e);
    static const struct { const char *name; uint32_t type, length; } attributes[] = {
        {"a", MASS_I8, 1}, {"b", MASS_U16, 2}, {"c", MASS_F32, 1}, {"d", MASS_U64, 1}, {"e", MASS_I64, 1},
        {"f", MASS_F64, 3}};
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        mass_model_add_attribute(&m, &(mass_attribute){.population = "folk", .name = attributes[i].name,
                                     .type = attributes[i].type, .length = attributes[i].length}, &e);
    ALWAYS(e.status == MASS_OK);
    return m;
}

static void check(const mass_table *t, int32_t worlds)
{
    uint32_t residents = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        ALWAYS(t->cell[i] < (uint32_t)worlds * PLACES);
        ALWAYS(t->id[i] < (uint64_t)t->next_id[t->cell[i] / PLACES]);
        residents = i && t->cell[i] == t->cell[i - 1] ? residents + 1 : 1;
        ALWAYS(residents <= CAPACITY);
        ALWAYS(residents == 1 ? i == 0 || t->cell[i] > t->cell[i - 1] : t->id[i] > t->id[i - 1]);
        for (uint32_t k = 0; k < i; k++)
            ALWAYS(t->id[k] != t->id[i] || t->cell[k] / PLACES != t->cell[i] / PLACES);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size == 0) return 0;
    mass_model m = make_model();
    const mass_table_request request = {&m, 0, 1 + bytes[0] % 4, bytes[0] / 4 % 4};
    mass_table t = {0};
    mass_error error = {0};
    const mass_status status = mass_table_parse_csv(&request, "f", bytes + 1, size - 1, &t, &error);
    ALWAYS(status == error.status && (status == MASS_OK || status == MASS_BAD_INPUT));
    if (status == MASS_OK) check(&t, request.worlds);
    else {
        ALWAYS(!t.id && !t.values && strncmp(error.text, "f", 1) == 0);
        for (const unsigned char *c = (const unsigned char *)error.text; *c; c++) ALWAYS(*c >= 0x20 && *c != 0x7f);
    }
    mass_table_free(&m, &t);
    mass_model_free(&m);
    return 0;
}
