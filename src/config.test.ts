import { describe, expect, it } from "vitest";
import { configSummary, readConfig } from "./config.ts";

describe("readConfig", () => {
  it("has a default for every setting", () => {
    expect(readConfig({}, 3)).toEqual({
      host: "127.0.0.1",
      port: 8080,
      dataFolder: ".ledgerline",
      apiKey: null,
      logLevel: "info",
      poolThreads: 3,
    });
  });

  it("an empty value counts as not set, and other programs' variables are left alone", () => {
    expect(readConfig({ PORT: "", LOG_LEVEL: " ", HOME: "/root", LEDGER: "x" }, 1).port).toBe(8080);
  });

  it.each([
    ["PORT", "abc"],
    ["PORT", "65536"],
    ["PORT", "-1"],
    ["PORT", "1e3"],
    ["POOL_THREADS", "0"],
    ["POOL_THREADS", "1.5"],
    ["POOL_THREADS", "257"],
    ["LOG_LEVEL", "loud"],
    ["HOST", "not a host"],
    ["LEDGERLINE_API_KEY", "with space"],
    ["LEDGERLINE_API_KEY", "x".repeat(513)],
    ["LEDGERLINE_DATABASE", "x"],
    ["LEDGERLINE_", "x"],
  ])("%s=%s is refused with one sentence that names the setting", (name, value) => {
    expect(() => readConfig({ [name]: value }, 1)).toThrow(new RegExp(`^${name} .*\\.$`));
  });

  it("a secret is in no message and in no summary", () => {
    const secret = "top-secret value";
    expect(() => readConfig({ LEDGERLINE_API_KEY: secret }, 1)).toThrow(/^(?!.*top-secret).*$/);
    const config = readConfig({ LEDGERLINE_API_KEY: "abc123" }, 1);
    expect(config.apiKey).toBe("abc123");
    expect(JSON.stringify(configSummary(config))).not.toContain("abc123");
  });
});
