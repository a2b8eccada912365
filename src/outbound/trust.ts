// Whom a secure connection believes: the usual certificates, or those that a webhook names and no others.
import { X509Certificate } from "node:crypto";
import { createSecureContext, type SecureContext } from "node:tls";

/** Who vouches for an endpoint. What was opened by one trust serves no call by another. */
export interface Trust {
  readonly id: number;
  readonly secureContext: SecureContext;
}

/** More than an intermediate or two and a root are of no use, and the text is stored with the webhook. */
export const CA_CHARS_MAX = 16_384;
const CERTIFICATES_MAX = 10;
/** Each has read certificates; the one that was made first is made again when it is needed. */
const KEPT_MAX = 1_000;

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/** Why a text is no list of certificates, as the end of "ca …" and without repeating it; null when it is one. */
export function caProblem(pem: string): string | null {
  if (pem.length > CA_CHARS_MAX) return `must have at most ${String(CA_CHARS_MAX)} characters`;
  const certificates = pem.match(CERTIFICATE) ?? [];
  // A private key, above all, has no business here.
  const isAll = pem.replaceAll(CERTIFICATE, "").trim() === "";
  if (certificates.length === 0 || !isAll) return "must be certificates in PEM and nothing else";
  if (certificates.length > CERTIFICATES_MAX)
    return `must be at most ${String(CERTIFICATES_MAX)} certificates`;
  return certificates.every(isReadable) ? null : "has a certificate that cannot be read";
}

function isReadable(pem: string): boolean {
  try {
    return new X509Certificate(pem).publicKey.type === "public";
  } catch {
    return false;
  }
}

/**
 * Gives the trust for what a webhook names, null: the usual one.
 * @param usual certificates in PEM in place of those of the machine and of Node
 */
export function createTrust(usual?: string | readonly string[]): (ca: string | null) => Trust {
  let lastId = 0;
  const make = (ca: string | readonly string[] | undefined): Trust => ({
    id: (lastId += 1),
    secureContext: createSecureContext({
      minVersion: "TLSv1.2",
      ...(ca === undefined ? {} : { ca: [ca].flat() }),
    }),
  });
  const byDefault = make(usual);
  const kept = new Map<string, Trust>();
  return (ca) => {
    if (ca === null) return byDefault;
    const known = kept.get(ca);
    if (known !== undefined) return known;
    const [oldest] = kept.keys();
    if (kept.size >= KEPT_MAX && oldest !== undefined) kept.delete(oldest);
    const trust = make(ca);
    kept.set(ca, trust);
    return trust;
  };
}
