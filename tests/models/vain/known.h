/* SPDX-License-Identifier: Apache-2.0 */
/* What is said of requests in vain. */
#ifndef VAIN_KNOWN_H
#define VAIN_KNOWN_H

/* Runs Vain with these options for so many steps, in all ways to ask and to be answered, at the first of them, in the
 * middle and at the last, and fails the test unless each thing is said as often as it has to be: once or not at all. */
void expect_words(const char *options, int steps);

#endif
