import { expect, test } from "vitest";
import { urlProblem } from "./url.ts";

const strict = { allowHttp: false, allowCidrs: [] };
const development = { allowHttp: true, allowCidrs: ["127.0.0.0/8"] };

test.each([
  "https://example.com/hook",
  "https://example.com:443/hook?token=abc",
  "https://example.com:80/",
  "https://example.com:8443/",
  "https://example.com./",
  "https://8.8.8.8/",
  "https://[2606:4700:4700::1111]/hook",
  "https://münchen.example/",
  "HTTPS://EXAMPLE.COM",
  "https://my_service.example.com/",
  `https://${"a".repeat(63)}.example/`,
  `https://${"a.".repeat(126)}a/`,
])("the URL %s may be a webhook's", (url) => {
  expect(urlProblem(url, strict)).toBeNull();
});

test.each([
  ["http://example.com/", /begin with https/],
  ["ftp://example.com/", /begin with https/],
  ["file:///etc/passwd", /begin with https/],
  ["gopher://127.0.0.1:6379/_x", /begin with https/],
  ["", /cannot be read/],
  ["example.com/hook", /cannot be read/],
  ["https://", /cannot be read/],
  ["https:///", /cannot be read/],
  ["https://example.com:99999/", /cannot be read/],
  ["https://[::1", /cannot be read/],
  ["https://[fe80::1%25eth0]/", /cannot be read/],
  ["https://1.2.3.4.5/", /cannot be read/],
  ["https://user@example.com/", /user name/],
  ["https://user:secret@example.com/", /user name/],
  ["https://:secret@example.com/", /user name/],
  ["https://8.8.8.8@127.0.0.1/", /user name/],
  ["https://example.com/#part", /fragment/],
  ["https://example.com/ hook", /spaces/],
  ["https://exa\nmple.com/", /spaces/],
  ["https://example.com\\@127.0.0.1/", /spaces/],
  ["https://./", /can exist/],
  ["https://../", /can exist/],
  ["https://example..com/", /can exist/],
  ["https://.example.com/", /can exist/],
  ["https://example.com../", /can exist/],
  ["https://*.example.com/", /can exist/],
  [`https://${"a".repeat(64)}.example/`, /can exist/],
  [`https://${"a.".repeat(127)}a/`, /can exist/],
  ["https://example.com:0/", /port/],
  ["https://example.com:22/", /port/],
  ["https://example.com:25/", /port/],
  ["https://example.com:1024/", /port/],
  [`https://example.com/${"a".repeat(2048)}`, /longer/],
])("the URL %j is refused, with the reason and without quoting it", (url, problem) => {
  expect(urlProblem(url, strict)).toMatch(problem);
  expect(urlProblem(url, strict)).not.toContain("secret");
});

test.each([
  "https://localhost/",
  "https://LOCALHOST:8443/",
  "https://localhost./",
  "https://api.localhost/",
  "https://127.0.0.1/",
  "https://127.0.0.1./",
  "https://127.1/",
  "https://127.0.1/",
  "https://2130706433/",
  "https://0x7f000001/",
  "https://0x7f.0.0.1/",
  "https://0177.0.0.1/",
  "https://017700000001/",
  "https://0/",
  "https://127。0。0。1/",
  "https://127.0.0.1/",
  "https://%31%32%37.0.0.1/",
  "https://10.0.0.1/",
  "https://169.254.169.254/latest/meta-data/",
  "https://2852039166/",
  "https://[::]/",
  "https://[::1]/",
  "https://[0:0:0:0:0:0:0:1]/",
  "https://[::127.0.0.1]/",
  "https://[::ffff:127.0.0.1]/",
  "https://[::ffff:7f00:1]/",
  "https://[64:ff9b::127.0.0.1]/",
  "https://[2002:7f00:1::]/",
  "https://[fd00:ec2::254]/",
  "https://[fe80::1]/",
])("the URL %s is refused, since its host is inside", (url) => {
  expect(urlProblem(url, strict)).toBe("The URL's host is not a public address.");
});

test("an installation sets which ports a webhook may have", () => {
  const own = {
    ...strict,
    allowPorts: [
      { from: 443, to: 443 },
      { from: 20, to: 29 },
    ],
  };
  expect(urlProblem("https://example.com/", own)).toBeNull();
  expect(urlProblem("https://example.com:22/", own)).toBeNull();
  for (const port of [80, 19, 30, 8443])
    expect(urlProblem(`https://example.com:${String(port)}/`, own)).toBe(
      "The URL's port must be one of 443, 20-29.",
    );
});

test("an installation for development allows http and its own machine", () => {
  expect(urlProblem("http://127.0.0.1:9000/hook", development)).toBeNull();
  expect(urlProblem("http://localhost:9000/hook", development)).toBeNull();
  expect(urlProblem("http://10.0.0.1:9000/hook", development)).toMatch(/not a public/);
  expect(urlProblem("ftp://localhost/", development)).toMatch(/begin with https:\/\/ or http/);
});
