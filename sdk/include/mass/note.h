/* SPDX-License-Identifier: Apache-2.0 */
/* How accessors leave in a launch's note that a body asked for something beside the values of its fields (mass_note in
 * launch.h). Whether a form checks is a constant of it: in others, and on a GPU, nothing is compiled. Any thread. */
#ifndef MASS_NOTE_H
#define MASS_NOTE_H

#include <mass/arithmetic.h>
#include <mass/launch.h>

/* The value of an accessor, which leaves MASS_NOTED_... */
#ifdef __CUDACC__
#define MASS_ASKED_(what, value) (value)
#else
#define MASS_ASKED_(what, value) (mass_note_asked(w->site.launch, w->reach_.checked, (what)), (value))

static void mass_take_note(mass_note *note, uint32_t what) __attribute__((noinline, cold, unused));
static void mass_take_note(mass_note *note, uint32_t what)
{
    if ((__atomic_load_n(&note->asked, __ATOMIC_RELAXED) & what) == what) return;
    __atomic_fetch_or(&note->asked, what, __ATOMIC_RELAXED);
}
MASS_FN void mass_note_asked(const mass_launch *l, int checks, uint32_t what)
{
    if (checks && l->note) mass_take_note(l->note, what);
}
#endif

#endif
