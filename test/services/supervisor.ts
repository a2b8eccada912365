// A process in the background that holds the services between two commands, and what the commands ask it.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { cacheFolder } from "./native/cache.ts";
import { type Services, startServices } from "./services.ts";
import type { Endpoints } from "./endpoints.ts";

/**
 * One supervisor per cache folder, which is one per user. It listens on a port that follows from the folder's name, so
 * only one can run, and a killed one leaves nothing behind that looks alive.
 */
const PORT_MIN = 30_000;
const PORTS_MAX = 2_000;
const ANSWER_MS_MAX = 5_000;
/** A running start is awaited before it is undone. */
const STOP_MS_MAX = 300_000;
const PROGRAM = "ledgerline-test-services";

export type SupervisorStatus =
  | { readonly kind: "starting"; readonly pid: number }
  | {
      readonly kind: "ready";
      readonly pid: number;
      readonly how: string;
      readonly endpoints: Endpoints;
    };

interface Answer {
  readonly program: string;
  readonly folder: string;
  readonly status: SupervisorStatus;
}

/**
 * Runs until it is asked to stop or gets a signal. Resolves with false when another supervisor runs already.
 * @throws Error when the services do not start
 */
export async function supervise(): Promise<boolean> {
  let services: Services | null = null;
  const asked = Promise.withResolvers<undefined>();
  const gone = Promise.withResolvers<undefined>();
  const server = createServer((request, response) => {
    if (request.method === "DELETE") {
      asked.resolve(undefined);
      // Answered when everything is gone: who asks may start anew at once.
      void gone.promise.then(() => response.end());
      return;
    }
    const answer: Answer = { program: PROGRAM, folder: cacheFolder(), status: toStatus(services) };
    response.setHeader("Content-Type", "application/json").end(JSON.stringify(answer));
  });
  if (!(await listen(server))) return false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => {
      asked.resolve(undefined);
    });
  }
  try {
    services = await startServices();
    await asked.promise;
    await services.stop();
  } finally {
    server.close();
    gone.resolve(undefined);
  }
  return true;
}

/**
 * The status that the running supervisor reports; null when none runs.
 * @throws Error when something else listens on its port
 */
export async function askStatus(): Promise<SupervisorStatus | null> {
  const answer = await ask("GET");
  if (answer === null) return null;
  const { program, folder, status } = (await answer.json()) as Partial<Answer>;
  if (program !== PROGRAM || folder !== cacheFolder() || status === undefined) {
    throw new Error(`Something else listens on port ${String(port())}; set LEDGERLINE_TEST_CACHE`);
  }
  return status;
}

/** Ends the running supervisor with its services and waits until they are gone. False when none ran. */
export async function askToStop(): Promise<boolean> {
  if ((await askStatus()) === null) return false;
  await (await ask("DELETE"))?.arrayBuffer();
  return true;
}

async function ask(method: "GET" | "DELETE"): Promise<Response | null> {
  try {
    return await fetch(`http://127.0.0.1:${String(port())}/`, {
      method,
      headers: { Connection: "close" },
      signal: AbortSignal.timeout(method === "GET" ? ANSWER_MS_MAX : STOP_MS_MAX),
    });
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    if (cause instanceof Error && "code" in cause && cause.code === "ECONNREFUSED") return null;
    throw error;
  }
}

async function listen(server: Server): Promise<boolean> {
  server.listen(port(), "127.0.0.1");
  try {
    await once(server, "listening");
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") return false;
    throw error;
  }
}

function port(): number {
  const hash = createHash("sha256").update(cacheFolder()).digest();
  return PORT_MIN + (hash.readUInt32BE(0) % PORTS_MAX);
}

function toStatus(services: Services | null): SupervisorStatus {
  if (services === null) return { kind: "starting", pid: process.pid };
  const { how, kafkaBrokers, schemaRegistryUrl, mongodbUrl } = services;
  const endpoints = { kafkaBrokers, schemaRegistryUrl, mongodbUrl };
  return { kind: "ready", pid: process.pid, how, endpoints };
}
