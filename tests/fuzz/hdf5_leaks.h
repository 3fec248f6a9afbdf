/* SPDX-License-Identifier: Apache-2.0 */
/* HDF5 loses memory of its own when it refuses a file: the leak checker of a harness that calls it leaves that out. A
 * harness includes this once. */
#ifndef MASS_FUZZ_HDF5_LEAKS_H
#define MASS_FUZZ_HDF5_LEAKS_H

const char *__lsan_default_suppressions(void);
const char *__lsan_default_options(void);

const char *__lsan_default_suppressions(void) { return "leak:libhdf5\n"; }
const char *__lsan_default_options(void) { return "print_suppressions=0"; }

#endif
