import { createHash } from "node:crypto";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { createKeyring } from "./keyring.ts";

const OLD = Buffer.alloc(32, 1);
const NEW = Buffer.alloc(32, 2);
const CONTEXT = "webhook/acme/w1";
const SECRET = "whsec_top-secret ü 🔑";

function errorOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

describe("createKeyring", () => {
  it.each([SECRET, "", "x".repeat(10_000)])("decrypts what it encrypted", (text) => {
    const keyring = createKeyring([NEW]);
    expect(keyring.open(keyring.encrypt(text, CONTEXT), CONTEXT)).toBe(text);
  });

  it("an encrypted text contains its version and key id, and nothing of the secret", () => {
    const encrypted = createKeyring([NEW]).encrypt(SECRET, CONTEXT);
    const id = createHash("sha256").update(NEW).digest("hex").slice(0, 8);
    expect(encrypted).toMatch(new RegExp(`^v1\\.${id}\\.[\\w-]{16}\\.[\\w-]+$`));
    expect(Buffer.from(encrypted.split(".").at(-1) ?? "", "base64url").toString()).not.toContain(
      "top-secret",
    );
  });

  it("never encrypts the same text twice to the same result", () => {
    const keyring = createKeyring([NEW]);
    const ivs = Array.from({ length: 1_000 }, () => keyring.encrypt("x", CONTEXT).split(".")[2]);
    expect(new Set(ivs).size).toBe(1_000);
  });

  it.each(["webhook/acme/w2", "webhook/other/w1", ""])(
    "refuses to open for %j what belongs to another",
    (context) => {
      const keyring = createKeyring([NEW]);
      const encrypted = keyring.encrypt(SECRET, CONTEXT);
      expect(errorOf(() => keyring.open(encrypted, context))).toMatchObject({
        name: "LedgerlineError",
        code: "bad_secret",
        retryable: false,
        message: `The secret of ${context} is damaged or belongs to something else.`,
      });
    },
  );

  it("refuses a text of which any character was changed, taken away or added", () => {
    const keyring = createKeyring([NEW]);
    // Not all bits of the last character are used.
    for (const text of ["a", "ab", "abc"]) {
      const encrypted = keyring.encrypt(text, CONTEXT);
      const damaged = Array.from(encrypted, (character, index) => {
        const before = encrypted.slice(0, index);
        const after = encrypted.slice(index + 1);
        const other = character === "0" ? "1" : "0";
        return [`${before}${other}${after}`, before + after, `${before}A${encrypted.slice(index)}`];
      }).flat();
      const last = encrypted.slice(0, -1);
      damaged.push("", ...["A", "B", "Q", "g", "w", "=", " "].map((end) => last + end));
      for (const one of damaged.filter((other) => other !== encrypted)) {
        expect(errorOf(() => keyring.open(one, CONTEXT))).toMatchObject({ code: "bad_secret" });
      }
    }
  });

  it("decrypts with an older key what is to be encrypted again with the current one", () => {
    const encrypted = createKeyring([OLD]).encrypt(SECRET, CONTEXT);
    const keyring = createKeyring([NEW, OLD]);
    expect(keyring.open(encrypted, CONTEXT)).toBe(SECRET);
    expect(keyring.isCurrent(encrypted)).toBe(false);
    const again = keyring.encrypt(SECRET, CONTEXT);
    expect(keyring.isCurrent(again)).toBe(true);
    expect(createKeyring([NEW]).open(again, CONTEXT)).toBe(SECRET);
  });

  it("names the missing key and nothing else of a secret", () => {
    const encrypted = createKeyring([OLD]).encrypt(SECRET, CONTEXT);
    const id = createHash("sha256").update(OLD).digest("hex").slice(0, 8);
    const error = errorOf(() => createKeyring([NEW]).open(encrypted, CONTEXT));
    expect(error).toMatchObject({ code: "bad_secret" });
    expect((error as Error).message).toBe(
      `The secret of ${CONTEXT} is encrypted with the key ${id}, which is not among the encryption keys here.`,
    );
  });

  it("does not take another text for one of the current key", () => {
    const keyring = createKeyring([NEW]);
    for (const text of ["", SECRET, keyring.encrypt("x", CONTEXT).slice(0, 20)]) {
      expect(keyring.isCurrent(text)).toBe(false);
    }
  });

  it("takes a key twice, and none of another length", () => {
    expect(createKeyring([NEW, OLD, NEW, OLD]).encrypt("x", CONTEXT)).toMatch(/^v1\./);
    expect(() => createKeyring([])).toThrow("needs a key");
    for (const length of [0, 16, 31, 33]) {
      expect(() => createKeyring([NEW, Buffer.alloc(length)])).toThrow("32 bytes");
    }
  });

  it("shows no key where it is printed", () => {
    const shown = inspect(createKeyring([NEW, OLD]), { depth: null, showHidden: true });
    expect(shown).not.toContain(NEW.toString("hex").slice(0, 8));
  });
});
