/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin whose declarations are WRONG in one way. */
#include "plain.h"

enum wrong {
    TWO_ATTRIBUTES, UNKNOWN_TARGET, WRONG_TYPE, UNKNOWN_TALLY, NO_SPACE, NO_FIELDS, OLD_STRUCT, UNKNOWN_SPACE,
    DEFAULT_OUTSIDE, UNDECLARED_VALUE, SILENT, PADDED_STRUCT, READ_AND_WRITE
};

#if WRONG_FIELDS == 1
#define FIELDS {"value", "vlaue", MASS_UPDATE, MASS_U8, 1, 0}
#elif WRONG_FIELDS == 2
#define FIELDS {"value", "value", MASS_UPDATE, MASS_F32, 4, 0}
#elif WRONG_FIELDS == 3
#define FIELDS PLAIN_FIELD, {"count", "cuont", MASS_SUM, MASS_I64, 8, 0}
#elif WRONG_FIELDS == 4
#define FIELDS {"old", "value", MASS_READ, MASS_U8, 1, 0}, {"new", "value", MASS_WRITE, MASS_U8, 1, 0}
#else
#define FIELDS PLAIN_FIELD
#endif
PLAIN_CALLBACK(grow, plain_grow, FIELDS)

static mass_status open_model(mass_host *host)
{
    static const mass_callback empty = {.struct_size = sizeof(mass_callback), .over = MASS_OVER_PLACES,
        .name = "empty", .field_size = sizeof(mass_field), .form_size = sizeof(mass_form)};
    static const mass_member members[] = {{"a", MASS_U8, 0}, {"b", MASS_U32, 4}};
    if (WRONG == NO_SPACE) return MASS_OK;
    mass_status status = plain_declare(host, WRONG == NO_FIELDS ? &empty : &grow);
    switch (WRONG) {
    case TWO_ATTRIBUTES:
        return MASS_DECLARE(host, attribute, .space = "grid", .name = "value", .type = MASS_U8);
    case UNKNOWN_SPACE:
        return MASS_DECLARE(host, attribute, .space = "gird", .name = "other", .type = MASS_U8);
    case OLD_STRUCT:
        return mass_declare_of(host)->tally(host, &(const mass_tally){.struct_size = 8, .name = "t"});
    case DEFAULT_OUTSIDE:
        return MASS_DECLARE(host, parameter, .name = "share", .type = MASS_REAL, .real = 2, .real_max = 1);
    case UNDECLARED_VALUE:
        mass_values_of(host)->integer(host, "colour");
        break;
    case SILENT:
        return MASS_FAILED;
    case PADDED_STRUCT:
        return MASS_DECLARE(host, attribute, .space = "grid", .name = "pair", .type = MASS_STRUCT,
                            .element_size = 8, .member_count = 2, .members = members);
    default:
        break;
    }
    return status;
}

MASS_PLUGIN(.name = "declare", .version = "1.0.0", .help = "declares nonsense",
            .services = (const char *const[]){MASS_DECLARE_ID, MASS_VALUES_ID, NULL}, .open = open_model);
