/* SPDX-License-Identifier: Apache-2.0 */
/* A plain model whose attribute has a range, or is declared as plugins did before there were ranges. */
#include "plain.h"

#include <string.h>

#ifndef FIRST
#define FIRST 0
#define LAST 0
#endif

PLAIN_CALLBACK(grow, plain_grow, PLAIN_FIELD)

static mass_status open_model(mass_host *host)
{
    static const mass_member members[] = {{"a", MASS_U8, 0}};
    mass_attribute a = {.struct_size = sizeof a, .space = "grid", .name = "value", .type = MASS_U8, .least = FIRST,
                        .most = LAST};
    (void)members;
#ifdef STRUCT
    a.type = MASS_STRUCT;
    a.member_size = sizeof *members;
    a.element_size = a.member_count = 1;
    a.members = members;
#endif
#ifdef OLDER
    a.struct_size = offsetof(mass_attribute, least); /* behind which is whatever is there */
    memset(&a.least, 0xa5, sizeof a - offsetof(mass_attribute, least));
#endif
    MASS_DECLARE(host, space, .name = "grid", .dimensions_min = 2, .dimensions_max = 2, .size = {16, 16},
                 .torus = MASS_AXES_ALL);
    mass_declare_of(host)->attribute(host, &a);
    mass_declare_of(host)->steps(host, 3);
    return MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &grow);
}

MASS_PLUGIN(.name = "ranged", .version = "1.0.0", .help = "has a range",
            .services = (const char *const[]){MASS_DECLARE_ID, NULL}, .open = open_model);
