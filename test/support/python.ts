// Python with packages of PyPI, downloaded once and kept with the services of the tests.
import { cached } from "../services/native/cache.ts";
import { runCommand } from "../services/native/command.ts";

const DOWNLOAD_MS_MAX = 300_000;
const COMMAND = "python3";

export interface Python {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * @param name what the packages are kept under, another one for others
 * @param packages arguments of `pip install`
 * @throws Error that names what is missing
 */
export async function findPythonWith(name: string, packages: readonly string[]): Promise<Python> {
  const version = await runCommand(
    COMMAND,
    ["-c", "import sys; print(*sys.version_info[:2], sep='.')"],
    20_000,
  );
  const folder = await cached(`python-${version.trim()}-${name}`, async (target) => {
    const install = ["-m", "pip", "install", "-q", "--only-binary", ":all:", "--target", target];
    await runCommand(COMMAND, [...install, ...packages], DOWNLOAD_MS_MAX);
  });
  return { command: COMMAND, env: { PYTHONPATH: folder } };
}
