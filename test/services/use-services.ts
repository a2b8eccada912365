// Whether a run has the services. Topics, groups, subjects and databases of a test are its own: others use the services too.
import { describe } from "vitest";

/** For a person without the services; a run that was not asked to skip fails instead. */
export function isSkipped(): boolean {
  return process.env["TEST_SERVICES"] === "skip";
}

/** `describe` for tests that need the services. */
export const describeWithServices = describe.skipIf(isSkipped());
