// The image as containers, started the way deploy/compose.yaml and docs/operate/containers.md do it.
import { randomBytes } from "node:crypto";
import { GenericContainer, type StartedTestContainer, Wait } from "testcontainers";
import { onTestFinished } from "vitest";
import { runCommand } from "../services/native/command.ts";
import { API_KEY, type Client, createClient } from "../support/client.ts";

export const PORT = 8_080;
const DOCKER_MS_MAX = 60_000;
const START_MS_MAX = 60_000;

/** A command of the engine; what it printed. @throws Error with its output when it fails */
export function docker(...args: readonly string[]): Promise<string> {
  return runCommand("docker", args, DOCKER_MS_MAX);
}

/** The engine's description of a container or an image. */
export async function inspect<T>(id: string): Promise<T> {
  const [found] = JSON.parse(await docker("inspect", id)) as T[];
  if (found === undefined) throw new Error(`The engine does not know ${id}`);
  return found;
}

/** A volume that is removed when the test ends. */
export async function createVolume(): Promise<string> {
  const name = `ledgerline-test-${randomBytes(4).toString("hex")}`;
  await docker("volume", "create", name);
  onTestFinished(async () => {
    await docker("volume", "rm", "--force", name);
  });
  return name;
}

/** The root file system can only be read, and the process has no rights beyond its user's. */
export class HardenedContainer extends GenericContainer {
  constructor(image: string) {
    super(image);
    this.hostConfig.ReadonlyRootfs = true;
    this.withTmpFs({ "/tmp": "noexec,nosuid,nodev" })
      .withDroppedCapabilities("ALL")
      .withSecurityOpt("no-new-privileges")
      .withStartupTimeout(START_MS_MAX)
      // What a test leaves stopped is looked at before it is removed.
      .withAutoRemove(false);
  }
}

export interface ContainerOptions {
  readonly volume: string;
  /** Waits for the image's own health check instead of asking the service. */
  readonly untilHealthy?: boolean;
}

export interface ServiceContainer {
  readonly container: StartedTestContainer;
  readonly client: Client;
  readonly url: string;
}

/** Ledgerline alone on a volume. Removed when the test ends. */
export async function startContainer(
  image: string,
  { volume, untilHealthy = false }: ContainerOptions,
): Promise<ServiceContainer> {
  const container = await new HardenedContainer(image)
    .withEnvironment({ LEDGERLINE_API_KEY: API_KEY })
    .withBindMounts([{ source: volume, target: "/var/lib/ledgerline" }])
    .withExposedPorts(PORT)
    .withWaitStrategy(
      untilHealthy ? Wait.forHealthCheck() : Wait.forHttp("/health/ready", PORT).forStatusCode(200),
    )
    .start();
  onTestFinished(() => remove(container.getId()));
  const url = `http://${container.getHost()}:${String(container.getMappedPort(PORT))}`;
  return { container, client: createClient(url), url };
}

/** Whether it runs or not, with its anonymous volumes. */
export async function remove(id: string): Promise<void> {
  await docker("rm", "--force", "--volumes", id);
}

/** Stops it as a supervisor does; how it ended. */
export async function stop(id: string): Promise<{ exitCode: number; seconds: number }> {
  const start = performance.now();
  await docker("stop", "-t", "30", id);
  const seconds = (performance.now() - start) / 1_000;
  const { State } = await inspect<{ State: { ExitCode: number } }>(id);
  return { exitCode: State.ExitCode, seconds };
}
