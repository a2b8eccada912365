// ledgerline backup and restore, and their arguments.
import type { Command } from "commander";

export interface BackupCliDeps {
  readonly stdout: NodeJS.WritableStream;
  /** @returns ids of the keys that the secrets in it need, and whether they are in it */
  backup(file: string, hasKeys: boolean): Promise<BackupKeys>;
  restore(file: string, isForced: boolean): Promise<BackupKeys>;
}

export interface BackupKeys {
  readonly keyIds: readonly string[];
  readonly hasKeys: boolean;
}

export function addBackupCommands(program: Command, deps: BackupCliDeps): void {
  program
    .command("backup <file>")
    .description("write a backup of the data folder to a file, while the service runs")
    .option("--without-key", "leave out the encryption keys, which have to be kept apart then")
    .action(async (file: string, { withoutKey = false }: { withoutKey?: boolean }) => {
      const { keyIds, hasKeys } = await deps.backup(file, !withoutKey);
      deps.stdout.write(`The backup is complete: ${file}\n${keyLine(keyIds, hasKeys)}`);
    });
  program
    .command("restore <file>")
    .description("put a backup into the data folder; no service may run on it")
    .option("--force", "replace the data that is there")
    .action(async (file: string, { force = false }: { force?: boolean }) => {
      const { keyIds, hasKeys } = await deps.restore(file, force);
      deps.stdout.write(`The data folder has what the backup had.\n${keyLine(keyIds, hasKeys)}`);
    });
}

function keyLine(ids: readonly string[], isIncluded: boolean): string {
  if (ids.length === 0) return "";
  const names = ids.join(", ");
  return isIncluded
    ? `It includes the encryption keys (${names}): keep it as secret as the data folder.\n`
    : `Its secrets need the encryption keys ${names}, which are not in it.\n`;
}
