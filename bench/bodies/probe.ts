// Loaded into the measured process before the program (`--import`): the longest time between two turns of its event loop,
// by the clock and by what its thread computed meanwhile, which other processes of the machine do not add to. Every
// connection to the socket that EVENT_LOOP_SOCKET names gets both as JSON, and starts a new measurement.
import { createServer } from "node:net";
import { isMainThread } from "node:worker_threads";

const INTERVAL_MS = 1;
const US_PER_MS = 1_000;

const socketPath = process.env["EVENT_LOOP_SOCKET"];
// Worker threads are started with the same options.
if (isMainThread && socketPath !== undefined) {
  let longest = { clockMs: 0, cpuMs: 0 };
  let lastMs = performance.now();
  let lastCpu = process.threadCpuUsage();
  const tick = (): void => {
    const nowMs = performance.now();
    const cpu = process.threadCpuUsage();
    const cpuMs = (cpu.user + cpu.system - lastCpu.user - lastCpu.system) / US_PER_MS;
    longest = {
      clockMs: Math.max(longest.clockMs, nowMs - lastMs),
      cpuMs: Math.max(longest.cpuMs, cpuMs),
    };
    lastMs = nowMs;
    lastCpu = cpu;
  };
  setInterval(tick, INTERVAL_MS).unref();
  createServer((socket) => {
    socket.on("error", () => undefined);
    // Later, so that a stop that ends with this connection is counted.
    setTimeout(() => {
      tick();
      socket.end(JSON.stringify(longest));
      longest = { clockMs: 0, cpuMs: 0 };
    }, 2 * INTERVAL_MS);
  })
    .listen(socketPath)
    .unref();
}
