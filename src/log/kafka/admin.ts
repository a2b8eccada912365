// Metadata requests to Kafka. The client keeps calling a broker that was stopped, however long, and tries no other: after
// a failure the next request goes through a new client.
import type { Admin, Kafka } from "kafkajs";
import { asKafkaUnavailable, RETRY, within } from "./client.ts";

const ASK_MAX_MS = 8_000;
const CLOSE_MAX_MS = 3_000;

export interface AdminClient {
  /** @throws LedgerlineError `unavailable` when there is no answer in time */
  ask<T>(query: (admin: Admin) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export function createAdminClient(kafka: Kafka): AdminClient {
  let current: Promise<Admin> | null = null;

  async function connect(): Promise<Admin> {
    const admin = kafka.admin({ retry: RETRY });
    await admin.connect();
    return admin;
  }

  async function disconnect(admin: Promise<Admin>): Promise<void> {
    const disconnected = admin.then((connected) => connected.disconnect());
    await within(disconnected, CLOSE_MAX_MS).catch(() => undefined);
  }

  return {
    ask: async (query) => {
      const admin = (current ??= connect());
      try {
        return await within(admin.then(query), ASK_MAX_MS);
      } catch (error) {
        if (current === admin) current = null;
        void disconnect(admin);
        throw asKafkaUnavailable(error);
      }
    },
    close: async () => {
      if (current !== null) await disconnect(current);
    },
  };
}
