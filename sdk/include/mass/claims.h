/* SPDX-License-Identifier: Apache-2.0 */
/* Claims: agents claim others nearby, and a phase makes pairs of them. A wolf takes a sheep, two agents marry, a firm
 * hires a worker.
 *
 *     MASS_CLAIMS(hunt, (wolves, sheep), 2, 1)
 *
 *     MASS_AGENT(chase, (wolves, sheep), 2, NEARBY(FROM(sheep, weight)), CLAIMS(hunt))
 *     {
 *         EACH_NEARBY_OF(sheep, o, 1) if (OF(weight, o) > 10) CLAIM(hunt, o, OF(weight, o));
 *     }
 *     MASS_AGENT(eat, (wolves, sheep), 2, UPDATES(energy), NEARBY(FROM(sheep, weight)), PAIRS(hunt))
 *     {
 *         const mass_other prey = PARTNER(hunt);
 *         if (IS_ANYBODY(prey)) OUT(energy) += OF(weight, prey);
 *     }
 *     MASS_AGENT(die, sheep, 2, PAIRS(hunt)) { if (IS_PAIRED(hunt)) KILL(); }
 *
 *     MASS_SCHEDULE(STEPS(chase, .reach = 1), DECIDES(hunt), STEPS(eat, .reach = 1), STEPS(die), MANAGES(sheep))
 *
 * MASS_CLAIMS(name, (claimants, claimed), dimensions, radius) declares claims of agents of one population on agents of
 * another one of the same space. MASS_CLAIMS(name, population, dimensions, radius) declares those within one
 * population. Claims reach 1 to 1,024 places along each axis; `radius` may be an expression with VALUE. In a schedule,
 * DECIDES(name) decides all claims that were made before in this step, and DECIDES_AT_START(name) those of the start.
 *
 * An agent has one claim at most. In bodies over agents, or refused agents, of the claimants, with CLAIMS(name):
 *     CLAIM(name, o, priority[, lot])      claims agent `o`, which a walk of NEARBY gave. A later claim of the agent
 *                                          replaces it. The priority is any integer or real number, the lot a uint64_t.
 *                                          A priority of NaN, or an `o` that is nobody, changes nothing
 *     CLAIM_BY_LOT(name, o[, priority])    the same; its lot is random: the first two words of RANDOM(65535)
 *
 * Of two claims the one with the higher priority is better; of equal priorities that with the higher lot; then that of
 * the claimant with the lower id. Integers and reals compare as numbers, in all 64 bits. A pair comes about if its
 * claim is better than all others that touch either end, as claimant or as claimed. So no agent is in two pairs, and
 * some agents may stay alone although they claim each other's neighbours: claim again, and decide again.
 *
 * In bodies over agents, or refused agents, of both populations, with PAIRS(name):
 *     PARTNER(name)       the agent's partner, as of a walk, or nobody (IS_ANYBODY). OF reads the partner's attributes
 *                         that NEARBY names
 *     PARTNER_ID(name)    its id, or 2^64 - 1. It needs no NEARBY, and so do:
 *     IS_PAIRED(name)     1 if the agent has a partner, else 0
 *     IS_CLAIMANT(name)   1 if it has one, and claimed it
 *     CLAIM_WAS_REFUSED(name)   1 if it made a claim that came to nothing
 *
 * Pairs hold until the next DECIDES of the name, the next manage of either population, or the end of the step. Claims
 * need a DECIDES before a manage of either population and before the end of the step. The engine checks both when it
 * opens the plugin. Claims do not touch WAS_REFUSED. They are kept in attributes NAME_claims and NAME_pairs of the
 * agents, of 32 and 16 bytes. DECIDES clears the former; the latter keep the last pairs. */
#ifndef MASS_CLAIMS_H
#define MASS_CLAIMS_H

#include <mass/impl/each.h>

#define MASS_CLAIMS(NAME, POPULATIONS, DIMENSIONS, RADIUS)                                            \
    MASS_JOIN(MASS_CLAIMS_OF_, MASS_COUNT_(MASS_POPULATIONS_(POPULATIONS)))(NAME, DIMENSIONS, RADIUS, \
                                                                            MASS_POPULATIONS_(POPULATIONS))
#define MASS_CLAIMS_OF_1(...) MASS_CLAIMS_WITHIN_(__VA_ARGS__)
#define MASS_CLAIMS_OF_2(...) MASS_CLAIMS_BETWEEN_(__VA_ARGS__)
#define MASS_CLAIMS_OF_3(NAME, ...) MASS_ASSERT_(0, "MASS_CLAIMS " #NAME " is of one population or of two")
#define MASS_CLAIMS_OF_4(NAME, ...) MASS_CLAIMS_OF_3(NAME, )

