import { LedgerlineError } from "../shared/errors.ts";
import type { Logger } from "../observability/logger.ts";

/** The running service, as far as starting and stopping it goes. */
export interface RunningService {
  readonly url: string;
  /** Whether the API and its documentation are answered there, or only health and metrics. */
  readonly hasApi: boolean;
  close(): Promise<void>;
  closeAllConnections(): void;
}

export interface ServeDeps {
  open(
    onFirstKey: (secret: string) => void,
    onFatal: (reason: string) => void,
  ): Promise<RunningService>;
  readonly logger: Logger;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  /** Whether a person sees standard output, and may want lines to try. */
  readonly isTerminal: boolean;
  /** Calls back at every SIGTERM or SIGINT. */
  onStopSignal(handler: (signal: string) => void): void;
  /** Ends the process at once. */
  exit(code: number): void;
}

/** A supervisor commonly waits 30 s between SIGTERM and SIGKILL. */
const DRAIN_MAX_MS = 25_000;
/** Connections that have not ended by then are cut, so that the log and the store still close in order. */
const CUT_CONNECTIONS_AFTER_MS = 20_000;
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

/** Serves until a stop signal. Resolves with the exit code: 0 after an orderly end, 1 when it could not start or drain. */
export async function serve(deps: ServeDeps): Promise<number> {
  // Signals count from here on: one that comes while the service opens stops it as soon as it is open.
  const stopped = new Promise<string>((resolve) => {
    let signals = 0;
    deps.onStopSignal((signal) => {
      signals += 1;
      resolve(signal);
      if (signals > 1) deps.exit(EXIT_FAILED);
    });
  });
  let service: RunningService;
  let firstKey: string | null = null;
  try {
    service = await deps.open(
      (secret) => {
        firstKey = secret;
        deps.stdout.write(
          `\nLedgerline created your first API key. It is shown only once; only its hash is stored.\n\n    ${secret}\n\n`,
        );
      },
      (reason) => {
        deps.stderr.write(`Ledgerline stops: ${reason}.\n`);
        deps.exit(EXIT_FAILED);
      },
    );
  } catch (error) {
    deps.stderr.write(`${describe(error)}\n`);
    if (!isExpected(error)) deps.logger.error({ error }, "ledgerline.failed_to_start");
    return isWrongAddress(error) ? EXIT_USAGE : EXIT_FAILED;
  }
  const what = service.hasApi ? `documentation: ${service.url}/docs` : "health and metrics only";
  deps.stdout.write(`Ledgerline listens on ${service.url} (${what})\n`);
  if (deps.isTerminal && service.hasApi) deps.stdout.write(linesToTry(service.url, firstKey));
  const signal = await stopped;
  deps.logger.info({ signal }, "ledgerline.stopping");
  const cut = setTimeout(service.closeAllConnections, CUT_CONNECTIONS_AFTER_MS);
  const drain = setTimeout(() => {
    deps.logger.error({ seconds: DRAIN_MAX_MS / 1000 }, "ledgerline.drain_timed_out");
    deps.exit(EXIT_FAILED);
  }, DRAIN_MAX_MS);
  await service.close();
  clearTimeout(cut);
  clearTimeout(drain);
  deps.logger.info({}, "ledgerline.stopped");
  return 0;
}

/** @param key the key that was just made; null: the user has one */
function linesToTry(url: string, key: string | null): string {
  const headers = `-H "X-Api-Key: ${key ?? "$KEY"}" -H "Content-Type: application/json"`;
  const line =
    '{"id": "tx-1", "description": "SQ *BLUE BOTTLE COFFEE OAKLAND CA", "date": "2026-11-20", "amount": 6.5, "entry_type": "outgoing", "currency": "USD"}';
  return `
Try it${key === null ? ", with your API key in KEY" : ""}:

  curl ${url}/v3/transactions ${headers} -d '${line}'
  curl ${url}/v3/entities/resolve ${headers} -d '{"website": "netflix.com"}'
  curl ${url}/v3/transactions -H "X-Api-Key: ${key ?? "$KEY"}"

`;
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : null;
}

function isExpected(error: unknown): boolean {
  return (
    error instanceof LedgerlineError || codeOf(error) === "EADDRINUSE" || isWrongAddress(error)
  );
}

function isWrongAddress(error: unknown): boolean {
  const code = codeOf(error);
  return (
    code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EAI_AGAIN" || code === "EACCES"
  );
}

/** The port of a failed `listen`, and the address it is on. */
function addressOf(error: unknown): string {
  const { port, address } = error as { readonly port?: number; readonly address?: string };
  return `${String(port ?? "")}${address === undefined ? "" : ` of ${address}`}`.trim();
}

function describe(error: unknown): string {
  if (error instanceof LedgerlineError) return error.message;
  if (codeOf(error) === "EADDRINUSE")
    return `Port ${addressOf(error)} is in use by another program: stop it, or set PORT to another port (0: any free one).`;
  if (codeOf(error) === "EACCES")
    return "This user may not listen on that port; set PORT to one above 1023.";
  if (isWrongAddress(error)) return "HOST is not an address of this machine.";
  return "Ledgerline could not start because of an unexpected error; the log line has the details.";
}
