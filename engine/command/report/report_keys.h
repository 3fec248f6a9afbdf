/* SPDX-License-Identifier: Apache-2.0 */
/* What a report says of counts by key: how many keys, their total, and those of the largest counts. */
#ifndef MASS_ENGINE_REPORT_KEYS_H
#define MASS_ENGINE_REPORT_KEYS_H

#include "base/keys.h"
#include "model/model.h"

#include <jansson.h>

/* {"distinct": n, "total": m, "top": [[key, count], ...]}; a number from 2^63 on is a text of its digits. In a text,
 * bytes that are not UTF-8, zero bytes and backslashes are \xNN. */
json_t *mass_report_keys_json(const mass_key_list *l);
/* A line, `world` behind the name, and one for each of the first keys. */
void mass_report_say_keys(const mass_tally_def *t, const char *world, const mass_key_list *l);

#endif
