/* SPDX-License-Identifier: Apache-2.0 */
/* How accessors leave in a launch's note that a body asked for something beside the values of its fields (mass_note in
 * launch.h). Whether a form checks is a constant of it: in others, and on a GPU, nothing is compiled. Any thread. */
#ifndef MASS_NOTE_H
#define MASS_NOTE_H

#include <mass/arithmetic.h>
#include <mass/launch.h>

/* The number that an accessor stands for, where it leaves MASS_NOTED_...; 0 is added to it. */
#ifdef __CUDACC__
#define MASS_ASKED_(what, value) (value)
#else
#define MASS_ASKED_(what, value) ((value) + mass_note_asked(mass_w->site.launch, mass_w->reach_.checked, (what)))

/* 0, which compilers do not know. */
static int mass_take_note(mass_note *note, uint32_t what) __attribute__((noinline, cold, unused));
static int mass_take_note(mass_note *note, uint32_t what)
{
    int none = 0;
    if ((__atomic_load_n(&note->asked, __ATOMIC_RELAXED) & what) != what)
        __atomic_fetch_or(&note->asked, what, __ATOMIC_RELAXED);
    __asm__ volatile("" : "+r"(none));
    return none;
}
/* 0. It is called pure, since bodies join comparisons of what accessors give with & and |, where compilers warn of
 * effects. Should they call it less or more often for that, the note is none the worse. */
MASS_FN int mass_note_asked(const mass_launch *l, int checks, uint32_t what) __attribute__((pure));
MASS_FN int mass_note_asked(const mass_launch *l, int checks, uint32_t what)
{
    return checks && l->note ? mass_take_note(l->note, what) : 0;
}
#endif

#endif
