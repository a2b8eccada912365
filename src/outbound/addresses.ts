// Which addresses a webhook may be sent to: public ones, and those the operator allows.
import { isIP, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A block of addresses. */
export interface Cidr {
  readonly base: Address;
  readonly bits: number;
}

/**
 * Null for what is no address in its plain form: the library would also read octal and hexadecimal numbers, and a zone id
 * says that the address is of a local link.
 */
function readAddress(text: string): Address | null {
  if (isIP(text) === 0 || text.includes("%")) return null;
  if (!isIPv6(text)) return ipaddr.parse(text);
  // The library takes `::10.0.0.1` for `::ffff:10.0.0.1`, which are two addresses. A URL has numbers only.
  return ipaddr.parse(new URL(`http://[${text}]`).hostname.slice(1, -1));
}

/** An IPv4 address that is written as an IPv6 one becomes itself again. */
const unmapped = (address: Address): Address =>
  address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()
    ? address.toIPv4Address()
    : address;

/** IANA gives out public IPv6 addresses from here alone: the rest are forms with a meaning of their own, or will be. */
const PUBLIC_V6: Cidr = { base: ipaddr.parse("2000::"), bits: 3 };

/** Public by its number, but on every Azure machine the door to the machine's own settings and keys. */
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
  // One that is wider than the mapped block would mean IPv4 and IPv6 at once: whoever wants that writes two.
  return bits < 96 ? null : { base: plain, bits: bits - 96 };
}

/** Blocks like `10.0.0.0/8` and `fd00::/8`; a bare address is a block of one. Throws a RangeError that names a bad one. */
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
 * Whether calls may go to this address: it is public or in one of `allowed`. An IPv4 address inside an IPv6 one counts as
 * the IPv4 address for `allowed`, and is never public: nothing public is reached only under such a name.
 */
export function isAllowed(address: string, allowed: readonly Cidr[]): boolean {
  const read = readAddress(address);
  if (read === null) return false;
  return isPublic(read) || allowed.some((cidr) => isWithin(unmapped(read), cidr));
}

/** Whether two texts are the same address: the operating system writes it in its own way. */
export function isSameAddress(one: string, other: string): boolean {
  const [first, second] = [readAddress(one), readAddress(other)];
  return (
    first !== null && second !== null && unmapped(first).toString() === unmapped(second).toString()
  );
}
