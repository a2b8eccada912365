// An installation: processes that accept, that enrich, that read bank statements and that tell subscribers, on topics, groups and a database of
// their own.
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DistributedConfig } from "../../src/config/config.ts";
import { type Client, createClient } from "../support/client.ts";
import { distributedEnvironment, realServices } from "../support/distributed.ts";
import { spawnProcess } from "../support/process.ts";
import { type Member, superviseMember } from "./member.ts";

export type Environment = Readonly<Record<string, string>>;

export interface InstallationOptions {
  readonly name: string;
  /** One process for each, with these variables on top. */
  readonly ingest: readonly Environment[];
  readonly enrich: readonly Environment[];
  readonly dispatch?: readonly Environment[];
  readonly statements?: readonly Environment[];
}

export interface Installation {
  readonly config: DistributedConfig;
  readonly ingest: readonly Member[];
  /** Those that were there from the start. */
  readonly enrich: readonly Member[];
  readonly dispatch: readonly Member[];
  readonly statements: readonly Member[];
  /** Base URL of the next process that accepts, in turn. */
  nextUrl(): string;
  /** A client of the next process that accepts, in turn. */
  nextClient(): Client;
  /** One more process that enriches. */
  join(): Member;
  members(): readonly Member[];
  untilServing(): Promise<void>;
  /** Ends every process; returns the names of processes that ended badly without having been asked to leave before. */
  stop(signal: "SIGTERM" | "SIGKILL"): Promise<readonly string[]>;
}

/** More than there are processes, so that a process that joins takes partitions away from every other. */
const PARTITIONS = 6;
/** Nothing listens there, so that a call to a process that is down is refused. */
const UNUSED_URL = "http://127.0.0.1:2";

export function startInstallation(options: InstallationOptions): Installation {
  const { name } = options;
  const config = realServices(name, { partitions: PARTITIONS });
  const members: Member[] = [];
  const start = (
    role: "ingest" | "enrich" | "dispatch" | "statements",
    env: Environment,
  ): Member => {
    const memberName = `${role}-${String(members.length)}`;
    const member = superviseMember(memberName, () =>
      spawnProcess({
        dataFolder: join(tmpdir(), name),
        env: {
          ...distributedEnvironment(config),
          LEDGERLINE_ROLE: role,
          // Two cores are shared by all of the processes and the services.
          POOL_THREADS: "1",
          ...env,
        },
      }),
    );
    members.push(member);
    return member;
  };
  const ingest = options.ingest.map((env) => start("ingest", env));
  const enrich = options.enrich.map((env) => start("enrich", env));
  const dispatch = (options.dispatch ?? []).map((env) => start("dispatch", env));
  const statements = (options.statements ?? []).map((env) => start("statements", env));
  let turn = 0;
  const nextUrl = (): string => {
    const urls = ingest.flatMap((member) => member.url() ?? []);
    turn += 1;
    return urls[turn % urls.length] ?? UNUSED_URL;
  };
  return {
    config,
    ingest,
    enrich,
    dispatch,
    statements,
    nextUrl,
    nextClient: () => createClient(nextUrl()),
    join: () => start("enrich", {}),
    members: () => members,
    untilServing: async () => {
      await Promise.all(members.map((member) => member.untilServing()));
    },
    stop: async (signal) => {
      const ends = await Promise.all(
        members.map(async (member) => {
          const wasStopped = member.hasLeft();
          const { code, signal: by } = await member.leave(signal);
          return wasStopped || code === 0
            ? []
            : [`${member.name} ended with ${String(code ?? by)}`];
        }),
      );
      return ends.flat();
    },
  };
}
