// Organizations, as those who run the installation look at them.
import type { Feature } from "./tenant-settings.ts";

/** Which features are switched on. */
export type Features = Readonly<Record<Feature, boolean>>;

export interface Organization {
  readonly id: string;
  readonly features: Features;
}
