import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { placeOrder } from "../../model/acceptance-order.ts";
import type { GrantedOrganization, RecordSecret } from "../../model/kafka-grant.ts";
import { createGrantTable } from "./grant-table.ts";
import {
  createKeyIds,
  createSignatures,
  SIGNATURE_HEADER,
  type Signatures,
  type SignedRecord,
  SKEW_SECONDS_MAX,
} from "./signature.ts";

const SECRET = "of the installation";
const { make, isKeyId } = createKeyIds(SECRET);
const ID = make(Buffer.alloc(8, 1));
const secret = Buffer.from("llks_of_acme");
const value = Buffer.from("a record");
/** Seconds since 1970. */
const NOW = 1_800_000_000;
const acme: RecordSecret = { org: "acme", id: ID, secret, endsAt: null };

function setUp(secrets: readonly RecordSecret[] = [acme]) {
  const state = {
    grants: [{ org: "acme", credits: null, secrets }] as readonly GrantedOrganization[],
    loads: 0,
  };
  const grants = createGrantTable({
    loadGrants: () => {
      state.loads += 1;
      return Promise.resolve(state.grants);
    },
    isKeyId,
    nowMs: () => NOW * 1000,
  });
  return { state, signatures: createSignatures({ secret: SECRET, grants }) };
}

interface Signing {
  readonly id?: string;
  readonly bytes?: Buffer;
  readonly key?: Buffer;
  readonly time?: number;
}

/** As docs/guides/kafka.md describes it. */
function header({ id = ID, bytes = value, key = secret, time = NOW }: Signing = {}): string {
  const prefix = `v2 ${id}:${String(time)}:`;
  return prefix + createHmac("sha256", key).update(prefix).update(bytes).digest("hex");
}

/** A record with this header, appended now. */
function record(text: string | Uint8Array, key = "", bytes: Uint8Array = value): SignedRecord {
  const headers = { [SIGNATURE_HEADER]: Buffer.from(text) };
  return { key, bytes, headers, order: placeOrder(NOW * 1000, 0, 0) };
}

async function why(signatures: Signatures, signed: SignedRecord): Promise<string> {
  const signer = await signatures.verify(signed);
  return signer.kind === "unverified" ? signer.why : signer.kind;
}

