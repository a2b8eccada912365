// One service for the tests of a file, where starting one for each would take longer than the test.
import { openKeys } from "../../src/app/commands.ts";
import { ROLES } from "../../src/model/api-key.ts";
import { createLogger } from "../../src/observability/logger.ts";
import { type Client, createClient } from "./client.ts";
import { shared, startService, type TestService, type TestServiceOptions } from "./service.ts";

/** An organization of a service that others have too. */
export interface Organization {
  readonly name: string;
  /** With all roles in it. */
  readonly client: Client;
  /** Its own client is in the organization `default`, which all tests of the file have in common. */
  readonly service: TestService;
}

/** Returns what gives a test an organization of its own, in which nothing is yet. */
export function useOrganizations(options: TestServiceOptions = {}): () => Promise<Organization> {
  let count = 0;
  const opened = shared(async (atEnd) => {
    const service = await startService(options, atEnd);
    const { keys, close } = await openKeys(service.config, createLogger("silent"), false);
    atEnd(close);
    return { service, keys };
  });
  return async () => {
    const { service, keys } = opened();
    count += 1;
    const name = `org-${String(count)}`;
    const { secret } = await keys.create(name, null, ROLES);
    return { name, client: createClient(service.url, secret), service };
  };
}
