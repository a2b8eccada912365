// For projects of vitest whose tests need the services: one set for the whole run.
import { toEnvironment } from "./endpoints.ts";
import { resolveServices } from "./services.ts";
import { isSkipped } from "./use-services.ts";

/**
 * Sets the TEST_… variables before the test processes start, which inherit them. A second project in the same run
 * finds them set and uses the same services.
 * @throws Error that names what is missing; tests are skipped on request only
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (isSkipped()) return undefined;
  const services = await resolveServices();
  Object.assign(process.env, toEnvironment(services));
  return services.stop;
}
