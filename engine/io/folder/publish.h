/* SPDX-License-Identifier: Apache-2.0 */
/* A complete file gets its name, and takes no other's place. */
#ifndef MASS_ENGINE_IO_FOLDER_PUBLISH_H
#define MASS_ENGINE_IO_FOLDER_PUBLISH_H

#include <stdbool.h>

/* Whether a file at `path` may be replaced; if not, errno is EEXIST, or says why nobody could find out. */
typedef bool mass_may_replace(const void *context, const char *path);

/* Gives `temporary`, in the same folder, the name `path`: at once if nothing is there, which no other process can come
 * between; else if `may` says so. A symbolic link at `path` is replaced itself, and never followed. False with errno on
 * failure, EEXIST for a file that may not be replaced: `temporary` is then still there. */
bool mass_publish(const char *temporary, const char *path, mass_may_replace *may, const void *context);

#endif
