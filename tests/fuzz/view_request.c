/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a request of a viewer: method, target, host, origin, authorization and AT of --view, a line each.
 * What is refused has a status of its own; what is taken lies in what a run can be asked. */
#include "harness.h"
#include "view/address.h"
#include "view/authorize.h"
#include "view/question.h"

#include <string.h>

enum { LINES = 6 };

static void check_question(const mass_view_question *q)
{
    ALWAYS(q->kind <= MASS_VIEW_CONTROL && q->world >= 0 && q->picture <= 1u << 20 && q->space <= 1u << 20);
    ALWAYS(q->extent[0] >= 1 && q->extent[1] >= 1 && q->slice >= -1 && q->at[2] >= 0);
    for (int a = 0; a < 2; a++) {
        ALWAYS(q->pixels[a] >= 1 && q->pixels[a] <= MASS_VIEW_PIXELS_MOST);
        ALWAYS(q->at[a] + q->extent[a] > INT64_MIN / 2 && q->at[a] + q->extent[a] < INT64_MAX / 2);
    }
    ALWAYS(q->rule < MASS_VIEW_RULES && q->phase >= -1 && q->phase < MASS_VIEW_PHASES);
}

static void check_address(const char *text)
{
    mass_view_address a;
    mass_error error = {0};
    if (mass_view_address_read(text, &a, &error) == MASS_OK)
        ALWAYS(a.port >= 0 && a.port <= 65535 && strlen(a.path) < sizeof a.path && !(a.port && a.path[0]));
    else {
        ALWAYS(error.status == MASS_BAD_USAGE && strstr(error.text, "--view"));
        ALWAYS_ONE_LINE(error.text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char token[MASS_VIEW_TOKEN_SIZE] = "0123456789abcdef0123456789abcdef";
    char *text = malloc(size + 1), *line[LINES], *at = text;
    memcpy(text, bytes, size);
    text[size] = '\0';
    for (int i = 0; i < LINES; i++) {
        line[i] = at;
        at += strcspn(at, "\n");
        if (*at) *at++ = '\0';
    }
    mass_view_question q = {.world = -9};
    const int status = mass_view_question_read(line[0], line[1], &q);
    ALWAYS(status == 200 || status == 400 || status == 404 || status == 405);
    if (status == 200) check_question(&q);
    else ALWAYS(q.world == -9);
    if (mass_view_host_is_local(line[2])) ALWAYS(strspn(line[2], "localhstLOCALHST127.0:[]3456789") == strlen(line[2]));
    if (mass_view_origin_fits(line[3], line[2])) ALWAYS(strcmp(line[3] + strlen("http://"), line[2]) == 0);
    if (mass_view_token_fits(line[4], token)) ALWAYS(strcmp(line[4] + strlen("Bearer "), token) == 0);
    check_address(line[5]);
    free(text);
    return 0;
}
