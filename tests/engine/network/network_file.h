/* SPDX-License-Identifier: Apache-2.0 */
/* Files and lists of edges for tests. */
#ifndef MASS_TESTS_NETWORK_FILE_H
#define MASS_TESTS_NETWORK_FILE_H

#include "network/edges.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Reads a file with this content. The caller frees the list. */
static inline mass_status read_text(const char *content, size_t length, const mass_network *n, mass_edge_list *list,
                                    mass_error *error)
{
    char path[] = "/tmp/mass-edges-XXXXXX";
    const int file = mkstemp(path);
    cr_assert(file >= 0 && write(file, content, length) == (ssize_t)length);
    close(file);
    mass_network own = *n;
    own.file = path;
    own.name = "net";
    const mass_status status = mass_edge_list_read(&own, own.nodes, NULL, list, error);
    unlink(path);
    return status;
}

#endif
