/* SPDX-License-Identifier: Apache-2.0 */
/* How accessors leave in a launch's note that a body asked for something beside the values of its fields, and which of
 * these it looked at (mass_effects in launch.h). Whether a form checks is a constant of it: in others, and on a GPU,
 * nothing is compiled. Any thread. */
#ifndef MASS_EFFECTS_H
#define MASS_EFFECTS_H

#include <mass/arithmetic.h>
#include <mass/impl/launch.h>
#include <mass/impl/reach.h>

/* The number that an accessor stands for, where it leaves MASS_NOTED_...; 0 is added to it. */
#ifdef __CUDACC__
#define MASS_ASKED_(what, value) (value)
#else
#define MASS_ASKED_(what, value) ((value) + mass_effects_asked(mass_w->site.launch, mass_w->reach_.checked, (what)))

/* 0, which compilers do not know. */
static int mass_take_effects(mass_effects *note, uint32_t what) __attribute__((noinline, cold, unused));
static int mass_take_effects(mass_effects *note, uint32_t what)
{
    int none = 0;
    if ((__atomic_load_n(&note->asked, __ATOMIC_RELAXED) & what) != what)
        __atomic_fetch_or(&note->asked, what, __ATOMIC_RELAXED);
    __asm__ volatile("" : "+r"(none));
    return none;
}
/* 0. It is called pure, since bodies join comparisons of what accessors give with & and |, where compilers warn of
 * effects. Should they call it less or more often for that, the note is none the worse. */
MASS_FN int mass_effects_asked(const mass_launch *l, int checks, uint32_t what) __attribute__((pure));
MASS_FN int mass_effects_asked(const mass_launch *l, int checks, uint32_t what)
{
    return checks && l->note ? mass_take_effects(l->note, what) : 0;
}

/* The same of looks at an element, to whose address 0 is added. */
static ptrdiff_t mass_take_look(mass_effects *note, const void *at) __attribute__((noinline, cold, unused));
static ptrdiff_t mass_take_look(mass_effects *note, const void *at)
{
    const uint64_t bytes = (uint64_t)((const char *)at - (const char *)note->looks_from);
    ptrdiff_t none = 0;
    __atomic_store_n(&note->looks[bytes % note->looks_period], 1, __ATOMIC_RELAXED);
    __asm__ volatile("" : "+r"(none));
    return none;
}
MASS_FN ptrdiff_t mass_effects_look(const mass_launch *l, int checks, const void *at) __attribute__((pure));
MASS_FN ptrdiff_t mass_effects_look(const mass_launch *l, int checks, const void *at)
{
    return checks && l->note && l->note->looks ? mass_take_look(l->note, at) : 0;
}
/* As mass_place of what is near, which leaves a note. */
MASS_FN const void *mass_place_looked_at(const mass_site *s, const mass_reach *r, const void *own, const void *none,
                                         size_t size, int64_t pitch, int64_t plane, mass_gidx dx, mass_gidx dy,
                                         mass_gidx dz)
{
    const void *const at = mass_place(s, r, MASS_OUT_OF_REACH_NEAR, own, none, size, pitch, plane, dx, dy, dz);
    return (const char *)at + mass_effects_look(s->launch, r->checked, at);
}
#endif

#endif
