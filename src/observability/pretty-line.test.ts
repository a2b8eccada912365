import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { createLoggerFor, type LogFormat } from "./logger.ts";
import { prettyLine } from "./pretty-line.ts";

const LINE = JSON.stringify({
  level: "info",
  time: "2026-11-20T09:30:00.123Z",
  requestId: "r1",
  status: 200,
  org: null,
  settings: { text: "x".repeat(500) },
  odd: "a\u001b[31mb\nc",
  msg: "request",
});

it("a pretty line has time, level, event and fields, without nulls, cut and free of control characters", () => {
  const line = prettyLine(LINE, false);
  expect(line).toMatch(
    /^09:30:00\.123 INFO {2}request requestId=r1 status=200 settings=\{"text":"x+… odd=ab c\n$/,
  );
  expect(line.length).toBeLessThan(250);
  expect(prettyLine(LINE, true)).toContain("\u001b[32mINFO");
});

it.each<[LogFormat, boolean, boolean]>([
  ["auto", true, true],
  ["auto", false, false],
  ["json", true, false],
  ["pretty", false, true],
])("with LOG_FORMAT=%s and a terminal: %s, lines are pretty: %s", (format, isTTY, isPretty) => {
  const out = new PassThrough();
  const stream = Object.assign(out, { isTTY, hasColors: () => false });
  createLoggerFor("info", format, stream as unknown as NodeJS.WriteStream).info({ a: 1 }, "event");
  const text = String(out.read());
  expect(text).toMatch(isPretty ? /INFO {2}event a=1/ : /^\{"level":"info".*"msg":"event"\}\n$/);
});
