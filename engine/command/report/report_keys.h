/* SPDX-License-Identifier: Apache-2.0 */
/* Counts by key in a report: the number of keys, their total, and the keys with the largest counts. */
#ifndef MASS_ENGINE_REPORT_KEYS_H
#define MASS_ENGINE_REPORT_KEYS_H

#include "base/keys.h"
#include "model/model.h"

#include <jansson.h>

/* Returns {"distinct": n, "total": m, "top": [[key, count], ...]}, with at most 100 keys. A number from 2^63 on is a
 * text of its digits. In texts, bytes that are not UTF-8, zero bytes and backslashes become \xNN. */
json_t *mass_report_keys_json(const mass_key_list *l);
/* Prints a line with the tally's name and `world`, and a line for each of the 8 keys with the largest counts. The text
 * `world` follows the name at once. So it begins with a blank, as in " of world 3", or is "". */
void mass_report_say_keys(const mass_tally_def *t, const char *world, const mass_key_list *l);

#endif
