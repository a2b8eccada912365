// Which addresses a webhook may be sent to: public ones, and those that the operator allows.
import { isIP, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A block of addresses. */
export interface Cidr {
  readonly base: Address;
  readonly bits: number;
}

/**
 * Null for text that is not an address in its plain form: the library would also accept octal and hexadecimal numbers, and a
 * zone id means a link-local address.
 */
function readAddress(text: string): Address | null {
  if (isIP(text) === 0 || text.includes("%")) return null;
  if (!isIPv6(text)) return ipaddr.parse(text);
  // The library reads `::10.0.0.1` as `::ffff:10.0.0.1`, which is another address. A URL contains only numbers.
  return ipaddr.parse(new URL(`http://[${text}]`).hostname.slice(1, -1));
}

/** Converts an IPv4 address written as an IPv6 one back to IPv4. */
const unmapped = (address: Address): Address =>
  address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()
    ? address.toIPv4Address()
    : address;

/** IANA assigns public IPv6 addresses only from this block: the others have a special meaning, or will get one. */
const PUBLIC_V6: Cidr = { base: ipaddr.parse("2000::"), bits: 3 };

/** A public number, but on every Azure machine it leads to the machine's own settings and keys. */
const AZURE_PLATFORM = "168.63.129.16";

const CIDR_FORM = /^([^/]+)(?:\/(\d{1,3}))?$/;

function parseCidr(text: string): Cidr | null {
  const [, address = "", prefix] = CIDR_FORM.exec(text.trim()) ?? [];
  const base = readAddress(address);
  if (base === null) return null;
  const whole = base.kind() === "ipv4" ? 32 : 128;
  const bits = prefix === undefined ? whole : Number(prefix);
  if (bits > whole) return null;
  const plain = unmapped(base);
  if (plain === base) return { base, bits };
  // A block wider than the mapped one would cover both IPv4 and IPv6: that takes two entries.
  return bits < 96 ? null : { base: plain, bits: bits - 96 };
}

/** Blocks like `10.0.0.0/8` and `fd00::/8`; a bare address is a block of one. Throws a RangeError that names an invalid one. */
export function parseCidrs(texts: readonly string[]): readonly Cidr[] {
  return texts.map((text) => {
    const cidr = parseCidr(text);
    if (cidr === null) throw new RangeError(`"${text}" is not a block of addresses.`);
    return cidr;
  });
}

const isWithin = (address: Address, { base, bits }: Cidr): boolean =>
  address.kind() === base.kind() && address.match(base, bits);

function isPublic(address: Address): boolean {
  if (address.range() !== "unicast") return false;
  return address.kind() === "ipv6"
    ? isWithin(address, PUBLIC_V6)
    : address.toString() !== AZURE_PLATFORM;
}

/**
 * Whether calls may go to this address: it is public or in one of `allowed`. An IPv4 address inside an IPv6 one counts as the
 * IPv4 address for `allowed`, and is never public: no public host is reachable only in that form.
 */
export function isAllowed(address: string, allowed: readonly Cidr[]): boolean {
  const read = readAddress(address);
  if (read === null) return false;
  return isPublic(read) || allowed.some((cidr) => isWithin(unmapped(read), cidr));
}

/** Whether two texts are the same address: the operating system has its own notation. */
export function isSameAddress(one: string, other: string): boolean {
  const [first, second] = [readAddress(one), readAddress(other)];
  return (
    first !== null && second !== null && unmapped(first).toString() === unmapped(second).toString()
  );
}
