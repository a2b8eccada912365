// One process of an installation and what an operator's supervisor does for it: whenever it ends, it is started again.
import { setTimeout as delay } from "node:timers/promises";
import { until } from "../support/poll.ts";
import type { Exit, SpawnedProcess } from "../support/process.ts";

/** Common supervisors wait a moment, so that a process that cannot start does not keep the machine busy. */
const RESTART_PAUSE_MS = 200;
/** A start waits up to two minutes for its services, and for the sessions of members that were killed. */
const SERVING_MS_MAX = 180_000;
const LAST_WORDS_CHARACTERS_MAX = 600;

export interface Member {
  readonly name: string;
  /** Base URL while it serves, or null. */
  url(): string | null;
  untilServing(): Promise<void>;
  /** Sends a signal; SIGKILL resolves when the process is gone, which the supervisor then starts again. */
  signal(signal: "SIGKILL" | "SIGSTOP" | "SIGCONT"): Promise<void>;
  /** Ends it for good. */
  leave(signal: "SIGTERM" | "SIGKILL"): Promise<Exit>;
  hasLeft(): boolean;
  /** Each time that it ended by itself, with its last words. */
  exits(): readonly string[];
  output(): string;
}

export function superviseMember(name: string, start: () => SpawnedProcess): Member {
  const exits: string[] = [];
  const outputs: string[] = [];
  let running = start();
  let url: string | null = null;
  let hasExited = false;
  let isKilled = false;
  let isLeaving = false;

  async function watch(process: SpawnedProcess): Promise<void> {
    void process.listening.then((found) => {
      if (process === running && !hasExited) url = found;
    });
    const { code, signal } = await process.exited;
    hasExited = true;
    url = null;
    outputs.push(process.output());
    if (isLeaving) return;
    if (!isKilled) {
      const words = process.output().trim().slice(-LAST_WORDS_CHARACTERS_MAX);
      exits.push(`${name} ended with ${String(code ?? signal)}: ${words}`);
    }
    await delay(RESTART_PAUSE_MS);
    // It may have been stopped for good meanwhile.
    if (mayStart()) startAgain();
  }

  const mayStart = (): boolean => !isLeaving;

  function startAgain(): void {
    isKilled = false;
    hasExited = false;
    running = start();
    void watch(running);
  }

  void watch(running);
  return {
    name,
    url: () => url,
    untilServing: async () => {
      await until(`${name} serves`, () => url, SERVING_MS_MAX);
    },
    signal: async (signal) => {
      await until(`${name} runs`, () => (hasExited ? null : true));
      const process = running;
      if (signal === "SIGKILL") isKilled = true;
      process.kill(signal);
      if (signal === "SIGKILL") await process.exited;
    },
    leave: (signal) => {
      isLeaving = true;
      if (!hasExited) running.kill(signal);
      return running.exited;
    },
    hasLeft: () => isLeaving,
    exits: () => exits,
    output: () => [...outputs, ...(hasExited ? [] : [running.output()])].join(""),
  };
}
