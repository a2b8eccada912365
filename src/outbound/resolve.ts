// From a host to the addresses that a call may be sent to.
import dns from "node:dns";
import { isIP } from "node:net";
import { type Cidr, isAllowed } from "./addresses.ts";
import { onAbort } from "./deadline.ts";
import { codeSuffix, type Failure, failure } from "./failure.ts";

/** All answers for a host name, in the order in which they should be tried. */
export type Lookup = (
  host: string,
) => Promise<readonly { readonly address: string; readonly family: 4 | 6 }[]>;

export type Resolved = { readonly ok: true; readonly addresses: readonly string[] } | Failure;

export type Resolve = (host: string, signal: AbortSignal) => Promise<Resolved>;

/** What the machine itself would take: hosts file, search domains and all, as names inside a cluster need. */
export const systemLookup: Lookup = async (host) => {
  const answers = await dns.promises.lookup(host, { all: true, order: "verbatim" });
  return answers.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};

const REFUSED = failure(
  "address_refused",
  "The host stands for an address that webhooks may not be sent to.",
);

const TOO_LATE = failure("timed_out", "The time was up while the host name was looked up.");

/**
 * Every answer must be allowed: a name that stands for a public and a private address would be a way to the private one.
 */
export function createResolve(lookup: Lookup, allowed: readonly Cidr[]): Resolve {
  // A lookup of the system holds one of the process's few threads and cannot be stopped. With one at a time for each
  // host, a name server that hangs holds one thread and not all of them.
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
      const forget = onAbort(signal, () => {
        settle(TOO_LATE);
      });
      void join(host).then((resolved) => {
        forget();
        settle(resolved);
      });
    });
  };
}
