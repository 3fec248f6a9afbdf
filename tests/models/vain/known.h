/* SPDX-License-Identifier: Apache-2.0 */
/* The expected reports of ignored requests. */
#ifndef VAIN_KNOWN_H
#define VAIN_KNOWN_H

/* Runs Vain with these options for `steps` steps, with all kinds of requests and of manage, at the first step, in the
 * middle and at the last. Each report must appear once or not at all, as expected. */
void expect_words(const char *options, int steps);

#endif
