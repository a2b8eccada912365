// What every engine promises about files.
import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { FileStore, StoredFile } from "../../src/store/file-store.ts";

export interface OpenFiles {
  readonly files: FileStore;
  /** What is stored in all, parts of files included. */
  stored(): Promise<number>;
  close(): Promise<void>;
}

const MIB = 1024 * 1024;

export function filesContract(name: string, open: () => Promise<OpenFiles>): void {
  describe(`files contract: ${name}`, () => {
    let opened: OpenFiles;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());

    const newKey = (org = "acme"): { org: string; id: string } => ({ org, id: randomUUID() });
    const put = (key: { org: string; id: string }, ...parts: readonly Buffer[]): Promise<void> =>
      opened.files.put(key, Readable.from(parts));
    const listed = async (): Promise<readonly StoredFile[]> => {
      const all: StoredFile[] = [];
      for await (const file of opened.files.list()) all.push(file);
      return all;
    };

    it("a file comes back as it was, however it arrived, for its organization alone", async () => {
      const key = newKey();
      const whole = Buffer.from(Array.from({ length: 2 * MIB + 3 }, (_, at) => (at * 7) % 251));
      await put(key, whole.subarray(0, 1), whole.subarray(1, MIB), whole.subarray(MIB));
      const read = await opened.files.read(key);
      expect(Buffer.compare(Buffer.from(read ?? []), whole)).toBe(0);
      expect(await opened.files.read({ ...key, org: "other" })).toBeNull();
      expect(await opened.files.read(newKey())).toBeNull();
    });

    it("nothing is left of a file whose bytes break off, and the reason is what broke them off", async () => {
      const key = newKey();
      const reason = new Error("the caller is gone");
      function* broken(): Iterable<Buffer> {
        yield Buffer.alloc(MIB, 1);
        throw reason;
      }
      await expect(opened.files.put(key, Readable.from(broken()))).rejects.toBe(reason);
      expect(await opened.files.read(key)).toBeNull();
      expect(await listed()).toEqual([]);
      expect(await opened.stored()).toBe(0);
    });

    it("a file is erased for good, twice is safe, and others stay", async () => {
      const [gone, kept] = [newKey(), newKey()];
      await put(gone, Buffer.from("gone"));
      await put(kept, Buffer.from("kept"));
      await opened.files.delete({ ...gone, org: "other" });
      expect(await opened.files.read(gone)).not.toBeNull();
      await opened.files.delete(gone);
      await opened.files.delete(gone);
      expect(await opened.files.read(gone)).toBeNull();
      expect(await listed()).toMatchObject([kept]);
      await opened.files.delete(kept);
      expect(await opened.stored()).toBe(0);
    });

    it("all files are listed with the time of their storing", async () => {
      const before = Date.now() - 1_000;
      const keys = [newKey("a"), newKey("a.b-c_d"), newKey("a")];
      for (const key of keys) await put(key, Buffer.from("x"));
      const found = await listed();
      const byId = (one: { id: string }, other: { id: string }): number =>
        one.id < other.id ? -1 : 1;
      expect(found.toSorted(byId)).toMatchObject(keys.toSorted(byId));
      for (const { storedAt } of found) expect(storedAt).toBeGreaterThan(before);
    });
  });
}
