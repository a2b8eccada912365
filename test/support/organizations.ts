// One service for the tests of a file, where starting one for each would take longer than the test.
import { openKeys } from "../../src/app/commands.ts";
import { ROLES } from "../../src/model/api-key.ts";
import { createLogger } from "../../src/observability/logger.ts";
import { type Client, createClient } from "./client.ts";
import { shared, startService } from "./service.ts";

/** Returns what gives a test an organization of its own, in which nothing is yet: a client with all roles in it. */
export function useOrganizations(): () => Promise<{ readonly client: Client }> {
  let count = 0;
  const opened = shared(async (atEnd) => {
    const { url, config } = await startService({}, atEnd);
    const { keys, close } = await openKeys(config, createLogger("silent"), false);
    atEnd(close);
    return { url, keys };
  });
  return async () => {
    const { url, keys } = opened();
    count += 1;
    const { secret } = await keys.create(`org-${String(count)}`, null, ROLES);
    return { client: createClient(url, secret) };
  };
}
