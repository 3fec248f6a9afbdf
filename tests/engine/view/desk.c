/* SPDX-License-Identifier: Apache-2.0 */
/* When somebody looked last: a run that has ended stays for who waits for an answer. */
#include "process/progress.h"
#include "view/desk.h"

#include <criterion/criterion.h>
#include <unistd.h>

static mass_view_slip *asked_before(mass_desk *desk, double *moment)
{
    const mass_view_question question = {.kind = MASS_VIEW_NUMBERS};
    cr_assert(mass_desk_ask(desk, &question, NULL, 0, NULL) && mass_desk_is_asked(desk));
    usleep(20000);
    *moment = mass_seconds();
    cr_assert(mass_desk_last_asked(desk) < *moment);
    return mass_desk_pick_up(desk);
}

Test(desk, who_is_answered_looks_until_then)
{
    mass_desk *desk = mass_desk_create();
    double moment;
    mass_desk_answer(desk, asked_before(desk, &moment));
    cr_expect(!mass_desk_is_asked(desk) && mass_desk_last_asked(desk) >= moment);
    mass_desk_free(desk);
}

Test(desk, who_waits_in_vain_looks_until_then)
{
    mass_desk *desk = mass_desk_create();
    double moment;
    mass_view_slip *slip = asked_before(desk, &moment);
    slip->until = moment;
    mass_desk_lay_back(desk, slip);
    cr_assert(mass_desk_is_asked(desk));
    mass_desk_expire(desk);
    cr_expect(!mass_desk_is_asked(desk) && mass_desk_last_asked(desk) >= moment);
    slip = mass_desk_take(desk);
    cr_expect(slip && slip->answer.status == 204);
    mass_desk_drop(desk, slip);
    mass_desk_free(desk);
}
