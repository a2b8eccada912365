// Which URLs a webhook may have.
import { isIP } from "node:net";
import { type Cidr, isAllowed, parseCidrs } from "./addresses.ts";

/** A range of ports, both ends included. */
export interface PortRange {
  readonly from: number;
  readonly to: number;
}

/** Below 1025 are the ports of mail, databases and the like, which could interpret a call as commands. */
export const USUAL_PORTS: readonly PortRange[] = [
  { from: 443, to: 443 },
  { from: 80, to: 80 },
  { from: 1025, to: 65_535 },
];

/** What an installation allows. */
export interface UrlPolicy {
  /** Whether `http:` is allowed; for development. */
  readonly allowHttp: boolean;
  /** Blocks of addresses that are allowed although they are not public, in the form of `parseCidrs`. */
  readonly allowCidrs: readonly string[];
  /** Left out: the default ones. */
  readonly allowPorts?: readonly PortRange[];
}

/** The same, parsed once for many URLs. */
export interface UrlRules {
  readonly allowHttp: boolean;
  readonly allowed: readonly Cidr[];
  readonly ports: readonly PortRange[];
}

export const urlRules = ({
  allowHttp,
  allowCidrs,
  allowPorts = USUAL_PORTS,
}: UrlPolicy): UrlRules => ({ allowHttp, allowed: parseCidrs(allowCidrs), ports: allowPorts });

/** The target of a call, from its URL. */
export interface Target {
  readonly origin: string;
  readonly secure: boolean;
  /** A name to resolve, or an address without brackets. */
  readonly host: string;
  readonly port: number;
  /** Path and query. */
  readonly path: string;
}

export type ReadUrl =
  | { readonly ok: true; readonly target: Target }
  | { readonly ok: false; readonly problem: string };

/** As much as browsers and proxies commonly accept; it is stored with every webhook and read for every call. */
const URL_LENGTH_MAX = 2048;

const DEFAULT_PORTS = { http: 80, https: 443 } as const;

/** Parsers drop or convert these in different ways, so that the shown URL would not be the called one. */
const FOREIGN_CHARACTERS = /[\u0000-\u0020\u007f\\]/;

const LOCAL_NAME = /^(?:.+\.)?localhost\.*$/;
const LOOPBACK = ["127.0.0.1", "::1"];

function formProblem(text: string, url: URL, allowHttp: boolean): string | null {
  if (FOREIGN_CHARACTERS.test(text))
    return "The URL has spaces, backslashes or control characters.";
  if (url.protocol !== "https:" && !(allowHttp && url.protocol === "http:")) {
    return allowHttp
      ? "The URL must begin with https:// or http://."
      : "The URL must begin with https://.";
  }
  if (url.username !== "" || url.password !== "") {
    return "The URL must not have a user name or a password.";
  }
  return url.hash === "" ? null : "The URL must not have a fragment: it would never be sent.";
}

function portProblem(port: number, ports: readonly PortRange[]): string | null {
  if (ports.some(({ from, to }) => port >= from && port <= to)) return null;
  const words = ports.map(({ from, to }) =>
    from === to ? String(from) : `${String(from)}-${String(to)}`,
  );
  return `The URL's port must be one of ${words.join(", ")}.`;
}

const HOST_LENGTH_MAX = 253;
/** The URL parser has converted other letters to ASCII. Names of container services have underscores. */
const LABEL = /^[a-z0-9_-]{1,63}$/;

/** Whether DNS can have this name at all; a dot at its end makes it absolute. */
function isHostName(host: string): boolean {
  const name = host.replace(/\.$/, "");
  return name.length <= HOST_LENGTH_MAX && name.split(".").every((label) => LABEL.test(label));
}

function hostProblem(host: string, allowed: readonly Cidr[]): string | null {
  if (isIP(host) === 0 && !isHostName(host))
    return "The URL's host is not a name that can exist: labels have 1 to 63 letters, digits or hyphens, all together at most 253 characters.";
  const isLocal = LOCAL_NAME.test(host) && !LOOPBACK.some((address) => isAllowed(address, allowed));
  return isLocal || (isIP(host) !== 0 && !isAllowed(host, allowed))
    ? "The URL's host is not a public address."
    : null;
}

/** Parses a URL before a call. Does not resolve the host name. */
export function readUrl(text: string, { allowHttp, allowed, ports }: UrlRules): ReadUrl {
  if (text.length > URL_LENGTH_MAX) {
    return {
      ok: false,
      problem: `The URL is longer than ${String(URL_LENGTH_MAX)} characters.`,
    };
  }
  const url = URL.parse(text);
  if (url === null) return { ok: false, problem: "The URL cannot be read." };
  const secure = url.protocol === "https:";
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const port = url.port === "" ? DEFAULT_PORTS[secure ? "https" : "http"] : Number(url.port);
  const problem =
    formProblem(text, url, allowHttp) ?? portProblem(port, ports) ?? hostProblem(host, allowed);
  if (problem !== null) return { ok: false, problem };
  const path = url.pathname + url.search;
  return { ok: true, target: { origin: url.origin, secure, host, port, path } };
}

/**
 * Why a webhook's URL is refused when it is created, as a sentence, or null. Any name is accepted: its addresses may change and
 * are verified before every call.
 */
export function urlProblem(url: string, policy: UrlPolicy): string | null {
  const read = readUrl(url, urlRules(policy));
  return read.ok ? null : read.problem;
}
