import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const unit = readFileSync(
  join(import.meta.dirname, "../../deploy/ledgerline.service"),
  "utf8",
).split("\n");

test.each([
  ["CacheDirectoryMode=0700"],
  ["CapabilityBoundingSet="],
  ["LockPersonality=yes"],
  ["NoNewPrivileges=yes"],
  ["PrivateDevices=yes"],
  ["PrivateTmp=yes"],
  ["ProtectHome=yes"],
  ["ProtectKernelTunables=yes"],
  ["ProtectSystem=strict"],
  ["RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK"],
  ["RestrictNamespaces=yes"],
  ["StateDirectoryMode=0700"],
  ["SystemCallFilter=@system-service"],
  ["SystemCallFilter=~@privileged @resources"],
  ["UMask=0077"],
])("the systemd unit has %s", (line) => {
  expect(unit).toContain(line);
});

test("the systemd unit lets V8 compile", () => {
  expect(unit).toContain("MemoryDenyWriteExecute=no");
});
