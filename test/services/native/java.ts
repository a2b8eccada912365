// The Java that servers run on.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "./command.ts";

/** The registry is compiled for 21; Kafka takes what is there, 17 or newer, so one search serves both. */
export const REGISTRY_JAVA_MIN = 21;
export const KAFKA_JAVA_MIN = 17;

/** Where Linux distributions and macOS keep their Javas, as well as JAVA_HOME and the search path. */
const FOLDERS = ["/usr/lib/jvm", "/opt/java", "/Library/Java/JavaVirtualMachines"];

export interface Java {
  readonly command: string;
  readonly version: number;
}

/** The newest Java of this machine that is at least `versionMin`; null when there is none. */
export async function findJava(versionMin: number): Promise<Java | null> {
  const installed = await Promise.all((await listHomes()).map(readRelease));
  const newest = installed
    .filter((java) => java !== null)
    .sort((left, right) => right.version - left.version)[0];
  if (newest !== undefined && newest.version >= versionMin) return newest;
  const onPath = await askVersion("java");
  return onPath !== null && onPath.version >= versionMin ? onPath : null;
}

async function listHomes(): Promise<string[]> {
  const home = process.env["JAVA_HOME"];
  const homes = home === undefined ? [] : [home];
  for (const folder of FOLDERS) {
    for (const name of await readdir(folder).catch(() => [])) {
      homes.push(join(folder, name), join(folder, name, "Contents", "Home"));
    }
  }
  return homes;
}

/** Every Java has its version in a file; reading it is faster than starting Java. */
async function readRelease(home: string): Promise<Java | null> {
  const text = await readFile(join(home, "release"), "utf8").catch(() => "");
  const version = /^JAVA_VERSION="(\d+)/m.exec(text)?.[1];
  return version === undefined
    ? null
    : { command: join(home, "bin", "java"), version: Number(version) };
}

async function askVersion(command: string): Promise<Java | null> {
  const text = await runCommand(command, ["--version"], 20_000).catch(() => "");
  const version = /^\S+ (\d+)/.exec(text)?.[1];
  return version === undefined ? null : { command, version: Number(version) };
}
