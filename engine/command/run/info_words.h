/* SPDX-License-Identifier: Apache-2.0 */
/* The words of --info that its text and its JSON share. */
#ifndef MASS_ENGINE_INFO_WORDS_H
#define MASS_ENGINE_INFO_WORDS_H

extern const char *const mass_info_parameter_types[7]; /* [mass_parameter_type] */
extern const char *const mass_info_orders[3][3]; /* of a manage: the first, second and last action */
extern const char *const mass_info_relations[5]; /* of a condition */
extern const char *const mass_info_keys[3]; /* [MASS_KEYS_...] */
extern const char *const mass_info_axes[3]; /* of a space */

#endif
