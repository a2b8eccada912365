// ledgerline dead-letters: look at records that could not be processed, put them back, drop them.

/** A dead letter as far as the command shows it. */
interface ShownLetter {
  readonly id: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly reason: string;
  readonly error: string;
  readonly key: string;
  readonly order: string;
  /** Milliseconds since 1970, UTC. */
  readonly failedAt: number;
  readonly original: Uint8Array;
  readonly headers: Readonly<Record<string, Uint8Array>>;
}

/** What the commands need of the dead letters. */
export interface DeadLettersPort {
  list(): AsyncIterable<ShownLetter>;
  get(id: string): Promise<ShownLetter | null>;
  replay(id: string): Promise<"replayed" | "not_found" | "unreadable">;
  drop(id: string): Promise<boolean>;
}

export interface DeadLetterCommandDeps {
  readonly deadLetters: DeadLettersPort;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

/** One line each: id, when, why. Nothing of the record itself: it may hold personal data. */
export async function listDeadLetters({
  deadLetters,
  stdout,
}: DeadLetterCommandDeps): Promise<number> {
  stdout.write("ID\tFAILED AT\tREASON\tBYTES\tERROR\n");
  for await (const letter of deadLetters.list()) {
    const { id, reason, original, error } = letter;
    stdout.write(`${[id, failedAt(letter), reason, String(original.length), error].join("\t")}\n`);
  }
  return 0;
}

/** Everything about one as JSON, its bytes in base64; with `isRaw` the bytes alone. */
export async function showDeadLetter(
  deps: DeadLetterCommandDeps,
  id: string,
  isRaw: boolean,
): Promise<number> {
  const letter = await deps.deadLetters.get(id);
  if (letter === null) return notFound(deps, id);
  if (isRaw) {
    deps.stdout.write(letter.original);
    return 0;
  }
  const { original, headers } = letter;
  const shown = {
    ...letter,
    failedAt: failedAt(letter),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString("latin1")]),
    ),
    original: Buffer.from(original).toString("base64"),
  };
  deps.stdout.write(`${JSON.stringify(shown, null, 2)}\n`);
  return 0;
}

/** Puts records back where they came from, each with its place in the order of submissions. */
export async function replayDeadLetters(
  deps: DeadLetterCommandDeps,
  ids: readonly string[],
): Promise<number> {
  let exitCode = 0;
  for (const id of ids) {
    const outcome = await deps.deadLetters.replay(id);
    if (outcome === "replayed") deps.stderr.write(`Dead letter ${id} is back in the log.\n`);
    else if (outcome === "not_found") exitCode = notFound(deps, id);
    else {
      deps.stderr.write(
        `Dead letter ${id} cannot be read and is not replayed: save its bytes with "ledgerline dead-letters show --raw ${id}", or remove it with "ledgerline dead-letters drop ${id}".\n`,
      );
      exitCode = 1;
    }
  }
  return exitCode;
}

/** Removes records for good. */
export async function dropDeadLetters(
  deps: DeadLetterCommandDeps,
  ids: readonly string[],
): Promise<number> {
  let exitCode = 0;
  for (const id of ids) {
    if (await deps.deadLetters.drop(id)) deps.stderr.write(`Dead letter ${id} was deleted.\n`);
    else exitCode = notFound(deps, id);
  }
  return exitCode;
}

function notFound({ stderr }: DeadLetterCommandDeps, id: string): number {
  stderr.write(`There is no dead letter ${id}.\n`);
  return 1;
}

/** Dead letters of version 0.1 do not say when. */
function failedAt(letter: ShownLetter): string {
  return letter.failedAt === 0 ? "-" : new Date(letter.failedAt).toISOString();
}
