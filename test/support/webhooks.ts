import { type Config, readConfig } from "../../src/config/config.ts";

/** Webhooks whose endpoints may be on this machine. */
export const callableWebhooks: Config["webhooks"] = {
  ...readConfig({}, 1).webhooks,
  allowCidrs: ["127.0.0.0/8"],
  allowHttp: true,
};
