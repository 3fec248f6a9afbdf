/* SPDX-License-Identifier: Apache-2.0 */
/* Claims and pairs in bodies over agents: the values of the attributes that MASS_CLAIMS declares, the order of claims,
 * and the bodies that decide them. claims.h describes their use. */
#include <mass/kernel.h> /* which includes this file where it belongs */

#ifndef MASS_KERNEL_AGENTS_CLAIMS_H
#define MASS_KERNEL_AGENTS_CLAIMS_H

/* Kinds of priorities, in bits of 64: a number of int64_t, one of uint64_t from 2^63 on, and a double. */
enum { MASS_PRIORITY_NONE = 0, MASS_PRIORITY_INTEGER = 1, MASS_PRIORITY_HUGE = 2, MASS_PRIORITY_REAL = 3 };
typedef struct mass_priority {
    uint64_t bits;
    uint32_t kind; /* NONE: of NaN */
} mass_priority;

/* What an agent claims: the id and the offset of another one. */
typedef struct mass_pair_claim {
    uint64_t priority, lot, claimed;
    int16_t dx, dy, dz;
    uint16_t kind; /* of the priority; MASS_PRIORITY_NONE: it claims nobody */
} mass_pair_claim;

/* Whom an agent is paired with, and how it came. While claims are decided it is the best claim that touches the agent;
 * MASS_PAIR_REFUSED then means that the agent made a claim. */
enum { MASS_PAIR_MADE = 1, MASS_PAIR_CLAIMANT = 2, MASS_PAIR_REFUSED = 4 };
typedef struct mass_pair {
    uint64_t partner;
    int16_t dx, dy, dz;
    uint16_t state;
} mass_pair;

/* Return the priority of a claim, by the type of its number. NaN is MASS_PRIORITY_NONE: the claim changes nothing.
 * An unsigned number of 2^63 or more is MASS_PRIORITY_HUGE. */
MASS_FN mass_priority mass_real_priority(double v)
{
    mass_priority p = {0, MASS_PRIORITY_REAL};
    memcpy(&p.bits, &v, sizeof v);
    if (p.bits << 1 == 0) p.bits = 0; /* -0 is 0 */
    if (p.bits << 1 > 0x7ff0000000000000u << 1) p.kind = MASS_PRIORITY_NONE;
    return p;
}
MASS_FN mass_priority mass_integer_priority(int64_t v)
{
    const mass_priority p = {(uint64_t)v, MASS_PRIORITY_INTEGER};
    return p;
}
MASS_FN mass_priority mass_unsigned_priority(uint64_t v)
{
    const mass_priority p = {v, (uint32_t)(v >> 63 ? MASS_PRIORITY_HUGE : MASS_PRIORITY_INTEGER)};
    return p;
}
/* Returns it for any type of number. */
#ifdef __cplusplus
template <class T> MASS_FN mass_priority mass_priority_of(T v)
{
    if constexpr (T(0.5) != T(0)) return mass_real_priority((double)v);
    else if constexpr (T(-1) > T(0)) return mass_unsigned_priority((uint64_t)v);
    else return mass_integer_priority((int64_t)v);
}
#define MASS_PRIORITY_OF_(v) mass_priority_of(+(v))
#else
#define MASS_PRIORITY_OF_(v)                                                                               \
    _Generic(+(v), float: mass_real_priority, double: mass_real_priority, long double: mass_real_priority, \
             unsigned: mass_unsigned_priority, unsigned long: mass_unsigned_priority,                      \
             unsigned long long: mass_unsigned_priority, default: mass_integer_priority)(v)
#endif

