/* SPDX-License-Identifier: Apache-2.0 */
/* The expected results of the model `vector`, by plain loops. */
#ifndef MASS_TESTS_MODELS_VECTOR_KNOWN_H
#define MASS_TESTS_MODELS_VECTOR_KNOWN_H

/* Runs it with options, reads a and b from its checkpoint, and checks c and the dot product. */
void expect_vector(const char *options);

#endif
