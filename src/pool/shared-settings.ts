import type { ProfileRef } from "../../workers/protocol.ts";
import type { Profile } from "../model/tenant-settings.ts";

/** Puts a profile where every thread can read it. `key` must be another one for every content. */
export function shareProfile(key: string, profile: Profile): ProfileRef {
  const text = Buffer.from(JSON.stringify(profile), "utf8");
  const bytes = new SharedArrayBuffer(text.length);
  new Uint8Array(bytes).set(text);
  return { key, bytes };
}
