import type { SettingsRef } from "../../workers/protocol.ts";
import type { TenantSettings } from "../model/tenant-settings.ts";

/** Stores settings in memory that every thread can read. `key` must differ for different contents. */
export function shareSettings(key: string, settings: TenantSettings): SettingsRef {
  const text = Buffer.from(JSON.stringify(settings), "utf8");
  const bytes = new SharedArrayBuffer(text.length);
  new Uint8Array(bytes).set(text);
  return { key, bytes };
}
