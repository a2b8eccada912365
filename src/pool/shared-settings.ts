import type { SettingsRef } from "../../workers/protocol.ts";
import type { TenantSettings } from "../model/tenant-settings.ts";

/** Puts settings where every thread can read it. `key` must be another one for every content. */
export function shareSettings(key: string, settings: TenantSettings): SettingsRef {
  const text = Buffer.from(JSON.stringify(settings), "utf8");
  const bytes = new SharedArrayBuffer(text.length);
  new Uint8Array(bytes).set(text);
  return { key, bytes };
}
