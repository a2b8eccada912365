import { expect, test } from "vitest";
import { isAllowed, isSameAddress, parseCidrs } from "./addresses.ts";

const PUBLIC = ["8.8.8.8", "1.1.1.1", "93.184.216.34", "172.15.0.1", "172.32.0.1", "100.63.0.1"];
const PUBLIC_V6 = ["2606:4700:4700::1111", "2a00:1450:4001:80e::200e", "2400:cb00::1"];

const REFUSED = [
  // IPv4: this network, private, shared, loopback, link-local with the metadata of clouds, and every other special block
  "0.0.0.0",
  "0.1.2.3",
  "10.0.0.1",
  "10.255.255.255",
  "100.64.0.1",
  "100.100.100.200",
  "127.0.0.1",
  "127.255.255.254",
  "168.63.129.16",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.8",
  "192.0.0.192",
  "192.0.2.1",
  "192.31.196.1",
  "192.52.193.1",
  "192.88.99.1",
  "192.168.0.1",
  "192.175.48.1",
  "198.18.0.1",
  "198.19.255.255",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "239.255.255.255",
  "240.0.0.1",
  "255.255.255.255",
  // IPv6: unspecified, loopback, and IPv4 in every disguise
  "::",
  "::1",
  "::127.0.0.1",
  "::8.8.8.8",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::ffff:8.8.8.8",
  "::ffff:0:127.0.0.1",
  "64:ff9b::7f00:1",
  "64:ff9b::808:808",
  "64:ff9b:1::a00:1",
  "2002:7f00:1::",
  "2002:808:808::1",
  "2001:0:4136:e378:8000:63bf:3fff:fdd2",
  // and the rest: discard, benchmarking, relays, documentation, routing, local, multicast, not given out
  "100::1",
  "2001:2::1",
  "2001:3::1",
  "2001:4:112::1",
  "2001:10::1",
  "2001:20::1",
  "2001:30::1",
  "2001:1::1",
  "2001:db8::1",
  "2620:4f:8000::1",
  "3fff::1",
  "4000::1",
  "5f00::1",
  "fc00::1",
  "fd00:ec2::254",
  "fe80::1",
  "fe80::1%eth0",
  "fec0::1",
  "ff02::1",
  // no address, or one in a spelling that another reader may read otherwise
  "",
  "localhost",
  "2130706433",
  "0x7f000001",
  "0177.0.0.1",
  "127.1",
  "8.8.8.8.",
  "2606:4700::1%1",
];

test.each([...PUBLIC, ...PUBLIC_V6])("the public address %s is allowed", (address) => {
  expect(isAllowed(address, [])).toBe(true);
});

test.each(REFUSED)("the address %j is refused where nothing is said", (address) => {
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
  "%j is no block of addresses",
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
