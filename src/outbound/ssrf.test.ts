import { createServer } from "node:http";
import { Socket } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { INSIDE_HOSTS, REFUSED_ADDRESSES } from "../../test/support/addresses.ts";
import { listening, type TcpServer } from "../../test/support/tcp-server.ts";
import type { DnsLookup } from "./resolve.ts";
import { createSender, type Sender, type SenderOptions } from "./sender.ts";

const call = { headers: { "content-type": "application/json" }, body: "{}" };

function sender(options: Partial<SenderOptions>): Sender {
  const made = createSender({ allowHttp: true, allowCidrs: [], timeoutMs: 2_000, ...options });
  onTestFinished(() => made.close());
  return made;
}

/** Represents everything inside the network. */
const canary = (): Promise<TcpServer> =>
  listening(createServer((_request, response) => response.end("inside")));

const answers =
  (...addresses: readonly string[]): DnsLookup =>
  () =>
    Promise.resolve(
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );

const never: DnsLookup = () => Promise.reject(new Error("not expected"));

test("a port that the installation does not allow is not called, whatever was allowed when the webhook was made", async () => {
  const { port, connections } = await canary();
  const url = `http://127.0.0.1:${String(port)}/`;
  const allowPorts = [{ from: 443, to: 443 }];
  const strict = sender({ allowCidrs: ["127.0.0.1/32"], allowPorts });
  expect(await strict.send({ ...call, url })).toMatchObject({ error: "address_refused" });
  expect(connections()).toBe(0);
});

test("the canary of these tests is reached where it is allowed", async () => {
  const { port } = await canary();
  const result = await sender({ allowCidrs: ["127.0.0.1/32"] }).send({
    ...call,
    url: `http://127.0.0.1:${String(port)}/`,
  });
  expect(result).toMatchObject({ status: 200, error: null, responseBody: "inside" });
});

test.each(INSIDE_HOSTS)("a call to %s does not reach what listens inside", async (host) => {
  const inside = await canary();
  const result = await sender({ lookup: never }).send({
    ...call,
    url: `http://${host}:${String(inside.port)}/`,
  });
  expect(result).toMatchObject({ status: null, error: "address_refused", responseBody: null });
  expect(inside.connections()).toBe(0);
});

test("for more than 80 addresses and spellings, as the host or as what its name stands for, no connection is begun", async () => {
  const connect = vi.spyOn(Socket.prototype, "connect").mockReturnThis();
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  const asHosts = [
    ...INSIDE_HOSTS,
    // As a host, the one with a dot at its end is the public one without.
    ...REFUSED_ADDRESSES.filter((address) => address !== "" && address !== "8.8.8.8.").map(
      (address) => (address.includes(":") ? `[${address}]` : address),
    ),
  ];
  const urls = new Set(asHosts.map((host) => `http://${host}/`));
  expect(urls.size).toBeGreaterThanOrEqual(80);
  for (const url of urls) {
    const { send } = sender({ lookup: answers("127.0.0.1") });
    expect([url, (await send({ ...call, url })).error]).toEqual([url, "address_refused"]);
  }
  for (const address of REFUSED_ADDRESSES) {
    const { send } = sender({ lookup: answers("8.8.8.8", address) });
    const { error } = await send({ ...call, url: "http://hooks.test/" });
    expect([address, error]).toEqual([address, "address_refused"]);
  }
  expect(connect).not.toHaveBeenCalled();
});

test.each([
  [["127.0.0.1"]],
  [["8.8.8.8", "127.0.0.1"]],
  [["127.0.0.1", "8.8.8.8"]],
  [["8.8.8.8", "1.1.1.1", "10.0.0.1"]],
  [["2606:4700:4700::1111", "127.0.0.1"]],
  [["8.8.8.8", "::ffff:127.0.0.1"]],
  [["64:ff9b::7f00:1"]],
  [["::1"]],
  [["169.254.169.254"]],
  [["fe80::1%lo"]],
  [["0177.0.0.1"]],
  [["not an address"]],
])("a name for %j is not called at all, nor is the address reported", async (addresses) => {
  const inside = await canary();
  const result = await sender({ lookup: answers(...addresses) }).send({
    ...call,
    url: `http://hooks.test:${String(inside.port)}/`,
  });
  expect(result).toMatchObject({ status: null, error: "address_refused", responseBody: null });
  for (const address of addresses) expect(result.detail).not.toContain(address);
  expect(inside.connections()).toBe(0);
});

