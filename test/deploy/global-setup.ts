// Builds the image once for the whole run.
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { canRun, runCommand } from "../services/native/command.ts";
import { findBaseImage } from "./base-image.ts";
import { type Engine, findEngine } from "./engine.ts";

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
const DOCKERFILE = fileURLToPath(new URL("../../deploy/Dockerfile", import.meta.url));
const LAST = "ledgerline-test:last";
const BUILD_MS_MAX = 600_000;
const REMOVE_MS_MAX = 60_000;

export interface TestImage {
  readonly name: string;
  readonly base: string;
}

declare module "vitest" {
  interface ProvidedContext {
    /** Null where there can be none; the tests of the image are skipped then. */
    image: TestImage | null;
  }
}

/** @throws Error where there is a container engine and the image cannot be built and tried */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  let engine: Engine;
  try {
    engine = await findEngine();
  } catch (error) {
    // Also in CI: not every machine can run containers. The run reports how many tests were skipped.
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`The tests of the image are skipped: ${reason}\n`);
    project.provide("image", null);
    return undefined;
  }
  // One image per run: a run at the same time may have other sources.
  const name = `ledgerline-test:${randomBytes(4).toString("hex")}`;
  try {
    const base = await findBaseImage(DOCKERFILE);
    // The helper that would remove what a killed run leaves is an image of others.
    if (!base.isPulled) process.env["TESTCONTAINERS_RYUK_DISABLED"] = "true";
    await build(name, base.name);
    await keepLayers(name);
    project.provide("image", { name, base: base.name });
  } catch (error) {
    await engine.stop();
    throw error;
  }
  return async () => {
    await runCommand("docker", ["image", "rm", name], REMOVE_MS_MAX);
    await engine.stop();
  };
}

function build(name: string, base: string): Promise<string> {
  const options = ["--build-arg", `BASE=${base}`, "--file", DOCKERFILE, "--tag", name];
  return runCommand("docker", ["build", ...options, PROJECT], BUILD_MS_MAX);
}

/** Of the last build alone: the next one is quick when nothing has changed, and they do not pile up. */
async function keepLayers(name: string): Promise<void> {
  const list = ["image", "ls", "--quiet", "--no-trunc", LAST];
  const previous = (await runCommand("docker", list, REMOVE_MS_MAX)).trim();
  await runCommand("docker", ["tag", name, LAST], REMOVE_MS_MAX);
  // Refused when it is still the same one, or another run is using it.
  if (previous !== "") await canRun("docker", ["image", "rm", previous]);
}