describe("signatures", () => {
  it("a record signed with a secret is its organization's, whatever the record's own key", async () => {
    const { signatures } = setUp();
    for (const key of ["", "any"]) {
      expect(await signatures.verify(record(header(), key))).toEqual({
        kind: "organization",
        org: "acme",
      });
    }
  });

  it("a missing header, a bad form, an unknown key and other bytes are unverified", async () => {
    const { signatures } = setUp();
    expect(await why(signatures, { ...record(""), headers: {} })).toMatch("not signed");
    const mac = "0".repeat(64);
    for (const none of ["", "abc", `${ID}:${mac}`, `v2 ${ID}:${mac}`, `v2 ${ID}::${mac}`, "v2 x"])
      expect(await why(signatures, record(none))).toMatch("form");
    expect(await why(signatures, record(`${header()}0`))).toMatch("form");
    expect(await why(signatures, record(header({ id: "k2" })))).toMatch("not known, is revoked");
    const others = Buffer.from("b record");
    expect(await why(signatures, record(header({ bytes: others })))).toMatch("does not fit");
    expect(await why(signatures, record(header({ key: others })))).toMatch("does not fit");
    expect(await why(signatures, record(`v2 ${ID}:${String(NOW)}:${mac}`))).toMatch("not fit");
  });

  it("no change of one bit of the value or the header is taken", async () => {
    const { signatures } = setUp();
    const good = Buffer.from(header());
    const flip = (bytes: Buffer, bit: number): Buffer => {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      return flipped;
    };
    await fc.assert(
      fc.asyncProperty(fc.nat(value.length * 8 - 1), fc.nat(good.length * 8 - 1), async (a, b) => {
        const changed = await signatures.verify(record(good, "", flip(value, a)));
        expect(changed.kind).toBe("unverified");
        expect((await signatures.verify(record(flip(good, b)))).kind).toBe("unverified");
      }),
    );
  });

  it("a record is refused when it was signed more than five minutes before or after it was appended", async () => {
    const { signatures } = setUp();
    for (const seconds of [-SKEW_SECONDS_MAX, SKEW_SECONDS_MAX]) {
      const signed = record(header({ time: NOW + seconds }));
      expect(await why(signatures, signed)).toBe("organization");
      const beyond = record(header({ time: NOW + seconds + Math.sign(seconds) }));
      expect(await why(signatures, beyond)).toMatch("more than 300 seconds");
    }
    // The time is part of what is signed.
    const moved = header({ time: NOW - 9_999 }).replace(String(NOW - 9_999), String(NOW));
    expect(await why(signatures, record(moved))).toMatch("does not fit");
  });

  it("a record that is replayed by Ledgerline is compared with when it was appended first", async () => {
    const { signatures } = setUp();
    const time = NOW - 86_400;
    const replayed = { ...record(header({ time })), order: placeOrder(time * 1000, 0, 0) };
    expect(await why(signatures, replayed)).toBe("organization");
  });

  it("Ledgerline's own covers the record's key too, and is another installation's no more than a guess", async () => {
    const { signatures } = setUp();
    const own = signatures.sign("key", value);
    expect(await signatures.verify(record(own, "key"))).toEqual({ kind: "own" });
    expect((await signatures.verify(record(own, "kez"))).kind).toBe("unverified");
    // What moves from the key to the value is not the same record.
    const moved = Buffer.concat([Buffer.from("y"), value]);
    expect((await signatures.verify(record(own, "ke", moved))).kind).toBe("unverified");
    const grants = { find: () => Promise.resolve(null), known: () => null };
    const other = createSignatures({ secret: "of another", grants });
    expect((await other.verify(record(own, "key"))).kind).toBe("unverified");
  });

  it("a record is scheduled for the organization whose signature is right, once the grants were read", async () => {
    const { state, signatures } = setUp();
    const key = JSON.stringify(["beta", "batch", 0]);
    const own = record(signatures.sign(key, value), key);
    expect(signatures.tenantOf(own)).toBe("beta");
    const outside = record(header(), key);
    expect(signatures.tenantOf(outside)).toBe("");
    expect(state.loads).toBe(0);
    await signatures.verify(outside);
    expect(signatures.tenantOf(outside)).toBe("acme");
    expect(signatures.tenantOf({ ...outside, headers: {} })).toBe("");
    expect(signatures.tenantOf(record(header({ id: "x" }), key))).toBe("");
  });

  it("an old record delays nothing of its organization, and is still known to be its", async () => {
    const { signatures } = setUp();
    const old = record(header({ time: NOW - 9_999 }));
    await signatures.verify(old);
    expect([signatures.tenantOf(old), signatures.writerOf(old)]).toEqual(["", "acme"]);
  });

  it("a record whose signature is wrong belongs to no organization, whatever key id and record key it has", async () => {
    const { signatures } = setUp();
    const key = JSON.stringify(["acme", "batch", 0]);
    await signatures.verify(record(header(), key));
    const forged = [
      header({ key: Buffer.from("another secret") }),
      header({ bytes: Buffer.from("another record") }),
      Buffer.from("ledgerline:made up"),
      signatures.sign(JSON.stringify(["beta", "batch", 0]), value),
    ].map((text) => record(text, key));
    expect(forged.map(signatures.tenantOf)).toEqual(forged.map(() => ""));
    expect(forged.map(signatures.writerOf)).toEqual(forged.map(() => ""));
  });

  it("what scheduling found out about a signature is not taken for another signature, key or value", async () => {
    const { signatures } = setUp();
    const own = signatures.sign("key", value);
    expect((await signatures.verify(record(own, "key"))).kind).toBe("own");
    expect((await signatures.verify(record(own, "kez"))).kind).toBe("unverified");
    expect(await why(signatures, record(header()))).toBe("organization");
    expect(await why(signatures, record(header({ key: Buffer.from("other") })))).toMatch("not fit");
    const copy = record(own, "key", Buffer.from(value));
    expect((await signatures.verify(copy)).kind).toBe("own");
  });

  it("key ids are those that this installation made, and no others", () => {
    expect(isKeyId(ID)).toBe(true);
    const others = [createKeyIds("another").make(Buffer.alloc(8, 1)), `${ID}0`, ID.slice(1), ""];
    expect(others.filter(isKeyId)).toEqual([]);
    expect(make(Buffer.alloc(8, 2))).not.toBe(ID);
  });
});
