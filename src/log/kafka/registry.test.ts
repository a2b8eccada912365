import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createConfluentRegistry } from "./registry.ts";

const SCHEMA = JSON.stringify({ type: "record", name: "R", fields: [{ name: "a", type: "int" }] });
const ID = 7;

interface Answer {
  readonly status: number;
  readonly body: object;
}

/** A registry that the test controls; keeps the requests. */
async function startRegistry(answer: (request: string) => Answer): Promise<{
  url: string;
  asked: string[];
}> {
  const asked: string[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    const name = `${request.method ?? ""} ${request.url ?? ""}`;
    asked.push(name);
    const { status, body } = answer(name);
    request.resume().once("end", () => {
      response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${String(port)}`, asked };
}

function register(url: string): Promise<number> {
  const registry = createConfluentRegistry({
    url,
    nowMs: () => 0,
    random: () => 0,
    wait: () => Promise.resolve(),
  });
  return registry.register("subject", SCHEMA);
}

const notFound = { status: 404, body: { error_code: 40401, message: "not found" } };
/** What a subject shows whose first process was killed before it could set the compatibility. */
const noCompatibility = { status: 200, body: { compatibilityLevel: "NONE" } };

describe("the schema registry", () => {
  it("is used as it is when it has the schema, also where the compatibility was never set", async () => {
    const { url, asked } = await startRegistry((request) =>
      request === "POST /subjects/subject" ? { status: 200, body: { id: ID } } : noCompatibility,
    );
    expect(await register(url)).toBe(ID);
    expect(asked).toEqual(["POST /subjects/subject", "GET /config/subject"]);
  });

  it("raises the compatibility that earlier versions have set", async () => {
    const { url, asked } = await startRegistry((request) =>
      request === "POST /subjects/subject"
        ? { status: 200, body: { id: ID } }
        : { status: 200, body: { compatibilityLevel: "BACKWARD" } },
    );
    expect(await register(url)).toBe(ID);
    expect(asked.at(-1)).toBe("PUT /config/subject");
  });

  it("is given the schema that it does not have, and the compatibility", async () => {
    const { url, asked } = await startRegistry((request) =>
      request === "POST /subjects/subject/versions" || request.startsWith("PUT ")
        ? { status: 200, body: { id: ID } }
        : notFound,
    );
    expect(await register(url)).toBe(ID);
    expect(asked.at(-1)).toBe("PUT /config/subject");
  });

  it("that has another schema without compatibility is misconfigured, one that fails is away", async () => {
    const other = await startRegistry((request) =>
      request === "POST /subjects/subject" ? notFound : noCompatibility,
    );
    await expect(register(other.url)).rejects.toMatchObject({ code: "misconfigured" });
    const failing = await startRegistry(() => ({ status: 500, body: {} }));
    await expect(register(failing.url)).rejects.toMatchObject({ code: "unavailable" });
  });
});