/* Returns the bits of a real as a number in the order of reals. */
MASS_FN uint64_t mass_ordered_real(uint64_t bits)
{
    return bits >> 63 ? ~bits : bits | 0x8000000000000000u;
}
/* Compares a real with an integer, as numbers: below 0, 0 or above 0. */
MASS_CALLED_FN_ int mass_compare_mixed(uint64_t real, uint64_t integer, uint32_t kind)
{
    double d, whole;
    uint64_t bits;
    memcpy(&d, &real, sizeof d);
    if (kind == MASS_PRIORITY_HUGE) {
        if (d < 0x1p63 || d >= 0x1p64) return d < 0x1p63 ? -1 : 1;
        return (uint64_t)d < integer ? -1 : (uint64_t)d > integer;
    }
    if (d < -0x1p63 || d >= 0x1p63) return d < 0 ? -1 : 1;
    const int64_t near = (int64_t)d, other = (int64_t)integer;
    if (near != other) return near < other ? -1 : 1;
    whole = (double)near;
    memcpy(&bits, &whole, sizeof bits);
    const uint64_t a = mass_ordered_real(real), b = mass_ordered_real(bits);
    return a < b ? -1 : a > b;
}
/* Compares two priorities as numbers, each in all of its bits. */
MASS_FN int mass_compare_priorities(const mass_pair_claim *a, const mass_pair_claim *b)
{
    const int real = a->kind == MASS_PRIORITY_REAL;
    uint64_t x = a->priority, y = b->priority;
    if (real != (b->kind == MASS_PRIORITY_REAL))
        return real ? mass_compare_mixed(x, y, b->kind) : -mass_compare_mixed(y, x, a->kind);
    if (real) x = mass_ordered_real(x), y = mass_ordered_real(y);
    else if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    else if (a->kind == MASS_PRIORITY_INTEGER) x ^= 0x8000000000000000u, y ^= 0x8000000000000000u;
    return x < y ? -1 : x > y;
}
/* Is true if claim a, by an agent of id `by_a`, is better than b. */
MASS_CALLED_FN_ int mass_is_better_claim(const mass_pair_claim *a, uint64_t by_a, const mass_pair_claim *b,
                                         uint64_t by_b)
{
    const int order = mass_compare_priorities(a, b);
    if (order) return order > 0;
    return a->lot != b->lot ? a->lot > b->lot : by_a < by_b;
}

/* Makes a claim. One with a priority of NaN, or of an agent that no walk has given, changes nothing. */
MASS_FN void mass_make_claim(const mass_site *s, const mass_reach *reach, const mass_walked *walked, uint32_t k,
                             uint32_t self, mass_pair_claim *claim, mass_other o, mass_priority p, uint64_t lot)
{
    if (p.kind == MASS_PRIORITY_NONE) {
        mass_report_other(s, reach->checked, MASS_OUT_OF_REACH_PRIORITY, (mass_gidx)*s->id, 0, 0);
        return;
    }
    if (!mass_is_nearby(s, reach, walked, k, self, &o)) return;
    claim->priority = p.bits;
    claim->kind = (uint16_t)p.kind;
    claim->lot = lot;
    claim->claimed = mass_id_of_other(s, reach, walked, k, self, o);
    claim->dx = (int16_t)o.dx, claim->dy = (int16_t)o.dy, claim->dz = (int16_t)o.dz;
}
MASS_FN uint64_t mass_lot_of(mass_random4 r) { return (uint64_t)r.v[0] << 32 | r.v[1]; }

/* Returns the agent with an id at an offset, if the phase reaches it; else nobody. */
MASS_CALLED_FN_ mass_other mass_find_other(const mass_site here, const mass_reach reach, uint32_t k, uint32_t self,
                                           const mass_other at, uint64_t id)
{
    mass_walked walked;
    const mass_site *const s = &here;
    const int32_t by[3] = {at.dx, at.dy, at.dz};
    mass_other o = at;
    mass_walk w = mass_walk_begin(s, &reach, &walked, k, self, s->launch->reach);
    for (int a = 0; a < 3; a++) {
        if (by[a] < w.low[a] || by[a] > w.high[a]) return mass_nobody();
        w.low[a] = w.high[a] = by[a];
    }
    mass_walk_start(&w);
    while (mass_walk_on(&w)) { /* agents of a place are in the order of their ids */
        const uint64_t *const ids = w.base ? w.g->copy_id : w.g->id;
        uint32_t first = w.next, end = w.end;
        while (first < end) {
            const uint32_t middle = first + (end - first) / 2;
            if (ids[middle] < id) first = middle + 1;
            else end = middle;
        }
        if (first == w.end || ids[first] != id) continue;
        o.agent = w.base + first;
        return o;
    }
    return mass_nobody();
}
/* Finds an agent by its id and offset, as mass_find_other does, and sets *walked so that the body can read its
 * attributes. */
MASS_FN mass_other mass_other_with_id(const mass_site *s, const mass_reach *reach, mass_walked *walked, uint32_t k,
                                      uint32_t self, int32_t dx, int32_t dy, int32_t dz, uint64_t id)
{
    const mass_other at = {MASS_NOBODY, dx, dy, dz}, o = mass_find_other(*s, *reach, k, self, at, id);
    if (o.agent == MASS_NOBODY) return o;
    walked->population = k;
    walked->first = o.agent;
    walked->end = o.agent + 1;
    return o;
}
MASS_FN mass_other mass_partner(const mass_site *s, const mass_reach *reach, mass_walked *walked, uint32_t k,
                                uint32_t self, const mass_pair *p)
{
    if (!(p->state & MASS_PAIR_MADE)) return mass_nobody();
    return mass_other_with_id(s, reach, walked, k, self, p->dx, p->dy, p->dz, p->partner);
}

