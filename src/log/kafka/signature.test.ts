import { createHash, createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSignatures, SIGNATURE_HEADER, type Signatures } from "./signature.ts";
import type { SigningKey } from "../../model/api-key.ts";

const API_KEY = "ll_k1_secret";
const secret = createHash("sha256").update(API_KEY).digest();
const acme: SigningKey = { org: "acme", secret, mayWrite: true, expiresAt: null };
const value = Buffer.from("a record");

function setUp(keys: Record<string, SigningKey> = { k1: acme }) {
  const state = { nowMs: 0, lookups: 0, keys };
  const signatures = createSignatures({
    secret: "of the installation",
    findKey: (id) => {
      state.lookups += 1;
      return Promise.resolve(state.keys[id] ?? null);
    },
    nowMs: () => state.nowMs,
  });
  return { state, signatures };
}

/** As docs/guides/kafka.md describes it. */
function header(id: string, bytes: Buffer, key = secret): Record<string, Buffer> {
  const mac = createHmac("sha256", key).update(bytes).digest("hex");
  return { [SIGNATURE_HEADER]: Buffer.from(`${id}:${mac}`) };
}

async function why(signatures: Signatures, headers: Record<string, Buffer>): Promise<string> {
  const signer = await signatures.verify("", value, headers);
  return signer.kind === "unverified" ? signer.why : signer.kind;
}

describe("signatures", () => {
  it("a record signed with an API key is the organization's, whatever the record's own key", async () => {
    const { signatures } = setUp();
    for (const key of ["", "any"]) {
      expect(await signatures.verify(key, value, header("k1", value))).toEqual({
        kind: "organization",
        org: "acme",
      });
    }
  });

  it("an id with colons in it is found", async () => {
    const { signatures } = setUp({ "a:b": acme });
    expect(await why(signatures, header("a:b", value))).toBe("organization");
  });

  it("a missing header, a bad form, an unknown key, a key without write access and other bytes are unverified", async () => {
    const { signatures } = setUp({ k1: acme, reader: { ...acme, mayWrite: false } });
    const text = (one: string): Record<string, Buffer> => ({
      [SIGNATURE_HEADER]: Buffer.from(one),
    });
    expect(await why(signatures, {})).toMatch("not signed");
    for (const none of ["", ":", ":abc", "abc", `k1${"a".repeat(500)}:00`]) {
      expect(await why(signatures, text(none))).toMatch("form");
    }
    expect(await why(signatures, header("k2", value))).toMatch("not known, is revoked");
    expect(await why(signatures, header("reader", value))).toMatch("may not write");
    expect(await why(signatures, header("k1", Buffer.from("b record")))).toMatch("does not fit");
    expect(await why(signatures, header("k1", value, Buffer.from(API_KEY)))).toMatch("not fit");
    expect(await why(signatures, text("k1:"))).toMatch("does not fit");
  });

  it("no change of one bit of the value or the signature is taken", async () => {
    const { signatures } = setUp();
    const good = header("k1", value)[SIGNATURE_HEADER] ?? Buffer.alloc(0);
    const flip = (bytes: Buffer, bit: number): Buffer => {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      return flipped;
    };
    await fc.assert(
      fc.asyncProperty(fc.nat(value.length * 8 - 1), fc.nat(good.length * 8 - 1), async (a, b) => {
        const headers = { [SIGNATURE_HEADER]: good };
        expect((await signatures.verify("", flip(value, a), headers)).kind).toBe("unverified");
        const other = { [SIGNATURE_HEADER]: flip(good, b) };
        expect((await signatures.verify("", value, other)).kind).toBe("unverified");
      }),
    );
  });

  it("Ledgerline's own covers the record's key too, and is another installation's no more than a guess", async () => {
    const { signatures } = setUp();
    const own = { [SIGNATURE_HEADER]: signatures.sign("key", value) };
    expect(await signatures.verify("key", value, own)).toEqual({ kind: "own" });
    expect((await signatures.verify("kez", value, own)).kind).toBe("unverified");
    // What moves from the key to the value is not the same record.
    const moved = Buffer.concat([Buffer.from("y"), value]);
    expect((await signatures.verify("ke", moved, own)).kind).toBe("unverified");
    const other = createSignatures({
      secret: "of another",
      findKey: () => Promise.resolve(null),
      nowMs: () => 0,
    });
    expect((await other.verify("key", value, own)).kind).toBe("unverified");
  });

  it("a key is looked up once in ten seconds, so that a revoked one is believed no longer than that", async () => {
    const { state, signatures } = setUp();
    for (let count = 0; count < 5; count += 1) await why(signatures, header("k1", value));
    expect(state.lookups).toBe(1);
    state.keys = {};
    state.nowMs = 9_999;
    expect(await why(signatures, header("k1", value))).toBe("organization");
    state.nowMs = 10_000;
    expect(await why(signatures, header("k1", value))).toMatch("revoked");
  });

  it("a key that expires is believed until that moment and not a millisecond longer", async () => {
    const { state, signatures } = setUp({ k1: { ...acme, expiresAt: 5_000 } });
    expect(await why(signatures, header("k1", value))).toBe("organization");
    // Later look-ups get the new value.
    state.keys = {};
    state.nowMs = 4_999;
    expect(await why(signatures, header("k1", value))).toBe("organization");
    state.nowMs = 5_000;
    expect(await why(signatures, header("k1", value))).toMatch("expired");
  });

  it("a record is scheduled for the organization whose signature is right, and for none until its key was looked up", async () => {
    const { state, signatures } = setUp();
    const key = JSON.stringify(["beta", "batch", 0]);
    const own = { [SIGNATURE_HEADER]: signatures.sign(key, value) };
    expect(signatures.tenantOf(key, value, own)).toBe("beta");
    const outside = header("k1", value);
    expect(signatures.tenantOf(key, value, outside)).toBe("");
    expect(state.lookups).toBe(0);
    await signatures.verify(key, value, outside);
    expect(signatures.tenantOf(key, value, outside)).toBe("acme");
    expect(signatures.tenantOf(key, value, {})).toBe("");
    expect(signatures.tenantOf(key, value, header("", value))).toBe("");
  });

  it("a record whose signature is wrong is scheduled for no organization, whatever key id and record key it has", async () => {
    const { signatures } = setUp({ k1: acme, reader: { ...acme, mayWrite: false } });
    const key = JSON.stringify(["acme", "batch", 0]);
    for (const id of ["k1", "reader"]) await signatures.verify(key, value, header(id, value));
    const forged = [
      header("k1", value, Buffer.from("another secret")),
      header("k1", Buffer.from("another record")),
      header("reader", value),
      { [SIGNATURE_HEADER]: Buffer.from("ledgerline:made up") },
      { [SIGNATURE_HEADER]: signatures.sign(JSON.stringify(["beta", "batch", 0]), value) },
    ];
    expect(forged.map((headers) => signatures.tenantOf(key, value, headers))).toEqual(
      forged.map(() => ""),
    );
  });

  it("what scheduling found out about a signature is not taken for another signature, key or value", async () => {
    const { signatures } = setUp();
    const own = { [SIGNATURE_HEADER]: signatures.sign("key", value) };
    expect((await signatures.verify("key", value, own)).kind).toBe("own");
    expect((await signatures.verify("kez", value, own)).kind).toBe("unverified");
    expect(await why(signatures, header("k1", value))).toBe("organization");
    expect(await why(signatures, header("k1", value, Buffer.from("other")))).toMatch("not fit");
    expect((await signatures.verify("key", Buffer.from(value), own)).kind).toBe("own");
  });
});
