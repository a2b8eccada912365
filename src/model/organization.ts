// Organizations, as those who run the installation look at them.
import type { Feature } from "./tenant-settings.ts";

/** Which features are switched on. */
export type Features = Readonly<Record<Feature, boolean>>;

export interface Organization {
  readonly id: string;
  readonly features: Features;
}

/** The settings of an organization that have no collection of their own. */
export interface StoredOrganization {
  readonly org: string;
  /** A new text after every change of the settings; compare it only for equality. */
  readonly settingsVersion: string;
  readonly features: readonly Feature[];
}
