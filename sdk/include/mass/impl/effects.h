/* SPDX-License-Identifier: Apache-2.0 */
/* The effect log of a launch (mass_effects in launch.h). Accessors record in it that a body used something other than
 * the values of its fields, and which elements it read. Each form has `checks` as a constant. In forms that do not
 * check, and on a GPU, no code remains. Any thread. */
#ifndef MASS_EFFECTS_H
#define MASS_EFFECTS_H

#include <mass/arithmetic.h>
#include <mass/impl/launch.h>
#include <mass/impl/reach.h>

/* The value of an accessor, plus 0: the call adds 0, and records MASS_NOTED_... in the effect log. */
#ifdef __CUDACC__
#define MASS_ASKED_(what, value) (value)
#else
#define MASS_ASKED_(what, value) ((value) + mass_effects_asked(mass_w->site.launch, mass_w->reach_.checked, (what)))

/* Sets the bits `what` in the effect log. Returns 0, which compilers cannot know. */
static int mass_take_effects(mass_effects *note, uint32_t what) __attribute__((noinline, cold, unused));
static int mass_take_effects(mass_effects *note, uint32_t what)
{
    int none = 0;
    if ((__atomic_load_n(&note->asked, __ATOMIC_RELAXED) & what) != what)
        __atomic_fetch_or(&note->asked, what, __ATOMIC_RELAXED);
    __asm__ volatile("" : "+r"(none));
    return none;
}
/* Does so if the form checks and the launch has an effect log. Returns 0. It is declared pure, because bodies join
 * comparisons of accessors with & and |, and compilers warn of side effects there. They may call it fewer or more
 * times: the effect log stays the same. */
MASS_FN int mass_effects_asked(const mass_launch *l, int checks, uint32_t what) __attribute__((pure));
MASS_FN int mass_effects_asked(const mass_launch *l, int checks, uint32_t what)
{
    return checks && l->note ? mass_take_effects(l->note, what) : 0;
}

/* Records in the effect log that an element is read. Returns 0, which is added to its address. */
static ptrdiff_t mass_take_look(mass_effects *note, const void *at) __attribute__((noinline, cold, unused));
static ptrdiff_t mass_take_look(mass_effects *note, const void *at)
{
    const uint64_t bytes = (uint64_t)((const char *)at - (const char *)note->looks_from);
    ptrdiff_t none = 0;
    __atomic_store_n(&note->looks[bytes % note->looks_period], 1, __ATOMIC_RELAXED);
    __asm__ volatile("" : "+r"(none));
    return none;
}
/* Does so if the form checks and the effect log lists reads. Returns 0. It is pure as mass_effects_asked is. */
MASS_FN ptrdiff_t mass_effects_look(const mass_launch *l, int checks, const void *at) __attribute__((pure));
MASS_FN ptrdiff_t mass_effects_look(const mass_launch *l, int checks, const void *at)
{
    return checks && l->note && l->note->looks ? mass_take_look(l->note, at) : 0;
}
/* Returns the address of a place for NEAR, as mass_place does, and records the read. */
MASS_FN const void *mass_place_looked_at(const mass_site *s, const mass_reach *r, const void *own, const void *none,
                                         size_t size, int64_t pitch, int64_t plane, mass_gidx dx, mass_gidx dy,
                                         mass_gidx dz)
{
    const void *const at = mass_place(s, r, MASS_OUT_OF_REACH_NEAR, own, none, size, pitch, plane, dx, dy, dz);
    return (const char *)at + mass_effects_look(s->launch, r->checked, at);
}
#endif

#endif
