// The image that the image under test is built on: the default one of the Dockerfile where it can be had, otherwise one
// that is made here of Debian's packages and of the Node and npm that run the tests.
import { existsSync, readFileSync } from "node:fs";
import { copyFile, cp, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { canRun, runCommand } from "../services/native/command.ts";
import { isRoot } from "./engine.ts";

const SUITE = "bookworm";
const CERTIFICATES = "etc/ssl/certs/ca-certificates.crt";

const PULL_MS_MAX = 120_000;
const BOOTSTRAP_MS_MAX = 240_000;
const IMPORT_MS_MAX = 60_000;

export interface BaseImage {
  readonly name: string;
  /** Whether images of others can be had here. */
  readonly isPulled: boolean;
}

/** @throws Error that names what is missing */
export async function findBaseImage(dockerfile: string): Promise<BaseImage> {
  const byDefault = /^ARG BASE=(\S+)$/m.exec(readFileSync(dockerfile, "utf8"))?.[1];
  if (byDefault === undefined) throw new Error(`${dockerfile} names no base image`);
  if (await isPresent(byDefault)) return { name: byDefault, isPulled: true };
  try {
    await runCommand("docker", ["pull", "--quiet", byDefault], PULL_MS_MAX);
    return { name: byDefault, isPulled: true };
  } catch (cause) {
    return { name: await makeBaseImage(byDefault, cause), isPulled: false };
  }
}

/** Made once for each version of Node; the engine keeps it. */
async function makeBaseImage(instead: string, cause: unknown): Promise<string> {
  const name = `ledgerline-test-base:${SUITE}-node-${process.versions.node}`;
  if (await isPresent(name)) return name;
  if (!isRoot() || !(await canRun("debootstrap", ["--version"]))) {
    const message = `${instead} cannot be pulled, and making a base image needs root and debootstrap`;
    throw new Error(message, { cause });
  }
  const folder = await mkdtemp(join(tmpdir(), "ledgerline-base-"));
  try {
    const root = join(folder, "root");
    await bootstrap(root);
    await addNode(root);
    const archive = join(folder, "root.tar");
    await runCommand("tar", ["-C", root, "-cf", archive, "."], IMPORT_MS_MAX);
    await runCommand("docker", ["import", ...importChanges(root), archive, name], IMPORT_MS_MAX);
    return name;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function isPresent(name: string): Promise<boolean> {
  return canRun("docker", ["image", "inspect", name]);
}

async function bootstrap(root: string): Promise<void> {
  const options = ["--variant=minbase", "--include=ca-certificates,libatomic1"];
  await runCommand("debootstrap", [...options, SUITE, root], BOOTSTRAP_MS_MAX);
  for (const left of ["var/cache/apt/archives", "var/lib/apt/lists"]) {
    await rm(join(root, left), { recursive: true, force: true });
  }
  // What this machine trusts: a mirror of npm's registry may have a certificate of its own.
  if (existsSync(`/${CERTIFICATES}`)) await copyFile(`/${CERTIFICATES}`, join(root, CERTIFICATES));
}

/** Laid out like the official image. */
async function addNode(root: string): Promise<void> {
  const local = join(root, "usr/local");
  const npm = await runCommand("sh", ["-c", 'readlink -f "$(command -v npm)"'], IMPORT_MS_MAX);
  await copyFile(process.execPath, join(local, "bin/node"));
  await mkdir(join(local, "lib/node_modules"), { recursive: true });
  // It is npm/bin/npm-cli.js.
  const npmFolder = dirname(dirname(npm.trim()));
  await cp(npmFolder, join(local, "lib/node_modules/npm"), { recursive: true });
  for (const command of ["npm", "npx"]) {
    const target = `../lib/node_modules/npm/bin/${command}-cli.js`;
    await symlink(target, join(local, "bin", command));
  }
}

function importChanges(root: string): string[] {
  const path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  const changes = [`ENV PATH=${path}`];
  if (existsSync(join(root, CERTIFICATES))) {
    changes.push(`ENV NODE_EXTRA_CA_CERTS=/${CERTIFICATES}`);
  }
  return changes.flatMap((change) => ["--change", change]);
}
