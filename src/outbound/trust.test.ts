import { expect, test } from "vitest";
import { makeCertificate } from "../../test/support/certificate.ts";
import { CA_CHARS_MAX, caProblem } from "./trust.ts";

const { cert, key } = makeCertificate(["hooks.test"]);
const ONLY = "must be certificates in PEM and nothing else";
const UNREADABLE = "has a certificate that cannot be read";

test.each([
  ["one", cert],
  ["several with lines between them", `\n${cert}\r\n${cert}\n`],
  ["lines of Windows", cert.replaceAll("\n", "\r\n")],
])("certificates are taken: %s", (_what, pem) => {
  expect(caProblem(pem)).toBeNull();
});

test.each([
  ["nothing", " ", ONLY],
  ["any text", "not a certificate", ONLY],
  ["a private key", key, ONLY],
  ["a private key behind a certificate", `${cert}${key}`, ONLY],
  ["a certificate that ends early", cert.slice(0, -30), ONLY],
  ["other bytes in its place", cert.replace(/\nMII/, "\nAAAA"), UNREADABLE],
  ["a second one that is broken", `${cert}${cert.replace(/[A-Z]{3}/, "AAA=")}`, undefined],
  ["eleven", cert.repeat(11), "must be at most 10 certificates"],
  ["a long text", `${cert}${"\n".repeat(CA_CHARS_MAX)}`, "must have at most 16384 characters"],
])("%s is refused, with the reason and without quoting it", (_what, pem, problem) => {
  if (problem === undefined) expect(caProblem(pem)).toEqual(expect.any(String));
  else expect(caProblem(pem)).toBe(problem);
  expect(caProblem(pem)).not.toContain("MII");
});
