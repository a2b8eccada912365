// What programs in other languages need, downloaded once and kept with the services.
import { spawn } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assertHash, cached, hashFolder } from "../services/native/cache.ts";
import { runCommand } from "../services/native/command.ts";
import { findJava, KAFKA_JAVA_MIN } from "../services/native/java.ts";
import { findPythonWith } from "../support/python.ts";

const DOWNLOAD_MS_MAX = 300_000;
const PYTHON_PACKAGES = ["confluent-kafka==2.16.1", "fastavro==1.13.1"];
const JAVA_LIBRARIES = [
  ["org.apache.kafka", "kafka-clients", "4.3.0"],
  ["org.apache.avro", "avro", "1.12.1"],
] as const;
/** Over all jars, as `hashFolder` counts. */
const JAVA_SHA256 = "7eb08abff62090f184310b0f33bf9c8a97e045bcd983529634a8a4747daa6c56";

/** A command line that runs a program, without the program's name. */
export interface Language {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** @throws Error that names what is missing */
export async function findPython(): Promise<Language> {
  const name = PYTHON_PACKAGES.join("-").replaceAll("==", "-");
  return { ...(await findPythonWith(name, PYTHON_PACKAGES)), args: [] };
}

/** @throws Error that names what is missing */
export async function findJavaForKafka(): Promise<Language> {
  const java = await findJava(KAFKA_JAVA_MIN);
  if (java === null) throw new Error(`Java ${String(KAFKA_JAVA_MIN)} or newer is missing`);
  const name = JAVA_LIBRARIES.map(([, artifact, version]) => `${artifact}-${version}`).join("-");
  const folder = await cached(name, async (target) => {
    const pom = join(target, "pom.xml");
    await writeFile(pom, javaPom());
    await runCommand(
      "mvn",
      [
        ...["-q", "-B", "-f", pom, "dependency:copy-dependencies"],
        ...["-DincludeScope=runtime", `-DoutputDirectory=${target}`],
      ],
      DOWNLOAD_MS_MAX,
    );
    await rm(pom);
    assertHash("The Kafka client for Java", await hashFolder(target), JAVA_SHA256);
  });
  // The program is compiled each time: quick compilation is worth more than quick code.
  const args = ["-XX:TieredStopAtLevel=1", "-cp", join(folder, "*")];
  return { command: java.command, args, env: {} };
}

export const NODE: Language = { command: process.execPath, args: [], env: {} };

/**
 * Runs a program, named from this folder, to its end and gives what it printed on standard output.
 * @throws Error with the rest of what it printed when it fails
 */
export function runProgram(
  { command, args, env }: Language,
  file: string,
  settings: Readonly<Record<string, string>>,
  input = "",
): Promise<string> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args, path], {
      env: { PATH: process.env["PATH"] ?? "", ...env, ...settings },
      stdio: "pipe",
      timeout: 100_000,
    });
    const printed: Buffer[] = [];
    const complaints: Buffer[] = [];
    child.stdout.on("data", (bytes: Buffer) => printed.push(bytes));
    child.stderr.on("data", (bytes: Buffer) => complaints.push(bytes));
    child.once("error", reject);
    child.once("close", (code) => {
      const text = Buffer.concat(printed).toString();
      if (code === 0) resolve(text);
      else
        reject(
          new Error(`${file} ended with ${String(code)}: ${Buffer.concat(complaints).toString()}`),
        );
    });
    child.stdin.end(input);
  });
}

function javaPom(): string {
  const dependencies = JAVA_LIBRARIES.map(
    ([group, artifact, version]) =>
      `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId>` +
      `<version>${version}</version></dependency>`,
  );
  return [
    '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>',
    "<groupId>ledgerline.test</groupId><artifactId>producer</artifactId><version>1</version>",
    `<packaging>pom</packaging><dependencies>${dependencies.join("")}</dependencies></project>`,
    "",
  ].join("\n");
}
