/* SPDX-License-Identifier: Apache-2.0 */
/* Gives a complete file its name without overwriting files of others. */
#ifndef MASS_ENGINE_IO_FOLDER_PUBLISH_H
#define MASS_ENGINE_IO_FOLDER_PUBLISH_H

#include <stdbool.h>

/* Returns true if the file at `path` may be replaced. If not, errno is EEXIST, or the reason why that is unknown. */
typedef bool mass_may_replace(const void *context, const char *path);

/* Renames `temporary` to `path`, in the same folder. If `path` does not exist, this is atomic: no other process can
 * come between. If it exists, `may` decides. A symbolic link at `path` is replaced itself, and never followed. False
 * with errno on failure, EEXIST if `may` says no: `temporary` then still exists. */
bool mass_publish(const char *temporary, const char *path, mass_may_replace *may, const void *context);

#endif
