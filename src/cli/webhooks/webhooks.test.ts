import { Command, CommanderError } from "commander";
import { expect, it } from "vitest";
import { captureStream } from "../../../test/support/capture.ts";
import type { Attempt, Delivery, Recovery, Webhook } from "../../model/webhook.ts";
import { addWebhookCommands } from "./commands.ts";
import type { WebhookCommandPort } from "./webhooks.ts";

const NOW = Date.parse("2026-11-21T09:30:00.000Z");
const WEBHOOK: Webhook = {
  org: "default",
  id: "w-1",
  url: "https://example.com/hook",
  events: ["batches.completed", "batches.error"],
  createdAt: 0,
  enabled: false,
  token: "the-token",
  signingKeys: [],
  ordered: false,
  ca: null,
  health: {
    consecutiveFailures: 50,
    lastSuccessAt: NOW - 86_400_000,
    enabledAt: 0,
    disabledAt: NOW,
    disabledReason: "failures",
    lastError: "It answered 500.",
  },
};
const DELIVERY: Delivery = {
  eventId: "e-1",
  eventType: "batches.completed",
  webhookId: "w-1",
  resourceId: "b-1",
  state: "pending",
  attempts: 2,
  createdAt: NOW - 60_000,
  nextAttemptAt: NOW + 30_000,
  lastAttemptAt: NOW - 1_000,
  lastStatus: 500,
  lastError: "status",
  replay: false,
};
const ATTEMPT: Attempt = {
  number: 1,
  eventId: "e-1",
  at: NOW - 60_000,
  replay: false,
  status: null,
  error: "timed_out",
  detail: "No answer within 10 s.",
  timings: { dns: 1.2, connect: 3, tls: 12.7, firstByte: null, total: 10_000.4 },
  responseBody: null,
  retryAfter: null,
  requestId: "q-1",
  keyIds: ["k-2", "k-1"],
};

function setUp(over: Partial<WebhookCommandPort> = {}) {
  const out = captureStream();
  const err = captureStream();
  const calls: unknown[] = [];
  const recovery: Recovery = {
    ...{ id: "r-1", webhookId: "w-1", createdAt: NOW, status: "running", resent: 0 },
    ...{ since: 0, until: NOW, states: ["exhausted"] },
  };
  /** What the port answers for the one webhook that there is. */
  const answer = <T>(given: unknown[], value: T): Promise<T | null> => {
    calls.push(given);
    return Promise.resolve(given[1] === "w-1" ? value : null);
  };
  const webhooks: WebhookCommandPort = {
    list: (...given) => {
      calls.push(given);
      return Promise.resolve([WEBHOOK]);
    },
    deliveries: (...given) => answer(given, [DELIVERY]),
    delivery: (...given) => answer(given, { delivery: DELIVERY, attempts: [ATTEMPT] }),
    resend: (...given) => answer(given, DELIVERY),
    countRecoverable: (...given) => answer(given, { count: 1, capped: false }),
    recover: (...given) => answer(given, recovery),
    ...over,
  };
  const run = async (...args: string[]) => {
    let code = 0;
    const program = new Command().exitOverride().configureOutput({
      writeErr: (text) => err.stream.write(text),
    });
    const deps = {
      withWebhooks: (
        command: Parameters<Parameters<typeof addWebhookCommands>[1]["withWebhooks"]>[0],
      ) => command({ webhooks, stdout: out.stream, stderr: err.stream, now: () => NOW }),
      listen: () => Promise.reject(new Error("has tests of its own")),
    };
    addWebhookCommands(program, deps, (given) => {
      code = given;
    });
    try {
      await program.parseAsync(["webhooks", ...args], { from: "user" });
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      code = 2;
    }
    return { code, out: out.take(), err: err.take() };
  };
  return { run, calls };
}

it("list shows how the endpoints have been answering, and no secret", async () => {
  const { run, calls } = setUp();
  const { code, out } = await run("list");
  expect(code).toBe(0);
  expect(out).toMatch(
    /^ID .*\nw-1 +disabled \(failures\) +50 +2026-11-20T09:30:00.000Z +batches.completed,batches.error +https:\/\/example.com\/hook +It answered 500.\n$/,
  );
  expect(out).not.toContain("the-token");
  await run("list", "--organization", "acme");
  await run("list", "--organization", "_operator");
  expect((await run("list", "--organization", "_else")).code).not.toBe(0);
  expect(calls).toEqual([["default"], ["acme"], ["_operator"]]);
});