/* Is true if a claim names an agent within the reach of the phase that decides it. */
MASS_FN int mass_claim_counts(const mass_site *s, const mass_reach *reach, const mass_pair_claim *c)
{
    const uint32_t r = (uint32_t)s->launch->reach;
    if (c->kind == MASS_PRIORITY_NONE) return 0;
    if (mass_within(c->dx, r) & mass_within(c->dy, r) & mass_within(c->dz, r)) return 1;
    mass_report_other(s, reach->checked, MASS_OUT_OF_REACH_CLAIM, c->dx, c->dy, c->dz);
    return 0;
}
/* The best claim that touches an agent, while it walks those that may claim it. */
typedef struct mass_best {
    const mass_pair_claim *claim; /* NULL: none */
    uint64_t by;
    mass_other from; /* who makes it; nobody: the agent itself */
    uint16_t state;
} mass_best;
/* Begins with the agent's own claim; `own` NULL: its population makes none. */
MASS_FN mass_best mass_best_begin(const mass_site *s, const mass_reach *reach, const mass_pair_claim *own)
{
    mass_best b = {0, 0, {MASS_NOBODY, 0, 0, 0}, 0};
    if (!own || own->kind == MASS_PRIORITY_NONE) return b;
    b.state = MASS_PAIR_REFUSED;
    if (!mass_claim_counts(s, reach, own)) return b;
    b.claim = own;
    b.by = *s->id;
    b.state = MASS_PAIR_MADE | MASS_PAIR_CLAIMANT | MASS_PAIR_REFUSED;
    return b;
}
/* Takes a claim on the agent by `o`, if it is better. */
MASS_FN void mass_best_take(mass_best *b, const mass_pair_claim *c, uint64_t by, const mass_other *o)
{
    if (b->claim && !mass_is_better_claim(c, by, b->claim, b->by)) return;
    b->claim = c;
    b->by = by;
    b->from = *o;
    b->state = (uint16_t)((b->state & MASS_PAIR_REFUSED) | MASS_PAIR_MADE);
}
/* Returns the best claim as a pair. */
MASS_FN mass_pair mass_best_pair(const mass_best *b)
{
    const mass_other *const o = &b->from;
    mass_pair p = {b->by, (int16_t)o->dx, (int16_t)o->dy, (int16_t)o->dz, b->state};
    if (b->state & MASS_PAIR_CLAIMANT) {
        p.partner = b->claim->claimed;
        p.dx = b->claim->dx, p.dy = b->claim->dy, p.dz = b->claim->dz;
    }
    return p;
}
/* Returns the pair of an agent of id `self`, whose best claim is `own`, if it is the best of the other end, `other`,
 * too. */
MASS_FN mass_pair mass_pair_of(mass_pair own, uint64_t self, mass_pair other)
{
    const int same = (own.state & MASS_PAIR_MADE) && (other.state & MASS_PAIR_MADE) && other.partner == self &&
                     ((own.state ^ other.state) & MASS_PAIR_CLAIMANT);
    mass_pair none = {0, 0, 0, 0, (uint16_t)(own.state & MASS_PAIR_REFUSED)};
    if (!same) return none;
    if (own.state & MASS_PAIR_CLAIMANT) own.state = MASS_PAIR_MADE | MASS_PAIR_CLAIMANT;
    return own;
}
/* Returns the pair of an agent that claims and cannot be claimed itself: its best claim is its own claim *c. */
MASS_FN mass_pair mass_claimant_pair(const mass_pair_claim *c, uint64_t self, mass_pair other)
{
    const mass_pair own = {c->claimed, c->dx, c->dy, c->dz,
                           MASS_PAIR_MADE | MASS_PAIR_CLAIMANT | MASS_PAIR_REFUSED};
    return mass_pair_of(own, self, other);
}

/* The number of a population in a callback, by its tag (MASS_TAGS_): that of the agents that a claim or a pair names.
 * MASS_POPULATIONS_SEEN: the callback does not see it. */
