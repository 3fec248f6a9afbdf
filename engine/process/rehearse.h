/* SPDX-License-Identifier: Apache-2.0 */
/* Trying in a copy of this process what may crash or never end. */
#ifndef MASS_ENGINE_PROCESS_REHEARSE_H
#define MASS_ENGINE_PROCESS_REHEARSE_H

typedef enum mass_rehearsal {
    MASS_REHEARSAL_DONE,   /* the copy came to the end of the call */
    MASS_REHEARSAL_BROKE,  /* it crashed, ended, or took longer */
    MASS_REHEARSAL_NOT_HAD /* there is no copy: processes or memory are short */
} mass_rehearsal;

/* How a copy of this process comes through call(context), which may take some seconds of processor time. The copy has
 * one thread, no standard streams and no crash report, and what it changes is lost. Main thread. */
mass_rehearsal mass_rehearse(void (*call)(void *context), void *context, unsigned seconds);

#endif
