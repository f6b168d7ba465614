import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { endProcess } from '../end-process.ts';
import { findProcess } from '../find-process.ts';

/**
 * Stops the server that a killed starter left running on `dataDir`, found by postmaster.pid and its command line.
 * When the pid belongs to some other program by now, the file is removed: PostgreSQL would refuse to start because of it.
 */
export async function stopOrphanPostgres(dataDir: string): Promise<void> {
  const pidFile = join(dataDir, 'postmaster.pid');
  const pid = readPid(pidFile);
  if (pid === undefined) return;
  if (findProcess(pid)?.commandLine.includes(`-D ${dataDir} `)) await endProcess(pid, 'SIGINT');
  else rmSync(pidFile, { force: true });
}

function readPid(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8').split('\n')[0]);
  } catch {
    return undefined;
  }
}
