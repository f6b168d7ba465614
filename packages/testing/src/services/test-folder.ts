import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProcess } from '@uprez/local-stack/find-process';
import { removePostgresData, removeRedisData } from '@uprez/local-stack/remove-data';

const PREFIX = 'uprez-test-';

/** A folder for the servers of this process; named after its pid, by which `sweepTestFolders` sees whether it lives. */
export function makeTestFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  // PostgreSQL runs as another account when we are root, and has to pass through.
  chmodSync(folder, 0o711);
  return folder;
}

/** Stops what still runs in a test folder, and removes it. */
export async function removeTestFolder(folder: string): Promise<void> {
  await removePostgresData(join(folder, 'postgres'));
  await removeRedisData(join(folder, 'redis'));
  rmSync(folder, { recursive: true, force: true });
}

/** Cleans up after test runs that were killed: their servers live on, each in a folder of its own. */
export async function sweepTestFolders(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]);
    const folder = join(tmpdir(), name);
    if (pid && !findProcess(pid) && isOurs(folder)) await removeTestFolder(folder);
  }
}

function isOurs(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.uid === process.getuid?.();
}
