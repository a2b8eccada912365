import { expect, test } from "vitest";
import { hostLabels } from "./host.ts";

test.each([
  "nike.com",
  "NIKE.COM",
  "nike.com.",
  "http://nike.com",
  "HTTPS://nike.com:443/de?x=1#top",
  "ftp://nike.com",
  "//nike.com",
  "http:\\\\nike.com\\de",
  "https://user:secret@nike.com/a b",
  "info@nike.com",
  "mailto:info@nike.com",
  "nike.com/de:1",
  "  <https://nike.com>, ",
  '"nike.com"',
  "nike。com",
])("the host of %j", (pasted) => {
  expect(hostLabels(pasted)).toEqual(["nike", "com"]);
});

test("subdomains are kept, and names are the same in Unicode and in ASCII", () => {
  expect(hostLabels("https://shop.nike.com")).toEqual(["shop", "nike", "com"]);
  expect(hostLabels("Müller.de")).toEqual(["müller", "de"]);
  expect(hostLabels("xn--mller-kva.de")).toEqual(["müller", "de"]);
  expect(hostLabels("7-eleven.com")).toEqual(["7-eleven", "com"]);
});

test.each([
  "",
  " ",
  "nike",
  "nike .com",
  "localhost:8080",
  "127.0.0.1",
  "http://[::1]/",
  "http://",
  "...",
  "a..b.com",
  "nike.com:99999",
  "nike.com%00",
  `${"a".repeat(64)}.`.repeat(4) + "com",
])("%j is not a host of a merchant", (pasted) => {
  expect(hostLabels(pasted)).toBeNull();
});
