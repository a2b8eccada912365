// Where an operator lets Node keep compiled code (NODE_COMPILE_CACHE), threads and child processes start with it too.
import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";

/** Environment of a thread or child process that computes: that of the service has secrets, and nothing else in it is needed. */
export function computingEnvironment(): Readonly<Record<string, string>> {
  // Of the folder that was set, Node uses one for its version.
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}
