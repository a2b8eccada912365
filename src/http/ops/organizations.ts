import { z } from "zod";
import type { Actor } from "../../model/audit.ts";
import type { Features, Organization } from "../../model/organization.ts";
import { FEATURES } from "../../model/tenant-settings.ts";
import { errorAnswer, jsonAnswer } from "../server/answer.ts";
import { defineRoute, nothing, type Route } from "../server/route.ts";
import { id } from "../v3/schemas.ts";

/** Null: there has never been an API key for this organization. */
export interface OrganizationsPort {
  get(org: string): Promise<Organization | null>;
  /** Switches features on (true) and off (false); those that are not named stay as they are. */
  setFeatures(org: string, changes: Partial<Features>, by: Actor): Promise<Organization | null>;
}

interface OrganizationServices {
  readonly organizations: OrganizationsPort;
}

const tag = "Operators";
const role = "operator";
const NOT_FOUND = "Organization not found";
const SUMMARY = "Get which optional fields an organization receives";

const [phone, tax, naics] = FEATURES;
const features = z
  .object({ [phone]: z.boolean(), [tax]: z.boolean(), [naics]: z.boolean() })
  .openapi("OrganizationFeatures");
const organization = z.object({ id: z.string(), features }).openapi("Organization");
const organizationPath = z.object({ org: id });

const change = z.boolean().nullish();
/** A feature that does not exist would seem to be switched on. */
const featureChanges = z
  .looseObject({ [phone]: change, [tax]: change, [naics]: change })
  .check(({ value, issues }) => {
    for (const name of Object.keys(value).filter((key) => !FEATURES.some((one) => one === key)))
      issues.push({ code: "custom", input: null, path: [name], params: { ...NO_FEATURE } });
  })
  .openapi("OrganizationFeatureChanges", {
    description: "True: on; false: off. Features that are left out or null do not change.",
    additionalProperties: false,
  });
const NO_FEATURE = { type: "extra_forbidden", msg: "Extra inputs are not permitted" };
const organizationPatch = z
  .object({ features: featureChanges })
  .openapi("OrganizationPatch")
  .transform(({ features: changes }): Partial<Features> => {
    const given = FEATURES.map((name) => [name, changes[name]] as const);
    return Object.fromEntries(given.filter(([, isOn]) => typeof isOn === "boolean"));
  });

/** Innermost first, see the components of the API. */
export const organizationComponents: readonly z.ZodType[] = [features];

export const operatorOrganizationRoutes: readonly Route<OrganizationServices>[] = [
  defineRoute({
    method: "GET",
    path: "/ops/organizations/{org}",
    operationId: "get_organization",
    summary: SUMMARY,
    tag,
    role,
    request: { path: organizationPath, query: nothing, body: null },
    success: organization,
    errors: { 404: NOT_FOUND },
    async handle({ organizations }: OrganizationServices, { path }) {
      const found = await organizations.get(path.org);
      return found === null
        ? errorAnswer("organization_not_found", NOT_FOUND)
        : jsonAnswer(200, found);
    },
  }),
  defineRoute({
    method: "PATCH",
    path: "/ops/organizations/{org}",
    operationId: "patch_organization",
    summary: "Switch features of an organization on and off",
    tag,
    role,
    request: { path: organizationPath, query: nothing, body: organizationPatch },
    success: organization,
    errors: { 404: NOT_FOUND },
    async handle({ organizations }: OrganizationServices, { principal, requestId, path, body }) {
      const by = { keyId: principal.keyId, requestId };
      const changed = await organizations.setFeatures(path.org, body, by);
      return changed === null
        ? errorAnswer("organization_not_found", NOT_FOUND)
        : jsonAnswer(200, changed);
    },
  }),
];
