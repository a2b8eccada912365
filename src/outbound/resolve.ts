// Resolves a host to the addresses that a call may be sent to.
import dns from "node:dns";
import { isIP } from "node:net";
import { type Cidr, isAllowed } from "./addresses.ts";
import { onAbort } from "./deadline.ts";
import { codeSuffix, type Failure, failure } from "./failure.ts";

/** All addresses of a host name, in the order in which they should be tried. */
export type DnsLookup = (
  host: string,
) => Promise<readonly { readonly address: string; readonly family: 4 | 6 }[]>;

export type Resolved = { readonly ok: true; readonly addresses: readonly string[] } | Failure;

export type Resolve = (host: string, signal: AbortSignal) => Promise<Resolved>;

const QUERY_TIMEOUT_MS = 2_000;
const QUERY_TRIES = 2;
/** Codes of name servers that do not have a name: the machine may be able to resolve it in another way. */
const UNKNOWN: ReadonlySet<unknown> = new Set([
  dns.NOTFOUND,
  dns.NODATA,
  // There is no name server to query.
  dns.CONNREFUSED,
]);

const resolver = new dns.promises.Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });

/**
 * Queries the name servers first: such a query holds no thread of the process. Names that they do not have are resolved as the
 * machine itself would, with its hosts file and search domains, which names inside a cluster need. That holds one of the few
 * threads for such work, and two names whose servers hang would block all others.
 */
export const systemLookup: DnsLookup = async (host) => {
  const asked = host.includes(".") ? await ask(host) : [];
  if (asked.length > 0) return asked;
  const answers = await dns.promises.lookup(host, { all: true, order: "verbatim" });
  return answers.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};

/** Empty when the name servers do not have the host. */
async function ask(host: string): ReturnType<DnsLookup> {
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = [
    ...(v4.status === "fulfilled" ? v4.value : []).map((address) => ({
      address,
      family: 4 as const,
    })),
    ...(v6.status === "fulfilled" ? v6.value : []).map((address) => ({
      address,
      family: 6 as const,
    })),
  ];
  if (found.length > 0) return found;
  for (const { reason } of [v4, v6].filter((one) => one.status === "rejected"))
    if (!UNKNOWN.has((reason as { code?: unknown }).code)) throw reason as Error;
  return [];
}

const REFUSED = failure(
  "address_refused",
  "The host stands for an address that webhooks may not be sent to.",
);

const TOO_LATE = failure("timed_out", "The time was up while the host name was looked up.");

/** Every address must be allowed: a name with a public and a private address would allow access to the private one. */
export function createResolve(lookup: DnsLookup, allowed: readonly Cidr[]): Resolve {
  // One query at a time for each host: all its calls need the same answer, and a name server that hangs gets one query.
  const running = new Map<string, Promise<Resolved>>();

  async function lookUp(host: string): Promise<Resolved> {
    try {
      const addresses = (await lookup(host)).map(({ address }) => address);
      if (addresses.length === 0) return failure("dns_failed", "The host name has no address.");
      return addresses.every((address) => isAllowed(address, allowed))
        ? { ok: true, addresses }
        : REFUSED;
    } catch (error) {
      return failure("dns_failed", `The host name could not be looked up${codeSuffix(error)}.`);
    }
  }

  function join(host: string): Promise<Resolved> {
    const current = running.get(host);
    if (current !== undefined) return current;
    const started = lookUp(host).finally(() => {
      running.delete(host);
    });
    running.set(host, started);
    return started;
  }

  return (host, signal) => {
    if (isIP(host) !== 0) {
      const resolved: Resolved = isAllowed(host, allowed)
        ? { ok: true, addresses: [host] }
        : REFUSED;
      return Promise.resolve(resolved);
    }
    return new Promise((settle) => {
      const stopListening = onAbort(signal, () => {
        settle(TOO_LATE);
      });
      void join(host).then((resolved) => {
        stopListening();
        settle(resolved);
      });
    });
  };
}
