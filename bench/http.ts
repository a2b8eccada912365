// The bench's own HTTP client: Node's plain one with kept connections, because on a small machine the client takes its
// share of the same cores.
import { Agent, request } from "node:http";
import { API_KEY } from "../test/support/client.ts";

export interface HttpAnswer {
  readonly status: number;
  readonly body: Buffer;
}

export interface BenchClient {
  /**
   * @param key instead of the one that the environment names
   * @throws Error on any status but 200 and 202
   */
  post(path: string, body: string | Buffer, key?: string): Promise<HttpAnswer>;
  /** @throws Error on any status but 200 */
  get(path: string, key?: string): Promise<HttpAnswer>;
  close(): void;
}

export function createBenchClient(url: string): BenchClient {
  const agent = new Agent({ keepAlive: true });
  const send = (
    method: string,
    path: string,
    body: string | Buffer | null,
    key = API_KEY,
  ): Promise<HttpAnswer> =>
    new Promise((resolve, reject) => {
      const headers: Record<string, string | number> = { "X-Api-Key": key };
      if (body !== null) {
        headers["Content-Type"] = "application/json";
        headers["Content-Length"] = Buffer.byteLength(body);
      }
      const call = request(url + path, { method, agent, headers }, (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("error", reject);
        response.on("end", () => {
          const answer = { status: response.statusCode ?? 0, body: Buffer.concat(parts) };
          if ([200, 202].includes(answer.status)) resolve(answer);
          else {
            const { status, body: content } = answer;
            reject(
              new Error(`${method} ${path}: ${String(status)} ${content.toString("utf8", 0, 200)}`),
            );
          }
        });
      });
      call.on("error", reject);
      call.end(body ?? undefined);
    });
  return {
    post: (path, body, key) => send("POST", path, body, key),
    get: (path, key) => send("GET", path, null, key),
    close: () => {
      agent.destroy();
    },
  };
}
