// The schema registry, which keeps its schemas and their ids when it is killed and started again.
import { join } from "node:path";
import { isRegistryServing } from "../clients.ts";
import { fetchRegistry } from "./downloads.ts";
import { findJava, REGISTRY_JAVA_MIN } from "./java.ts";
import { claimPort } from "./ports.ts";
import { createServerFolder, type KillSignal, removeServerFolder, startServer } from "./server.ts";

export interface Registry {
  /** Base address of the Confluent-compatible API. */
  readonly url: string;
  readonly logFile: string;
  pid(): number | null;
  kill(signal: KillSignal): Promise<void>;
  /** Same port, same schemas; waits until it serves again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** @throws Error with the end of its log when it does not start */
export async function startRegistry(): Promise<Registry> {
  const [program, java] = await Promise.all([fetchRegistry(), findJava(REGISTRY_JAVA_MIN)]);
  if (java === null) {
    throw new Error(`The schema registry needs Java ${String(REGISTRY_JAVA_MIN)} or newer`);
  }
  const claim = await claimPort();
  const folder = await createServerFolder("registry");
  const clean = async (): Promise<void> => {
    await claim.release();
    await removeServerFolder(folder);
  };
  const url = `http://127.0.0.1:${String(claim.port)}/apis/ccompat/v7`;
  try {
    const server = await startServer({
      name: "registry",
      command: java.command,
      args: registryArgs(program, folder, claim.port),
      folder,
      probe: () => isRegistryServing(url),
    });
    const { pid, kill, restart, logFile } = server;
    const stop = async (): Promise<void> => {
      await server.stop();
      await clean();
    };
    return { url, logFile, pid, kill, restart, stop };
  } catch (error) {
    await clean();
    throw error;
  }
}

function registryArgs(program: string, folder: string, port: number): string[] {
  return [
    ...["-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"],
    `-Dquarkus.http.port=${String(port)}`,
    "-Dquarkus.http.host=127.0.0.1",
    // The default, 9000 on all addresses, allows one registry per machine. It is unused, so any free port will do.
    "-Dquarkus.management.port=0",
    "-Dquarkus.management.host=127.0.0.1",
    // The default storage is in memory. H2 in a file survives a kill, and without its write delay of half a second also
    // what was registered just before.
    "-Dapicurio.storage.kind=sql",
    "-Dapicurio.storage.sql.kind=h2",
    `-Dapicurio.datasource.url=jdbc:h2:file:${join(folder, "schemas")};WRITE_DELAY=0`,
    "-Dapicurio.datasource.username=sa",
    "-Dapicurio.datasource.password=sa",
    ...["-jar", join(program, "quarkus-run.jar")],
  ];
}
