// The CA bundle of a secure connection: the default certificates, or only those that a webhook names.
import { X509Certificate } from "node:crypto";
import { createSecureContext, type SecureContext } from "node:tls";

/** The trusted CAs of an endpoint. A connection that was opened with one CA bundle serves no call with another. */
export interface Trust {
  readonly id: number;
  readonly secureContext: SecureContext;
}

/** More than one or two intermediates and a root are not needed, and the text is stored with the webhook. */
export const CA_CHARS_MAX = 16_384;
const CERTIFICATES_MAX = 10;
/** Each holds parsed certificates; the oldest one is evicted and parsed again when it is needed. */
const KEPT_MAX = 1_000;

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/** Why a text is not a list of certificates, as the end of "ca …" and without repeating it; null when it is one. */
export function caProblem(pem: string): string | null {
  if (pem.length > CA_CHARS_MAX) return `must have at most ${String(CA_CHARS_MAX)} characters`;
  const certificates = pem.match(CERTIFICATE) ?? [];
  // Anything else must be rejected, above all a private key.
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
 * Returns the CA bundle for what a webhook names, null: the default one.
 * @param usual certificates in PEM instead of those of the machine and of Node
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
