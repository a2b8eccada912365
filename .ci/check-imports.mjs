// Checks the import table (.dependency-cruiser.mjs). Fails also when it saw suspiciously few modules: a cruiser that
// cannot read the sources would otherwise find nothing wrong with them.
import { cruise } from "dependency-cruiser";
import extractConfig from "dependency-cruiser/config-utl/extract-depcruise-options";
import extractTsConfig from "dependency-cruiser/config-utl/extract-ts-config";

const MODULES_MIN = 50;

const options = await extractConfig("./.dependency-cruiser.mjs");
const result = await cruise(["src", "workers", "test", "bench", "examples"], options, null, {
  tsConfig: extractTsConfig("./tsconfig.json"),
});
const { totalCruised, violations } = result.output.summary;
for (const violation of violations) {
  process.stdout.write(`${violation.rule.severity} ${violation.rule.name}: ${violation.from} -> ${violation.to}\n`);
}
const errors = violations.filter((violation) => violation.rule.severity === "error").length;
process.stdout.write(`${totalCruised} modules, ${errors} forbidden imports\n`);
if (totalCruised < MODULES_MIN) {
  process.stdout.write(`Only ${totalCruised} modules were seen; at least ${MODULES_MIN} are expected.\n`);
  process.exitCode = 1;
}
if (errors > 0) process.exitCode = 1;
