// Certificates for tests, made on the spot: nothing expires in the repository and no key lies in it.
import { generateKeyPairSync, sign } from "node:crypto";

export interface Certificate {
  /** PEM; self-signed, so it is also the CA that a client has to trust. */
  readonly cert: string;
  readonly key: string;
}

const TAG = {
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  oid: 0x06,
  text: 0x0c,
  sequence: 0x30,
  set: 0x31,
  time: 0x18,
  version: 0xa0,
  extensions: 0xa3,
  dnsName: 0x82,
} as const;

const DAY_MS = 86_400_000;

/** One DER value. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

const oid = (hex: string): Buffer => der(TAG.oid, Buffer.from(hex, "hex"));

const ECDSA_WITH_SHA256 = der(TAG.sequence, oid("2a8648ce3d040302"));
const COMMON_NAME = oid("550403");
const SUBJECT_ALT_NAME = oid("551d11");

/** `20260101000000Z`, the form of GeneralizedTime. */
const time = (at: number): Buffer =>
  der(TAG.time, Buffer.from(`${new Date(at).toISOString().replace(/[-:T]|\.\d+Z$/g, "")}Z`));

/** For these host names, valid from yesterday for `days` days; a negative number makes one that is no longer valid. */
export function makeCertificate(hosts: readonly string[], days = 30): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = der(
    TAG.sequence,
    der(TAG.set, der(TAG.sequence, COMMON_NAME, der(TAG.text, Buffer.from("ledgerline test")))),
  );
  const now = Date.now();
  const validity = der(
    TAG.sequence,
    time(now + (Math.min(days, 0) - 1) * DAY_MS),
    time(now + days * DAY_MS),
  );
  const names = der(TAG.sequence, ...hosts.map((host) => der(TAG.dnsName, Buffer.from(host))));
  const extensions = der(
    TAG.extensions,
    der(TAG.sequence, der(TAG.sequence, SUBJECT_ALT_NAME, der(TAG.octets, names))),
  );
  const content = der(
    TAG.sequence,
    der(TAG.version, der(TAG.integer, Buffer.from([2]))),
    der(TAG.integer, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    name,
    validity,
    name,
    publicKey.export({ type: "spki", format: "der" }),
    extensions,
  );
  const signature = der(TAG.bits, Buffer.from([0]), sign("sha256", content, privateKey));
  const base64 = der(TAG.sequence, content, ECDSA_WITH_SHA256, signature).toString("base64");
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replace(/(.{64})/g, "$1\n")}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }),
  };
}
