// A receiver of webhook calls inside the test: records every call and answers as configured.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { AtEnd } from "./service.ts";

export interface ReceivedCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** When it was there whole, milliseconds since 1970. */
  readonly at: number;
}

export interface ReceivedEvent {
  readonly event_id: string;
  readonly event_type: string;
  readonly data: Readonly<Record<string, unknown>> & { readonly id: string };
}

export interface Receiver {
  readonly url: string;
  readonly calls: readonly ReceivedCall[];
  /** Events in the order in which they came, repeats included. */
  events(): readonly ReceivedEvent[];
  close(): Promise<void>;
}

/** Answers a call; `index` counts the calls from 0. A handler that does nothing lets the caller wait. */
export type Answerer = (response: ServerResponse, call: ReceivedCall, index: number) => void;

export const answerWith =
  (status: number, headers: Readonly<Record<string, string>> = {}): Answerer =>
  (response) => {
    response.writeHead(status, headers).end();
  };

/** Starts a receiver on a free port of this machine; it ends with the test. */
export async function startReceiver(
  answer: Answerer = answerWith(200),
  atEnd: AtEnd = onTestFinished,
): Promise<Receiver> {
  const calls: ReceivedCall[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const body = Buffer.concat(parts).toString("utf8");
      const call = { path: request.url ?? "", headers: request.headers, body, at: Date.now() };
      calls.push(call);
      answer(response, call, calls.length - 1);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => {
      server.close(() => {
        resolve();
      });
    });
  };
  atEnd(close);
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    calls,
    events: () => calls.map(({ body }) => JSON.parse(body) as ReceivedEvent),
    close,
  };
}
