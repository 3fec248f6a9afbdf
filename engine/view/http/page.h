/* SPDX-License-Identifier: Apache-2.0 */
/* The files of the page, which are built into the module: all of engine/view/page. */
#ifndef MASS_ENGINE_VIEW_HTTP_PAGE_H
#define MASS_ENGINE_VIEW_HTTP_PAGE_H

#include <stddef.h>

typedef struct mass_view_page_file {
    const char *name; /* "view.js" */
    const char *type; /* "text/javascript; charset=utf-8" */
    const unsigned char *bytes; /* [size] */
    size_t size;
} mass_view_page_file;

extern const mass_view_page_file mass_view_page[];
extern const size_t mass_view_page_files;

#endif
