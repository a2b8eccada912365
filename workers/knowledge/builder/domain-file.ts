// Filters of registered domains as they are committed, see bench/training/domains.ts: three numbers of 32 bits, then fingerprints.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FuseSections } from "../fuse-filter.ts";

const FOLDER = join(import.meta.dirname, "../models");
const SHAPE_PARTS = 3;
const SHAPE_BYTES = 4 * SHAPE_PARTS;

export const domainFile = (tier: "core" | "older"): string => join(FOLDER, `domains-${tier}.bin`);

export function readDomains(tier: "core" | "older"): FuseSections {
  const bytes = readFileSync(domainFile(tier));
  const copy = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  return {
    shape: new Uint32Array(copy, 0, SHAPE_PARTS),
    fingerprints: new Uint8Array(copy, SHAPE_BYTES),
  };
}

export function domainBytes({ shape, fingerprints }: FuseSections): Uint8Array {
  const bytes = new Uint8Array(SHAPE_BYTES + fingerprints.length);
  new Uint32Array(bytes.buffer, 0, SHAPE_PARTS).set(shape);
  bytes.set(fingerprints, SHAPE_BYTES);
  return bytes;
}
