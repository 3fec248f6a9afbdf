/* SPDX-License-Identifier: Apache-2.0 */
/* Careless: bodies that leave a field unwritten, or look too far for nothing, each when it is told to. */
#ifndef CARELESS_H
#define CARELESS_H

/* Who is careless, added up. */
enum { LAYS = 1, MEETS = 2, ACTS = 4, SEES = 8, COUNTS = 16, READS = 32 };

#endif
