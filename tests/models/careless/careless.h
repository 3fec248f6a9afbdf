/* SPDX-License-Identifier: Apache-2.0 */
/* Careless: bodies that do not write a field, or read beyond their reach, each if its bit is set. */
#ifndef CARELESS_H
#define CARELESS_H

/* The sum of the careless bodies. */
enum { LAYS = 1, MEETS = 2, ACTS = 4, SEES = 8, COUNTS = 16, READS = 32 };

#endif
