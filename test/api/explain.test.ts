// Why a line was recognised as it was: the operation for operators and the command, over the whole service.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { explanation } from "../../src/http/ops/schemas.ts";
import { runCommand } from "../support/command.ts";
import { temporaryFolder } from "../support/service.ts";

const line = "SQ *BLUE BOTTLE 123 OAKLAND CA";

it("the command prints the same as JSON, without a service and without a data folder", async () => {
  const folder = join(temporaryFolder(), "none");
  const { code, stdout, stderr } = await runCommand(
    { LEDGERLINE_DATA: folder },
    ...["explain", line, "--amount", "6.50", "--outgoing", "--json"],
  );
  expect([code, stderr]).toEqual([0, ""]);
  const explained: unknown = JSON.parse(stdout.toString("utf8"));
  expect(explanation.strict().parse(explained)).toEqual(explained);
  expect(explained).toMatchObject({ decision: { counterparty: { name: "Blue Bottle Coffee" } } });
  expect(existsSync(folder)).toBe(false);
});
