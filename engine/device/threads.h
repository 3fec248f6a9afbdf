/* How many threads a run can have. The library that starts a team ends the program where it cannot, so they are counted
 * before it is asked. */
#ifndef MASS_ENGINE_DEVICE_THREADS_H
#define MASS_ENGINE_DEVICE_THREADS_H

/* `wanted`, or as many as can be started here, which is then said; at least 1, the caller's own. Where memory is
 * limited (run/limits.h), threads leave half of it to the rest of the run. Main thread, while there are no others. */
int mass_threads_startable(int wanted);

#endif
