/* SPDX-License-Identifier: Apache-2.0 */
/* Tries a call that may crash or never end in a copy of this process. */
#ifndef MASS_ENGINE_PROCESS_REHEARSE_H
#define MASS_ENGINE_PROCESS_REHEARSE_H

typedef enum mass_rehearsal {
    MASS_REHEARSAL_DONE,   /* the call returned in the copy */
    MASS_REHEARSAL_BROKE,  /* the copy crashed, ended, or took too long */
    MASS_REHEARSAL_NOT_HAD /* no copy could be made or awaited, as when processes or memory are short */
} mass_rehearsal;

/* Runs call(context) in a copy of this process (fork) and returns how it ended. seconds: the processor time that the
 * copy may take; by the clock, ten times as long. The copy has one thread, no standard streams and no crash report; its
 * changes are lost. Main thread. */
mass_rehearsal mass_rehearse(void (*call)(void *context), void *context, unsigned seconds);

#endif
