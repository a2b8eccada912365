import { expect, it } from "vitest";
import { domainOf } from "./domain-name.ts";

it.each([
  ["example.com", "example.com"],
  ["WWW.Example.COM", "example.com"],
  ["https://www.example.co.uk/shop?x=1#y", "example.co.uk"],
  ["http://example.com:8080", "example.com"],
  ["www.com", "www.com"],
  ["büro.example", "xn--bro-hoa.example"],
])("%s is the domain %s", (text, domain) => {
  expect(domainOf(text)).toBe(domain);
});

it.each([
  "",
  "example",
  "10.0.0.1",
  "https://[::1]/",
  "a b.com",
  "-a.com",
  "a..com",
  "mailto:a@example.com",
  "person@example.com",
])("%j is not a domain", (text) => {
  expect(domainOf(text)).toBeNull();
});