test("a name is looked up once for a connection, and the address that was looked at is the one that is called", async () => {
  const { port } = await listening(
    createServer((_request, response) => response.writeHead(200, { connection: "close" }).end()),
  );
  const lookup = vi
    .fn<DnsLookup>()
    .mockImplementationOnce(answers("127.0.0.1"))
    .mockImplementation(answers("127.0.0.2"));
  const { send } = sender({ allowCidrs: ["127.0.0.1/32"], lookup });
  const url = `http://hooks.test:${String(port)}/`;
  expect(await send({ ...call, url })).toMatchObject({ status: 200, error: null });
  expect(lookup).toHaveBeenCalledTimes(1);
  expect(await send({ ...call, url })).toMatchObject({ error: "address_refused" });
  expect(lookup).toHaveBeenCalledTimes(2);
});

test("a connection that led elsewhere than to what was looked at is cut before anything is sent", async () => {
  const asked = vi.fn();
  const { port } = await listening(createServer(asked));
  // Simulates software on this machine that redirects connections.
  const connect = Socket.prototype.connect;
  vi.spyOn(Socket.prototype, "connect").mockImplementation(function (this: Socket) {
    return Reflect.apply(connect, this, [{ host: "127.0.0.1", port }]) as Socket;
  });
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  const { send } = sender({ allowCidrs: ["127.0.0.0/8"], lookup: answers("127.0.0.9") });
  const result = await send({ ...call, url: `http://hooks.test:${String(port)}/` });
  expect(result).toMatchObject({ status: null, error: "address_refused", responseBody: null });
  expect(asked).not.toHaveBeenCalled();
});

test("of several allowed addresses the one that answers is called", async () => {
  const { port } = await canary();
  const { send } = sender({
    allowCidrs: ["127.0.0.0/8", "::1"],
    lookup: answers("::1", "127.0.0.1"),
  });
  const result = await send({ ...call, url: `http://hooks.test:${String(port)}/` });
  expect(result).toMatchObject({ status: 200, error: null });
});

test.each([301, 302, 303, 307, 308])(
  "a redirect with %i to an internal address is not followed, and only its host is reported",
  async (status) => {
    const inside = await canary();
    const location = `http://name:secret@127.0.0.1:${String(inside.port)}/path?key=secret`;
    const { port } = await listening(
      createServer((_request, response) => response.writeHead(status, { location }).end()),
    );
    const result = await sender({ allowCidrs: ["127.0.0.1/32"] }).send({
      ...call,
      url: `http://127.0.0.1:${String(port)}/`,
    });
    expect(result).toMatchObject({ status, error: "redirected" });
    expect(result.detail).toContain(`127.0.0.1:${String(inside.port)};`);
    expect(result.detail).not.toMatch(/secret|path|name/);
    expect(inside.connections()).toBe(0);
  },
);

test.each(["javascript:alert(1)", "//[", `https://${"a".repeat(300)}.test/`, "file:///etc/passwd"])(
  "a redirect to %s is a redirect without a name",
  async (location) => {
    const { port } = await listening(
      createServer((_request, response) => response.writeHead(302, { location }).end()),
    );
    const result = await sender({ allowCidrs: ["127.0.0.1/32"] }).send({
      ...call,
      url: `http://127.0.0.1:${String(port)}/`,
    });
    expect(result.detail).toBe("The endpoint answered 302; redirects are not followed.");
  },
);

test("http is refused when calling too: the setting may have changed since the webhook was made", async () => {
  const inside = await canary();
  const result = await sender({ allowHttp: false, allowCidrs: ["127.0.0.1/32"] }).send({
    ...call,
    url: `http://127.0.0.1:${String(inside.port)}/`,
  });
  expect(result.error).toBe("address_refused");
  expect(inside.connections()).toBe(0);
});

test("the proxies of the environment are not asked", async () => {
  const proxy = await canary();
  const { port, connections } = await canary();
  for (const name of ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY"]) {
    vi.stubEnv(name, `http://127.0.0.1:${String(proxy.port)}`);
  }
  vi.stubEnv("NODE_USE_ENV_PROXY", "1");
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const { send } = sender({ allowCidrs: ["127.0.0.1/32"], lookup: never });
  await send({ ...call, url: `http://127.0.0.1:${String(port)}/` });
  await send({ ...call, url: "http://proxied.invalid:8080/" });
  expect(connections()).toBe(1);
  expect(proxy.connections()).toBe(0);
});
