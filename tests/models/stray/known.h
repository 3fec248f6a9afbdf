/* SPDX-License-Identifier: Apache-2.0 */
/* What Stray comes to by plain loops, from where its agents stand at step 0. */
#ifndef STRAY_KNOWN_H
#define STRAY_KNOWN_H

/* Runs it on a space of nx times ny with options, and fails the test unless every attribute is right after each of
 * some steps. */
void expect_strays(int nx, int ny, int births, const char *options);

#endif
