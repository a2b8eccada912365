import { expect, test } from "vitest";
import { REFUSED_ADDRESSES } from "../../test/support/addresses.ts";
import { isAllowed, isSameAddress, parseCidrs } from "./addresses.ts";

const PUBLIC = ["8.8.8.8", "1.1.1.1", "93.184.216.34", "172.15.0.1", "172.32.0.1", "100.63.0.1"];
const PUBLIC_V6 = ["2606:4700:4700::1111", "2a00:1450:4001:80e::200e", "2400:cb00::1"];

test.each([...PUBLIC, ...PUBLIC_V6])("the public address %s is allowed", (address) => {
  expect(isAllowed(address, [])).toBe(true);
});

test.each(REFUSED_ADDRESSES)("the address %j is refused by default", (address) => {
  expect(isAllowed(address, [])).toBe(false);
});

test("an allowed block lets its own addresses through and no others", () => {
  const allowed = parseCidrs(["10.1.0.0/16", "fd12::/32", " 192.168.7.7 "]);
  expect(isAllowed("10.1.255.255", allowed)).toBe(true);
  expect(isAllowed("10.2.0.1", allowed)).toBe(false);
  expect(isAllowed("fd12::9", allowed)).toBe(true);
  expect(isAllowed("fd13::9", allowed)).toBe(false);
  expect(isAllowed("192.168.7.7", allowed)).toBe(true);
  expect(isAllowed("192.168.7.8", allowed)).toBe(false);
  expect(isAllowed("fd12::9%eth0", allowed)).toBe(false);
  expect(isAllowed("8.8.8.8", allowed)).toBe(true);
});

test("an IPv4 address inside IPv6 is compared as itself, whichever of the two is written as such", () => {
  expect(isAllowed("::ffff:10.1.2.3", parseCidrs(["10.0.0.0/8"]))).toBe(true);
  expect(isAllowed("::ffff:11.1.2.3", parseCidrs(["10.0.0.0/8"]))).toBe(false);
  expect(isAllowed("10.1.2.3", parseCidrs(["::ffff:10.0.0.0/104"]))).toBe(true);
  expect(isAllowed("::10.1.2.3", parseCidrs(["10.0.0.0/8"]))).toBe(false);
});

test.each(["", "10.0.0.0/33", "::/129", "10.0.0/8", "10.0.0.0/", "10.0.0.0/-1", "0x0a.0.0.0/8"])(
  "the block %j is refused by name",
  (text) => {
    expect(() => parseCidrs(["10.0.0.0/8", text])).toThrow(`"${text}"`);
  },
);

test.each(["fe80::%eth0/10", "::ffff:0:0/90", "example.com/8", "10.0.0.0/8/8"])(
  "%j is not a block of addresses",
  (text) => {
    expect(() => parseCidrs([text])).toThrow(RangeError);
  },
);

test("two spellings of an address are the same, two addresses are not", () => {
  expect(isSameAddress("2606:4700:0::1", "2606:4700::1")).toBe(true);
  expect(isSameAddress("::ffff:8.8.8.8", "8.8.8.8")).toBe(true);
  expect(isSameAddress("8.8.8.8", "8.8.4.4")).toBe(false);
  expect(isSameAddress("", "")).toBe(false);
});
