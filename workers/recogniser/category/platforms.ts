// Platforms that pay drivers, couriers and shoppers: money from them is income, unless a card terminal wrote the line.
import type { Knowledge } from "../../knowledge/knowledge.ts";

const platforms: ReadonlySet<string> = new Set([
  "uber.com",
  "ubereats.com",
  "lyft.com",
  "doordash.com",
  "instacart.com",
  "grubhub.com",
  "postmates.com",
  "shipt.com",
  "gopuff.com",
  "roadie.com",
  "deliveroo.co.uk",
  "just-eat.co.uk",
  "skipthedishes.com",
  "bolt.eu",
  "wolt.com",
  "glovoapp.com",
]);

export const isPlatform = (merchant: number, knowledge: Knowledge): boolean =>
  platforms.has(knowledge.text(knowledge.merchants.website[merchant] ?? 0));
