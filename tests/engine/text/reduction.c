/* SPDX-License-Identifier: Apache-2.0 */
/* What --tally is read as, and what is refused, where. */
#include "text/reduction.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static void expect(const char *text, const mass_reduction_text *wanted)
{
    mass_reduction_text found;
    mass_error e = {0};
    mass_reduction_parse(text, &found, &e);
    cr_assert_eq(e.status, MASS_OK, "%s", e.text);
    cr_expect_str_eq(found.name, wanted->name, "%s", text);
    cr_expect_str_eq(found.owner, wanted->owner, "%s", text);
    cr_expect_str_eq(found.attribute, wanted->attribute, "%s", text);
    cr_expect(found.operation == wanted->operation && found.indexed == wanted->indexed &&
              found.component == wanted->component && found.bins == wanted->bins && found.low == wanted->low &&
              found.high == wanted->high, "%s", text);
}

Test(reduction, forms_are_read)
{
    expect("a=sum(b)", &(mass_reduction_text){.name = "a", .attribute = "b", .operation = MASS_SUM});
    expect(" a = mean ( b . c [ 7 ] ) ", &(mass_reduction_text){.name = "a", .owner = "b", .attribute = "c",
                                                      .indexed = true, .component = 7, .operation = MASS_MEAN});
    expect("_1=min(sum.hist[0])", &(mass_reduction_text){.name = "_1", .owner = "sum", .attribute = "hist",
                                               .operation = MASS_MIN, .indexed = true});
    expect("m=max(b)", &(mass_reduction_text){.name = "m", .attribute = "b", .operation = MASS_MAX});
    expect("w=hist(ants.wealth,64,-1e2,+.5)", &(mass_reduction_text){.name = "w", .owner = "ants",
           .attribute = "wealth", .operation = MASS_HISTOGRAM, .bins = 64, .low = -100, .high = .5});
}

static void refuse(const char *wanted)
{
    char text[200];
    mass_reduction_text found;
    mass_error e = {0};
    const size_t caret = strcspn(strchr(wanted, ':') + 2, "^");
    snprintf(text, sizeof text, "%.*s%s", (int)caret, strchr(wanted, ':') + 2, strchr(wanted, ':') + 3 + caret);
    cr_expect_eq(mass_reduction_parse(text, &found, &e), MASS_BAD_USAGE, "%s", text);
    char line[300];
    snprintf(line, sizeof line, "--tally: %s", wanted);
    cr_expect_str_eq(e.text, line);
}

Test(reduction, the_caret_stands_before_what_is_wrong)
{
    refuse("a name is expected, as in NAME=sum(ATTRIBUTE): ^1=sum(a)");
    refuse("'=' is expected: a ^sum(b)");
    refuse("sum, mean, min, max or hist is expected: a=^median(b)");
    refuse("sum, mean, min, max or hist is expected: a=^(b)");
    refuse("'(' is expected: a=sum ^b");
    refuse("an attribute is expected: a=sum(^)");
    refuse("an attribute is expected: a=sum(b.^)");
    refuse("a component x, y or z is expected: a=sum(b.c.^d)");
    refuse("a component x, y or z is expected: a=sum(b.c.^xy)");
    refuse("')' is expected: a=sum(b.c.x^[0])");
    refuse("')' is expected: a=sum(b^,4,0,1)");
    refuse("the number of a component is expected: a=sum(b[^-1])");
    refuse("the number of a component is expected: a=sum(b[^1024])");
    refuse("']' is expected: a=sum(b[1^)");
    refuse("',' is expected: a=hist(b^)");
    refuse("a number of bins from 1 to 1000000000 is expected: a=hist(b,^0,0,1)");
    refuse("a number of bins from 1 to 1000000000 is expected: a=hist(b,^1.5,0,1)");
    refuse("a number of bins from 1 to 1000000000 is expected: a=hist(b,^1000000001,0,1)");
    refuse("a number is expected: a=hist(b,4,^nan,1)");
    refuse("a number is expected: a=hist(b,4,0,^1e999)");
    refuse("a number is expected: a=hist(b,4,0,^0x1)");
    refuse("bins end above where they begin: a=hist(b,4,1,^1)");
    refuse("text follows its end: a=sum(b)^;");
}