it("deliveries shows how far each is, filtered and bounded as asked", async () => {
  const { run, calls } = setUp();
  const { out, err } = await run("deliveries", "w-1");
  expect(out).toMatch(
    /\ne-1 +batches.completed +b-1 +pending +2026-11-21T09:29:00.000Z +2 +500 +in 30 s\n$/,
  );
  expect(err).toBe("");
  const bounded = await run("deliveries", "w-1", "--state", "exhausted", "--limit", "1");
  expect(bounded.err).toContain("more than these 1");
  expect(calls).toEqual([
    ["default", "w-1", null, 50],
    ["default", "w-1", "exhausted", 1],
  ]);
});

it.each([
  [null, "-"],
  [NOW - 1, "now"],
  [NOW + 118_500, "in 119 s"],
  [NOW + 600_000, "in 10 min"],
  [NOW + 7 * 3_600_000, "in 7 h"],
])("an attempt at %s is %s", async (nextAttemptAt, words) => {
  const { run } = setUp({ deliveries: () => Promise.resolve([{ ...DELIVERY, nextAttemptAt }]) });
  expect((await run("deliveries", "w-1")).out).toMatch(new RegExp(`  ${words}\n$`));
});

it("attempts shows each with its phases in milliseconds and the answer", async () => {
  const answered: Attempt = {
    ...{ ...ATTEMPT, number: 2, status: 429, error: "status", detail: "It answered 429." },
    ...{ replay: true, retryAfter: "30", responseBody: "slow\u001b[2J down" },
  };
  const { run } = setUp({
    delivery: () => Promise.resolve({ delivery: DELIVERY, attempts: [ATTEMPT, answered] }),
  });
  const lines = (await run("attempts", "w-1", "e-1")).out.split("\n");
  expect(lines[0]).toBe("batches.completed b-1: pending, next in 30 s");
  expect(lines[3]).toMatch(
    /^1 +2026-11-21T09:29:00.000Z +timed_out +1 +3 +13 +- +10000 +k-2,k-1 +q-1 +No answer within 10 s.$/,
  );
  expect(lines[4]).toMatch(
    / 429 .*sent again on request; It answered 429.; Retry-After: 30; "slow/,
  );
  expect(lines.join("")).not.toMatch(/\p{Cc}/u);
});

it("resend prints whether it is sent now or when the webhook is enabled", async () => {
  expect((await setUp().run("resend", "w-1", "e-1")).err).toContain("being sent");
  const { run } = setUp({ resend: () => Promise.resolve({ ...DELIVERY, state: "held" }) });
  expect(await run("resend", "w-1", "e-1")).toMatchObject({
    code: 0,
    err: "Event e-1 will be sent when webhook w-1 is enabled.\n",
  });
});

it("recover sends again what is exhausted unless other states are asked for", async () => {
  const { run, calls } = setUp();
  const span = ["--since", "2026-11-20", "--until", "2026-11-20T12:30:00.5+02:00"];
  expect((await run("recover", "w-1", ...span)).out).toContain("Recovery r-1 is running");
  await run("recover", "w-1", ...span, "--state", "delivered,exhausted");
  const [since, until] = [Date.parse("2026-11-20T00:00:00Z"), Date.parse("2026-11-20T10:30:00.5Z")];
  expect(calls).toEqual([
    ["default", "w-1", { since, until, states: ["exhausted"] }],
    ["default", "w-1", { since, until, states: ["exhausted", "delivered"] }],
  ]);
});

it("recover --dry-run counts and sends nothing", async () => {
  const recover = () => Promise.reject(new Error("it was sent"));
  const args = ["recover", "w-1", "--since=2026-11-20", "--until=2026-11-21", "--dry-run"];
  expect((await setUp({ recover }).run(...args)).out).toBe("1 delivery would be sent again.\n");
  const countRecoverable = () => Promise.resolve({ count: 10_000, capped: true });
  const { out } = await setUp({ recover, countRecoverable }).run(...args);
  expect(out).toBe("More than 10000 deliveries would be sent again.\n");
});

it.each([
  [["deliveries", "w-2"]],
  [["attempts", "w-2", "e-1"]],
  [["resend", "w-2", "e-1"]],
  [["recover", "w-2", "--since=2026-11-20", "--until=2026-11-21"]],
  [["recover", "w-2", "--since=2026-11-20", "--until=2026-11-21", "--dry-run"]],
])("an unknown id (%s) is reported in a sentence, with exit code 1", async (args) => {
  const { code, out, err } = await setUp().run(...args);
  expect([code, out]).toEqual([1, ""]);
  expect(err).toMatch(/^[A-Z].*w-2.*\.\n$/);
});

it("a span of time that ends before it begins is a wrong command line", async () => {
  const { run, calls } = setUp();
  const { code, err } = await run("recover", "w-1", "--since=2026-11-21", "--until=2026-11-20");
  expect(code).toBe(2);
  expect(err).toContain("--since must be before --until");
  expect(calls).toEqual([]);
});
