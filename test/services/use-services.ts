// How a test gets the services of its run. Topics, groups, subjects and databases are its own: others use them too.
import { describe } from "vitest";
import { type Endpoints, readEndpoints } from "./endpoints.ts";

/** For a person without the services; a run that was not asked to skip fails instead. */
export function isSkipped(): boolean {
  return process.env["TEST_SERVICES"] === "skip";
}

/** `describe` for tests that call `useServices`, inside its hooks and tests. */
export const describeWithServices = describe.skipIf(isSkipped());

/** @throws Error when the run has no services */
export function useServices(): Endpoints {
  const endpoints = readEndpoints(process.env);
  if (endpoints === null) {
    throw new Error("These tests belong in a project whose globalSetup starts the services");
  }
  return endpoints;
}
