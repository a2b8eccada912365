// npm run train -- domains
// Makes the filters of registered domains. Reads the lists of domains in
// DATA_DIR, which are not part of the project, and writes models/domains-*.bin, which are. NOTICE tells the sources.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { hashSeed, hashText } from "../../workers/recogniser/text/hash.ts";
import { domainBytes, domainFile } from "../../workers/knowledge/builder/domain-file.ts";
import { buildFuseFilter } from "../../workers/knowledge/fuse-filter.ts";
import { DATA_FOLDER } from "./data.ts";

export function runDomains(): void {
  for (const tier of ["core", "older"] as const) {
    const input = readFileSync(join(DATA_FOLDER, `domains/${tier}.txt.gz`));
    const domains = gunzipSync(input).toString("utf8").trim().split("\n");
    const bytes = domainBytes(buildFuseFilter(domains.map((domain) => hashText(hashSeed, domain))));
    writeFileSync(domainFile(tier), bytes);
    const sum = createHash("sha256").update(input).digest("hex");
    process.stdout.write(
      `${tier}: ${String(domains.length)} domains of ${sum}, ${String(bytes.length)} bytes\n`,
    );
  }
}