#ifdef __cplusplus
template <class A, class B> constexpr bool mass_are_same = false;
template <class A> constexpr bool mass_are_same<A, A> = true;
#define MASS_IS_TAG_(n, with) mass_are_same<decltype(mass_w->sight.tags->tag##n), decltype(with)>
#else
#define MASS_IS_TAG_(n, with)                                                                       \
    (__builtin_types_compatible_p(__typeof__(mass_w->sight.tags->tag##n), __typeof__(with)) ||      \
     __builtin_types_compatible_p(void *, __typeof__(with)))
/* In bodies of a list that is wrong (slips.h). */
typedef union mass_lost_claim {
    mass_pair_claim claim;
    void *with;
} mass_lost_claim;
typedef union mass_lost_pair {
    mass_pair pair;
    void *with;
} mass_lost_pair;
#endif
#define MASS_TAGGED_(with) \
    (MASS_IS_TAG_(0, with) ? 0 : MASS_IS_TAG_(1, with) ? 1 : MASS_IS_TAG_(2, with) ? 2 : MASS_IS_TAG_(3, with) ? 3 : 4)
#define MASS_TAGGED_TEXT_(call)                                                                           \
    call " is of agents of a population that the callback does not see: name both, its own first, as in " \
         "MASS_AGENT(name, (wolves, sheep), ...)"
#define MASS_CLAIM_TEXT_(call) \
    call " reads agents that no entry names: add NEARBY(...) with an attribute of their population"
#ifdef __cplusplus
#define MASS_CHECK_TAGGED_(k, call)                                                        \
    (void)sizeof(__extension__({ MASS_ASSERT_((k) < 4, MASS_TAGGED_TEXT_(call))            \
                                 MASS_ASSERT_(MASS_IS_NEAR_(k), MASS_CLAIM_TEXT_(call)) 0; })),
#else
#define MASS_CHECK_TAGGED_(k, call)                                           \
    (void)sizeof(struct { _Static_assert((k) < 4, MASS_TAGGED_TEXT_(call));   \
                          _Static_assert((k) > 3 || MASS_IS_NEAR_(k), MASS_CLAIM_TEXT_(call)); int mass_; }),
#endif
#define MASS_SELF_OF_(k) ((k) ? MASS_NOBODY : mass_w->self_)

#define CLAIM(f, o, ...) MASS_JOIN(MASS_CLAIM_OF_, MASS_COUNT_(__VA_ARGS__))(f, o, __VA_ARGS__)
#define MASS_CLAIM_OF_1(f, o, priority) MASS_CLAIM_("CLAIM(" #f ", " #o ", ...)", claim_##f, o, priority, 0)
#define MASS_CLAIM_OF_2(f, o, priority, lot) MASS_CLAIM_("CLAIM(" #f ", " #o ", ...)", claim_##f, o, priority, lot)
#define CLAIM_BY_LOT(...) MASS_PICK_(__VA_ARGS__, MASS_LOT_OF_3, MASS_LOT_OF_2, MASS_LOT_OF_1, )(__VA_ARGS__)
#define MASS_LOT_OF_1(f) MASS_LACKING_("CLAIM_BY_LOT(" #f ") lacks the agent: CLAIM_BY_LOT(" #f ", o)", (void)0)
#define MASS_LOT_OF_2(f, o) MASS_LOT_OF_3(f, o, 0)
#define MASS_LOT_OF_3(f, o, priority) \
    MASS_CLAIM_("CLAIM_BY_LOT(" #f ", " #o ")", claim_##f, o, priority, mass_lot_of(RANDOM(MASS_LAST_DRAW)))
#define MASS_CLAIM_(call, f, o, priority, lot) \
    MASS_CLAIM_FROM_(call, MASS_TAGGED_(MASS_MEMBER_OF_(CLAIM, f).with), f, o, priority, lot)
#define MASS_CLAIM_FROM_(call, k, f, o, priority, lot)                                                               \
    (MASS_CHECK_TAGGED_(k, call) mass_make_claim(&mass_w->site, &mass_w->reach_, &mass_w->walked_, (uint32_t)(k),    \
                                                 MASS_SELF_OF_(k), &MASS_MEMBER_OF_(CLAIM, f).claim, (o),            \
                                                 MASS_PRIORITY_OF_(priority), (uint64_t)(lot)))

#ifdef __CUDACC__
#define MASS_PAIR_(f) (&mass_w->pair_##f.v)
#else
#define MASS_PAIR_(f) (&*MASS_MEMBER_OF_(PAIR, pair_##f))
#endif
#define IS_PAIRED(f) ((MASS_PAIR_(f)->pair.state & MASS_PAIR_MADE) != 0)
#define IS_CLAIMANT(f) ((MASS_PAIR_(f)->pair.state & MASS_PAIR_CLAIMANT) != 0)
#define CLAIM_WAS_REFUSED(f) ((MASS_PAIR_(f)->pair.state & MASS_PAIR_REFUSED) != 0)
#define PARTNER_ID(f) (IS_PAIRED(f) ? MASS_PAIR_(f)->pair.partner : UINT64_MAX)
#define PARTNER(f) MASS_PARTNER_("PARTNER(" #f ")", MASS_TAGGED_(MASS_PAIR_(f)->with), MASS_PAIR_(f))
#define MASS_PARTNER_(call, k, p)                                                                               \
    (MASS_CHECK_TAGGED_(k, call) mass_partner(&mass_w->site, &mass_w->reach_, &mass_w->walked_, (uint32_t)(k),  \
                                              MASS_SELF_OF_(k), &(p)->pair))

#endif
