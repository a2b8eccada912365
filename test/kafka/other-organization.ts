// Another organization, whose only record stands behind those of the first one in a partition.
import { createClient } from "../support/client.ts";
import { until } from "../support/poll.ts";
import type { TestService } from "../support/service.ts";
import { createKeysFor, grantTo } from "./keys.ts";
import { type Outside, purchase } from "./outside.ts";

/**
 * Gives it a grant and a key.
 * @returns sends its record to a partition, and waits until its batch is completed
 */
export async function joinOther(
  service: TestService,
  outside: Outside,
): Promise<(partition: number) => Promise<void>> {
  const { other } = await grantTo(service, ["other"]);
  const { other: apiKey } = await createKeysFor(service, { other: ["read"] });
  return async (partition) => {
    const calm = { org: "other", batch_id: "calm", transactions: [purchase("calm")] };
    const value = await outside.encode(calm, await outside.schemaId());
    await outside.send({ ...outside.signed(value, other), partition });
    const strangers = createClient(service.url, apiKey.secret);
    await until("the other organization is served", async () => {
      const batch = await strangers.getBatch("calm");
      return batch.kind === "answered" && batch.status === 200 && batch.body.status === "completed"
        ? true
        : null;
    });
  };
}