#define MASS_CLAIMS_BETWEEN_(NAME, DIMENSIONS, RADIUS, CLAIMANTS, CLAIMED)                                        \
    MASS_CLAIM_COLUMN_(NAME, CLAIMANTS, CLAIMED)                                                                  \
    MASS_PAIR_COLUMN_(NAME, CLAIMANTS, CLAIMED)                                                                   \
    MASS_PAIR_COLUMN_(NAME, CLAIMED, CLAIMANTS)                                                                   \
    MASS_AGENT(NAME##_claimed, (CLAIMED, CLAIMANTS), DIMENSIONS, WRITES(AS(mass_pairs, NAME##_pairs)),            \
               NEARBY(FROM(CLAIMANTS, mass_claims, NAME##_claims)))                                               \
    {                                                                                                             \
        mass_best best = mass_best_begin(&mass_w->site, &mass_w->reach_, 0);                                      \
        EACH_NEARBY_OF(CLAIMANTS, mass_o, mass_w->site.launch->reach)                                             \
            if (OF(mass_claims, mass_o).claim.kind && OF(mass_claims, mass_o).claim.claimed == AGENT_ID)          \
                mass_best_take(&best, &OF(mass_claims, mass_o).claim, ID_OF_IN(CLAIMANTS, mass_o), &mass_o);      \
        OUT(mass_pairs).pair = mass_best_pair(&best);                                                             \
    }                                                                                                             \
    MASS_AGENT(NAME##_claimants, (CLAIMANTS, CLAIMED), DIMENSIONS, UPDATES(AS(mass_claims, NAME##_claims)),       \
               WRITES(AS(mass_pairs, NAME##_pairs)), NEARBY(FROM(CLAIMED, mass_theirs, NAME##_pairs)))            \
    {                                                                                                             \
        const mass_pair_claim mass_c = OUT(mass_claims).claim;                                                    \
        mass_pair mass_p = {0, 0, 0, 0, (uint16_t)(mass_c.kind ? MASS_PAIR_REFUSED : 0)};                         \
        if (mass_claim_counts(&mass_w->site, &mass_w->reach_, &mass_c)) {                                         \
            const mass_other mass_o = mass_other_with_id(&mass_w->site, &mass_w->reach_, &mass_w->walked_, 1,     \
                                                         MASS_NOBODY, mass_c.dx, mass_c.dy, mass_c.dz,            \
                                                         mass_c.claimed);                                         \
            if (IS_ANYBODY(mass_o)) mass_p = mass_claimant_pair(&mass_c, AGENT_ID, OF(mass_theirs, mass_o).pair); \
        }                                                                                                         \
        OUT(mass_pairs).pair = mass_p;                                                                            \
        memset(&OUT(mass_claims), 0, sizeof OUT(mass_claims));                                                    \
    }                                                                                                             \
    MASS_DECIDES_(NAME, DIMENSIONS, RADIUS)

#define MASS_CLAIMS_WITHIN_(NAME, DIMENSIONS, RADIUS, POPULATION)                                        \
    MASS_CLAIM_COLUMN_(NAME, POPULATION, POPULATION)                                                     \
    MASS_PAIR_COLUMN_(NAME, POPULATION, POPULATION)                                                      \
    MASS_AGENT(NAME##_claimed, POPULATION, DIMENSIONS, WRITES(AS(mass_pairs, NAME##_pairs)),             \
               NEARBY(AS(mass_claims, NAME##_claims)))                                                   \
    {                                                                                                    \
        mass_best best = mass_best_begin(&mass_w->site, &mass_w->reach_,                                 \
                                         &mass_w->others_.of_mass_claims[mass_w->self_].claim);          \
        EACH_NEARBY(mass_o, mass_w->site.launch->reach)                                                  \
            if (OF(mass_claims, mass_o).claim.kind && OF(mass_claims, mass_o).claim.claimed == AGENT_ID) \
                mass_best_take(&best, &OF(mass_claims, mass_o).claim, ID_OF(mass_o), &mass_o);           \
        OUT(mass_pairs).pair = mass_best_pair(&best);                                                    \
    }                                                                                                    \
    MASS_AGENT(NAME##_claimants, POPULATION, DIMENSIONS, WRITES(AS(mass_claims, NAME##_claims)),         \
               UPDATES(AS(mass_pairs, NAME##_pairs)), NEARBY(AS(mass_theirs, NAME##_pairs)))             \
    {                                                                                                    \
        mass_pair mass_p = OUT(mass_pairs).pair, mass_other_end = {0, 0, 0, 0, 0};                       \
        const mass_other mass_o =                                                                        \
            mass_partner(&mass_w->site, &mass_w->reach_, &mass_w->walked_, 0, mass_w->self_, &mass_p);   \
        if (IS_ANYBODY(mass_o)) mass_other_end = OF(mass_theirs, mass_o).pair;                           \
        OUT(mass_pairs).pair = mass_pair_of(mass_p, AGENT_ID, mass_other_end);                           \
        memset(&OUT(mass_claims), 0, sizeof OUT(mass_claims));                                           \
    }                                                                                                    \
    MASS_DECIDES_(NAME, DIMENSIONS, RADIUS)

/* The types of the attributes. `with` is there for its type only: that of the agents that are named (MASS_TAGS_). */
#define MASS_CLAIM_COLUMN_(NAME, OWNER, OTHER)                                                           \
    typedef union {                                                                                      \
        mass_pair_claim claim;                                                                           \
        struct mass_tag_##OTHER *with;                                                                   \
    } __attribute__((aligned(16))) mass_attribute_of_##OWNER##_##NAME##_claims;                          \
    MASS_CLAIM_ARRAY_(OWNER, NAME##_claims, mass_attribute_of_##OWNER##_##NAME##_claims, MASS_OF_CLAIMS, \
                      "claims of " #NAME ", which its decision clears",                                  \
                      {"priority", MASS_U64, offsetof(mass_pair_claim, priority)},                       \
                      {"lot", MASS_U64, offsetof(mass_pair_claim, lot)},                                 \
                      {"claimed", MASS_U64, offsetof(mass_pair_claim, claimed)},                         \
                      {"dx", MASS_I16, offsetof(mass_pair_claim, dx)},                                   \
                      {"dy", MASS_I16, offsetof(mass_pair_claim, dy)},                                   \
                      {"dz", MASS_I16, offsetof(mass_pair_claim, dz)},                                   \
                      {"kind", MASS_U16, offsetof(mass_pair_claim, kind)})
#define MASS_PAIR_COLUMN_(NAME, OWNER, OTHER)                                                                     \
    typedef union {                                                                                               \
        mass_pair pair;                                                                                           \
        struct mass_tag_##OTHER *with;                                                                            \
    } __attribute__((aligned(16))) mass_attribute_of_##OWNER##_##NAME##_pairs;                                    \
    MASS_CLAIM_ARRAY_(OWNER, NAME##_pairs, mass_attribute_of_##OWNER##_##NAME##_pairs, MASS_OF_PAIRS,             \
                      "the last pairs of " #NAME, {"partner", MASS_U64, offsetof(mass_pair, partner)},            \
                      {"dx", MASS_I16, offsetof(mass_pair, dx)}, {"dy", MASS_I16, offsetof(mass_pair, dy)},       \
                      {"dz", MASS_I16, offsetof(mass_pair, dz)}, {"state", MASS_U16, offsetof(mass_pair, state)})
#define MASS_CLAIM_ARRAY_(OWNER, NAME, TYPE, CLAIMS, HELP, ...)                                                    \
    MASS_ARRAY_(OWNER, NAME, TYPE, .population = #OWNER, .name = #NAME, MASS_ELEMENT_OF_(TYPE), .help = HELP,      \
                .member_count = sizeof((const mass_member[]){__VA_ARGS__}) / sizeof(mass_member),                  \
                .members = (const mass_member[]){__VA_ARGS__}, .claims = CLAIMS)

/* The phases of DECIDES. */
#if MASS_HOST
#define MASS_DECIDES_(NAME, DIMENSIONS, RADIUS)                                                                   \
    __attribute__((unused)) static void mass_decides_##NAME(mass_host *host, uint32_t schedule)                   \
    {                                                                                                             \
        const int64_t radius = (RADIUS);                                                                          \
        if (radius < 1 || radius > MASS_RADIUS_MOST) {                                                            \
            (void)host->fail(host, MASS_BAD_PLUGIN, "MASS_CLAIMS(" #NAME ", ...) has a radius of %lld, not 1 to " \
                             "1024", (long long)radius);                                                          \
            return;                                                                                               \
        }                                                                                                         \
        (void)MASS_DECLARE_PHASE(host, schedule, NAME##_claimed, .reach = (int32_t)radius);                       \
        (void)MASS_DECLARE_PHASE(host, schedule, NAME##_claimants, .reach = (int32_t)radius);                     \
    }
#else
#define MASS_DECIDES_(NAME, DIMENSIONS, RADIUS)
#endif
#define MASS_PHASE_DECIDES(NAME) mass_decides_##NAME(host, MASS_STEP)
#define MASS_PHASE_DECIDES_AT_START(NAME) mass_decides_##NAME(host, MASS_START)
#define MASS_PHASE_DECIDE(NAME) \
    MASS_LACKING_("MASS_SCHEDULE: it is DECIDES(" #NAME "), and not DECIDE", (void)0)

#endif
