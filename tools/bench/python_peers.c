/* SPDX-License-Identifier: Apache-2.0 */
#include "python_peers.h"
#include "command.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static const char *const names[BENCH_PYTHON_PEERS] = {"jax", "cupy", "torch"};

/* Gets the output of peers.py DEVICE [SIZE], or NULL and the reason. */
static json_t *ask(const char *device, const char *size, mass_error *error)
{
    char script[PATH_MAX], found[24];
    json_t *answer = NULL;
    snprintf(found, sizeof found, "%s", device);
    if (bench_beside("../share/mass/bench/peers.py", script, error) != MASS_OK) return NULL;
    char number[24];
    snprintf(number, sizeof number, "%s", size ? size : "");
    char *const arguments[] = {"python3", script, found, size ? number : NULL, NULL};
    return bench_command_ask("python3", arguments, &answer, error) == MASS_OK ? answer : NULL;
}

void bench_python_find(bench_python_peers *p, const char *device, bench_report *report)
{
    mass_error error = {0};
    json_t *answer = ask(device, NULL, &error);
    *p = (bench_python_peers){0};
    for (int i = 0; i < BENCH_PYTHON_PEERS; i++) {
        const json_t *peer = json_object_get(answer, names[i]);
        const char *version = json_string_value(json_object_get(peer, "version"));
        const char *missing = json_string_value(json_object_get(peer, "missing"));
        p->here[i] = version != NULL;
        bench_report_fact(report, names[i], "%s%s", version ? "" : "missing: ",
                          version ? version : missing ? missing : error.text);
    }
    json_decref(answer);
}

void bench_python_life(const bench_python_peers *p, const char *device, int64_t size, double rates[BENCH_PYTHON_PEERS])
{
    char text[24];
    mass_error error = {0};
    bool any = false;
    snprintf(text, sizeof text, "%" PRId64, size);
    for (int i = 0; i < BENCH_PYTHON_PEERS; i++) any |= p->here[i];
    json_t *answer = any ? ask(device, text, &error) : NULL;
    for (int i = 0; i < BENCH_PYTHON_PEERS; i++) {
        const json_t *rate = json_object_get(json_object_get(answer, names[i]), "cells_per_s");
        rates[i] = json_is_number(rate) ? json_number_value(rate) : NAN;
    }
    json_decref(answer);
}
