// ledgerline backup and restore, and their arguments.
import type { Command } from "commander";

export interface BackupCliDeps {
  readonly stdout: NodeJS.WritableStream;
  backup(file: string, hasKeys: boolean): Promise<BackupKeys>;
  restore(file: string, isForced: boolean): Promise<BackupKeys>;
}

/** Ids of the encryption keys that the secrets in a backup need. */
export interface BackupKeys {
  readonly included: readonly string[];
  /** They are not in the backup. */
  readonly missing: readonly string[];
}

export function addBackupCommands(program: Command, deps: BackupCliDeps): void {
  program
    .command("backup <file>")
    .description("write a backup of the data folder to a file, while the service runs")
    .option("--without-key", "leave out the encryption keys: store them separately")
    .action(async (file: string, { withoutKey = false }: { withoutKey?: boolean }) => {
      const keys = await deps.backup(file, !withoutKey);
      deps.stdout.write(`The backup is complete: ${file}\n${keyLines(keys)}`);
    });
  program
    .command("restore <file>")
    .description("restore a backup into the data folder; stop the service first")
    .option("--force", "replace the existing data")
    .action(async (file: string, { force = false }: { force?: boolean }) => {
      const keys = await deps.restore(file, force);
      deps.stdout.write(`The backup is restored into the data folder.\n${keyLines(keys)}`);
    });
}

function keyLines({ included, missing }: BackupKeys): string {
  const has = `It includes the encryption keys (${included.join(", ")}): keep it as secret as the data folder.\n`;
  const needs = `Its secrets need the encryption keys ${missing.join(", ")}, which are not in it.\n`;
  return (included.length > 0 ? has : "") + (missing.length > 0 ? needs : "");
}
