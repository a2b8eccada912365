// Lists whose rows stand below the day they are of.
import { expect, it } from "vitest";
import { readStatementText as read } from "../../test/support/read-statement-text.ts";

it("reads rows below the headings of their days, of which a list without a header has one for each day", () => {
  const { rows, verdicts } = read(`
Harbour App          Transaction list
1 September 2026 to 30 September 2026
Zoe Papadakis        Spending  633-123 447188204
Wed 30 September 2026
       Transport NSW                             -$9.83
       Visa Sydney
Mon 28 September 2026
       Transport NSW                            -$16.05
       Grocer                                   -$58.34
       Visa Marrickville
Fri 25 September 2026
       Salary                                +$3,011.20
`);
  expect(rows).toEqual([
    "2026-09-30 -9.83",
    "2026-09-28 -16.05",
    "2026-09-28 -58.34",
    "2026-09-25 3011.20",
  ]);
  expect(verdicts).toEqual(["not_checkable"]);
});

it("takes no amount in a letter, which has one day, for a row", () => {
  const { rows } = read(`
Harbour Bank         Elm Street 4
30 September 2026
Your new card has a limit of                  $5,000.00
We charge for it each year                       $20.00
`);
  expect(rows).toEqual([]);
});
