// The image's HEALTHCHECK: exit code 0 when the service in the same container is ready. What it prints, `docker inspect` shows.
// A script of our own because the base image has no curl, and no fetch because that refuses some ports.
import { get } from "node:http";

const TIMEOUT_MS = 4_000;
/** Who listens on all addresses is asked on the loopback one. */
const LOOPBACK = { "0.0.0.0": "127.0.0.1", "::": "::1" };

const setting = (name, byDefault) => process.env[name]?.trim() || byDefault;
const host = setting("HOST", "127.0.0.1");

process.exitCode = 1;
const request = get({
  host: LOOPBACK[host] ?? host,
  port: setting("PORT", "8080"),
  path: "/health/ready",
  agent: false,
  timeout: TIMEOUT_MS,
});
request.on("response", (response) => {
  if (response.statusCode === 200) process.exitCode = 0;
  response.pipe(process.stdout);
});
request.on("timeout", () => request.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)));
request.on("error", (error) => process.stdout.write(`${error.message}\n`));
