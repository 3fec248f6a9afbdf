/* SPDX-License-Identifier: Apache-2.0 */
/* The expected results of Stray, by plain loops from the agents' places at step 0. */
#ifndef STRAY_KNOWN_H
#define STRAY_KNOWN_H

/* Runs it on a space of nx times ny with options, and expects every attribute to be right after each of some steps. */
void expect_strays(int nx, int ny, int births, const char *options);

#endif
